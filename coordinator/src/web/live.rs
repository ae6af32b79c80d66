//! The farm as it changes, by server-sent events.

use super::Web;
use super::answer::Refused;
use super::snapshot::Snapshots;
use axum::extract::State;
use axum::response::IntoResponse;
use axum::response::sse::{Event, KeepAlive, Sse};
use cascade_proto::{Code, json};
use serde::Serialize;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{self, Sender};
use tokio::time::{MissedTickBehavior, interval};
use tokio_stream::wrappers::ReceiverStream;

/// How often a viewer is told what changed.
const EVERY: Duration = Duration::from_secs(1);
/// Messages on their way to one viewer; one that takes no more misses nothing, it is told the newest when it does.
const BUFFER: usize = 2;

/// What changed since the last message; the first message holds everything.
#[derive(Serialize)]
struct Changes<'a> {
    farm: &'a json::Farm,
    instances: Vec<&'a json::Instance>,
}

/// Events called `changes`, each a farm in figures and the instances that changed.
pub(super) async fn live(State(web): State<Web>) -> Result<impl IntoResponse, Refused> {
    let Ok(place) = web.viewers.clone().try_acquire_owned() else {
        return Err(Code::Overloaded.status("too many pages follow the farm already").into());
    };
    let (sender, messages) = mpsc::channel(BUFFER);
    let shutdown = web.services.shutdown.clone();
    let tell = async move {
        follow(&web.snapshots, &sender).await;
        drop(place);
    };
    tokio::spawn(shutdown.run_until_cancelled_owned(tell));
    Ok(Sse::new(ReceiverStream::new(messages)).keep_alive(KeepAlive::default()))
}

/// Sends what changes until the viewer is gone or the farm cannot be asked any more.
async fn follow(snapshots: &Arc<Snapshots>, viewer: &Sender<Result<Event, Infallible>>) {
    let mut told: BTreeMap<String, json::Instance> = BTreeMap::new();
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            () = viewer.closed() => return,
            _ = ticks.tick() => {}
        }
        let Ok(status) = snapshots.status().await else { return };
        let changed = |instance: &&json::Instance| told.get(&instance.instance) != Some(instance);
        let instances: Vec<_> = status.instances.iter().filter(changed).collect();
        let changes = Changes { farm: &status.farm, instances };
        let Ok(event) = Event::default().event("changes").json_data(&changes) else { return };
        let news: Vec<_> = changes.instances.into_iter().cloned().collect();
        told.extend(news.into_iter().map(|instance| (instance.instance.clone(), instance)));
        if viewer.send(Ok(event)).await.is_err() {
            return;
        }
    }
}
