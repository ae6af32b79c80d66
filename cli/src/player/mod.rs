//! A play in the terminal: animated where there is one, else board by board as text.

mod controls;
mod look;
mod moments;
mod plain;
mod screen;
mod terminal;

pub(crate) use plain::text;
pub(crate) use terminal::watch;
