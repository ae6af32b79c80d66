//! The search side: one thread with a rayon pool of its own, which carries out one lease after the other.

use crate::checkpoint::CheckpointStore;
use crate::error::{LeaseFault, WorkerError};
use crate::holdings::{Holdings, Running, failed};
use crate::lease::Assignment;
use crate::observer::{Observer, WorkerEvent};
use crate::outbox::Outbox;
use crate::plan;
use crate::speed::Speed;
use crate::spool::Spool;
use cascade_games::{Game, GameVisitor};
use cascade_proto::convert::to_wire_duration;
use cascade_proto::traces::TARGET;
use cascade_proto::v1;
use cascade_search::{Checkpoint, Ending, Found, Limits, Outcome, Plan, Progress, SearchError, SystemClock};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;
use tracing::field::Empty;
use tracing::{debug, error, trace_span, warn};

/// Finds of one search are not written to disk more often than this.
const BETWEEN_WRITES: Duration = Duration::from_millis(100);

/// What a search works with.
pub(crate) struct Tools {
    pub(crate) worker: String,
    pub(crate) checkpoint_every: Duration,
    pub(crate) holdings: Arc<Holdings>,
    pub(crate) spool: Arc<Spool>,
    pub(crate) checkpoints: Arc<CheckpointStore>,
    pub(crate) speed: Arc<Speed>,
    pub(crate) observer: Arc<dyn Observer>,
}

/// A lease to be searched now.
#[derive(Debug)]
pub(crate) struct Job {
    pub(crate) assignment: Assignment,
    pub(crate) running: Arc<Running>,
    /// Whether to go on from the checkpoint on disk.
    pub(crate) resume: bool,
}

/// The thread that searches.
#[derive(Debug)]
pub(crate) struct Searcher {
    jobs: mpsc::Sender<Job>,
    thread: JoinHandle<()>,
}

impl Searcher {
    /// Starts the thread and its pool of `threads`.
    pub(crate) fn start(threads: usize, tools: Tools) -> Result<Self, WorkerError> {
        let pool = ThreadPoolBuilder::new()
            .num_threads(threads)
            .thread_name(|number| format!("search-{number}"))
            .build()
            .map_err(|error| WorkerError::Threads(error.to_string()))?;
        let (jobs, queue) = mpsc::channel::<Job>();
        let thread = thread::Builder::new()
            .name("search".to_owned())
            .spawn(move || queue.into_iter().for_each(|job| tools.carry_out(&pool, &job)))
            .map_err(|error| WorkerError::Threads(error.to_string()))?;
        Ok(Self { jobs, thread })
    }

    /// Begins a search; its end shows in the holdings.
    pub(crate) fn begin(&self, holdings: &Holdings, job: Job) {
        let key = job.assignment.key;
        holdings.begin(job.running.clone());
        if self.jobs.send(job).is_err() {
            holdings.fail(key, "the search thread is gone".to_owned());
        }
    }

    /// Ends the thread, once its search has ended.
    pub(crate) fn join(self) {
        drop(self.jobs);
        if self.thread.join().is_err() {
            error!("the search thread panicked");
        }
    }
}

impl Tools {
    fn carry_out(&self, pool: &ThreadPool, job: &Job) {
        let (key, running) = (job.assignment.key, &job.running);
        let span = trace_span!(target: TARGET, parent: &running.span, "search", strategy = running.view.strategy.name(),
            width = running.view.width, budget = running.view.budget, expansions = Empty, best = Empty);
        let _entered = span.enter();
        debug!(lease = %key, instance = running.view.instance, strategy = running.view.strategy.name(),
            width = running.view.width, budget = running.view.budget, resume = job.resume, "search begins");
        self.observer.event(&WorkerEvent::SearchStarted(running.view.clone()));
        let resume = if job.resume { self.checkpoints.load(key) } else { None };
        let before = resume.as_ref().map_or(0, |checkpoint| checkpoint.expansions);
        let mut result = self.search(pool, job, resume.as_ref());
        if let (Err(LeaseFault::Search(SearchError::ForeignCheckpoint(reason))), true) = (&result, resume.is_some()) {
            warn!(lease = %key, reason, "the checkpoint cannot be used; the lease is searched anew");
            self.checkpoints.remove(key);
            result = self.search(pool, job, None);
        }
        let elapsed = running.elapsed();
        let expansions = result.as_ref().map_or(running.progress().expansions, |outcome| outcome.expansions);
        let best = result.as_ref().map_or(None, |outcome| outcome.best.as_ref().map(|found| found.score));
        if let Ok(outcome) = &result {
            let game = job.assignment.game.id();
            self.speed.measured(game, outcome.expansions.saturating_sub(before), running.elapsed_now());
            if outcome.ending == Ending::Stopped && !running.is_dropped() {
                self.suspend(job, outcome.checkpoint.as_ref());
            }
        }
        span.record("expansions", expansions);
        span.record("best", best);
        debug!(lease = %key, instance = running.view.instance, expansions, ?best, ?elapsed, "search ends");
        self.observer.event(&WorkerEvent::SearchEnded { search: running.view.clone(), expansions, elapsed, best });
        if running.is_dropped() {
            self.checkpoints.remove(key);
            self.holdings.end(key, None);
            return;
        }
        let finish = match result {
            Ok(outcome) => done(job, outcome, elapsed),
            Err(fault) => {
                error!(lease = %key, instance = running.view.instance, %fault, "the lease cannot be searched");
                v1::FinishRequest { expansions, ..failed(key, fault.to_string()) }
            }
        };
        self.holdings.end(key, Some(finish));
    }

    /// Runs the plan in `pool`. When this returns, everything found is on disk.
    fn search(&self, pool: &ThreadPool, job: &Job, resume: Option<&Checkpoint>) -> Result<Outcome, LeaseFault> {
        let outbox = Outbox::default();
        let clock = SystemClock::start();
        let limits = Limits {
            clock: &clock,
            deadline: None,
            stop: job.running.stop.clone(),
            checkpoint_every: job.assignment.lease.checkpoint.then_some(self.checkpoint_every),
        };
        let listener = Listener { running: &job.running, outbox: &outbox };
        let visit = Visit { plan: &job.assignment.plan, resume, limits: &limits, listener: &listener };
        thread::scope(|scope| {
            let writer = scope.spawn(|| self.write(job, &outbox));
            let result = catch_unwind(AssertUnwindSafe(|| pool.install(|| job.assignment.game.visit(visit))));
            outbox.close();
            let written = writer.join().map_err(|panic| LeaseFault::Panic(words(panic.as_ref())))?;
            let outcome = result.map_err(|panic| LeaseFault::Panic(words(panic.as_ref())))?;
            written?;
            Ok(outcome?)
        })
    }

    /// Puts on disk what the search hands out, until it ends.
    fn write(&self, job: &Job, outbox: &Outbox) -> Result<(), LeaseFault> {
        loop {
            let content = outbox.take();
            if let Some(found) = content.found
                && let Err(fault) = self.keep(job, &found)
            {
                job.running.stop.stop();
                return Err(fault);
            }
            if let Some(checkpoint) = content.checkpoint {
                self.checkpoints.save(&job.assignment, &checkpoint, job.running.elapsed());
            }
            if content.closed {
                return Ok(());
            }
            outbox.pause(BETWEEN_WRITES);
        }
    }

    /// Judges a find and keeps it on disk until the coordinator has acknowledged it.
    fn keep(&self, job: &Job, found: &Found) -> Result<(), LeaseFault> {
        let Assignment { key, lease, instance, game, .. } = &job.assignment;
        let judged = game.puzzle().judge(&found.moves);
        if !judged.as_ref().is_ok_and(|judged| judged.complete && judged.score == found.score) {
            return Err(LeaseFault::disagreement(found.score, judged));
        }
        let improvement = v1::Improvement {
            report_id: format!("{}/{key}/{}", self.worker, found.score),
            instance: lease.instance.clone(),
            lease: Some((*key).into()),
            plan: Some(plan::to_wire(&found.plan)),
            sequence: Some(v1::Sequence { moves: found.moves.clone() }),
            score: found.score,
        };
        if self.spool.add(improvement, game.id().direction()) {
            self.observer.event(&WorkerEvent::Found { instance: instance.to_string(), score: found.score });
        }
        Ok(())
    }

    fn suspend(&self, job: &Job, checkpoint: Option<&Checkpoint>) {
        if let Some(checkpoint) = checkpoint.filter(|_| job.assignment.lease.checkpoint) {
            self.checkpoints.save(&job.assignment, checkpoint, job.running.elapsed());
        }
    }
}

/// How a search's end is told to the coordinator.
fn done(job: &Job, outcome: Outcome, elapsed: Duration) -> v1::FinishRequest {
    let ending = match outcome.ending {
        Ending::Budget | Ending::Exhausted | Ending::Deadline => v1::finish_request::Ending::Done,
        Ending::Stopped => v1::finish_request::Ending::Returned,
    };
    v1::FinishRequest {
        lease: Some(job.assignment.key.into()),
        ending: ending.into(),
        expansions: outcome.expansions,
        elapsed: Some(to_wire_duration(elapsed)),
        best_found: outcome.best.as_ref().map(|found| found.score),
        proved_bound: proved_bound(&job.assignment.plan, &outcome),
        exhausted: outcome.ending == Ending::Exhausted,
        dearest_run: Some(outcome.dearest_run),
        promising: outcome.promising.into_iter().map(|moves| v1::Sequence { moves }).collect(),
        trace: outcome.trace.to_be_bytes().to_vec(),
        ..Default::default()
    }
}

/// The score that no play of the whole instance beats, if that is what the search proved.
fn proved_bound(plan: &Plan, outcome: &Outcome) -> Option<i64> {
    let is_whole = plan.prefix.is_empty() && plan.window.is_none();
    let best = outcome.best.as_ref().map(|found| found.score).or(plan.beat);
    best.filter(|_| is_whole && outcome.proved)
}

/// Runs a plan on the typed game.
struct Visit<'a> {
    plan: &'a Plan,
    resume: Option<&'a Checkpoint>,
    limits: &'a Limits<'a>,
    listener: &'a Listener<'a>,
}

impl GameVisitor for Visit<'_> {
    type Output = Result<Outcome, SearchError>;

    fn visit<G: Game>(self, game: &G) -> Self::Output {
        cascade_search::run(game, self.plan, self.resume, self.limits, self.listener)
    }
}

/// Passes on what a search tells while it runs.
struct Listener<'a> {
    running: &'a Running,
    outbox: &'a Outbox,
}

impl cascade_search::Observer for Listener<'_> {
    fn improved(&self, found: &Found) {
        if self.running.learn_best(found.score) {
            self.outbox.found(found.clone());
        }
    }

    fn progress(&self, progress: &Progress) {
        self.running.set_progress(*progress);
    }

    fn checkpoint(&self, checkpoint: Checkpoint) {
        self.outbox.checkpoint(checkpoint);
    }
}

fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "without words".to_owned())
}
