//! How clients reach a coordinator.

use crate::limits;
use tonic::transport::Endpoint;

/// The text is no address of a coordinator.
#[derive(Debug, thiserror::Error)]
#[error("'{0}' is not a coordinator's address: expected HOST:PORT or http://HOST:PORT")]
pub struct EndpointError(String);

/// The endpoint at `address`, `HOST:PORT` or a URL, with keepalive pings also while no call runs, so that a peer that
/// is gone without a word is noticed. The name is resolved anew at each connection.
///
/// # Errors
/// When `address` is neither.
pub fn endpoint(address: &str) -> Result<Endpoint, EndpointError> {
    let refused = || EndpointError(address.to_owned());
    let url = if address.contains("://") { address.to_owned() } else { format!("http://{address}") };
    let endpoint = Endpoint::from_shared(url).map_err(|_| refused())?;
    let uri = endpoint.uri();
    if !matches!(uri.scheme_str(), Some("http" | "https")) || uri.host().is_none_or(str::is_empty) {
        return Err(refused());
    }
    Ok(endpoint
        .connect_timeout(limits::CONNECT_TIMEOUT)
        .http2_keep_alive_interval(limits::KEEPALIVE_INTERVAL)
        .keep_alive_timeout(limits::KEEPALIVE_TIMEOUT)
        .keep_alive_while_idle(true)
        .tcp_nodelay(true))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_addresses_and_urls_are_taken() {
        for address in ["127.0.0.1:7400", "farm.example:7400", "http://[::1]:7400", "https://farm.example"] {
            assert!(endpoint(address).is_ok(), "{address}");
        }
    }

    #[test]
    fn anything_else_is_refused_by_name() {
        for address in ["", "ftp://farm:1", "a b:1", "http://"] {
            let error = endpoint(address).expect_err(address).to_string();
            assert!(error.contains(&format!("'{address}'")), "{error}");
        }
    }
}
