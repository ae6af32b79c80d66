//! The wire protocol of Cascade: the generated types, and what both ends of a connection must agree on.
//!
//! The only crate that compiles protos. [`v1`] is generated; the other modules hold versions, error codes, the shared
//! token, limits, conversions between wire types and the types of the games, what is written as JSON, and traces that span both ends.

pub mod code;
pub mod convert;
pub mod endpoint;
pub mod json;
pub mod limits;
pub mod token;
pub mod traces;
pub mod version;

pub use code::Code;
pub use token::{AttachToken, Token};

/// Generated from `cascade/v1/*.proto`.
#[allow(
    missing_docs,
    clippy::all,
    clippy::allow_attributes_without_reason,
    reason = "generated code; the documentation is in the proto files"
)]
pub mod v1 {
    tonic::include_proto!("cascade.v1");

    /// The encoded file descriptors of the whole package, for server reflection.
    pub const FILE_DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
}
