//! The page's own files, built into the program.

use super::Web;
use super::answer::Refused;
use crate::player;
use axum::Router;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use cascade_proto::Code;

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const SVG: &str = "image/svg+xml";

macro_rules! asset {
    ($name:literal, $kind:expr) => {
        (concat!("/assets/", $name), $kind, include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/", $name)))
    };
}

/// Paths, content types and contents.
const ASSETS: &[(&str, &str, &str)] = &[
    asset!("app.css", CSS),
    asset!("app.js", SCRIPT),
    asset!("dom.js", SCRIPT),
    asset!("farm.js", SCRIPT),
    asset!("figures.js", SCRIPT),
    asset!("icon.svg", SVG),
    asset!("views/events.js", SCRIPT),
    asset!("views/instance.js", SCRIPT),
    asset!("views/overview.js", SCRIPT),
    asset!("views/polled.js", SCRIPT),
    asset!("views/sign-in.js", SCRIPT),
    asset!("views/workers.js", SCRIPT),
    ("/assets/player.css", CSS, player::STYLE),
    ("/assets/player.js", SCRIPT, player::SCRIPT),
];

/// Addresses that a person may open or send to a friend: the page finds out what to show.
const PAGES: &[&str] = &["/", "/workers", "/events", "/instances/{game}/{name}"];

const PAGE: &str = include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/web/index.html"));

/// The routes of the page and its files.
pub(super) fn routes() -> Router<Web> {
    let file = |kind: &'static str, content: &'static str| get(move || async move { served(kind, content) });
    let router = PAGES.iter().fold(Router::new(), |router, path| router.route(path, file(HTML, PAGE)));
    ASSETS.iter().fold(router, |router, &(path, kind, content)| router.route(path, file(kind, content)))
}

/// Nothing is served at this address.
pub(super) async fn not_found() -> Refused {
    Code::UnknownInstance.status("nothing is served at this address").into()
}

fn served(kind: &'static str, content: &'static str) -> Response {
    ([(header::CONTENT_TYPE, kind)], content).into_response()
}
