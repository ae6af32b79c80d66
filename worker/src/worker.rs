//! The parts of a worker that outlive its sessions.

use crate::checkpoint::CheckpointStore;
use crate::config::Config;
use crate::data_dir::DataDir;
use crate::error::WorkerError;
use crate::holdings::{Holdings, Running};
use crate::lease::{Assignment, LeaseKey};
use crate::observer::Observer;
use crate::ordered_delay::OrderedDelay;
use crate::searcher::{Job, Searcher, Tools};
use crate::speed::Speed;
use crate::spool::Spool;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::sync::watch;
use tracing::{Span, info};

/// One worker. Its data directory stays locked for as long as this lives.
pub(crate) struct Worker {
    pub(crate) name: String,
    pub(crate) threads: usize,
    pub(crate) holdings: Arc<Holdings>,
    pub(crate) spool: Arc<Spool>,
    pub(crate) speed: Arc<Speed>,
    pub(crate) delay: OrderedDelay,
    pub(crate) observer: Arc<dyn Observer>,
    checkpoints: Arc<CheckpointStore>,
    searcher: Searcher,
    draining: watch::Sender<bool>,
    new_bests: AtomicU64,
    finished: AtomicU64,
    _data_dir: DataDir,
}

impl Worker {
    /// Locks the data directory, reads back what a former run left, and starts the search threads.
    pub(crate) fn open(config: &Config, observer: Arc<dyn Observer>) -> Result<Self, WorkerError> {
        let data_dir = DataDir::open(&config.data)?;
        let name = match &config.name {
            Some(name) => name.clone(),
            None => data_dir.default_name()?,
        };
        let cores = || std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        let threads = config.threads.map_or_else(cores, NonZeroUsize::get);
        let limit = usize::try_from(config.checkpoint_limit).unwrap_or(usize::MAX).saturating_mul(1024 * 1024);
        let checkpoints = Arc::new(CheckpointStore::new(data_dir.checkpoints(), data_dir.aside(), limit));
        let holdings = Arc::new(Holdings::new(checkpoints.suspended()?));
        let spool = Arc::new(Spool::open(data_dir.unreported(), data_dir.aside())?);
        let speed = Arc::new(Speed::open(data_dir.file("speed")));
        let tools = Tools {
            worker: name.clone(),
            checkpoint_every: config.checkpoint_every,
            holdings: holdings.clone(),
            spool: spool.clone(),
            checkpoints: checkpoints.clone(),
            speed: speed.clone(),
            observer: observer.clone(),
        };
        Ok(Self {
            name,
            threads,
            holdings,
            spool,
            speed,
            delay: OrderedDelay::open(data_dir.file("ordered-delay")),
            observer,
            checkpoints,
            searcher: Searcher::start(threads, tools)?,
            draining: watch::Sender::new(false),
            new_bests: AtomicU64::new(0),
            finished: AtomicU64::new(0),
            _data_dir: data_dir,
        })
    }

    /// Begins a search, from its checkpoint when it was `suspended_after` some time.
    pub(crate) fn search(&self, assignment: Assignment, suspended_after: Option<Duration>, span: Span) {
        let running = Arc::new(Running::new(
            assignment.key,
            assignment.view(),
            assignment.game.id().direction(),
            assignment.lease.best_score,
            suspended_after.unwrap_or_default(),
            span,
        ));
        self.searcher.begin(&self.holdings, Job { assignment, running, resume: suspended_after.is_some() });
    }

    /// A lease is not this worker's any more.
    pub(crate) fn drop_lease(&self, key: LeaseKey) {
        self.holdings.drop_lease(key);
        self.checkpoints.remove(key);
    }

    /// The coordinator knows how a lease ended.
    pub(crate) fn finish_acknowledged(&self, key: LeaseKey) {
        self.checkpoints.remove(key);
        self.holdings.acknowledged(key);
        self.finished.fetch_add(1, Ordering::Relaxed);
    }

    /// The worker is to end once its lease has.
    pub(crate) fn drain(&self) {
        if !self.draining.send_replace(true) {
            info!("asked to drain: ending when the current lease has ended");
        }
    }

    pub(crate) fn is_draining(&self) -> bool {
        *self.draining.borrow()
    }

    /// Waits until the worker is asked to drain.
    pub(crate) async fn drain_asked(&self) {
        let mut draining = self.draining.subscribe();
        // The sender lives in self, so that this ends only by the wish.
        let _asked = draining.wait_for(|draining| *draining).await.is_ok();
    }

    pub(crate) fn count_new_best(&self) {
        self.new_bests.fetch_add(1, Ordering::Relaxed);
    }

    pub(crate) fn new_bests(&self) -> u64 {
        self.new_bests.load(Ordering::Relaxed)
    }

    pub(crate) fn finished(&self) -> u64 {
        self.finished.load(Ordering::Relaxed)
    }

    /// Ends the search thread and frees the data directory; the running search must have been stopped.
    pub(crate) fn close(self) {
        self.searcher.join();
    }
}
