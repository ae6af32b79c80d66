//! Compiles the protos without an installed protoc and keeps their descriptors for reflection.

use std::path::PathBuf;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files = ["types", "worker", "query", "admin"].map(|name| format!("cascade/v1/{name}.proto"));
    println!("cargo::rerun-if-changed=cascade");
    let descriptors = protox::compile(files, ["."])?;
    let out = PathBuf::from(std::env::var("OUT_DIR")?).join("descriptors.bin");
    std::fs::write(out, prost_encode(&descriptors))?;
    tonic_prost_build::configure().compile_fds(descriptors)?;
    Ok(())
}

fn prost_encode(message: &impl prost::Message) -> Vec<u8> {
    message.encode_to_vec()
}
