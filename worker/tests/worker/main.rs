//! The worker against a coordinator that records every call and can be told to misbehave.

mod fake;
mod leases;
mod program;
mod restarts;
mod sessions;
