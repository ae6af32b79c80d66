//! The gRPC services: thin translations between the wire and the core.

mod admin;
mod query;
mod status;
mod wire;
mod worker;

pub(crate) use admin::AdminApi;
pub(crate) use query::QueryApi;
pub(crate) use worker::WorkerApi;
