//! Who may call: everyone on this machine, or whoever has the token.

use crate::config::Config;
use cascade_proto::token::{KEY, SCHEME, TokenError};
use cascade_proto::{Code, Token};
use subtle::ConstantTimeEq;
use tonic::service::Interceptor;
use tonic::{Request, Status};

/// Lets a request pass if it carries the token, or if there is none.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    token: Option<Token>,
}

/// The settings would open the farm to everyone.
#[derive(Debug, thiserror::Error)]
#[error(
    "listening on {0} opens the farm beyond this machine: give a token (--token-file FILE or CASCADE_TOKEN), or say --insecure to let anyone in who reaches it"
)]
pub struct OpenToAll(std::net::SocketAddr);

/// No access could be set up.
#[derive(Debug, thiserror::Error)]
pub enum AccessError {
    /// A public address without a token.
    #[error(transparent)]
    OpenToAll(#[from] OpenToAll),
    /// The token cannot be had or used.
    #[error(transparent)]
    Token(#[from] TokenError),
}

impl Access {
    /// Reads the token and checks that the address to listen on does not need one in vain.
    pub(crate) fn new(config: &Config) -> Result<Self, AccessError> {
        let token = match (&config.token, &config.token_file) {
            (Some(token), _) => Some(token.clone()),
            (None, Some(file)) => Some(Token::read(file)?),
            (None, None) => None,
        };
        let addresses = [Some(config.listen), config.web_address()];
        let public = addresses.into_iter().flatten().find(|address| !address.ip().to_canonical().is_loopback());
        if let Some(address) = public
            && token.is_none()
            && !config.insecure
        {
            return Err(OpenToAll(address).into());
        }
        Ok(Self { token })
    }

    /// Whether `sent`, a value of the header `authorization`, lets its sender pass; else why not.
    pub(crate) fn check(&self, sent: Option<&str>) -> Result<(), &'static str> {
        let Some(token) = &self.token else { return Ok(()) };
        let sent = sent.ok_or("this coordinator wants a token: set CASCADE_TOKEN or give --token-file FILE")?;
        let sent = sent.strip_prefix(SCHEME).ok_or("the authorization is not of the form 'Bearer TOKEN'")?;
        let same: bool = sent.as_bytes().ct_eq(token.secret().as_bytes()).into();
        if same { Ok(()) } else { Err("the token is not this coordinator's: check CASCADE_TOKEN or --token-file") }
    }
}

impl Interceptor for Access {
    fn call(&mut self, request: Request<()>) -> Result<Request<()>, Status> {
        let sent = request.metadata().get(KEY).map(|value| value.to_str().unwrap_or_default());
        self.check(sent).map_err(|reason| Code::Unauthenticated.status(reason))?;
        Ok(request)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef";

    fn config(listen: &str, token: bool, insecure: bool) -> Config {
        let token = token.then(|| Token::new(SECRET, "test").expect("usable"));
        Config { listen: listen.parse().expect("an address"), token, insecure, ..Config::default() }
    }

    #[test]
    fn a_public_address_needs_a_token_or_the_plain_word() {
        for listen in ["0.0.0.0:0", "[::]:0", "192.0.2.1:80"] {
            let error = Access::new(&config(listen, false, false)).expect_err("open to all").to_string();
            assert!(error.contains("--insecure") && error.contains("--token-file"), "{error}");
            assert!(Access::new(&config(listen, true, false)).is_ok());
            assert!(Access::new(&config(listen, false, true)).is_ok());
        }
        let page =
            Config { web: Some("192.0.2.1:80".parse().expect("an address")), ..config("127.0.0.1:0", false, false) };
        assert!(Access::new(&page).is_err() && Access::new(&Config { no_web: true, ..page }).is_ok());
        for listen in ["127.0.0.1:0", "127.9.9.9:0", "[::1]:0", "[::ffff:127.0.0.1]:0"] {
            assert!(Access::new(&config(listen, false, false)).is_ok(), "{listen}");
        }
    }

    #[test]
    fn only_the_token_itself_passes() {
        let access = Access::new(&config("127.0.0.1:0", true, false)).expect("access");
        assert_eq!(access.check(Some("Bearer 0123456789abcdef")), Ok(()));
        for wrong in [None, Some(SECRET), Some("Bearer 0123456789abcdeF"), Some("Bearer 0123456789abcdef0"), Some("")] {
            assert!(access.check(wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn without_a_token_all_pass() {
        let access = Access::new(&config("127.0.0.1:0", false, false)).expect("access");
        assert_eq!(access.check(None), Ok(()));
        assert_eq!(access.check(Some("Bearer anything")), Ok(()));
    }
}
