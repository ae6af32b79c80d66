//! Sizes and times that both ends of a connection know.

use std::time::Duration;

/// The largest message either side sends or takes, in bytes. A larger one is refused with both sizes named.
pub const MESSAGE_BYTES: usize = 16 * 1024 * 1024;
/// How long a connection may be silent before a ping asks whether the other side is still there.
pub const KEEPALIVE_INTERVAL: Duration = Duration::from_secs(15);
/// How long the answer to a ping may take before the connection is given up.
pub const KEEPALIVE_TIMEOUT: Duration = Duration::from_secs(10);
/// How long a client tries to connect.
pub const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
