//! A farm without machines: the core, a store in memory, and workers that play at random.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its own part")]

use cascade_coordinator::core::*;
use cascade_games::mix::mix2;
use cascade_games::{AnyGame, Bound, Catalog, Digest, Game, GameVisitor, Instance, InstanceName};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

pub const GRID: &str = "abab\nbcba\nacab\n";
pub const OTHER_GRID: &str = "abcd\ncdab\nabdc\n";
pub const CASE: &str = "2 3\n1 1\n..1\n221\n4\n1 3 1 2\n";

/// Two grids and a case, small enough to be played out in no time.
pub fn instances() -> Vec<Instance> {
    let mut catalog = Catalog::empty();
    for (file, text) in [("first.txt", GRID), ("second.txt", OTHER_GRID), ("tritown1.in", CASE)] {
        catalog.add_file(file, text).expect("a sound instance");
    }
    catalog.instances().into_iter().cloned().collect()
}

pub fn versions() -> Versions {
    Versions { protocol_min: 1, protocol_max: 2, rules: 7, software: "test".to_owned() }
}

pub fn config() -> CoreConfig {
    CoreConfig::new(versions())
}

/// What a real store would hold.
#[derive(Clone, Debug, Default)]
pub struct Store {
    pub added: Vec<InstanceRecord>,
    pub settings: BTreeMap<Digest, SettingsRecord>,
    pub farm_paused: bool,
    pub bests: BTreeMap<Digest, Best>,
    pub proofs: BTreeMap<Digest, ProofRecord>,
    pub history: Vec<Best>,
    pub states: BTreeMap<(Digest, StateId), StateRecord>,
    pub arms: BTreeMap<(Digest, ArmKey), ArmRecord>,
    pub leases: BTreeMap<u64, LeaseRecord>,
    pub ended: BTreeMap<LeaseId, EndedRecord>,
    pub workers: BTreeMap<String, WorkerRecord>,
    pub events: Vec<EventRecord>,
}

impl Store {
    pub fn apply(&mut self, change: Change) {
        match change {
            Change::Best(best) => {
                self.history.push(best.as_ref().clone());
                let merit = |best: &Best| best.game.direction().merit(best.score);
                if self.bests.get(&best.digest).is_none_or(|known| merit(known) < merit(&best)) {
                    self.bests.insert(best.digest, best.as_ref().clone());
                }
            }
            Change::BestSetAside { instance, .. } => {
                self.bests.remove(&instance);
            }
            Change::Proved(record) => {
                self.proofs.insert(record.instance, *record);
            }
            Change::ProofWithdrawn(instance) => {
                self.proofs.remove(&instance);
            }
            Change::InstanceAdded(record) => self.added.push(record),
            Change::Settings(record) => {
                self.settings.insert(record.instance, record);
            }
            Change::FarmPaused(paused) => self.farm_paused = paused,
            Change::State(record) => {
                self.states.insert((record.instance, record.id), record);
            }
            Change::StateRemoved { instance, id } => {
                self.states.remove(&(instance, id));
            }
            Change::Arm(record) => {
                self.arms.insert((record.instance, record.arm), record);
            }
            Change::LeaseHeld(record) => {
                self.leases.insert(record.lease.id, record);
            }
            Change::LeaseEnded(record) => {
                self.leases.remove(&record.lease.id);
                assert!(
                    self.ended.insert(record.lease, record.clone()).is_none(),
                    "attempt {} is counted twice",
                    record.lease
                );
            }
            Change::Worker(record) => {
                self.workers.insert(record.name.clone(), record);
            }
            Change::Event(record) => {
                assert!(self.events.iter().all(|event| event.number != record.number), "an event is written twice");
                self.events.push(record);
            }
        }
    }

    pub fn restored(&self, epoch: Epoch, instances: Vec<Instance>) -> Restored {
        let mut events = self.events.clone();
        events.sort_by_key(|event| event.number);
        Restored {
            epoch,
            instances,
            farm_paused: self.farm_paused,
            settings: self.settings.values().cloned().collect(),
            bests: self.bests.values().cloned().collect(),
            proofs: self.proofs.values().cloned().collect(),
            states: self.states.values().cloned().collect(),
            arms: self.arms.values().cloned().collect(),
            leases: self.leases.values().cloned().collect(),
            workers: self.workers.values().cloned().collect(),
            events,
            problems: Vec::new(),
        }
    }
}

/// The core with its store, and everything it said.
pub struct Farm {
    pub core: Core,
    pub epoch: Epoch,
    pub config: CoreConfig,
    pub instances: Vec<Instance>,
    pub store: Store,
    pub clock: Duration,
    /// Commits that the store has yet to take; taken at once unless `manual`.
    pub commits: VecDeque<(CommitId, Option<CommitId>, Vec<Change>)>,
    refused: Option<CommitId>,
    pub manual: bool,
    pub replies: BTreeMap<ReplyId, Result<Reply, Refusal>>,
    pub published: BTreeMap<InstanceName, Arc<Best>>,
    pub bounds: BTreeMap<InstanceName, Bound>,
    /// Invariants are checked after every so many events.
    pub check_every: u64,
    events: u64,
    next_reply: u64,
}

impl Farm {
    pub fn new() -> Self {
        Self::with(instances(), config())
    }

    pub fn with(instances: Vec<Instance>, config: CoreConfig) -> Self {
        Self::start(Store::default(), Epoch(1), instances, config, Duration::from_secs(1000))
    }

    pub fn start(store: Store, epoch: Epoch, instances: Vec<Instance>, config: CoreConfig, clock: Duration) -> Self {
        let now = Now { clock, wall: UnixMillis(1_700_000_000_000) };
        let (core, effects) = Core::restore(store.restored(epoch, instances.clone()), config.clone(), now);
        let mut farm = Self {
            core,
            epoch,
            config,
            instances,
            store,
            clock,
            commits: VecDeque::new(),
            refused: None,
            manual: false,
            replies: BTreeMap::new(),
            published: BTreeMap::new(),
            bounds: BTreeMap::new(),
            check_every: 1,
            events: 0,
            next_reply: 0,
        };
        farm.carry_out(effects);
        farm.check();
        farm.settle();
        farm
    }

    /// kill -9 and a new start; commits on their way are lost.
    pub fn restart(&mut self) {
        let before = self.store.bests.clone();
        let manual = self.manual;
        *self = Self::start(
            self.store.clone(),
            Epoch(self.epoch.0 + 1),
            self.instances.clone(),
            self.config.clone(),
            self.clock + Duration::from_secs(2),
        );
        self.manual = manual;
        for (digest, best) in before {
            if self.instances.iter().any(|instance| instance.puzzle().digest() == digest) {
                let served = &self.published[&best.instance];
                assert_eq!(served.score, best.score, "a durable best is served after a restart");
            }
        }
    }

    pub fn handle(&mut self, event: Event) {
        let wall = UnixMillis(1_700_000_000_000 + u64::try_from(self.clock.as_millis()).expect("small"));
        let effects = self.core.handle(event, Now { clock: self.clock, wall });
        self.carry_out(effects);
        self.events += 1;
        if self.events.is_multiple_of(self.check_every) {
            self.check();
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>) {
        for effect in effects {
            match effect {
                Effect::Reply(reply, answer) => {
                    assert!(self.replies.insert(reply, answer).is_none(), "one request, one answer");
                }
                Effect::Commit { id, knows, changes } => {
                    assert!(!changes.is_empty(), "an empty commit");
                    self.commits.push_back((id, knows, changes));
                }
                Effect::Publish(best) => {
                    assert_eq!(
                        self.store.bests.get(&best.digest).map(|best| best.score),
                        Some(best.score),
                        "what is published is durable"
                    );
                    let direction = best.game.direction();
                    if let Some(before) = self.published.insert(best.instance.clone(), best.clone()) {
                        assert!(direction.is_better(best.score, before.score), "a best only improves");
                    }
                }
                Effect::Bound(name, bound) => {
                    self.bounds.insert(name, bound);
                }
                Effect::Log(_) => {}
            }
        }
    }

    pub fn check(&self) {
        if let Err(problem) = self.core.sanity_check() {
            panic!("{problem}");
        }
    }

    /// The store takes every commit that waits.
    pub fn settle(&mut self) {
        while self.commit_next(true) {}
    }

    /// The next commit is taken or refused; one that was made before its maker heard of a refusal is always refused.
    /// Whether there was one.
    pub fn commit_next(&mut self, taken: bool) -> bool {
        let Some((commit, knows, changes)) = self.commits.pop_front() else { return false };
        let is_informed = knows >= self.refused;
        if taken && is_informed {
            for change in changes {
                self.store.apply(change);
            }
            self.handle(Event::Committed(commit));
        } else {
            if is_informed {
                self.refused = Some(commit);
            }
            self.handle(Event::CommitFailed { commit, reason: "disk full".to_owned() });
        }
        true
    }

    /// The store refuses every commit that waits.
    pub fn refuse(&mut self) {
        for _ in 0..self.commits.len() {
            self.commit_next(false);
        }
    }

    pub fn send(&mut self, request: Request) -> ReplyId {
        self.next_reply += 1;
        let reply = ReplyId(self.next_reply);
        self.handle(Event::Request(reply, request));
        if !self.manual {
            self.settle();
        }
        reply
    }

    pub fn ask(&mut self, request: Request) -> Result<Reply, Refusal> {
        let reply = self.send(request);
        self.replies.get(&reply).cloned().expect("answered at once")
    }

    /// Seconds go by, with their ticks.
    pub fn pass(&mut self, seconds: u64) {
        for _ in 0..seconds {
            self.clock += Duration::from_secs(1);
            self.handle(Event::Tick);
            if !self.manual {
                self.settle();
            }
        }
    }

    pub fn hello(&mut self, name: &str, held: Vec<LeaseId>) -> (SessionRef, Welcome) {
        let hello = Hello { worker: name.to_owned(), versions: versions(), threads: 2, held, speed: BTreeMap::new() };
        match self.ask(Request::Hello(hello)) {
            Ok(Reply::Welcome(welcome)) => (SessionRef { session: welcome.session, epoch: welcome.epoch }, welcome),
            other => panic!("no welcome: {other:?}"),
        }
    }

    pub fn lease(&mut self, session: SessionRef) -> Grant {
        match self.ask(Request::Lease(session)) {
            Ok(Reply::Granted(grant)) => *grant,
            other => panic!("no lease: {other:?}"),
        }
    }

    pub fn wait(&mut self, session: SessionRef) -> Wait {
        match self.ask(Request::Lease(session)) {
            Ok(Reply::Wait(wait)) => wait,
            other => panic!("no wait: {other:?}"),
        }
    }

    pub fn beat(&mut self, session: SessionRef, leases: &[(LeaseId, u64)]) -> Result<HeartbeatReply, Refusal> {
        let leases = leases.iter().map(|&(lease, expansions)| Progress { lease, expansions }).collect();
        self.ask(Request::Heartbeat(Heartbeat { session, leases })).map(|reply| match reply {
            Reply::Heartbeat(reply) => reply,
            other => panic!("no heartbeat: {other:?}"),
        })
    }

    pub fn report(&mut self, session: SessionRef, found: Improvement) -> Result<Verdict, Refusal> {
        self.ask(Request::Report(Report { session, improvements: vec![found] })).map(verdict)
    }

    pub fn finish(&mut self, session: SessionRef, finish: Finish) -> bool {
        match self.ask(Request::Finish(session, finish)) {
            Ok(Reply::Finished { counted }) => counted,
            other => panic!("no end: {other:?}"),
        }
    }

    pub fn instance(&self, name: &InstanceName) -> &Instance {
        self.instances.iter().find(|instance| &instance.name == name).expect("known")
    }

    pub fn expansions(&mut self) -> u64 {
        match self.ask(Request::Status) {
            Ok(Reply::Status(status)) => status.total_expansions,
            other => panic!("no status: {other:?}"),
        }
    }

    /// As [`Farm::expansions`], whatever waits for the store.
    pub fn expansions_now(&mut self) -> u64 {
        let reply = self.send(Request::Status);
        match self.replies.remove(&reply) {
            Some(Ok(Reply::Status(status))) => status.total_expansions,
            other => panic!("no status: {other:?}"),
        }
    }

    pub fn events(&mut self, kind: &str) -> Vec<EventRecord> {
        match self.ask(Request::Events(EventsRequest { limit: 10_000, instance: None, after: 0 })) {
            Ok(Reply::Events(events)) => events.into_iter().filter(|event| event.kind == kind).collect(),
            other => panic!("no events: {other:?}"),
        }
    }

    /// What a worker that plays at random would find under this lease.
    pub fn search(&self, grant: &Grant, id: &str) -> Improvement {
        let instance = self.instance(&grant.instance);
        let moves = random_play(&instance.game, &grant.plan.prefix, grant.plan.seed);
        let score = instance.puzzle().judge(&moves).expect("legal").score;
        Improvement {
            report_id: id.to_owned(),
            instance: grant.instance.clone(),
            digest: grant.digest,
            lease: Some(grant.lease),
            plan: grant.plan.clone(),
            moves,
            score,
        }
    }
}

pub fn verdict(reply: Reply) -> Verdict {
    match reply {
        Reply::Verdicts(verdicts) => verdicts.into_iter().next().expect("one verdict"),
        other => panic!("no verdict: {other:?}"),
    }
}

pub fn done(grant: &Grant, expansions: u64) -> Finish {
    Finish {
        lease: grant.lease,
        ending: Ending::Done,
        expansions,
        elapsed: Duration::from_secs(1),
        best_found: None,
        exhausted: false,
        proved_bound: None,
        dearest_run: None,
        promising: Vec::new(),
        trace: Vec::new(),
    }
}

/// A complete play that begins with `prefix`.
pub fn random_play(game: &AnyGame, prefix: &[u32], seed: u64) -> Vec<u32> {
    struct Play<'a>(&'a [u32], u64);
    impl GameVisitor for Play<'_> {
        type Output = Vec<u32>;
        fn visit<G: Game>(self, game: &G) -> Vec<u32> {
            let mut state = game.start();
            let mut played = self.0.to_vec();
            for &code in self.0 {
                game.apply(&mut state, game.decode(code).expect("a move of the game"));
            }
            let mut moves = Vec::new();
            while !game.is_over(&state) {
                moves.clear();
                game.moves(&state, &mut moves);
                let Some(count) = u64::try_from(moves.len()).ok().filter(|&count| count > 0) else { break };
                let pick = mix2(self.1, played.len() as u64) % count;
                let mv = moves[usize::try_from(pick).expect("small")];
                game.apply(&mut state, mv);
                played.push(game.encode(mv));
            }
            played
        }
    }
    game.visit(Play(prefix, seed))
}

/// The distinct elements.
pub fn distinct<T: Ord>(all: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    all.into_iter().collect()
}
