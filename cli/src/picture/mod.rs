//! A play as a still picture.

mod board;
mod film;
mod going;

pub(crate) use film::Film;

/// The look of pictures; a page that holds some needs it once.
pub(crate) const STYLE: &str = include_str!("picture.css");
