//! What `/api/v1` answers, described for programs.

use super::api;
use axum::Json;
use utoipa::OpenApi;

/// The description in the form of OpenAPI.
#[derive(OpenApi)]
#[openapi(
    info(title = "Cascade", description = "What a farm found and does. Read only."),
    paths(
        api::status,
        api::bests,
        api::workers,
        api::events,
        api::explain,
        api::best,
        api::sequence,
        api::replay,
        api::content,
        api::history
    )
)]
struct Document;

/// The description.
pub(super) async fn document() -> Json<utoipa::openapi::OpenApi> {
    Json(Document::openapi())
}
