//! One file for each command.

pub(crate) mod add;
pub(crate) mod best;
pub(crate) mod bound;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod drain;
pub(crate) mod events;
pub(crate) mod explain;
pub(crate) mod export;
pub(crate) mod import;
pub(crate) mod local;
pub(crate) mod pause;
pub(crate) mod priority;
pub(crate) mod replay;
pub(crate) mod report;
pub(crate) mod reproduce;
pub(crate) mod resume;
pub(crate) mod solve;
pub(crate) mod status;
pub(crate) mod watch;
pub(crate) mod workers;
