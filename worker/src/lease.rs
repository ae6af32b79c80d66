//! A lease as the worker understands it, checked before any work is done on it.

use crate::error::LeaseFault;
use crate::observer::SearchView;
use crate::plan;
use cascade_games::{AnyGame, GameId, InstanceName};
use cascade_proto::convert::required;
use cascade_proto::v1;
use cascade_search::Plan;
use std::fmt;

/// One attempt at one lease.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LeaseKey {
    pub(crate) id: u64,
    pub(crate) attempt: u32,
}

impl From<v1::LeaseId> for LeaseKey {
    fn from(wire: v1::LeaseId) -> Self {
        Self { id: wire.id, attempt: wire.attempt }
    }
}

impl From<LeaseKey> for v1::LeaseId {
    fn from(key: LeaseKey) -> Self {
        Self { id: key.id, attempt: key.attempt }
    }
}

impl fmt::Display for LeaseKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.id, self.attempt)
    }
}

/// A lease that can be searched.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) key: LeaseKey,
    /// The lease as it came.
    pub(crate) lease: v1::Lease,
    pub(crate) instance: InstanceName,
    pub(crate) game: AnyGame,
    pub(crate) plan: Plan,
}

impl Assignment {
    /// Checks `lease`: its content must be of its game's format and have the digest that the lease names.
    pub(crate) fn parse(lease: v1::Lease) -> Result<Self, LeaseFault> {
        let key = required(lease.lease, "lease")?.into();
        let (instance, digest) = required(lease.instance.as_ref(), "instance")?.parse()?;
        let game = GameId::from_name(&lease.game).ok_or_else(|| LeaseFault::UnknownGame(lease.game.clone()))?;
        let game = AnyGame::parse(game, &lease.content, &instance.to_string())?;
        let found = game.puzzle().digest();
        if found != digest {
            return Err(LeaseFault::Digest { found: found.short(), expected: digest.short() });
        }
        let plan = plan::from_wire(required(lease.plan.as_ref(), "plan")?)?;
        Ok(Self { key, lease, instance, game, plan })
    }

    /// The search for people.
    pub(crate) fn view(&self) -> SearchView {
        SearchView {
            instance: self.instance.to_string(),
            strategy: self.plan.strategy,
            width: self.plan.width,
            budget: self.plan.expansions,
            depth: self.plan.prefix.len(),
        }
    }
}
