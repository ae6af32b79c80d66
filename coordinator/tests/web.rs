//! The page's server as programs meet it: JSON by its description, metrics, who may look.

mod common;

use common::{Coordinator, command, hello, run};
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::Path;
use ureq::Agent;
use ureq::http::Response;

const TOKEN: &str = "a-token-of-some-length";

fn agent() -> Agent {
    Agent::config_builder().http_status_as_error(false).build().into()
}

struct Told {
    status: u16,
    headers: ureq::http::HeaderMap,
    body: String,
}

impl Told {
    fn of(response: Response<ureq::Body>) -> Self {
        let (parts, mut body) = response.into_parts();
        let body = body.with_config().limit(64 << 20).read_to_string().expect("text");
        Self { status: parts.status.as_u16(), headers: parts.headers, body }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("text"))
    }

    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }
}

fn get(url: &str, headers: &[(&str, &str)]) -> Told {
    let request = headers.iter().fold(agent().get(url), |request, (name, value)| request.header(*name, *value));
    Told::of(request.call().expect("answered"))
}

fn data() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

/// Holds `value` against the schema of an answer, references within `document` included.
fn assert_fits(document: &Value, schema: &Value, value: &Value, path: &str) {
    let mut whole = schema.clone();
    whole["components"] = document["components"].clone();
    let validator = jsonschema::validator_for(&whole).expect("a schema");
    let problems: Vec<_> =
        validator.iter_errors(value).map(|error| format!("{}: {error}", error.instance_path)).collect();
    assert!(problems.is_empty(), "{path}: {problems:#?}");
}

#[test]
fn every_answer_is_as_the_description_says() {
    let data = data();
    let coordinator = Coordinator::start(data.path());
    let document = get(&format!("{}/api/v1/openapi.json", coordinator.page), &[]).json();
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() >= 10, "{paths:?}");
    for (path, described) in paths {
        for name in ["tetris/baba", "tritown/1", "tetris/nowhere"] {
            let filled = path.replace("{game}/{name}", name);
            let told = get(&format!("{}{filled}", coordinator.page), &[]);
            let answer = &described["get"]["responses"][told.status.to_string()];
            assert!(answer.is_object(), "{filled}: {} is not described: {}", told.status, told.body);
            let content = answer["content"].as_object().expect("content");
            let kind = told.header("content-type").split(';').next().expect("a type");
            let media = content.get(kind).unwrap_or_else(|| panic!("{filled}: {kind} is not described"));
            if kind == "application/json" {
                assert_fits(&document, &media["schema"], &told.json(), &filled);
            }
        }
    }
}

#[test]
fn pages_open_by_their_own_address_and_other_addresses_are_refused_as_json() {
    let data = data();
    let coordinator = Coordinator::start(data.path());
    for path in ["/", "/workers", "/events", "/instances/tetris/baba"] {
        let told = get(&format!("{}{path}", coordinator.page), &[]);
        assert!(told.status == 200 && told.header("content-type").starts_with("text/html"), "{path}");
        assert!(told.header("content-security-policy").contains("script-src 'self'"));
    }
    let told = get(&format!("{}/nowhere", coordinator.page), &[]);
    assert_eq!((told.status, told.json()["code"].as_str()), (404, Some("unknown-instance")));
    let told = get(&format!("{}/api/v1/events?limti=3", coordinator.page), &[]);
    assert_eq!((told.status, told.json()["code"].as_str()), (400, Some("bad-input")));
    let told = get(&format!("{}/api/v1/instances/chess/baba/best", coordinator.page), &[]);
    assert_eq!((told.status, told.json()["code"].as_str()), (400, Some("bad-input")));
}

#[test]
fn whoever_has_an_answer_already_gets_no_second_copy() {
    let data = data();
    let coordinator = Coordinator::start(data.path());
    for path in ["/", "/assets/app.js", "/api/v1/instances/tetris/baba/replay"] {
        let url = format!("{}{path}", coordinator.page);
        let first = get(&url, &[]);
        let tag = first.header("etag").to_owned();
        assert!(first.status == 200 && !tag.is_empty(), "{path}");
        let again = get(&url, &[("if-none-match", &tag)]);
        assert_eq!((again.status, again.body.as_str()), (304, ""), "{path}");
        assert_eq!(get(&url, &[("if-none-match", "\"other\"")]).status, 200, "{path}");
    }
}

#[test]
fn with_a_token_only_its_holders_look() {
    let data = data();
    let coordinator = Coordinator::spawn(
        command(data.path()).args(["--listen", "127.0.0.1:0", "--log-level", "warn"]).env("CASCADE_TOKEN", TOKEN),
    );
    let page = &coordinator.page;
    assert_eq!(get(&format!("{page}/"), &[]).status, 200, "the form to sign in is there for all");
    for path in ["/api/v1/status", "/api/v1/live", "/metrics", "/api/v1/instances/tetris/baba/best"] {
        let url = format!("{page}{path}");
        let refused = get(&url, &[]);
        assert_eq!((refused.status, refused.json()["code"].as_str()), (401, Some("unauthenticated")), "{path}");
        assert_eq!(get(&url, &[("authorization", "Bearer wrong-but-long-enough")]).status, 401, "{path}");
        assert_eq!(get(&url, &[("cookie", "cascade-token=wrong-but-long-enough")]).status, 401, "{path}");
    }
    assert_eq!(get(&format!("{page}/metrics"), &[("authorization", &format!("Bearer {TOKEN}"))]).status, 200);
    let sign_in = |token: &str| {
        let body = serde_json::json!({ "token": token });
        Told::of(agent().post(&format!("{page}/api/v1/session")).send_json(body).expect("answered"))
    };
    assert_eq!(sign_in("wrong-but-long-enough").status, 401);
    let signed_in = sign_in(TOKEN);
    let cookie = signed_in.header("set-cookie");
    assert_eq!(signed_in.status, 204);
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
    let cookie = cookie.split(';').next().expect("name and value").to_owned();
    assert_eq!(get(&format!("{page}/api/v1/status"), &[("cookie", &cookie)]).status, 200);
}

#[test]
fn other_sites_read_only_what_the_operator_lets_them() {
    const SITE: &str = "https://farm.example";
    let allowed = |arguments: &[&str]| {
        let data = data();
        let arguments = [&["--listen", "127.0.0.1:0", "--log-level", "warn"], arguments].concat();
        let coordinator = Coordinator::spawn(command(data.path()).args(arguments));
        let told = get(&format!("{}/api/v1/status", coordinator.page), &[("origin", SITE)]);
        told.header("access-control-allow-origin").to_owned()
    };
    assert_eq!(allowed(&[]), "");
    assert_eq!(allowed(&["--web-origins", SITE]), SITE);
    assert_eq!(allowed(&["--web-origins", "https://other.example"]), "");
    let data = data();
    let (code, _, stderr) = run(command(data.path()).args(["--listen", "127.0.0.1:0", "--web-origins", "*"]));
    assert!(code == Some(2) && stderr.contains("web-origins") && stderr.contains('*'), "{stderr}");
}

#[test]
fn the_live_stream_begins_with_everything() {
    let data = data();
    let coordinator = Coordinator::start(data.path());
    let response = agent().get(&format!("{}/api/v1/live", coordinator.page)).call().expect("answered");
    let lines = BufReader::new(response.into_body().into_reader()).lines();
    let mut lines = lines.map(|line| line.expect("text")).filter(|line| !line.is_empty());
    assert_eq!(lines.next().as_deref(), Some("event: changes"));
    let first = lines.next().expect("a message");
    let first: Value = serde_json::from_str(first.strip_prefix("data: ").expect("data")).expect("JSON");
    assert_eq!(first["instances"].as_array().map(Vec::len), Some(101));
    assert_eq!(lines.next().as_deref(), Some("event: changes"));
    let second = lines.next().expect("a message");
    let second: Value = serde_json::from_str(second.strip_prefix("data: ").expect("data")).expect("JSON");
    assert_eq!(second["instances"].as_array().map(Vec::len), Some(0), "nothing changed");
}

#[test]
fn no_page_is_served_where_none_is_wanted_and_a_taken_port_is_refused_by_name() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
    let address = taken.local_addr().expect("an address").to_string();
    let data = data();
    let (code, _, stderr) = run(command(data.path()).args(["--listen", "127.0.0.1:0", "--web", &address]));
    assert!(code == Some(2) && stderr.contains(&address) && stderr.contains("--no-web"), "{stderr}");
}

/// The names of metrics in `text`: of samples without what their kind adds.
fn names(text: &str) -> BTreeSet<String> {
    let is_part = |c: char| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit();
    let words = text.split(|c: char| !is_part(c)).filter(|word| word.starts_with("cascade_"));
    let plain = |word: &str| {
        let ending = ["_bucket", "_count", "_sum"].into_iter().find(|ending| word.ends_with(ending));
        ending.map_or(word, |ending| &word[..word.len() - ending.len()]).to_owned()
    };
    words.map(plain).collect()
}

#[tokio::test]
async fn metrics_follow_the_conventions_and_dashboards_and_alerts_name_only_what_there_is() {
    let data = data();
    let coordinator = Coordinator::start(data.path());
    coordinator.worker().await.hello(hello("attic")).await.expect("welcome");
    let told = get(&format!("{}/metrics", coordinator.page), &[]);
    assert!(told.header("content-type").starts_with("application/openmetrics-text"), "{:?}", told.headers);
    assert!(told.body.ends_with("# EOF\n"));
    let mut there = BTreeSet::new();
    for line in told.body.lines() {
        if let Some(described) = line.strip_prefix("# TYPE ") {
            let (name, kind) = described.split_once(' ').expect("name and kind");
            assert!(name.starts_with("cascade_"), "{line}");
            assert!(told.body.contains(&format!("# HELP {name} ")), "{name} has no help");
            there.insert(if kind == "counter" { format!("{name}_total") } else { name.to_owned() });
        }
    }
    let deploy = Path::new(env!("CARGO_MANIFEST_DIR")).join("../deploy");
    for file in ["grafana/cascade.json", "prometheus/alerts.yaml"] {
        let text = std::fs::read_to_string(deploy.join(file)).expect("readable");
        let used = names(&text);
        assert!(used.len() >= 5, "{file} uses {used:?}");
        let unknown: Vec<_> = used.difference(&there).collect();
        assert!(unknown.is_empty(), "{file} names {unknown:?}, there are {there:?}");
    }
    let dashboard = std::fs::read_to_string(deploy.join("grafana/cascade.json")).expect("readable");
    serde_json::from_str::<Value>(&dashboard).expect("JSON");
}
