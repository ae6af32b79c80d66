//! A Cascade worker: signs on to a coordinator and searches what it leases.
//!
//! The control side (async, [`run`]) keeps the session: hello, heartbeats, reports, leases. The search side is a thread
//! with a rayon pool of its own. They meet in what the worker holds, in the spool of sequences not yet acknowledged,
//! and in the stop flag of the running search; neither waits for the other.

mod checkpoint;
mod config;
mod data_dir;
mod error;
mod holdings;
mod lease;
mod lifecycle;
mod link;
mod observer;
mod ordered_delay;
mod outbox;
pub mod plan;
mod sealed;
mod searcher;
mod session;
mod speed;
mod spool;
mod worker;

pub use config::{Config, ConfigError, LogFormat};
pub use data_dir::DataDirError;
pub use error::{LeaseFault, WorkerError};
pub use lifecycle::{Summary, run};
pub use observer::{Observer, SearchView, WorkerEvent};
