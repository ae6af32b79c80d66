//! The gRPC server: which services there are, who may call them, and how connections are kept.

use crate::access::Access;
use crate::bests::Bests;
use crate::service::{AdminApi, QueryApi, WorkerApi};
use crate::shell::CoreHandle;
use crate::store::Archive;
use cascade_games::Catalog;
use cascade_proto::v1::FILE_DESCRIPTORS;
use cascade_proto::v1::admin_service_server::AdminServiceServer;
use cascade_proto::v1::query_service_server::QueryServiceServer;
use cascade_proto::v1::worker_service_server::WorkerServiceServer;
use cascade_proto::{limits, traces};
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::time::sleep;
use tokio_stream::StreamExt;
use tokio_util::sync::CancellationToken;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::server::{Router, TcpIncoming};

/// The longest a call may take until its answer begins.
const CALL_TIMEOUT: Duration = Duration::from_secs(60);
/// Calls that one connection may have open at once; more wait.
const CALLS_PER_CONNECTION: usize = 64;
/// Streams that one connection may have open at once.
const STREAMS_PER_CONNECTION: u32 = 256;

/// How long to wait after a connection could not be accepted.
const PAUSE_AFTER_ERROR: Duration = Duration::from_millis(100);

/// What services work with.
#[derive(Clone)]
pub(crate) struct Services {
    pub(crate) core: CoreHandle,
    pub(crate) bests: Arc<Bests>,
    pub(crate) archive: Arc<dyn Archive>,
    pub(crate) catalog: Arc<Catalog>,
    /// Where the page is served, as a URL.
    pub(crate) page: Option<Arc<str>>,
    pub(crate) shutdown: CancellationToken,
}

/// All services, ready to serve.
pub(crate) struct Server {
    router: Router,
    health: tonic_health::server::HealthReporter,
}

impl Server {
    /// Puts the services together behind `access`. Health stays open to all: it tells nothing but that this serves.
    pub(crate) fn new(services: Services, access: Access) -> Result<Self, tonic_reflection::server::Error> {
        let reflection = || {
            tonic_reflection::server::Builder::configure()
                .register_encoded_file_descriptor_set(FILE_DESCRIPTORS)
                .register_encoded_file_descriptor_set(tonic_health::pb::FILE_DESCRIPTOR_SET)
        };
        let (health, health_service) = tonic_health::server::health_reporter();
        let worker = WorkerServiceServer::new(WorkerApi::new(services.clone()))
            .max_decoding_message_size(limits::MESSAGE_BYTES)
            .max_encoding_message_size(limits::MESSAGE_BYTES);
        let query = QueryServiceServer::new(QueryApi::new(services.clone()))
            .max_decoding_message_size(limits::MESSAGE_BYTES)
            .max_encoding_message_size(limits::MESSAGE_BYTES);
        let admin = AdminServiceServer::new(AdminApi::new(services))
            .max_decoding_message_size(limits::MESSAGE_BYTES)
            .max_encoding_message_size(limits::MESSAGE_BYTES);
        let router = tonic::transport::Server::builder()
            .trace_fn(traces::server_span)
            .http2_keepalive_interval(Some(limits::KEEPALIVE_INTERVAL))
            .http2_keepalive_timeout(Some(limits::KEEPALIVE_TIMEOUT))
            .timeout(CALL_TIMEOUT)
            .concurrency_limit_per_connection(CALLS_PER_CONNECTION)
            .max_concurrent_streams(STREAMS_PER_CONNECTION)
            .add_service(health_service)
            .add_service(InterceptedService::new(reflection().build_v1()?, access.clone()))
            .add_service(InterceptedService::new(reflection().build_v1alpha()?, access.clone()))
            .add_service(InterceptedService::new(worker, access.clone()))
            .add_service(InterceptedService::new(query, access.clone()))
            .add_service(InterceptedService::new(admin, access));
        Ok(Self { router, health })
    }

    /// Serves until `shutdown`, then until the last call has ended.
    pub(crate) async fn serve(
        self,
        listener: TcpListener,
        shutdown: CancellationToken,
    ) -> Result<(), tonic::transport::Error> {
        let health = self.health;
        health.set_serving::<WorkerServiceServer<WorkerApi>>().await;
        health.set_serving::<QueryServiceServer<QueryApi>>().await;
        health.set_serving::<AdminServiceServer<AdminApi>>().await;
        let incoming = TcpIncoming::from(listener).with_nodelay(Some(true)).then(pause_after_error);
        let stopped = async move {
            shutdown.cancelled().await;
            health.set_not_serving::<WorkerServiceServer<WorkerApi>>().await;
            health.set_not_serving::<QueryServiceServer<QueryApi>>().await;
            health.set_not_serving::<AdminServiceServer<AdminApi>>().await;
        };
        self.router.serve_with_incoming_shutdown(incoming, stopped).await
    }
}

/// Without a pause after a failed accept (no more files may be open, say) the loop that accepts would spin.
async fn pause_after_error(accepted: io::Result<TcpStream>) -> io::Result<TcpStream> {
    if let Err(error) = &accepted {
        tracing::warn!(%error, "cannot accept a connection");
        sleep(PAUSE_AFTER_ERROR).await;
    }
    accepted
}
