//! The page, and what it shows as JSON, on a port of its own. Nothing here changes the farm.

mod answer;
mod api;
mod assets;
mod entity_tag;
mod live;
mod plot;
mod schema;
mod session;
mod snapshot;

use crate::access::Access;
use crate::metrics::Metrics;
use crate::server::Services;
use crate::service::QueryApi;
use axum::Router;
use axum::http::{HeaderName, HeaderValue, Method, header};
use axum::middleware;
use axum::routing::{get, post};
use snapshot::Snapshots;
use std::io;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tower_http::cors::CorsLayer;
use tower_http::set_header::SetResponseHeaderLayer;

/// Pages that may follow the farm live at once.
const MOST_VIEWERS: usize = 512;

/// What a page may load, and from where: only what this server serves.
const CONTENT_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
     img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

/// What the handlers work with.
#[derive(Clone)]
struct Web {
    query: Arc<QueryApi>,
    snapshots: Arc<Snapshots>,
    services: Services,
    access: Access,
    metrics: Arc<Metrics>,
    viewers: Arc<Semaphore>,
}

/// Everything that is served, behind `access`. Pages from `origins` may read it, too.
pub(crate) fn router(services: Services, access: Access, metrics: Arc<Metrics>, origins: Vec<HeaderValue>) -> Router {
    let query = Arc::new(QueryApi::new(services.clone()));
    let snapshots = Arc::new(Snapshots::new(query.clone()));
    let viewers = Arc::new(Semaphore::new(MOST_VIEWERS));
    let web = Web { query, snapshots, services, access, metrics, viewers };
    let guarded = Router::new()
        .merge(api::routes())
        .route("/api/v1/live", get(live::live))
        .route("/metrics", get(api::metrics))
        .layer(middleware::from_fn(entity_tag::answer_briefly))
        .layer(middleware::from_fn_with_state(web.clone(), session::only_with_token));
    let open = Router::new()
        .merge(assets::routes())
        .route("/api/v1/openapi.json", get(schema::document))
        .layer(middleware::from_fn(entity_tag::answer_briefly))
        .route("/api/v1/session", post(session::begin).delete(session::end));
    let always = |name: HeaderName, value: &'static str| {
        SetResponseHeaderLayer::if_not_present(name, HeaderValue::from_static(value))
    };
    let router = guarded
        .merge(open)
        .fallback(assets::not_found)
        .layer(always(header::CONTENT_SECURITY_POLICY, CONTENT_POLICY))
        .layer(always(header::X_CONTENT_TYPE_OPTIONS, "nosniff"))
        .layer(always(header::REFERRER_POLICY, "no-referrer"))
        .layer(always(header::CACHE_CONTROL, "no-cache"))
        .with_state(web);
    if origins.is_empty() {
        return router;
    }
    let cors = CorsLayer::new().allow_origin(origins).allow_methods([Method::GET]);
    router.layer(cors.allow_headers([header::AUTHORIZATION]))
}

/// A setting that is no origin of pages.
#[derive(Debug, thiserror::Error)]
#[error("web-origins: found '{0}', expected a scheme and a host, as in https://farm.example")]
pub struct OriginError(String);

/// The origins that `texts` name.
pub(crate) fn origins(texts: &[String]) -> Result<Vec<HeaderValue>, OriginError> {
    let origin = |text: &String| {
        let has_scheme = text.starts_with("https://") || text.starts_with("http://");
        let host = text.split_once("://").map_or("", |(_, host)| host);
        let is_origin = has_scheme && !host.is_empty() && !host.contains(['/', ' ', '*']);
        let value = HeaderValue::from_str(text).ok().filter(|_| is_origin);
        value.ok_or_else(|| OriginError(text.clone()))
    };
    texts.iter().map(origin).collect()
}

/// Serves until `shutdown`, then until the last answer is out.
pub(crate) async fn serve(router: Router, listener: TcpListener, shutdown: CancellationToken) -> io::Result<()> {
    axum::serve(listener, router).with_graceful_shutdown(shutdown.cancelled_owned()).await
}
