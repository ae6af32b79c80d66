//! One worker as the core knows it: figures, standing, and what it reported lately.

use super::change::WorkerRecord;
use super::effect::Verdict;
use super::event::Hello;
use super::id::SessionId;
use cascade_games::GameId;
use std::collections::VecDeque;
use std::time::Duration;

/// Assumed expansions a second of one thread, before anything was measured.
const ASSUMED_SPEED: f64 = 500_000.0;
/// No thread is taken to be slower or faster than this.
const SPEED_LIMITS: (f64, f64) = (100.0, 1e9);
/// Shorter attempts say nothing about speed.
const SHORTEST_MEASURED: Duration = Duration::from_millis(50);
/// Verdicts kept for reports that arrive again.
const VERDICTS_KEPT: usize = 256;

/// Whether a worker has a session, and if not, why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Presence {
    /// It has not been heard of in this term.
    Unseen,
    /// It has this session.
    Connected(SessionId),
    /// It said goodbye.
    Gone,
    /// It fell silent.
    Lost,
    /// It said goodbye because it was told to stop.
    Drained,
}

/// A worker.
#[derive(Debug)]
pub(super) struct Worker {
    pub(super) record: WorkerRecord,
    pub(super) presence: Presence,
    pub(super) last_seen: Option<Duration>,
    pub(super) failures_in_row: u32,
    pub(super) refusals_in_row: u32,
    /// No leases before this moment.
    pub(super) slowed_until: Duration,
    /// Set while it is set aside.
    pub(super) aside_until: Option<Duration>,
    /// An order to stop is on its way to the store.
    pub(super) drain_wanted: bool,
    /// How often it was told to wait.
    pub(super) waits: u64,
    verdicts: VecDeque<Verdict>,
}

impl Worker {
    /// A worker never heard of.
    pub(super) fn new(name: &str) -> Self {
        Self::restore(WorkerRecord {
            name: name.to_owned(),
            software: String::new(),
            threads: 0,
            speed: std::collections::BTreeMap::new(),
            finished: 0,
            failed: 0,
            refused: 0,
            expansions: 0,
            draining: false,
            set_aside: None,
        })
    }

    /// A worker of an earlier term.
    pub(super) fn restore(record: WorkerRecord) -> Self {
        Self {
            record,
            presence: Presence::Unseen,
            last_seen: None,
            failures_in_row: 0,
            refusals_in_row: 0,
            slowed_until: Duration::ZERO,
            aside_until: None,
            drain_wanted: false,
            waits: 0,
            verdicts: VecDeque::new(),
        }
    }

    /// Its row in the store.
    pub(super) fn row(&self) -> WorkerRecord {
        WorkerRecord { draining: self.record.draining || self.drain_wanted, ..self.record.clone() }
    }

    /// Takes over what it says of itself.
    pub(super) fn introduce(&mut self, hello: &Hello) {
        self.record.software.clone_from(&hello.versions.software);
        self.record.threads = hello.threads;
        for (&game, &speed) in &hello.speed {
            if speed.is_finite() && speed > 0.0 {
                self.record.speed.insert(game, self.plausible(speed));
            }
        }
    }

    /// Expansions a second in `game`.
    pub(super) fn speed(&self, game: GameId) -> f64 {
        self.record.speed.get(&game).copied().unwrap_or(ASSUMED_SPEED * f64::from(self.record.threads.max(1)))
    }

    /// An attempt took so long for so much.
    pub(super) fn measure(&mut self, game: GameId, expansions: u64, elapsed: Duration) {
        if elapsed < SHORTEST_MEASURED || expansions == 0 {
            return;
        }
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        let seen = self.plausible(expansions as f64 / elapsed.as_secs_f64());
        let speed = self.record.speed.get(&game).map_or(seen, |known| (known + seen) / 2.0);
        self.record.speed.insert(game, speed);
    }

    fn plausible(&self, speed: f64) -> f64 {
        let threads = f64::from(self.record.threads.clamp(1, 4096));
        speed.clamp(SPEED_LIMITS.0, SPEED_LIMITS.1 * threads)
    }

    pub(super) fn session(&self) -> Option<SessionId> {
        match self.presence {
            Presence::Connected(session) => Some(session),
            _ => None,
        }
    }

    /// The verdict on a report that came before.
    pub(super) fn verdict(&self, report_id: &str) -> Option<&Verdict> {
        self.verdicts.iter().find(|verdict| verdict.report_id == report_id)
    }

    /// Remembers a verdict.
    pub(super) fn note_verdict(&mut self, verdict: Verdict) {
        self.verdicts.push_back(verdict);
        if self.verdicts.len() > VERDICTS_KEPT {
            self.verdicts.pop_front();
        }
    }
}
