//! Asks the coordinator for all that is shown, and for its connection again when that is lost.

use super::model::{News, Snapshot};
use super::open::Detail;
use crate::connection::{ConnectionOptions, Farm};
use crate::exit::{Exit, Failure};
use backon::{BackoffBuilder, ExponentialBuilder};
use cascade_proto::v1::{
    ExplainRequest, GetBestRequest, GetInstanceResponse, HistoryRequest, ListEventsRequest, ListWorkersRequest,
    WatchBestsRequest,
};
use std::convert::Infallible;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tokio_stream::StreamExt;

/// How often everything is asked for.
const REFRESH: Duration = Duration::from_secs(1);
/// So many of the newest events are shown.
const EVENTS: u32 = 200;
/// The longest time between two attempts to connect.
const LONGEST_DELAY: Duration = Duration::from_secs(5);

/// The questions of one dashboard.
pub(super) struct Feed<'a> {
    farm: Farm,
    options: &'a ConnectionOptions,
    /// The instance that is looked at.
    wished: watch::Receiver<Option<String>>,
    news: mpsc::Sender<News>,
    /// What the instance asked for last holds, with its name: that does not change while a coordinator runs.
    content: Option<(String, GetInstanceResponse)>,
}

impl<'a> Feed<'a> {
    pub(super) fn new(
        farm: Farm,
        options: &'a ConnectionOptions,
        wished: watch::Receiver<Option<String>>,
        news: mpsc::Sender<News>,
    ) -> Self {
        Self { farm, options, wished, news, content: None }
    }

    /// Tells news until something goes wrong that waiting does not mend.
    pub(super) async fn run(mut self) -> Failure {
        let patience = ExponentialBuilder::default()
            .with_jitter()
            .with_min_delay(Duration::from_millis(250))
            .with_max_delay(LONGEST_DELAY)
            .without_max_times();
        loop {
            let Err(mut failure) = self.follow().await;
            let mut delays = patience.build();
            while failure.exit == Exit::Unreachable {
                self.tell(News::Lost(failure.to_string())).await;
                sleep(delays.next().unwrap_or(LONGEST_DELAY)).await;
                match self.farm.again(self.options).await {
                    Ok(farm) => {
                        self.farm = farm;
                        self.content = None;
                        break;
                    }
                    Err(another) => failure = another,
                }
            }
            if failure.exit != Exit::Unreachable {
                return failure;
            }
        }
    }

    /// Tells news until the connection breaks.
    async fn follow(&mut self) -> Result<Infallible, Failure> {
        let answer = self.farm.query.watch_bests(WatchBestsRequest { instance: String::new() }).await;
        let mut bests = self.farm.answered(answer)?;
        let mut refresh = interval(REFRESH);
        refresh.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                best = bests.next() => match best {
                    Some(Ok(best)) => self.tell(News::Best(Box::new(best))).await,
                    Some(Err(status)) => return Err(self.farm.failure(&status)),
                    None => return Err(Failure::say(Exit::Unreachable, "the coordinator is stopping")),
                },
                _ = refresh.tick() => {
                    let farm = snapshot(&mut self.farm).await?;
                    self.tell(News::Farm(Box::new(farm))).await;
                    self.ask_wished().await?;
                }
                // An instance that was just opened is not kept waiting.
                Ok(()) = self.wished.changed() => self.ask_wished().await?,
            }
        }
    }

    /// Asks for the instance that is looked at, if one is.
    async fn ask_wished(&mut self) -> Result<(), Failure> {
        let Some(name) = self.wished.borrow_and_update().clone() else { return Ok(()) };
        match self.detail(&name).await {
            Ok(detail) => self.tell(News::Instance(Box::new(detail))).await,
            Err(failure) if failure.exit == Exit::BadInput => {
                self.tell(News::Unknown { name, reason: failure.to_string() }).await;
            }
            Err(failure) => return Err(failure),
        }
        Ok(())
    }

    async fn detail(&mut self, name: &str) -> Result<Detail, Failure> {
        let farm = &mut self.farm;
        let instance = name.to_owned();
        let content = match self.content.take().filter(|(known, _)| known == name) {
            Some((_, content)) => content,
            None => farm.content(name).await?,
        };
        let answer = farm.query.get_best(GetBestRequest { instance: instance.clone() }).await;
        let best = farm.answered(answer)?.best;
        let answer = farm.query.explain(ExplainRequest { instance: instance.clone() }).await;
        let explained = farm.answered(answer)?;
        let answer = farm.query.history(HistoryRequest { instance: instance.clone() }).await;
        let history = farm.answered(answer)?.entries;
        self.content = Some((instance.clone(), content.clone()));
        Ok(Detail { name: instance, content, best, explained, history })
    }

    async fn tell(&self, news: News) {
        // Nobody hears it only once the dashboard is being left.
        let _ = self.news.send(news).await;
    }
}

/// The whole farm as it is.
pub(super) async fn snapshot(farm: &mut Farm) -> Result<Snapshot, Failure> {
    let status = farm.status().await?;
    let answer = farm.query.list_workers(ListWorkersRequest {}).await;
    let workers = farm.answered(answer)?.workers;
    let request = ListEventsRequest { limit: EVENTS, instance: String::new(), after: 0 };
    let answer = farm.query.list_events(request).await;
    let events = farm.answered(answer)?.events;
    Ok(Snapshot { status, instances: farm.instances().await?, workers, events })
}
