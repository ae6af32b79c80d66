//! Triple Town (NOI 2012): build a given sequence of buildings on a map for points; three like neighbours merge.

mod affinity;
mod board;
mod case;
mod command;
mod counting_bound;
mod engine;
mod estimate;
mod judge;
mod level;
mod marks;
mod moves;
mod outlook;
mod play_text;
mod puzzle;
pub mod random;
mod replay;
mod room_bound;
mod sites;
mod terrain;
mod tokens;

pub use board::Board;
pub use case::Case;
pub use command::Command;
pub use engine::TritownGame;
pub use estimate::Weights;
pub use judge::Judge;
pub use level::{POINTS, TOP};
pub use marks::Marks;

macro_rules! stand_in {
    ($number:literal) => {
        (
            $number,
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../configs/instances/tritown/tritown", $number, ".in")),
        )
    };
}

/// Ten cases of the official form, by number. They stand in for the official files, which are not to be had.
pub const STAND_INS: [(&str, &str); 10] = [
    stand_in!("1"),
    stand_in!("2"),
    stand_in!("3"),
    stand_in!("4"),
    stand_in!("5"),
    stand_in!("6"),
    stand_in!("7"),
    stand_in!("8"),
    stand_in!("9"),
    stand_in!("10"),
];
