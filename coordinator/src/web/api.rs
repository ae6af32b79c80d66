//! What the page shows, as JSON for programs.

use super::Web;
use super::answer::{Answer, Refused, answer};
use super::plot;
use crate::history::Over;
use crate::service::QueryApi;
use axum::Json;
use axum::Router;
use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use cascade_games::{GameId, InstanceName};
use cascade_proto::v1::query_service_server::QueryService;
use cascade_proto::{Code, json, v1};
use serde::Deserialize;
use std::time::SystemTime;
use tonic::{Request, Status};
use utoipa::IntoParams;

/// The routes under `/api/v1` that ask the farm.
pub(super) fn routes() -> Router<Web> {
    Router::new()
        .route("/api/v1/status", get(status))
        .route("/api/v1/bests", get(bests))
        .route("/api/v1/workers", get(workers))
        .route("/api/v1/events", get(events))
        .route("/api/v1/instances/{game}/{name}", get(explain))
        .route("/api/v1/instances/{game}/{name}/best", get(best))
        .route("/api/v1/instances/{game}/{name}/sequence", get(sequence))
        .route("/api/v1/instances/{game}/{name}/replay", get(replay))
        .route("/api/v1/instances/{game}/{name}/content", get(content))
        .route("/api/v1/instances/{game}/{name}/history.svg", get(history))
}

/// The instance that a path names.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub(super) struct Named {
    /// `tetris` or `tritown`.
    game: String,
    /// `baba`, `7`.
    name: String,
}

impl Named {
    fn full(&self) -> String {
        format!("{}/{}", self.game, self.name)
    }
}

/// Which events are wanted.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields, default)]
pub(super) struct EventsWanted {
    /// The newest so many; 100 unless told otherwise.
    limit: u32,
    /// Only of this instance.
    instance: String,
    /// Only those with a greater number.
    after: u64,
}

/// What the plot of a history runs over.
#[derive(Clone, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields, default)]
pub(super) struct PlotWanted {
    /// `time` or `effort`.
    over: Over,
}

/// The farm at a glance, every instance with it. At most a quarter of a second old.
#[utoipa::path(get, path = "/api/v1/status", responses((status = 200, body = json::Status)))]
pub(super) async fn status(State(web): State<Web>) -> Result<Response, Refused> {
    Ok(Json(&*web.snapshots.status().await?).into_response())
}

/// The bests of all instances that have one.
#[utoipa::path(get, path = "/api/v1/bests", responses((status = 200, body = Vec<json::Best>)))]
pub(super) async fn bests(State(web): State<Web>) -> Answer<Vec<json::Best>> {
    let bests = web.query.list_bests(Request::new(v1::ListBestsRequest {})).await?.into_inner().bests;
    answer(bests.iter().map(json::Best::from).collect())
}

/// The workers.
#[utoipa::path(get, path = "/api/v1/workers", responses((status = 200, body = Vec<json::Worker>)))]
pub(super) async fn workers(State(web): State<Web>) -> Answer<Vec<json::Worker>> {
    let workers = web.query.list_workers(Request::new(v1::ListWorkersRequest {})).await?.into_inner().workers;
    answer(workers.iter().map(json::Worker::from).collect())
}

/// What happened, oldest first.
#[utoipa::path(get, path = "/api/v1/events", params(EventsWanted),
    responses((status = 200, body = Vec<json::Event>), (status = 404, body = json::Failure)))]
pub(super) async fn events(State(web): State<Web>, wanted: Wanted<EventsWanted>) -> Answer<Vec<json::Event>> {
    let EventsWanted { limit, instance, after } = wanted?.0;
    let request = v1::ListEventsRequest { limit, instance, after };
    let events = web.query.list_events(Request::new(request)).await?.into_inner().events;
    answer(events.iter().map(json::Event::from).collect())
}

/// An instance, how it is searched, and how its best came to be.
#[utoipa::path(get, path = "/api/v1/instances/{game}/{name}", params(Named),
    responses((status = 200, body = json::Explanation), (status = 404, body = json::Failure)))]
pub(super) async fn explain(State(web): State<Web>, Path(named): Path<Named>) -> Answer<json::Explanation> {
    let instance = named.full();
    let explained = web.query.explain(Request::new(v1::ExplainRequest { instance: instance.clone() })).await?;
    let history = past(&web.query, instance).await?;
    let explanation = json::Explanation::new(explained.get_ref(), &history);
    explanation.map(Json).ok_or_else(|| Code::Internal.status("the explanation names no instance").into())
}

/// The best sequence of an instance.
#[utoipa::path(get, path = "/api/v1/instances/{game}/{name}/best", params(Named),
    responses((status = 200, body = json::Best), (status = 404, body = json::Failure)))]
pub(super) async fn best(State(web): State<Web>, Path(named): Path<Named>) -> Answer<json::Best> {
    answer(json::Best::from(&best_of(&web.query, &named).await?))
}

/// The best sequence of an instance in the contest's own format, as a file.
#[utoipa::path(get, path = "/api/v1/instances/{game}/{name}/sequence", params(Named),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = json::Failure)))]
pub(super) async fn sequence(State(web): State<Web>, Path(named): Path<Named>) -> Result<Response, Refused> {
    let best = best_of(&web.query, &named).await?;
    let name: InstanceName = named.full().parse().map_err(|error| Code::BadInput.status(format!("{error}")))?;
    let attachment = format!("attachment; filename=\"{}\"", file_name(&name));
    let headers =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()), (header::CONTENT_DISPOSITION, attachment)];
    Ok((headers, best.text).into_response())
}

/// The best sequence of an instance move by move, with all that it sets off.
#[utoipa::path(get, path = "/api/v1/instances/{game}/{name}/replay", params(Named),
    responses((status = 200, body = json::replay::Replay), (status = 404, body = json::Failure)))]
pub(super) async fn replay(State(web): State<Web>, Path(named): Path<Named>) -> Answer<json::replay::Replay> {
    let name = web.query.instance(&named.full())?;
    let puzzle = web.query.puzzle(&name)?;
    let best = web.services.bests.get(&name).ok_or_else(|| no_best(&name))?;
    let told = tokio::task::spawn_blocking(move || {
        let replay = puzzle.replay(&best.moves).map_err(|error| Code::Internal.status(error.to_string()))?;
        Ok::<_, Status>(json::replay::Replay::new(&name, &replay))
    });
    answer(told.await.map_err(|error| Code::Internal.status(format!("the replay failed: {error}")))??)
}

/// What an instance holds, in the game's own format.
#[utoipa::path(get, path = "/api/v1/instances/{game}/{name}/content", params(Named),
    responses((status = 200, body = String, content_type = "text/plain"), (status = 404, body = json::Failure)))]
pub(super) async fn content(State(web): State<Web>, Path(named): Path<Named>) -> Result<String, Refused> {
    let name = web.query.instance(&named.full())?;
    Ok(web.query.puzzle(&name)?.content().to_owned())
}

/// How the best of an instance came to be, as a plot whose colours are the page's.
#[utoipa::path(get, path = "/api/v1/instances/{game}/{name}/history.svg", params(Named, PlotWanted),
    responses((status = 200, body = String, content_type = "image/svg+xml"), (status = 404, body = json::Failure)))]
pub(super) async fn history(
    State(web): State<Web>,
    Path(named): Path<Named>,
    wanted: Wanted<PlotWanted>,
) -> Result<Response, Refused> {
    let name = web.query.instance(&named.full())?;
    let history = past(&web.query, name.to_string()).await?;
    let bound = web.services.bests.bound(&name).map(|bound| bound.value);
    let drawn = plot::history(&history, bound, name.game().score_unit(), wanted?.0.over, SystemTime::now());
    let svg = drawn.map_err(|error| Code::Internal.status(format!("the plot failed: {error}")))?;
    Ok(([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response())
}

/// The farm in figures, for Prometheus.
pub(super) async fn metrics(State(web): State<Web>) -> Result<Response, Refused> {
    let status = web.snapshots.status().await?;
    let workers = web.query.list_workers(Request::new(v1::ListWorkersRequest {})).await?.into_inner().workers;
    let text = web.metrics.render(&status, &workers).map_err(|error| Code::Internal.status(error.to_string()))?;
    Ok(([(header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response())
}

/// What stands behind the `?`, or that it cannot be read.
type Wanted<T> = Result<Query<T>, QueryRejection>;

impl From<QueryRejection> for Refused {
    fn from(unreadable: QueryRejection) -> Self {
        Code::BadInput.status(unreadable.body_text()).into()
    }
}

/// The file that a best is downloaded as: `baba.txt`, `tritown7.out`.
fn file_name(name: &InstanceName) -> String {
    let ending = name.game().sequence_ending();
    match name.game() {
        GameId::Tetris => format!("{}.{ending}", name.name()),
        GameId::Tritown => format!("tritown{}.{ending}", name.name()),
    }
}

fn no_best(name: &InstanceName) -> Status {
    Code::UnknownInstance.status(format!("{name} has no best yet"))
}

async fn best_of(query: &QueryApi, named: &Named) -> Result<v1::Best, Refused> {
    let name = query.instance(&named.full())?;
    let request = v1::GetBestRequest { instance: name.to_string() };
    let best = query.get_best(Request::new(request)).await?.into_inner().best;
    best.ok_or_else(|| no_best(&name).into())
}

async fn past(query: &QueryApi, instance: String) -> Result<Vec<v1::HistoryEntry>, Refused> {
    Ok(query.history(Request::new(v1::HistoryRequest { instance })).await?.into_inner().entries)
}
