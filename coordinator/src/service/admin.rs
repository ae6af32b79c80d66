//! What operators call. Each answer comes when the change is durable.

use super::status::{instance, unanswered, unexpected};
use super::wire;
use crate::core::{Import, Reply, Request};
use crate::server::Services;
use cascade_games::{Catalog, Instance, InstanceName, Origin};
use cascade_proto::Code;
use cascade_proto::v1;
use cascade_proto::v1::admin_service_server::AdminService;
use tonic::{Request as Call, Response, Status};

/// What an imported sequence names as its finder.
const IMPORT: &str = "import";

/// The operators' service.
pub(crate) struct AdminApi(Services);

type Answer<T> = Result<Response<T>, Status>;

impl AdminApi {
    pub(crate) const fn new(services: Services) -> Self {
        Self(services)
    }

    async fn ask(&self, request: Request) -> Result<Reply, Status> {
        self.0.core.ask(request).await.map_err(|error| unanswered(&error))
    }

    /// For requests that are answered by nothing but that they are done.
    async fn done(&self, request: Request) -> Result<(), Status> {
        match self.ask(request).await? {
            Reply::Done => Ok(()),
            other => Err(unexpected(&other)),
        }
    }

    fn instance(&self, text: &str) -> Result<InstanceName, Status> {
        instance(text, &self.0.bests, &self.0.catalog)
    }

    /// The instance that is named, or the whole farm.
    fn instance_or_farm(&self, text: &str) -> Result<Option<InstanceName>, Status> {
        if text.is_empty() { Ok(None) } else { self.instance(text).map(Some) }
    }
}

#[tonic::async_trait]
impl AdminService for AdminApi {
    async fn add_instance(&self, call: Call<v1::AddInstanceRequest>) -> Answer<v1::AddInstanceResponse> {
        let call = call.into_inner();
        let instances = added(&call.file_name, &call.text).map_err(|error| Code::BadInput.status(error))?;
        match self.ask(Request::AddInstances(instances)).await? {
            Reply::Added(added) => {
                Ok(Response::new(v1::AddInstanceResponse { added: added.iter().map(wire::instance_ref).collect() }))
            }
            other => Err(unexpected(&other)),
        }
    }

    async fn set_priority(&self, call: Call<v1::SetPriorityRequest>) -> Answer<v1::SetPriorityResponse> {
        let call = call.into_inner();
        self.done(Request::SetPriority(self.instance(&call.instance)?, call.priority)).await?;
        Ok(Response::new(v1::SetPriorityResponse {}))
    }

    async fn pause(&self, call: Call<v1::PauseRequest>) -> Answer<v1::PauseResponse> {
        self.done(Request::Pause(self.instance_or_farm(&call.into_inner().instance)?)).await?;
        Ok(Response::new(v1::PauseResponse {}))
    }

    async fn resume(&self, call: Call<v1::ResumeRequest>) -> Answer<v1::ResumeResponse> {
        self.done(Request::Resume(self.instance_or_farm(&call.into_inner().instance)?)).await?;
        Ok(Response::new(v1::ResumeResponse {}))
    }

    async fn import_sequence(&self, call: Call<v1::ImportSequenceRequest>) -> Answer<v1::ImportSequenceResponse> {
        let call = call.into_inner();
        let import = Import { instance: self.instance(&call.instance)?, text: call.text, source: IMPORT.to_owned() };
        match self.ask(Request::Import(import)).await? {
            Reply::Imported(imported) => Ok(Response::new(v1::ImportSequenceResponse {
                new_best: imported.new_best,
                score: imported.score,
                best_score: imported.best_score,
            })),
            other => Err(unexpected(&other)),
        }
    }

    async fn drain_worker(&self, call: Call<v1::DrainWorkerRequest>) -> Answer<v1::DrainWorkerResponse> {
        self.done(Request::Drain(call.into_inner().worker)).await?;
        Ok(Response::new(v1::DrainWorkerResponse {}))
    }
}

/// The instances of a file that an operator sends.
fn added(file_name: &str, text: &str) -> Result<Vec<Instance>, String> {
    let mut catalog = Catalog::empty();
    catalog.add_file(file_name, text).map_err(|error| error.to_string())?;
    let instances: Vec<Instance> = catalog
        .instances()
        .into_iter()
        .map(|instance| Instance { origin: Origin::Added, ..instance.clone() })
        .collect();
    if instances.is_empty() {
        let reasons: Vec<String> = catalog.illegal().map(|(name, reason)| format!("{name}: {reason}")).collect();
        return Err(format!("{file_name} holds no legal instance: {}", reasons.join("; ")));
    }
    Ok(instances)
}
