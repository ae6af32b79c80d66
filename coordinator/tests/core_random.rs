//! The core under random events: many workers that join, work, lie, fall silent and come back, a store that refuses,
//! a coordinator that is killed. Every invariant is checked after every event.

mod core_farm;

use cascade_coordinator::core::{
    CoreConfig, Ending, Event, Finish, Grant, Heartbeat, Hello, Outcome, Progress, Reply, ReplyId, Report, Request,
    SessionRef,
};
use cascade_games::Digest;
use core_farm::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::time::Duration;

const WORKERS: usize = 4;

#[derive(Clone, Debug)]
enum Op {
    Hello { worker: usize, offers: bool },
    Lease { worker: usize },
    Beat { worker: usize, mentions: bool },
    Report { worker: usize, seed: u64, lies: u8 },
    Finish { worker: usize, how: u8, expansions: u64, seed: u64, again: bool },
    Goodbye { worker: usize },
    Pass { seconds: u64 },
    Sleep { seconds: u64 },
    Commits { count: usize, taken: bool },
    Restart,
    Pause { instance: Option<usize>, paused: bool },
    Priority { instance: usize, priority: u32 },
    Drain { worker: usize },
}

fn op() -> impl proptest::strategy::Strategy<Value = Op> {
    let worker = 0..WORKERS;
    prop_oneof![
        2 => (worker.clone(), any::<bool>()).prop_map(|(worker, offers)| Op::Hello { worker, offers }),
        8 => worker.clone().prop_map(|worker| Op::Lease { worker }),
        3 => (worker.clone(), prop::bool::weighted(0.8)).prop_map(|(worker, mentions)| Op::Beat { worker, mentions }),
        6 => (worker.clone(), 0..40_u64, prop_oneof![4 => Just(0_u8), 1 => 1..4_u8])
            .prop_map(|(worker, seed, lies)| Op::Report { worker, seed, lies }),
        6 => (worker.clone(), 0..8_u8, 0..2_000_000_u64, 0..40_u64, prop::bool::weighted(0.2)).prop_map(
            |(worker, how, expansions, seed, again)| Op::Finish { worker, how, expansions, seed, again }
        ),
        1 => worker.clone().prop_map(|worker| Op::Goodbye { worker }),
        2 => (1..40_u64).prop_map(|seconds| Op::Pass { seconds }),
        1 => (1..4000_u64).prop_map(|seconds| Op::Sleep { seconds }),
        5 => (1..4_usize, prop::bool::weighted(0.8)).prop_map(|(count, taken)| Op::Commits { count, taken }),
        1 => Just(Op::Restart),
        1 => (prop::option::of(0..3_usize), prop::bool::weighted(0.3))
            .prop_map(|(instance, paused)| Op::Pause { instance, paused }),
        1 => (0..3_usize, prop_oneof![Just(0_u32), Just(100), Just(300)])
            .prop_map(|(instance, priority)| Op::Priority { instance, priority }),
        1 => worker.prop_map(|worker| Op::Drain { worker }),
    ]
}

/// What a worker remembers, over its own and the coordinator's restarts.
#[derive(Clone, Debug, Default)]
struct Hand {
    session: Option<SessionRef>,
    grants: Vec<Grant>,
    reports: u64,
}

struct World {
    farm: Farm,
    hands: Vec<Hand>,
    /// Requests on their way, with what they promise when they are answered.
    promised: BTreeMap<ReplyId, (Digest, i64)>,
    /// The best score of each instance that was acknowledged as a new best.
    acknowledged: BTreeMap<Digest, i64>,
    hellos: BTreeMap<ReplyId, usize>,
    leases: BTreeMap<ReplyId, usize>,
}

impl World {
    fn new(config: CoreConfig) -> Self {
        let mut farm = Farm::with(instances(), config);
        farm.manual = true;
        Self {
            farm,
            hands: vec![Hand::default(); WORKERS],
            promised: BTreeMap::new(),
            acknowledged: BTreeMap::new(),
            hellos: BTreeMap::new(),
            leases: BTreeMap::new(),
        }
    }

    /// Hears the answers that came.
    fn listen(&mut self) {
        for (reply, answer) in std::mem::take(&mut self.farm.replies) {
            if let (Some((digest, score)), Ok(Reply::Verdicts(verdicts))) = (self.promised.remove(&reply), &answer)
                && verdicts.iter().any(|verdict| verdict.outcome == Outcome::NewBest)
            {
                let direction = self.farm.store.bests[&digest].game.direction();
                let best = self.acknowledged.entry(digest).or_insert(score);
                if direction.is_better(score, *best) {
                    *best = score;
                }
            }
            if let (Some(worker), Ok(Reply::Welcome(welcome))) = (self.hellos.remove(&reply), &answer) {
                let hand = &mut self.hands[worker];
                hand.session = Some(SessionRef { session: welcome.session, epoch: welcome.epoch });
                hand.grants.retain(|grant| welcome.held.contains(&(grant.lease, true)));
            }
            if let (Some(worker), Ok(Reply::Granted(grant))) = (self.leases.remove(&reply), answer) {
                self.hands[worker].grants.push(*grant);
            }
        }
    }

    fn carry_out(&mut self, op: Op) {
        match op {
            Op::Hello { worker, offers } => {
                let held = match offers {
                    true => self.hands[worker].grants.iter().map(|grant| grant.lease).collect(),
                    false => Vec::new(),
                };
                let name = format!("w{worker}");
                let hello = Hello { worker: name, versions: versions(), threads: 2, held, speed: BTreeMap::new() };
                let reply = self.farm.send(Request::Hello(hello));
                self.hellos.insert(reply, worker);
            }
            Op::Lease { worker } => {
                if let Some(session) = self.hands[worker].session {
                    let reply = self.farm.send(Request::Lease(session));
                    self.leases.insert(reply, worker);
                }
            }
            Op::Beat { worker, mentions } => {
                let hand = &self.hands[worker];
                if let Some(session) = hand.session {
                    let expansions = self.farm.clock.as_secs();
                    let held = hand.grants.iter().filter(|_| mentions);
                    let leases = held.map(|grant| Progress { lease: grant.lease, expansions }).collect();
                    self.farm.send(Request::Heartbeat(Heartbeat { session, leases }));
                }
            }
            Op::Report { worker, seed, lies } => self.report(worker, seed, lies),
            Op::Finish { worker, how, expansions, seed, again } => {
                let hand = &self.hands[worker];
                if let (Some(session), Some(grant)) = (hand.session, hand.grants.first().cloned()) {
                    let finish = self.end(&grant, how, expansions, seed);
                    self.farm.send(Request::Finish(session, finish));
                    if !again {
                        self.hands[worker].grants.remove(0);
                    }
                }
            }
            Op::Goodbye { worker } => {
                if let Some(session) = self.hands[worker].session.take() {
                    let held = std::mem::take(&mut self.hands[worker].grants);
                    let unfinished = held.iter().take(1).map(|grant| self.end(grant, 1, 5, 0)).collect();
                    self.hands[worker].grants = held;
                    self.farm.send(Request::Goodbye(session, unfinished));
                }
            }
            Op::Pass { seconds } => self.farm.pass(seconds),
            Op::Sleep { seconds } => {
                self.farm.clock += Duration::from_secs(seconds);
                self.farm.handle(Event::Tick);
            }
            Op::Commits { count, taken } => self.commits(count, taken),
            Op::Restart => {
                self.promised.clear();
                self.farm.restart();
            }
            Op::Pause { instance, paused } => {
                let name = instance.map(|at| self.farm.instances[at].name.clone());
                self.farm.send(if paused { Request::Pause(name) } else { Request::Resume(name) });
            }
            Op::Priority { instance, priority } => {
                let name = self.farm.instances[instance].name.clone();
                self.farm.send(Request::SetPriority(name, priority));
            }
            Op::Drain { worker } => {
                self.farm.send(Request::Drain(format!("w{worker}")));
            }
        }
        self.listen();
    }

    fn report(&mut self, worker: usize, seed: u64, lies: u8) {
        let hand = &mut self.hands[worker];
        let (Some(session), Some(grant)) = (hand.session, hand.grants.last().cloned()) else { return };
        hand.reports += 1;
        let id = format!("w{worker}-{}", hand.reports / 2);
        let mut found = self.farm.search(&grant, &id);
        found.moves = random_play(&self.farm.instance(&grant.instance).game, &grant.plan.prefix, seed);
        found.score = self.farm.instance(&grant.instance).puzzle().judge(&found.moves).expect("legal").score;
        match lies {
            1 => found.score += 1,
            2 => found.moves.push(4_000_000_000),
            3 => found.moves.truncate(found.moves.len() / 2),
            _ => {}
        }
        let promise = (found.digest, found.score);
        let reply = self.farm.send(Request::Report(Report { session, improvements: vec![found] }));
        // An id that comes again with other content keeps its first verdict: only fresh ids promise something.
        if self.hands[worker].reports.is_multiple_of(2) {
            self.promised.insert(reply, promise);
        }
    }

    fn end(&self, grant: &Grant, how: u8, expansions: u64, seed: u64) -> Finish {
        let instance = self.farm.instance(&grant.instance);
        let play = random_play(&instance.game, &grant.plan.prefix, seed);
        let score = instance.puzzle().judge(&play).expect("legal").score;
        let finish =
            Finish { best_found: Some(score), promising: vec![play], trace: vec![how / 6], ..done(grant, expansions) };
        match how {
            0 => Finish { ending: Ending::Failed("no memory".to_owned()), ..finish },
            1 => Finish { ending: Ending::Returned, ..finish },
            2 => Finish { exhausted: seed < 4, proved_bound: (!seed.is_multiple_of(3)).then_some(score), ..finish },
            3 => Finish { promising: vec![vec![4_000_000_000]], ..finish },
            _ => finish,
        }
    }

    fn commits(&mut self, count: usize, taken: bool) {
        for _ in 0..count {
            if !self.farm.commit_next(taken) {
                return;
            }
            self.listen();
            self.nothing_lost();
        }
    }

    /// What was acknowledged is in the store, and never worse than acknowledged.
    fn nothing_lost(&self) {
        for (digest, &score) in &self.acknowledged {
            let stored = &self.farm.store.bests[digest];
            let lost = stored.game.direction().is_better(score, stored.score);
            assert!(!lost, "{}: {score} was acknowledged, {} is stored", stored.instance, stored.score);
        }
    }

    /// Once the store takes everything, all is answered, and what it holds is what the core knows.
    fn come_to_rest(&mut self) {
        self.farm.settle();
        self.farm.pass(3);
        self.farm.settle();
        self.farm.pass(3);
        self.farm.settle();
        self.listen();
        self.nothing_lost();
        assert!(self.promised.is_empty(), "every request is answered");
        let counted = self.farm.expansions_now();
        let ended: u64 = self.farm.store.ended.values().map(|ended| ended.expansions).sum();
        let arms: u64 = self.farm.store.arms.values().map(|arm| arm.spent).sum();
        assert_eq!((ended, arms), (counted, counted), "effort is counted once, in the core and in the store");
        self.farm.restart();
        self.farm.settle();
        assert_eq!(self.farm.expansions_now(), counted, "and is the same after a restart");
    }
}

fn run(config: CoreConfig, ops: Vec<Op>) {
    let mut world = World::new(config);
    for op in ops {
        world.carry_out(op);
        world.nothing_lost();
    }
    world.come_to_rest();
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_shrink_iters: 5_000, ..ProptestConfig::default() })]

    #[test]
    fn nothing_is_lost_nor_counted_twice_with_short_leases(ops in prop::collection::vec(op(), 1..120)) {
        run(CoreConfig { states_per_instance: 8, audit_every: 2, ..config() }, ops);
    }

    #[test]
    fn nothing_is_lost_nor_counted_twice_with_leases_that_outlive_restarts(ops in prop::collection::vec(op(), 1..120)) {
        run(CoreConfig { checkpoint_from: Duration::ZERO, ..config() }, ops);
    }
}
