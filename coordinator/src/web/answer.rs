//! Answers, and refusals, as JSON.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use cascade_proto::{Code, json};
use serde::Serialize;
use tonic::Status;

/// A value as JSON, or why there is none.
pub(super) type Answer<T> = Result<Json<T>, Refused>;

/// Why there is no answer.
#[derive(Debug)]
pub(super) struct Refused(pub(super) Status);

impl From<Status> for Refused {
    fn from(status: Status) -> Self {
        Self(status)
    }
}

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        let code = Code::of(&self.0).unwrap_or(Code::Internal);
        let failure = json::Failure { code: code.name().to_owned(), message: self.0.message().to_owned() };
        (http_status(code), Json(failure)).into_response()
    }
}

/// `value` as JSON.
pub(super) fn answer<T: Serialize>(value: T) -> Answer<T> {
    Ok(Json(value))
}

const fn http_status(code: Code) -> StatusCode {
    match code {
        Code::Unauthenticated => StatusCode::UNAUTHORIZED,
        Code::UnknownInstance | Code::UnknownWorker => StatusCode::NOT_FOUND,
        Code::BadInput | Code::VersionMismatch => StatusCode::BAD_REQUEST,
        Code::StoreUnavailable | Code::Overloaded | Code::ShuttingDown => StatusCode::SERVICE_UNAVAILABLE,
        Code::SessionUnknown | Code::SessionFenced | Code::WrongEpoch | Code::SetAside | Code::Internal => {
            StatusCode::INTERNAL_SERVER_ERROR
        }
    }
}
