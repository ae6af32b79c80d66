//! Weights as source text.

use cascade_games::tetris::Weights;
use std::fmt::Display;

/// Prints `weights` as `games/src/tetris/tuned.rs` holds them.
pub(crate) fn print(weights: &Weights) {
    let network = &*weights.network;
    println!("//! The weights that tuning arrived at, as the example `tune_tetris` of the search crate prints them.\n");
    println!("use super::features::Inputs;\nuse super::network::{{HIDDEN, Network}};");
    println!("use super::weights::{{PHASES as AT, SQUARE_KNOTS}};\n");
    println!(
        "/// The weights of the inputs by phase.\npub(super) const PHASES: [Inputs; AT.len()] = {};\n",
        rows(&weights.phases)
    );
    println!(
        "/// The cost of the number of squares.\npub(super) const SQUARES: [i32; SQUARE_KNOTS] = {};\n",
        row(&weights.squares)
    );
    println!("/// The network.\npub(super) const NETWORK: Network = Network {{");
    println!(
        "    hidden: HIDDEN_WEIGHTS,\n    bias: {},\n    output: {},\n}};\n",
        row(&network.bias),
        row(&network.output)
    );
    println!("const HIDDEN_WEIGHTS: [Inputs; HIDDEN] = {};", rows(&network.hidden));
}

fn row<T: Display>(numbers: &[T]) -> String {
    format!("[{}]", numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(", "))
}

fn rows<T: Display, const N: usize>(all: &[[T; N]]) -> String {
    let lines: Vec<String> = all.iter().map(|one| format!("    {},\n", row(one))).collect();
    format!("[\n{}]", lines.concat())
}
