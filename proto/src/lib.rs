//! The wire protocol of Cascade. The only crate that compiles protos.

/// Generated from `cascade/v1/*.proto`.
#[allow(missing_docs, clippy::all, reason = "generated code; the documentation is in the proto files")]
pub mod v1 {
    tonic::include_proto!("cascade.v1");

    /// The encoded file descriptors of the whole package, for server reflection.
    pub const FILE_DESCRIPTORS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/descriptors.bin"));
}
