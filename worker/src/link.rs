//! One connection to the coordinator, and the calls a worker makes on it. Every call ends within its time.

use crate::error::Trouble;
use cascade_proto::v1::worker_service_client::WorkerServiceClient;
use cascade_proto::{AttachToken, Token, limits, traces, v1};
use std::error::Error;
use std::time::Duration;
use tonic::service::interceptor::InterceptedService;
use tonic::transport::{Channel, Endpoint};
use tonic::{Request, Response, Status};
use tracing::Instrument;

/// How long the answer to a call may take.
const ANSWER: Duration = Duration::from_secs(15);
/// How long the answer to a call may take that promises durability.
const DURABLE_ANSWER: Duration = Duration::from_secs(30);

type Client = WorkerServiceClient<InterceptedService<Channel, AttachToken>>;

/// An open connection; cheap to clone.
#[derive(Clone, Debug)]
pub(crate) struct Link {
    client: Client,
    session: u64,
    epoch: u64,
}

impl Link {
    /// Connects; the name is resolved anew.
    pub(crate) async fn connect(endpoint: &Endpoint, token: Option<&Token>) -> Result<Self, Trouble> {
        let channel = endpoint.connect().await.map_err(|error| Trouble::Connection(chain(&error)))?;
        let client = WorkerServiceClient::with_interceptor(channel, AttachToken::new(token))
            .max_decoding_message_size(limits::MESSAGE_BYTES)
            .max_encoding_message_size(limits::MESSAGE_BYTES);
        Ok(Self { client, session: 0, epoch: 0 })
    }

    /// Signs on; later calls carry the session.
    pub(crate) async fn hello(&mut self, request: v1::HelloRequest) -> Result<v1::HelloResponse, Trouble> {
        let mut client = self.client.clone();
        let answer = timed("hello", ANSWER, request, async |request| client.hello(request).await).await?;
        self.session = answer.session;
        self.epoch = answer.epoch;
        Ok(answer)
    }

    pub(crate) async fn lease(&self) -> Result<v1::LeaseResponse, Trouble> {
        let request = v1::LeaseRequest { session: self.session, epoch: self.epoch };
        let mut client = self.client.clone();
        timed("lease", ANSWER, request, async |request| client.lease(request).await).await
    }

    pub(crate) async fn heartbeat(&self, leases: Vec<v1::LeaseProgress>) -> Result<v1::HeartbeatResponse, Trouble> {
        let request = v1::HeartbeatRequest { session: self.session, epoch: self.epoch, leases };
        let mut client = self.client.clone();
        timed("heartbeat", ANSWER, request, async |request| client.heartbeat(request).await).await
    }

    pub(crate) async fn report(&self, improvements: Vec<v1::Improvement>) -> Result<v1::ReportResponse, Trouble> {
        let request = v1::ReportRequest { session: self.session, epoch: self.epoch, improvements };
        let mut client = self.client.clone();
        timed("report", DURABLE_ANSWER, request, async |request| client.report(request).await).await
    }

    pub(crate) async fn finish(&self, finish: v1::FinishRequest) -> Result<v1::FinishResponse, Trouble> {
        let request = v1::FinishRequest { session: self.session, epoch: self.epoch, ..finish };
        let mut client = self.client.clone();
        timed("finish", DURABLE_ANSWER, request, async |request| client.finish(request).await).await
    }

    pub(crate) async fn goodbye(&self, unfinished: Vec<v1::FinishRequest>) -> Result<(), Trouble> {
        let (session, epoch) = (self.session, self.epoch);
        let unfinished = unfinished.into_iter().map(|finish| v1::FinishRequest { session, epoch, ..finish }).collect();
        let request = v1::GoodbyeRequest { session, epoch, unfinished };
        let mut client = self.client.clone();
        timed("goodbye", ANSWER, request, async |request| client.goodbye(request).await).await.map(|_| ())
    }
}

async fn timed<M, T>(
    call: &'static str,
    limit: Duration,
    message: M,
    send: impl AsyncFnOnce(Request<M>) -> Result<Response<T>, Status>,
) -> Result<T, Trouble> {
    let mut request = Request::new(message);
    let span = traces::client_span(call, request.metadata_mut());
    match tokio::time::timeout(limit, send(request)).instrument(span.clone()).await {
        Ok(Ok(response)) => Ok(response.into_inner()),
        Ok(Err(status)) => {
            traces::fail(&span, status.message());
            Err(Trouble::of(&status))
        }
        Err(_) => {
            let reason = format!("no answer to {call} within {} s", limit.as_secs());
            traces::fail(&span, &reason);
            Err(Trouble::Connection(reason))
        }
    }
}

/// An error and what caused it, in one line.
fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        let cause_text = cause.to_string();
        if !text.ends_with(&cause_text) {
            text = format!("{text}: {cause_text}");
        }
        source = cause.source();
    }
    text
}
