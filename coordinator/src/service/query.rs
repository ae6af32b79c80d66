//! What readers call.

use super::status::{instance, unanswered, unexpected};
use super::wire;
use crate::core::{Best, EventsRequest, Reply, Request};
use crate::server::Services;
use cascade_games::{InstanceName, Puzzle};
use cascade_proto::Code;
use cascade_proto::v1;
use cascade_proto::v1::query_service_server::QueryService;
use std::sync::Arc;
use tokio::sync::mpsc;
use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request as Call, Response, Status};

/// Events listed when no number is asked for.
const USUAL_EVENTS: u32 = 100;
/// Bests on their way to one reader; the rest stay where they are until it has taken these.
const STREAM_BUFFER: usize = 16;

/// The readers' service.
pub(crate) struct QueryApi(Services);

type Answer<T> = Result<Response<T>, Status>;

impl QueryApi {
    pub(crate) const fn new(services: Services) -> Self {
        Self(services)
    }

    async fn ask(&self, request: Request) -> Result<Reply, Status> {
        self.0.core.ask(request).await.map_err(|error| unanswered(&error))
    }

    pub(crate) fn instance(&self, text: &str) -> Result<InstanceName, Status> {
        instance(text, &self.0.bests, &self.0.catalog)
    }

    pub(crate) fn puzzle(&self, name: &InstanceName) -> Result<Arc<dyn Puzzle>, Status> {
        let unknown = || Code::UnknownInstance.status(format!("there is no instance {name}"));
        self.0.bests.puzzle(name).ok_or_else(unknown)
    }

    fn best(&self, best: &Best) -> v1::Best {
        wire::best(best, self.0.bests.bound(&best.instance).as_ref())
    }

    /// The instance that is named, if one is.
    fn optional_instance(&self, text: &str) -> Result<Option<InstanceName>, Status> {
        if text.is_empty() { Ok(None) } else { self.instance(text).map(Some) }
    }
}

#[tonic::async_trait]
impl QueryService for QueryApi {
    async fn status(&self, _: Call<v1::StatusRequest>) -> Answer<v1::StatusResponse> {
        match self.ask(Request::Status).await? {
            Reply::Status(status) => Ok(Response::new(wire::status(status, self.0.page.as_deref()))),
            other => Err(unexpected(&other)),
        }
    }

    async fn list_instances(&self, _: Call<v1::ListInstancesRequest>) -> Answer<v1::ListInstancesResponse> {
        match self.ask(Request::Instances).await? {
            Reply::Instances(instances) => Ok(Response::new(v1::ListInstancesResponse {
                instances: instances.iter().map(wire::instance).collect(),
            })),
            other => Err(unexpected(&other)),
        }
    }

    async fn get_instance(&self, call: Call<v1::GetInstanceRequest>) -> Answer<v1::GetInstanceResponse> {
        let name = self.instance(&call.into_inner().instance)?;
        let puzzle = self.puzzle(&name)?;
        Ok(Response::new(v1::GetInstanceResponse {
            instance: Some(v1::InstanceRef::new(&name, &puzzle.digest())),
            game: puzzle.game().name().to_owned(),
            content: puzzle.content().to_owned(),
        }))
    }

    async fn get_best(&self, call: Call<v1::GetBestRequest>) -> Answer<v1::GetBestResponse> {
        let name = self.instance(&call.into_inner().instance)?;
        let best = self.0.bests.get(&name).map(|best| self.best(&best));
        Ok(Response::new(v1::GetBestResponse { best }))
    }

    async fn list_bests(&self, _: Call<v1::ListBestsRequest>) -> Answer<v1::ListBestsResponse> {
        let bests = self.0.bests.all().iter().map(|best| self.best(best)).collect();
        Ok(Response::new(v1::ListBestsResponse { bests }))
    }

    type WatchBestsStream = ReceiverStream<Result<v1::Best, Status>>;

    async fn watch_bests(&self, call: Call<v1::WatchBestsRequest>) -> Answer<Self::WatchBestsStream> {
        let only = self.optional_instance(&call.into_inner().instance)?;
        let (sender, stream) = mpsc::channel(STREAM_BUFFER);
        let mut watch = self.0.bests.watch();
        let shutdown = self.0.shutdown.clone();
        let bests = self.0.bests.clone();
        let send_all = async move {
            while let Some(news) = watch.next().await {
                for best in news {
                    if only.as_ref().is_some_and(|name| *name != best.instance) {
                        continue;
                    }
                    let bound = bests.bound(&best.instance);
                    if sender.send(Ok(wire::best(&best, bound.as_ref()))).await.is_err() {
                        return;
                    }
                }
                if sender.is_closed() {
                    return;
                }
            }
        };
        tokio::spawn(shutdown.run_until_cancelled_owned(send_all));
        Ok(Response::new(ReceiverStream::new(stream)))
    }

    async fn history(&self, call: Call<v1::HistoryRequest>) -> Answer<v1::HistoryResponse> {
        let name = self.instance(&call.into_inner().instance)?;
        let digest = self.puzzle(&name)?.digest();
        let archive = self.0.archive.clone();
        let history = tokio::task::spawn_blocking(move || archive.history(&digest))
            .await
            .map_err(|error| Code::Internal.status(format!("reading the history failed: {error}")))?
            .map_err(|error| Code::StoreUnavailable.status(format!("the store cannot be read: {error}")))?;
        Ok(Response::new(v1::HistoryResponse { entries: history.iter().map(wire::history_entry).collect() }))
    }

    async fn list_workers(&self, _: Call<v1::ListWorkersRequest>) -> Answer<v1::ListWorkersResponse> {
        match self.ask(Request::Workers).await? {
            Reply::Workers(workers) => {
                Ok(Response::new(v1::ListWorkersResponse { workers: workers.into_iter().map(wire::worker).collect() }))
            }
            other => Err(unexpected(&other)),
        }
    }

    async fn list_events(&self, call: Call<v1::ListEventsRequest>) -> Answer<v1::ListEventsResponse> {
        let call = call.into_inner();
        let limit = if call.limit == 0 { USUAL_EVENTS } else { call.limit };
        let instance = self.optional_instance(&call.instance)?;
        let request = EventsRequest { limit: limit as usize, instance, after: call.after };
        match self.ask(Request::Events(request)).await? {
            Reply::Events(events) => {
                Ok(Response::new(v1::ListEventsResponse { events: events.iter().map(wire::event).collect() }))
            }
            other => Err(unexpected(&other)),
        }
    }

    async fn explain(&self, call: Call<v1::ExplainRequest>) -> Answer<v1::ExplainResponse> {
        let name = self.instance(&call.into_inner().instance)?;
        match self.ask(Request::Explain(name)).await? {
            Reply::Explanation(explanation) => Ok(Response::new(wire::explanation(*explanation))),
            other => Err(unexpected(&other)),
        }
    }
}
