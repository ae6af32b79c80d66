//! The task that owns the core: it hands over events one by one and carries out the effects.

use crate::best_files::BestFiles;
use crate::bests::Bests;
use crate::core::{
    CommitId, Core, Effect, Event, EventRecord, Now, Refusal, Reply, ReplyId, Request, Severity, UnixMillis,
};
use crate::metrics::Metrics;
use crate::store::writer::{Commit, Outcome, Writer};
use cascade_proto::traces::TARGET;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval};
use tokio_util::sync::CancellationToken;
use tracing::{Instrument, Span, trace_span};

/// Requests that may wait for the core. Whoever comes later waits for a place.
const QUEUE: usize = 1024;
/// How long a request waits for a place in the queue.
const PATIENCE: Duration = Duration::from_secs(10);

/// Asks the core.
#[derive(Clone, Debug)]
pub(crate) struct CoreHandle(mpsc::Sender<Asked>);

/// A request and who waits for the answer.
#[derive(Debug)]
pub(crate) struct Asked {
    request: Request,
    answer: oneshot::Sender<Result<Reply, Refusal>>,
    /// Whoever asks, in traces.
    span: Span,
}

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unanswered {
    /// The core says no.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Too many ask.
    #[error("{QUEUE} requests wait already: ask again in a while")]
    Overloaded,
    /// The coordinator stops.
    #[error("the coordinator is stopping: ask again when it is back")]
    Stopping,
}

impl CoreHandle {
    /// A handle, and the queue it fills.
    pub(crate) fn new() -> (Self, mpsc::Receiver<Asked>) {
        let (sender, queue) = mpsc::channel(QUEUE);
        (Self(sender), queue)
    }

    /// Asks and waits for the answer. When the caller goes away the request is carried out all the same.
    pub(crate) async fn ask(&self, request: Request) -> Result<Reply, Unanswered> {
        let (answer, answered) = oneshot::channel();
        let span = trace_span!(target: TARGET, "core", request = request.name());
        let asked = Asked { request, answer, span: span.clone() };
        match self.0.send_timeout(asked, PATIENCE).await {
            Ok(()) => {}
            Err(mpsc::error::SendTimeoutError::Timeout(_)) => return Err(Unanswered::Overloaded),
            Err(mpsc::error::SendTimeoutError::Closed(_)) => return Err(Unanswered::Stopping),
        }
        Ok(answered.instrument(span).await.map_err(|_| Unanswered::Stopping)??)
    }
}

/// The coordinator's moving parts around its core.
#[derive(Debug)]
pub(crate) struct Shell {
    core: Core,
    started: Instant,
    writer: Writer,
    bests: Arc<Bests>,
    files: BestFiles,
    metrics: Arc<Metrics>,
    waiting: HashMap<ReplyId, Waiting>,
    next_reply: u64,
    /// The commits that are out.
    commits_out: BTreeMap<CommitId, HandedOver>,
}

/// A commit on its way.
#[derive(Debug)]
struct HandedOver {
    since: Instant,
    /// Ends when it is durable, or has failed.
    _span: Span,
}

/// Somebody who waits for an answer.
#[derive(Debug)]
struct Waiting {
    request: &'static str,
    since: Instant,
    answer: oneshot::Sender<Result<Reply, Refusal>>,
}

impl Shell {
    /// The shell of `core`, whose clock began at `started`. The effects of the core's start are carried out before this
    /// returns: whoever asks from now on sees every best that was kept.
    pub(crate) fn new(
        core: Core,
        start: Vec<Effect>,
        started: Instant,
        writer: Writer,
        bests: Arc<Bests>,
        files: BestFiles,
        metrics: Arc<Metrics>,
    ) -> Self {
        let (waiting, next_reply, commits_out) = (HashMap::new(), 0, BTreeMap::new());
        let mut shell = Self { core, started, writer, bests, files, metrics, waiting, next_reply, commits_out };
        let failed = shell.carry_out(start);
        shell.handle_all(failed);
        shell
    }

    /// Works until `stop` is cancelled or nobody can ask any more, then until all who asked are answered and everything
    /// is durable.
    pub(crate) async fn run(
        mut self,
        mut queue: mpsc::Receiver<Asked>,
        mut outcomes: mpsc::UnboundedReceiver<Outcome>,
        tick_interval: Duration,
        stop: CancellationToken,
    ) {
        let mut ticks = interval(tick_interval);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut open = true;
        while open || !self.commits_out.is_empty() {
            let mut span = Span::none();
            let event = tokio::select! {
                biased;
                Some(outcome) = outcomes.recv() => self.committed(outcome),
                () = stop.cancelled(), if !queue.is_closed() => {
                    queue.close();
                    continue;
                }
                _ = ticks.tick() => Event::Tick,
                asked = queue.recv(), if open => match asked {
                    Some(asked) => {
                        span = asked.span.clone();
                        self.asked(asked)
                    }
                    None => {
                        open = false;
                        continue;
                    }
                },
            };
            span.in_scope(|| self.handle_all(VecDeque::from([event])));
        }
        let (writer, files) = (self.writer, self.files);
        let joined = tokio::task::spawn_blocking(move || {
            writer.join();
            files.join();
        });
        if joined.await.is_err() {
            tracing::error!("the threads that write have panicked");
        }
    }

    fn asked(&mut self, Asked { request, answer, .. }: Asked) -> Event {
        self.next_reply += 1;
        let id = ReplyId(self.next_reply);
        self.waiting.insert(id, Waiting { request: request.name(), since: Instant::now(), answer });
        Event::Request(id, request)
    }

    fn committed(&mut self, (commit, result): Outcome) -> Event {
        if let Some(handed_over) = self.commits_out.remove(&commit) {
            self.metrics.committed(handed_over.since.elapsed());
        }
        match result {
            Ok(()) => Event::Committed(commit),
            Err(reason) => Event::CommitFailed { commit, reason },
        }
    }

    /// Hands the events to the core, and those that come of carrying out its effects.
    fn handle_all(&mut self, mut events: VecDeque<Event>) {
        while let Some(event) = events.pop_front() {
            let effects = self.core.handle(event, now(self.started));
            events.extend(self.carry_out(effects));
        }
    }

    /// Carries out effects in order. The events are of what failed on the spot.
    fn carry_out(&mut self, effects: Vec<Effect>) -> VecDeque<Event> {
        let mut failed = VecDeque::new();
        for effect in effects {
            self.metrics.wanted(&effect);
            match effect {
                Effect::Reply(id, answer) => self.reply(id, answer),
                Effect::Commit { id, knows, changes } => failed.extend(self.commit(Commit { id, knows, changes })),
                Effect::Publish(best) => {
                    self.bests.publish(best.clone());
                    self.files.write(best);
                }
                Effect::Bound(name, bound) => self.bests.set_bound(name, bound),
                Effect::Log(record) => log(&record),
            }
        }
        failed
    }

    fn reply(&mut self, id: ReplyId, answer: Result<Reply, Refusal>) {
        if let Ok(Reply::Added(added)) = &answer {
            added.iter().for_each(|instance| self.bests.add_instance(instance));
        }
        match self.waiting.remove(&id) {
            // Whoever went away before the answer came does not hear it.
            Some(waiting) => {
                self.metrics.answered(waiting.request, waiting.since.elapsed());
                drop(waiting.answer.send(answer));
            }
            None => tracing::error!(request = id.0, "an answer to nobody: please report this fault"),
        }
    }

    fn commit(&mut self, commit: Commit) -> Option<Event> {
        let id: CommitId = commit.id;
        match self.writer.commit(commit) {
            Ok(()) => {
                let span = trace_span!(target: TARGET, "commit");
                self.commits_out.insert(id, HandedOver { since: Instant::now(), _span: span });
                None
            }
            Err(error) => Some(Event::CommitFailed { commit: id, reason: error.to_string() }),
        }
    }
}

/// The moment, for the core.
pub(crate) fn now(started: Instant) -> Now {
    let wall = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Now { clock: started.elapsed(), wall: UnixMillis(u64::try_from(wall.as_millis()).unwrap_or(u64::MAX)) }
}

fn log(record: &EventRecord) {
    let instance = record.instance.as_ref().map(tracing::field::display);
    let worker = record.worker.as_ref().map(tracing::field::display);
    let (kind, detail) = (&record.kind, &record.detail);
    match record.severity {
        Severity::Info => tracing::info!(%kind, instance, worker, "{detail}"),
        Severity::Warning => tracing::warn!(%kind, instance, worker, "{detail}"),
        Severity::Error => tracing::error!(%kind, instance, worker, "{detail}"),
    }
}
