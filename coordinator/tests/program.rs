//! The program as its users meet it: how it starts, whom it lets in, how it stops.

mod common;

use cascade_proto::{Code, v1};
use common::{Coordinator, command, run};
use std::fs;
use std::time::Duration;
use tonic_health::pb::health_check_response::ServingStatus;
use tonic_health::pb::health_client::HealthClient;
use tonic_health::pb::{HealthCheckRequest, HealthCheckResponse};

const TOKEN: &str = "a-token-of-some-length";

fn data() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

#[tokio::test]
async fn it_says_where_it_listens_and_leaves_nothing_but_its_data() {
    let data = data();
    let coordinator = Coordinator::start(data.path());
    let address = fs::read_to_string(data.path().join("coordinator.address")).expect("readable");
    assert_eq!(address.trim(), coordinator.address);
    let bests = coordinator.query().await.list_bests(v1::ListBestsRequest {}).await.expect("served").into_inner();
    assert!(bests.bests.len() <= 101);
    let stopped = tokio::task::spawn_blocking(move || coordinator.terminate());
    let (status, rest) = stopped.await.expect("joined");
    assert_eq!((status.code(), rest.as_str()), (Some(0), ""));
    assert!(!data.path().join("coordinator.address").exists());
}

#[tokio::test]
async fn a_second_process_on_the_same_data_is_refused_and_told_who_has_it() {
    let data = data();
    let first = Coordinator::start(data.path());
    let (code, stdout, stderr) = run(command(data.path()).args(["--listen", "127.0.0.1:0"]));
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("in use by process") && stderr.contains("--data"), "{stderr}");
    first.kill();
    // The lock goes with the process, however it ends; a left-over address is overwritten.
    let second = Coordinator::start(data.path());
    let address = fs::read_to_string(data.path().join("coordinator.address")).expect("readable");
    assert_eq!(address.trim(), second.address);
}

#[test]
fn an_address_in_use_is_refused_by_name() {
    let data = data();
    let holder = std::net::TcpListener::bind("127.0.0.1:0").expect("bound");
    let address = holder.local_addr().expect("an address").to_string();
    let (code, _, stderr) = run(command(data.path()).args(["--listen", &address]));
    assert_eq!(code, Some(2));
    assert!(stderr.contains(&format!("cannot listen on {address}")), "{stderr}");
}

#[tokio::test]
async fn listening_beyond_this_machine_needs_a_token_or_the_plain_word() {
    let data = data();
    let (code, stdout, stderr) = run(command(data.path()).args(["--listen", "0.0.0.0:0"]));
    assert_eq!((code, stdout.as_str()), (Some(2), ""));
    assert!(stderr.contains("--insecure") && stderr.contains("CASCADE_TOKEN"), "{stderr}");
    drop(Coordinator::spawn(command(data.path()).args(["--listen", "0.0.0.0:0", "--insecure"])));
    drop(Coordinator::spawn(command(data.path()).args(["--listen", "0.0.0.0:0"]).env("CASCADE_TOKEN", TOKEN)));
}

#[tokio::test]
async fn a_wrong_token_is_called_that() {
    let data = data();
    let token_file = data.path().join("token");
    fs::write(&token_file, format!("{}\n", TOKEN)).expect("written");
    let coordinator =
        Coordinator::spawn(command(data.path()).args(["--listen", "127.0.0.1:0", "--token-file"]).arg(&token_file));
    for (token, words) in [(None, "wants a token"), (Some("quite-another-token"), "is not this")] {
        let mut client = coordinator.query_with(token).await;
        let status = client.list_bests(v1::ListBestsRequest {}).await.expect_err("refused");
        assert_eq!(Code::of(&status), Some(Code::Unauthenticated));
        assert_eq!(status.code(), tonic::Code::Unauthenticated);
        assert!(status.message().contains(words), "{}", status.message());
    }
    let mut client = coordinator.query_with(Some(TOKEN)).await;
    client.list_bests(v1::ListBestsRequest {}).await.expect("let in");
}

#[test]
fn an_unusable_token_is_a_usage_error_that_does_not_repeat_it() {
    let data = data();
    let (code, _, stderr) = run(command(data.path()).env("CASCADE_TOKEN", "hunter2"));
    assert_eq!(code, Some(2));
    assert!(stderr.contains("CASCADE_TOKEN") && !stderr.contains("hunter2"), "{stderr}");
}

#[test]
fn a_bad_file_of_instances_is_named_with_its_line() {
    let data = data();
    let directory = data.path().join("mine");
    fs::create_dir_all(directory.join("tetris")).expect("made");
    fs::write(directory.join("notes.md"), "left out").expect("written");
    fs::write(directory.join("tetris/odd.txt"), "abcd\nabXd\n").expect("written");
    let (code, stdout, stderr) = run(command(data.path()).arg("--instances").arg(&directory));
    assert_eq!((code, stdout.as_str()), (Some(3), ""));
    assert!(stderr.contains("odd.txt, line 2"), "{stderr}");
    assert!(stderr.contains("notes.md: left out"), "{stderr}");
}

#[tokio::test]
async fn it_stops_in_time_when_a_client_has_frozen() {
    let data = data();
    let coordinator = Coordinator::start(data.path());
    let mut client = coordinator.query().await;
    client.list_bests(v1::ListBestsRequest {}).await.expect("served");
    // This blocks the only thread of the runtime: the client hears nothing of the stop.
    let (status, _) = coordinator.terminate();
    assert_eq!(status.code(), Some(0));
}

#[tokio::test]
async fn it_stops_in_time_with_a_stream_open() {
    let data = data();
    let coordinator = Coordinator::start(data.path());
    let mut client = coordinator.query().await;
    let call = v1::WatchBestsRequest { instance: String::new() };
    let mut stream = client.watch_bests(call).await.expect("served").into_inner();
    let stopped = tokio::task::spawn_blocking(move || coordinator.terminate());
    let end = async { while let Ok(Some(_)) = stream.message().await {} };
    tokio::time::timeout(Duration::from_secs(30), end).await.expect("the stream ends");
    let (status, _) = stopped.await.expect("joined");
    assert_eq!(status.code(), Some(0));
}

#[tokio::test]
async fn it_serves_and_stops_though_nobody_reads_its_log_any_more() {
    let data = data();
    let mut command = command(data.path());
    let (reader, log) = std::io::pipe().expect("a pipe");
    let coordinator = Coordinator::spawn_logging_to(command.args(["--listen", "127.0.0.1:0"]), log.into());
    drop((command, reader));
    let mut admin = coordinator.admin().await;
    for _ in 0..3 {
        admin.pause(v1::PauseRequest { instance: String::new() }).await.expect("served, with a line in the log");
    }
    let (status, _) = tokio::task::spawn_blocking(move || coordinator.terminate()).await.expect("joined");
    assert_eq!(status.code(), Some(0));
}

#[tokio::test]
async fn health_is_told_to_anyone() {
    let data = data();
    let coordinator =
        Coordinator::spawn(command(data.path()).args(["--listen", "127.0.0.1:0"]).env("CASCADE_TOKEN", TOKEN));
    let mut client = HealthClient::new(coordinator.channel().await);
    for service in ["", "cascade.v1.WorkerService", "cascade.v1.QueryService", "cascade.v1.AdminService"] {
        let call = HealthCheckRequest { service: service.to_owned() };
        let HealthCheckResponse { status } = client.check(call).await.expect("served").into_inner();
        assert_eq!(status, ServingStatus::Serving as i32, "{service}");
    }
}

/// Asks one version of the reflection service for what there is.
macro_rules! reflected_services {
    ($version:ident, $channel:expr) => {{
        use tonic_reflection::pb::$version::ServerReflectionRequest;
        use tonic_reflection::pb::$version::server_reflection_client::ServerReflectionClient;
        use tonic_reflection::pb::$version::server_reflection_request::MessageRequest;
        use tonic_reflection::pb::$version::server_reflection_response::MessageResponse;
        let request = ServerReflectionRequest {
            host: String::new(),
            message_request: Some(MessageRequest::ListServices(String::new())),
        };
        let mut client = ServerReflectionClient::new($channel);
        let call = client.server_reflection_info(tokio_stream::once(request)).await.expect("served");
        let answer = call.into_inner().message().await.expect("an answer").expect("one");
        match answer.message_response {
            Some(MessageResponse::ListServicesResponse(list)) => {
                list.service.into_iter().map(|service| service.name).collect::<Vec<_>>()
            }
            other => panic!("not a list: {other:?}"),
        }
    }};
}

#[tokio::test]
async fn reflection_answers_in_both_versions() {
    let data = data();
    let coordinator = Coordinator::start(data.path());
    for services in [
        reflected_services!(v1, coordinator.channel().await),
        reflected_services!(v1alpha, coordinator.channel().await),
    ] {
        for service in ["WorkerService", "QueryService", "AdminService"] {
            assert!(services.contains(&format!("cascade.v1.{service}")), "{services:?}");
        }
        assert!(services.contains(&"grpc.health.v1.Health".to_owned()), "{services:?}");
    }
}
