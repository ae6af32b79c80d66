//! The coordinator of a Cascade farm: it knows every instance, leases partial states to workers, judges what they find
//! and keeps the best sequence of each instance for good.
//!
//! [`core`] decides everything and touches nothing; what surrounds it carries out its effects. [`store`] keeps what must
//! outlive the process.

mod access;
mod best_files;
mod bests;
pub mod config;
pub mod core;
mod data_dir;
mod durable_file;
pub mod history;
mod hook;
pub mod instances;
mod metrics;
pub mod options;
pub mod player;
mod records;
mod server;
mod service;
mod shell;
mod start;
pub mod store;
mod web;

pub use access::{AccessError, OpenToAll};
pub use config::Config;
pub use data_dir::{ADDRESS_FILE, DataDirError};
pub use start::{RunError, Running, StartError, start};
