//! The core's settings.

use super::event::Versions;
use std::time::Duration;

/// Settings of the core. [`CoreConfig::new`] gives the usual ones.
#[derive(Clone, Debug)]
pub struct CoreConfig {
    /// What the coordinator runs and speaks.
    pub versions: Versions,
    /// How often the shell sends [`super::Event::Tick`].
    pub tick_interval: Duration,
    /// How often workers show life.
    pub heartbeat_interval: Duration,
    /// A worker silent for longer is lost.
    pub silence_limit: Duration,
    /// A lease without progress for longer is taken back, though its worker shows life.
    pub progress_limit: Duration,
    /// What the first lease of an instance should take; each finished lease doubles it.
    pub first_lease: Duration,
    /// What leases should take in the long run.
    pub usual_lease: Duration,
    /// What the widest searches may take.
    pub longest_lease: Duration,
    /// Leases expected to take longer are written down when granted, so that they outlive a restart, and
    /// checkpointed by their workers.
    pub checkpoint_from: Duration,
    /// How long a lease that may be gone on with waits for its worker to come back.
    pub hold: Duration,
    /// A lease that failed so often is set aside.
    pub lease_failures: u32,
    /// A lease whose worker was lost so often is set aside.
    pub lease_disconnects: u32,
    /// From so many failures in a row a worker is slowed.
    pub slow_after: u32,
    /// After so many failures, or refused reports, in a row a worker is set aside.
    pub set_aside_after: u32,
    /// How long a worker that failed stays set aside before it is tried again.
    pub set_aside_for: Duration,
    /// Most partial states an instance keeps.
    pub states_per_instance: usize,
    /// One finished lease in so many is rerun elsewhere; 0 never.
    pub audit_every: u64,
}

impl CoreConfig {
    /// The usual settings for a coordinator of these versions.
    #[must_use]
    pub fn new(versions: Versions) -> Self {
        Self {
            versions,
            tick_interval: Duration::from_secs(1),
            heartbeat_interval: Duration::from_secs(5),
            silence_limit: Duration::from_secs(20),
            progress_limit: Duration::from_secs(60),
            first_lease: Duration::from_millis(500),
            usual_lease: Duration::from_secs(60),
            longest_lease: Duration::from_secs(30 * 60),
            checkpoint_from: Duration::from_secs(20),
            hold: Duration::from_secs(120),
            lease_failures: 3,
            lease_disconnects: 5,
            slow_after: 3,
            set_aside_after: 10,
            set_aside_for: Duration::from_secs(3600),
            states_per_instance: 10_000,
            audit_every: 64,
        }
    }
}
