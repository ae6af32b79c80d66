//! placeholder
pub mod core;
