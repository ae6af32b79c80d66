//! Who may look: programs send the token with each request, a browser gets it into a cookie once.

use super::Web;
use super::answer::Refused;
use axum::Json;
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::Response;
use axum_extra::extract::cookie::{Cookie, CookieJar, SameSite};
use cascade_proto::Code;
use cascade_proto::token::SCHEME;
use serde::Deserialize;

/// The cookie that holds the token.
const COOKIE: &str = "cascade-token";

/// What a browser sends to sign in.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Credentials {
    token: String,
}

/// Lets a request pass that carries the token, as `Authorization: Bearer TOKEN` or in the cookie.
pub(super) async fn only_with_token(
    State(web): State<Web>,
    cookies: CookieJar,
    request: Request,
    next: Next,
) -> Result<Response, Refused> {
    let sent = authorization(request.headers()).or_else(|| cookies.get(COOKIE).map(|cookie| bearer(cookie.value())));
    web.access.check(sent.as_deref()).map_err(|reason| Code::Unauthenticated.status(reason))?;
    Ok(next.run(request).await)
}

/// Takes the token into a cookie that no script can read.
pub(super) async fn begin(
    State(web): State<Web>,
    cookies: CookieJar,
    Json(credentials): Json<Credentials>,
) -> Result<(CookieJar, StatusCode), Refused> {
    let token = credentials.token.trim();
    web.access.check(Some(&bearer(token))).map_err(|reason| Code::Unauthenticated.status(reason))?;
    let cookie = Cookie::build((COOKIE, token.to_owned())).http_only(true).same_site(SameSite::Strict).path("/");
    Ok((cookies.add(cookie), StatusCode::NO_CONTENT))
}

/// Takes the cookie away.
pub(super) async fn end(cookies: CookieJar) -> (CookieJar, StatusCode) {
    (cookies.remove(Cookie::build(COOKIE).path("/")), StatusCode::NO_CONTENT)
}

fn authorization(headers: &HeaderMap) -> Option<String> {
    headers.get(header::AUTHORIZATION).map(|value| value.to_str().unwrap_or_default().to_owned())
}

fn bearer(token: &str) -> String {
    format!("{SCHEME}{token}")
}
