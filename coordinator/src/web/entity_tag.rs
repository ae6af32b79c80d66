//! Whoever has an answer already is told so in few bytes.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum_extra::headers::{ETag, HeaderMapExt, IfNoneMatch};
use sha2::{Digest, Sha256};

/// The largest answer that is looked at; replays of long plays are the largest there are.
const LARGEST: usize = 64 << 20;

/// Gives every whole answer a tag of its content, and answers `304 Not Modified` where the asker names that tag.
pub(super) async fn answer_briefly(request: Request, next: Next) -> Response {
    let is_get = request.method() == Method::GET || request.method() == Method::HEAD;
    let known: Option<IfNoneMatch> = request.headers().typed_get();
    let response = next.run(request).await;
    let is_stream = content_type(response.headers()).is_some_and(|kind| kind.starts_with("text/event-stream"));
    if !is_get || is_stream || response.status() != StatusCode::OK {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let Ok(bytes) = to_bytes(body, LARGEST).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let text = format!("\"{:.32x}\"", Sha256::digest(&bytes));
    let (Ok(value), Ok(tag)) = (HeaderValue::from_str(&text), text.parse::<ETag>()) else {
        return Response::from_parts(parts, Body::from(bytes));
    };
    parts.headers.insert(header::ETAG, value);
    if known.is_some_and(|known| !known.precondition_passes(&tag)) {
        parts.status = StatusCode::NOT_MODIFIED;
        parts.headers.remove(header::CONTENT_LENGTH);
        return Response::from_parts(parts, Body::empty());
    }
    Response::from_parts(parts, Body::from(bytes))
}

fn content_type(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::CONTENT_TYPE)?.to_str().ok()
}
