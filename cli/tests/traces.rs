//! Traces, as a collector gets them from a farm.
#![allow(missing_docs, reason = "a test")]

mod common;

use common::{Run, cascade};
use opentelemetry_proto::tonic::collector::trace::v1::trace_service_server::{TraceService, TraceServiceServer};
use opentelemetry_proto::tonic::collector::trace::v1::{ExportTraceServiceRequest, ExportTraceServiceResponse};
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::trace::v1::Span;
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio_stream::wrappers::TcpListenerStream;
use tonic::{Request, Response, Status};

/// Keeps every span it is sent, with the name of the program that sent it.
#[derive(Clone, Default)]
struct Collector(Arc<Mutex<Vec<(String, Span)>>>);

#[tonic::async_trait]
impl TraceService for Collector {
    async fn export(
        &self,
        request: Request<ExportTraceServiceRequest>,
    ) -> Result<Response<ExportTraceServiceResponse>, Status> {
        let mut known = self.0.lock().expect("not poisoned");
        for spans in request.into_inner().resource_spans {
            let attributes = spans.resource.map(|resource| resource.attributes).unwrap_or_default();
            let service = attributes.into_iter().find(|attribute| attribute.key == "service.name");
            let service = match service.and_then(|attribute| attribute.value?.value) {
                Some(Value::StringValue(name)) => name,
                other => return Err(Status::invalid_argument(format!("no service.name, but {other:?}"))),
            };
            let sent = spans.scope_spans.into_iter().flat_map(|scope| scope.spans);
            known.extend(sent.map(|span| (service.clone(), span)));
        }
        Ok(Response::new(ExportTraceServiceResponse::default()))
    }
}

/// Runs a farm for some seconds that sends its traces to `endpoint`.
async fn farm(endpoint: String) -> Run {
    let run = move || {
        let directory = tempfile::tempdir().expect("a directory");
        let mut command = cascade(directory.path());
        command.args(["local", "--for", "4s", "--threads", "1", "--no-web", "--no-records"]);
        command.env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint).env_remove("OTEL_SERVICE_NAME");
        Run::from(command.output().expect("it runs"))
    };
    tokio::task::spawn_blocking(run).await.expect("no panic")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lease_is_one_trace_from_the_call_that_asks_for_it_to_the_commit_of_its_end() {
    let collector = Collector::default();
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let endpoint = format!("http://{}", listener.local_addr().expect("bound"));
    let server = tonic::transport::Server::builder().add_service(TraceServiceServer::new(collector.clone()));
    tokio::spawn(server.serve_with_incoming(TcpListenerStream::new(listener)));
    let run = farm(endpoint).await;
    assert_eq!(run.code, Some(0), "{run:?}");

    let spans = std::mem::take(&mut *collector.0.lock().expect("not poisoned"));
    assert!(spans.iter().all(|(service, _)| service == "cascade-local"));
    let spans: Vec<Span> = spans.into_iter().map(|(_, span)| span).collect();
    // A name, and the names of the spans above it in its trace.
    let path = |span: &Span| {
        let mut path = vec![span.name.clone()];
        let mut at = span;
        while let Some(parent) = spans.iter().find(|parent| parent.span_id == at.parent_span_id) {
            assert_eq!(parent.trace_id, span.trace_id);
            path.push(parent.name.clone());
            at = parent;
        }
        path.reverse();
        path.join(" > ")
    };
    let paths: std::collections::BTreeSet<String> = spans.iter().map(path).collect();
    for wanted in [
        "lease > lease > cascade.v1.WorkerService/Lease > core",
        "lease > search",
        "lease > report > cascade.v1.WorkerService/Report > core > commit",
        "lease > finish > cascade.v1.WorkerService/Finish > core > commit",
    ] {
        assert!(paths.contains(wanted), "{wanted} is not in {paths:#?}");
    }
    assert!(!paths.contains("report"), "a report belongs to a lease: {paths:#?}");
    let searched = spans.iter().find(|span| span.name == "search").expect("a search");
    for key in ["strategy", "width", "budget", "expansions", "best"] {
        assert!(searched.attributes.iter().any(|attribute| attribute.key == key), "{key}: {searched:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_farm_works_without_the_collector_it_is_told_of() {
    let run = farm("http://127.0.0.1:1".to_owned()).await;
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stderr.contains("telemetry data will be lost"), "it says so: {run:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_collector_that_cannot_be_an_address_is_refused_by_name() {
    let run = farm("no address".to_owned()).await;
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.stderr.contains("OTEL_EXPORTER_OTLP_ENDPOINT"), "{run:?}");
}
