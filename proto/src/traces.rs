//! Traces by OpenTelemetry: which calls a lease made, and where their time went.
//!
//! Spans have the target [`TARGET`], so that no log shows them, and cost nothing unless a collector is configured, by
//! the variables that all programs with OpenTelemetry share. A call carries its span in its metadata (W3C trace context),
//! so that the other side's spans belong to the same trace.

use opentelemetry::KeyValue;
use opentelemetry::propagation::{Extractor, Injector, TextMapPropagator};
use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{ExporterBuildError, SpanExporter};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracerProvider;
use std::time::Duration;
use tonic::codegen::http::{HeaderMap, Request};
use tonic::metadata::{Ascii, MetadataKey, MetadataMap};
use tracing::field::Empty;
use tracing::{Level, Span, Subscriber, trace_span};
use tracing_opentelemetry::OpenTelemetrySpanExt;
use tracing_subscriber::Layer;
use tracing_subscriber::filter::Targets;
use tracing_subscriber::registry::LookupSpan;

/// The target of every span.
pub const TARGET: &str = "cascade::trace";

/// Either names the collector, as `http://HOST:4317`; the first wins.
const ENDPOINTS: [&str; 2] = ["OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT"];
/// Names the program in traces, in place of its own name.
const SERVICE_NAME: &str = "OTEL_SERVICE_NAME";
/// How long the last spans may take on their way when the program ends.
const LAST_SPANS: Duration = Duration::from_secs(3);

/// Spans cannot be sent.
#[derive(Debug, thiserror::Error)]
#[error("cannot send traces: {0}")]
pub struct TracesError(#[from] ExporterBuildError);

/// Sends spans to a collector, in batches, until it is closed.
#[derive(Debug)]
pub struct Traces(SdkTracerProvider);

impl Traces {
    /// Begins to send, as program `name`, to the collector that the environment names, if it names one. Must be called
    /// within the runtime that is to send.
    ///
    /// # Errors
    /// When what the environment says cannot be used.
    pub fn from_environment(name: &'static str) -> Result<Option<Self>, TracesError> {
        let is_set = |variable| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
        if !ENDPOINTS.into_iter().any(is_set) {
            return Ok(None);
        }
        let mut resource =
            Resource::builder().with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")));
        if !is_set(SERVICE_NAME) {
            resource = resource.with_service_name(name);
        }
        let exporter = SpanExporter::builder().with_tonic().build()?;
        let provider =
            SdkTracerProvider::builder().with_resource(resource.build()).with_batch_exporter(exporter).build();
        Ok(Some(Self(provider)))
    }

    /// What takes the spans in.
    pub fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> impl Layer<S> + use<S> {
        tracing_opentelemetry::layer()
            .with_tracer(self.0.tracer("cascade"))
            .with_location(false)
            .with_threads(false)
            .with_filter(Targets::new().with_target(TARGET, Level::TRACE))
    }

    /// Sends what is left; takes a few seconds at most. Must not be called on a thread that the runtime needs.
    pub fn close(self) {
        if let Err(error) = self.0.shutdown_with_timeout(LAST_SPANS) {
            tracing::warn!(%error, "the last traces may be lost");
        }
    }
}

/// The span of a call that the other side of a connection makes. Only calls of this protocol have one.
pub fn server_span(request: &Request<()>) -> Span {
    let path = request.uri().path().trim_start_matches('/');
    let Some((service, method)) = path.split_once('/').filter(|_| path.starts_with("cascade.")) else {
        return Span::none();
    };
    let span = trace_span!(target: TARGET, "serve", otel.name = path, otel.kind = "server", rpc.system = "grpc",
        rpc.service = service, rpc.method = method);
    if !span.is_disabled() {
        let parent = TraceContextPropagator::new().extract(&Headers(request.headers()));
        // Fails only where nothing takes spans in.
        drop(span.set_parent(parent));
    }
    span
}

/// The span of a call to the other side, which `metadata` then tells of it.
pub fn client_span(method: &'static str, metadata: &mut MetadataMap) -> Span {
    let span = trace_span!(target: TARGET, "call", otel.name = method, otel.kind = "client", rpc.system = "grpc",
        rpc.method = method, otel.status_code = Empty, otel.status_description = Empty);
    if !span.is_disabled() {
        TraceContextPropagator::new().inject_context(&span.context(), &mut Metadata(metadata));
    }
    span
}

/// Marks `span` as failed.
pub fn fail(span: &Span, reason: &str) {
    span.record("otel.status_code", "ERROR");
    span.record("otel.status_description", reason);
}

struct Headers<'a>(&'a HeaderMap);

impl Extractor for Headers<'_> {
    fn get(&self, key: &str) -> Option<&str> {
        self.0.get(key)?.to_str().ok()
    }

    fn keys(&self) -> Vec<&str> {
        self.0.keys().map(|name| name.as_str()).collect()
    }
}

struct Metadata<'a>(&'a mut MetadataMap);

impl Injector for Metadata<'_> {
    fn set(&mut self, key: &str, value: String) {
        let key = MetadataKey::<Ascii>::from_bytes(key.as_bytes());
        if let (Ok(key), Ok(value)) = (key, value.parse()) {
            self.0.insert(key, value);
        }
    }
}
