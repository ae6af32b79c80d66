//! The player of replays that pages hold: a script without dependencies, and its style.

/// The script, an ES module that exports `Player`.
pub const SCRIPT: &str = include_str!("../web/player.js");

/// The style, with variables that a page may set.
pub const STYLE: &str = include_str!("../web/player.css");
