//! Changes at random.

use super::instance;
use cascade_coordinator::core::{
    ArmKey, ArmRecord, Best, Change, EndReason, EndedRecord, EventRecord, LeaseId, LeaseRecord, Plan, ProofRecord,
    SetAside, SettingsRecord, Severity, StateId, StateKind, StateRecord, Strategy, UnixMillis, Window, WorkerRecord,
};
use cascade_games::GameId;
use proptest::prelude::*;
use proptest::strategy::Strategy as Generator;
use std::sync::Arc;
use std::time::Duration;

fn moves() -> impl Generator<Value = Vec<u32>> {
    prop::collection::vec(prop_oneof![0..256_u32, any::<u32>()], 0..12)
}

fn window() -> impl Generator<Value = Option<Window>> {
    prop::option::of((any::<u32>(), moves()).prop_map(|(length, suffix)| Window { length, suffix }))
}

fn plan() -> impl Generator<Value = Plan> {
    let strategy = prop::sample::select(&Strategy::ALL[..]);
    (moves(), strategy, any::<u32>(), any::<u64>(), any::<u64>(), window(), any::<Option<i64>>()).prop_map(
        |(prefix, strategy, width, seed, expansions, window, beat)| Plan {
            prefix,
            strategy,
            width,
            seed,
            expansions,
            window,
            beat,
        },
    )
}

fn arm_key() -> impl Generator<Value = ArmKey> {
    prop_oneof![
        (prop::sample::select(&Strategy::ALL[..]), 1..4_u32)
            .prop_map(|(strategy, width)| ArmKey::Root(strategy, width)),
        (1..4_u8).prop_map(ArmKey::Quarter),
        Just(ArmKey::Window),
    ]
}

fn millis() -> impl Generator<Value = Duration> {
    (0..u64::from(u32::MAX)).prop_map(Duration::from_millis)
}

fn best() -> impl Generator<Value = Change> {
    (0..2_usize, -3..30_i64, moves(), prop::option::of(plan()), any::<u32>(), any::<u64>()).prop_map(
        |(index, score, moves, plan, found_at, total_expansions)| {
            let instance = instance(index);
            Change::Best(Arc::new(Best {
                digest: instance.puzzle().digest(),
                game: GameId::Tetris,
                instance: instance.name,
                score,
                moves,
                text: String::new(),
                worker: "somebody".to_owned(),
                plan,
                found_at: UnixMillis(found_at.into()),
                total_expansions,
            }))
        },
    )
}

fn proof() -> impl Generator<Value = Change> {
    (0..2_usize, any::<i64>(), plan(), any::<u32>(), prop::option::of("[a-z]{1,8}")).prop_map(
        |(index, bound, plan, proved_at, confirmed_by)| {
            Change::Proved(Box::new(ProofRecord {
                instance: instance(index).puzzle().digest(),
                bound,
                worker: "prover".to_owned(),
                plan,
                trace: vec![3, 4],
                proved_at: UnixMillis(proved_at.into()),
                confirmed_by,
            }))
        },
    )
}

fn state() -> impl Generator<Value = Change> {
    let kind = prop::sample::select(&StateKind::ALL[..]);
    let figures = (any::<u64>(), any::<i64>(), any::<i64>(), any::<Option<i64>>(), any::<u64>(), any::<u32>());
    let rest = (any::<Option<i64>>(), any::<u64>(), any::<bool>(), any::<u32>());
    (0..2_usize, 0..5_u64, prop::option::of(0..5_u64), moves(), kind, window(), figures, rest).prop_map(
        |(index, id, parent, since, kind, window, figures, rest)| {
            let (key, score, bound, source_score, spent, finished) = figures;
            let (best, next_seed, exhausted, faults) = rest;
            Change::State(StateRecord {
                instance: instance(index).puzzle().digest(),
                id: StateId(id),
                parent: parent.map(StateId),
                since,
                kind,
                window,
                key,
                score,
                bound,
                source_score,
                spent,
                finished,
                best,
                next_seed,
                exhausted,
                faults,
            })
        },
    )
}

fn arm() -> impl Generator<Value = Change> {
    (
        0..2_usize,
        arm_key(),
        any::<u64>(),
        any::<u64>(),
        any::<u64>(),
        any::<Option<i64>>(),
        -1e9..1e9,
        any::<(u64, u32)>(),
    )
        .prop_map(|(index, arm, next_seed, finished, spent, best, gains, (run_cost, faults))| {
            Change::Arm(ArmRecord {
                instance: instance(index).puzzle().digest(),
                arm,
                next_seed,
                finished,
                spent,
                best,
                gains,
                run_cost,
                faults,
            })
        })
}

fn lease() -> impl Generator<Value = Change> {
    let figures = (any::<u64>(), millis(), any::<u32>(), any::<u32>());
    (0..2_usize, 0..4_u64, any::<u32>(), any::<u64>(), arm_key(), plan(), figures).prop_map(
        |(index, id, attempt, state, arm, plan, (expansions, expected, failures, disconnects))| {
            Change::LeaseHeld(LeaseRecord {
                lease: LeaseId { id, attempt },
                instance: instance(index).puzzle().digest(),
                state: StateId(state),
                arm,
                plan,
                worker: "holder".to_owned(),
                expansions,
                expected,
                failures,
                disconnects,
            })
        },
    )
}

fn ended() -> impl Generator<Value = Change> {
    (0..4_u64, any::<u32>(), prop::sample::select(&EndReason::ALL[..])).prop_map(|(id, attempt, reason)| {
        Change::LeaseEnded(EndedRecord {
            lease: LeaseId { id, attempt },
            instance: instance(0).puzzle().digest(),
            state: StateId::ROOT,
            strategy: Strategy::Beam,
            width: 10,
            seed: u64::MAX,
            worker: "holder".to_owned(),
            reason,
            expansions: 1,
            elapsed: Duration::from_secs(1),
            best_found: None,
            trace: vec![1, 2],
            ended_at: UnixMillis(5),
        })
    })
}

fn worker() -> impl Generator<Value = Change> {
    let speed = prop::collection::btree_map(prop::sample::select(&GameId::ALL[..]), 0.0..1e9, 0..3);
    let set_aside = prop::option::of(
        any::<u32>().prop_map(|at| SetAside { reason: "its results differ".to_owned(), at: UnixMillis(at.into()) }),
    );
    (0..3_u8, any::<u32>(), speed, any::<[u64; 4]>(), any::<bool>(), set_aside).prop_map(
        |(number, threads, speed, [finished, failed, refused, expansions], draining, set_aside)| {
            Change::Worker(WorkerRecord {
                name: format!("worker-{number}"),
                software: "test 1".to_owned(),
                threads,
                speed,
                finished,
                failed,
                refused,
                expansions,
                draining,
                set_aside,
            })
        },
    )
}

fn event() -> impl Generator<Value = Change> {
    let severity = prop::sample::select(&[Severity::Info, Severity::Warning, Severity::Error][..]);
    (1..20_u64, severity, any::<bool>(), prop::option::of("[a-z]{1,8}"), "\\PC{0,20}").prop_map(
        |(number, severity, about, worker, detail)| {
            Change::Event(EventRecord {
                number,
                at: UnixMillis(number),
                severity,
                kind: "new-best".into(),
                instance: about.then(|| instance(0).name),
                worker,
                detail,
            })
        },
    )
}

pub(crate) fn change() -> impl Generator<Value = Change> {
    let digest = |index: usize| instance(index).puzzle().digest();
    prop_oneof![
        3 => best(),
        1 => (0..2_usize).prop_map(move |index| Change::BestSetAside {
            instance: digest(index),
            reason: "does not replay".to_owned(),
        }),
        2 => proof(),
        1 => (0..2_usize).prop_map(move |index| Change::ProofWithdrawn(digest(index))),
        1 => (0..2_usize, any::<u32>(), any::<bool>()).prop_map(move |(index, priority, paused)| {
            Change::Settings(SettingsRecord { instance: digest(index), priority, paused })
        }),
        1 => any::<bool>().prop_map(Change::FarmPaused),
        3 => state(),
        1 => (0..2_usize, 0..5_u64).prop_map(move |(index, id)| Change::StateRemoved {
            instance: digest(index),
            id: StateId(id),
        }),
        2 => arm(),
        2 => lease(),
        1 => ended(),
        2 => worker(),
        2 => event(),
    ]
}
