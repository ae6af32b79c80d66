//! The farm as it was a moment ago, shared by all who look: however many ask, the core is asked a few times a second.

use crate::service::QueryApi;
use cascade_proto::v1::query_service_server::QueryService;
use cascade_proto::{json, v1};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Mutex;
use tonic::{Request, Status};

/// A snapshot older than this is taken anew.
const FRESH: Duration = Duration::from_millis(250);

/// Takes snapshots of the farm when asked for one, and keeps the last.
pub(super) struct Snapshots {
    query: Arc<QueryApi>,
    last: Mutex<Option<(Instant, Arc<json::Status>)>>,
}

impl Snapshots {
    pub(super) fn new(query: Arc<QueryApi>) -> Self {
        Self { query, last: Mutex::new(None) }
    }

    /// The farm, at most a quarter of a second ago. Whoever asks while it is looked at waits for the same look.
    pub(super) async fn status(&self) -> Result<Arc<json::Status>, Status> {
        let mut last = self.last.lock().await;
        if let Some((taken, status)) = &*last
            && taken.elapsed() < FRESH
        {
            return Ok(status.clone());
        }
        let farm = self.query.status(Request::new(v1::StatusRequest {})).await?;
        let instances = self.query.list_instances(Request::new(v1::ListInstancesRequest {})).await?;
        let status = Arc::new(json::Status::new(farm.get_ref(), &instances.get_ref().instances));
        *last = Some((Instant::now(), status.clone()));
        Ok(status)
    }
}
