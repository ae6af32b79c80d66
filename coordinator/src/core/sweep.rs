//! What time does: silent workers, leases that stand still, a coordinator that was itself asleep.

use super::Core;
use super::change::EndReason;
use super::hello::most_counted;
use super::id::Now;
use super::journal::Line;
use super::session::Over;
use std::time::Duration;

/// Between two events pass at most so many ticks, and [`GRACE`]; a longer gap means that the coordinator slept.
const TICKS: u32 = 3;
const GRACE: Duration = Duration::from_secs(2);

impl Core {
    /// Takes over the time of an event. After a sleep of the coordinator itself everyone gets that much more time.
    pub(super) fn wake(&mut self, now: Now) {
        let before = self.now.clock;
        self.now = Now { clock: now.clock.max(before), wall: now.wall };
        let gap = self.now.clock - before;
        if gap <= self.config.tick_interval * TICKS + GRACE {
            return;
        }
        let slept = gap.saturating_sub(self.config.tick_interval);
        for session in self.sessions.live.values_mut() {
            session.last_seen += slept;
        }
        for lease in self.leases.active.values_mut() {
            lease.progress_at += slept;
        }
        for waiting in self.leases.waiting.values_mut().filter(|waiting| waiting.free_at > before) {
            waiting.free_at += slept;
        }
        let detail =
            format!("the coordinator did nothing for {} s; everyone gets that much more time", slept.as_secs());
        self.log(Line::warning("slept", detail));
    }

    /// Looks after everything that time may have changed.
    pub(super) fn sweep(&mut self) {
        self.lose_silent();
        self.take_back_stalled();
    }

    fn lose_silent(&mut self) {
        let now = self.now.clock;
        let silent: Vec<_> = self
            .sessions
            .live
            .iter()
            .filter(|(_, session)| now.saturating_sub(session.last_seen) > self.config.silence_limit)
            .map(|(&id, _)| id)
            .collect();
        for session in silent {
            self.end_session(session, Over::Ended, EndReason::Lost);
        }
    }

    fn take_back_stalled(&mut self) {
        let now = self.now.clock;
        let stalled: Vec<_> = self
            .leases
            .active
            .values()
            .filter(|lease| {
                let patience = self.config.progress_limit.max(lease.expected / 4);
                now.saturating_sub(lease.progress_at) > patience
                    || lease.spent >= most_counted(lease.work.plan.expansions)
            })
            .map(|lease| lease.id.id)
            .collect();
        for id in stalled {
            let Some(mut lease) = self.take_back(id) else { continue };
            let name = self.instances[lease.at].name().clone();
            let detail = format!("lease {} made no progress and is given to others", lease.id);
            self.log(Line::warning("lease-stalled", detail).of(&name).by(&lease.worker));
            lease.failures += 1;
            self.note_failure(&lease.worker.clone());
            self.shelve(lease, EndReason::Stalled, false);
        }
    }
}
