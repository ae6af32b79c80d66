//! What is searched when: a farm on the real instances, in virtual time.

mod core_farm;

use cascade_coordinator::core::*;
use cascade_games::{Catalog, GameId, Instance};
use core_farm::*;
use std::collections::BTreeMap;
use std::time::Duration;

fn built_in() -> Vec<Instance> {
    let catalog = Catalog::built_in().expect("the built-in instances are sound");
    catalog.instances().into_iter().cloned().collect()
}

/// The fills of these names.
fn fills(names: &[&str]) -> Vec<Instance> {
    built_in().into_iter().filter(|instance| names.contains(&instance.name.name())).collect()
}

/// The widths of the beams from the start among `plans`.
fn root_widths<'a>(plans: impl IntoIterator<Item = &'a Plan>) -> Vec<u32> {
    let beams = plans.into_iter().filter(|plan| plan.prefix.is_empty() && plan.strategy == Strategy::Beam);
    beams.map(|plan| plan.width).collect()
}

/// On large instances a check takes longer than the event: one in a hundred is enough.
fn rarely_checked(instances: Vec<Instance>) -> Farm {
    let mut farm = Farm::with(instances, config());
    farm.check_every = 100;
    farm
}

/// One worker that searches so many expansions a second and finds what a random play finds.
struct Searcher {
    session: SessionRef,
    speed: u64,
    round: u64,
    finds: bool,
    /// What a run from the start to the end spends for each state of its width, if it tells.
    unit: Option<u64>,
}

impl Searcher {
    fn new(farm: &mut Farm, name: &str, speed: u64) -> Self {
        Self { session: farm.hello(name, vec![]).0, speed, round: 0, finds: true, unit: None }
    }

    /// Carries out one lease and lets its time pass.
    fn search(&mut self, farm: &mut Farm) -> Grant {
        let grant = farm.lease(self.session);
        self.round += 1;
        let spent = grant.plan.expansions;
        let elapsed = Duration::from_secs_f64(spent as f64 / self.speed as f64);
        let mut left = elapsed;
        let mut so_far = 0;
        while left > Duration::from_secs(1) {
            left -= Duration::from_secs(1);
            farm.pass(1);
            so_far += self.speed;
            let answer = farm.beat(self.session, &[(grant.lease, so_far)]).expect("a live session");
            if answer.drop.contains(&grant.lease) {
                return grant;
            }
        }
        farm.clock += left;
        let run = self.unit.map(|unit| unit * u64::from(grant.plan.width));
        let dearest_run = run.map(|run| if run > spent { 0 } else { run });
        let mut finish = Finish { elapsed, dearest_run, ..done(&grant, spent) };
        if self.finds {
            let found = farm.search(&grant, &format!("{}-{}", self.session.session, self.round));
            finish.best_found = Some(found.score);
            finish.promising = vec![found.moves.clone()];
            farm.report(self.session, found).expect("judged");
        }
        farm.finish(self.session, finish);
        grant
    }
}

#[test]
fn three_minutes_of_one_machine_bring_every_instance_a_best_and_most_a_second_longer_lease() {
    let mut farm = rarely_checked(built_in());
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    let end = farm.clock + Duration::from_secs(180);
    let mut leases: BTreeMap<_, Vec<Duration>> = BTreeMap::new();
    let mut first_round = None;
    while farm.clock < end {
        let grant = searcher.search(&mut farm);
        leases.entry(grant.instance).or_default().push(grant.expected);
        if leases.len() == 101 {
            first_round.get_or_insert(farm.clock);
        }
    }
    assert_eq!(farm.published.len(), 101);
    let all_had_one = first_round.expect("every instance was leased");
    assert!(all_had_one + Duration::from_secs(100) < end, "the first leases leave most of the time");
    let twice = leases.values().filter(|lengths| lengths.len() > 1).count();
    assert!(twice >= 91, "{twice} instances had a second lease");
}

#[test]
fn searches_widen_as_leases_grow_and_never_repeat() {
    let mut farm = rarely_checked(fills(&["baba"]));
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    let grants: Vec<_> = (0..200).map(|_| searcher.search(&mut farm)).collect();
    let widths = root_widths(grants.iter().map(|grant| &grant.plan));
    assert!(widths.iter().max() >= Some(&(widths[0] * 20)), "{widths:?}");
    let longest = grants.iter().map(|grant| grant.expected).max().expect("leases");
    assert!(longest >= Duration::from_secs(55), "leases grow to {longest:?}");
    assert!(grants.iter().any(|grant| !grant.plan.prefix.is_empty()), "partial states are searched too");
    assert!(grants.iter().any(|grant| grant.plan.strategy == Strategy::Mcts), "every strategy is tried");
    let searches = grants.iter().map(|grant| {
        let Plan { prefix, strategy, width, seed, window, .. } = &grant.plan;
        (prefix, strategy, width, seed, window.as_ref().map(|window| (window.length, &window.suffix)))
    });
    assert_eq!(distinct(searches).len(), grants.len());
}

/// The widest beam from the start among the first leases of an instance on which none finds anything, where a run spends
/// `unit` for each state of its width.
fn widest_of_thirty(unit: Option<u64>) -> u32 {
    let mut farm = rarely_checked(fills(&["baba"]));
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    (searcher.finds, searcher.unit) = (false, unit);
    let plans: Vec<_> = (0..30).map(|_| searcher.search(&mut farm).plan).collect();
    root_widths(&plans).into_iter().max().expect("beams")
}

#[test]
fn widths_follow_what_runs_cost_though_no_run_finds_anything() {
    let (cheap, usual, dear) = (widest_of_thirty(Some(400)), widest_of_thirty(None), widest_of_thirty(Some(4_000)));
    assert!(cheap >= usual * 2, "widths up to {cheap} where runs are cheap, {usual} where that is not known");
    assert!(dear <= cheap / 5, "widths up to {dear} where runs are dear, {cheap} where they are cheap");
}

#[test]
fn a_restart_does_not_forget_what_a_run_costs() {
    let mut farm = rarely_checked(fills(&["baba"]));
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    searcher.unit = Some(400);
    let before: Vec<_> = (0..100).map(|_| searcher.search(&mut farm).plan).collect();
    farm.restart();
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    let after: Vec<_> = (0..100).map(|_| searcher.search(&mut farm).plan).collect();
    let (before, after) = (root_widths(&before), root_widths(&after));
    // By the walk alone, a lease of a minute would carry a width of 50,000.
    assert!(after[0] >= 200_000, "widths {before:?} before, {after:?} after");
}

#[test]
fn what_runs_cost_in_one_instance_is_expected_of_others_of_its_game() {
    let fills = built_in().into_iter().filter(|instance| instance.name.game() == GameId::Tetris).take(20).collect();
    let mut farm = rarely_checked(fills);
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    (searcher.finds, searcher.unit) = (false, Some(400));
    let first = searcher.search(&mut farm);
    let second = searcher.search(&mut farm);
    assert_ne!(first.instance, second.instance);
    let width_by_budget = |plan: &Plan| f64::from(plan.width) / plan.expansions as f64;
    let (before, after) = (width_by_budget(&first.plan), width_by_budget(&second.plan));
    assert!(after >= 3.0 * before, "{before} and {after} states for an expansion of the budget");
}

#[test]
fn long_plays_are_searched_in_windows_that_replay() {
    // A map on which even a random play has room for a hundred moves.
    let case = format!("12 12\n1 1\n{}120\n{}\n", "............\n".repeat(12), "1 ".repeat(120));
    let mut catalog = Catalog::empty();
    catalog.add_file("tritown1.in", &case).expect("a sound case");
    let mut farm = rarely_checked(catalog.instances().into_iter().cloned().collect());
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    let grants: Vec<_> = (0..30).map(|_| searcher.search(&mut farm)).collect();
    let windows: Vec<_> = grants.iter().filter_map(|grant| Some((grant, grant.plan.window.as_ref()?))).collect();
    assert!(!windows.is_empty());
    for (grant, window) in windows {
        let moves = grant.plan.prefix.len() + window.length as usize + window.suffix.len();
        assert!(moves >= 64 && window.length >= 16, "{moves} moves, a window of {}", window.length);
    }
}

#[test]
fn the_best_play_of_one_instance_is_tried_in_those_much_like_it_by_brief_leases_first() {
    let mut farm = rarely_checked(fills(&["baba", "babb", "ddda"]));
    let baba = farm.instances.iter().find(|instance| instance.name.name() == "baba").expect("a fill").clone();
    let text = include_str!("../../configs/records/tetris/baba.txt").to_owned();
    let play = baba.puzzle().parse(&text, "the record").expect("a sequence");
    farm.ask(Request::Import(Import { instance: baba.name, text, source: "test".into() })).expect("taken");
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    searcher.finds = false;
    let grants: Vec<_> = (0..60).map(|_| searcher.search(&mut farm)).collect();
    let taken_over: Vec<_> = grants
        .iter()
        .filter(|grant| grant.instance.name() == "babb" && !grant.plan.prefix.is_empty())
        .map(|grant| (grant.plan.prefix.len(), grant.expected))
        .collect();
    assert!(grants.iter().all(|grant| play.starts_with(&grant.plan.prefix)), "no other play is known");
    let lengths = distinct(taken_over.iter().map(|&(length, _)| length));
    assert_eq!(lengths.len(), 3, "{taken_over:?}");
    for length in lengths {
        let looks: Vec<_> = taken_over.iter().filter(|&&(other, _)| other == length).map(|look| look.1).collect();
        assert!(looks[0] < Duration::from_secs(2), "{looks:?}");
        assert!(looks.is_sorted(), "{looks:?}");
    }
}

#[test]
fn effort_follows_priority() {
    let fills: Vec<_> = built_in().into_iter().take(4).collect();
    let mut farm = Farm::with(fills.clone(), config());
    let preferred = fills[0].name.clone();
    farm.ask(Request::SetPriority(preferred.clone(), 300)).expect("set");
    farm.ask(Request::SetPriority(fills[1].name.clone(), 0)).expect("set");
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    searcher.finds = false;
    let mut effort: BTreeMap<_, u64> = BTreeMap::new();
    for _ in 0..120 {
        let grant = searcher.search(&mut farm);
        *effort.entry(grant.instance).or_default() += grant.plan.expansions;
    }
    assert!(!effort.contains_key(&fills[1].name), "priority 0 is never searched");
    let usual = effort[&fills[2].name];
    let share = effort[&preferred] as f64 / usual as f64;
    assert!((2.0..4.5).contains(&share), "priority 300 gets {share:.1} times the effort of 100");
}

#[test]
fn both_games_go_on_side_by_side() {
    let mut farm = rarely_checked(built_in());
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    searcher.finds = false;
    let mut leases: BTreeMap<GameId, u32> = BTreeMap::new();
    for _ in 0..20 {
        let grant = searcher.search(&mut farm);
        *leases.entry(grant.game).or_default() += 1;
    }
    assert_eq!(leases.values().copied().min(), Some(10), "{leases:?}");
}

#[test]
fn an_instance_whose_best_meets_its_bound_gets_no_more_leases() {
    let mut farm = Farm::new();
    let case = farm.instances.iter().find(|instance| instance.name.game() == GameId::Tritown).expect("a case").clone();
    let puzzle = case.puzzle();
    let bound = puzzle.bounds()[0].value;
    let optimal = (0..100_000)
        .map(|seed| random_play(&case.game, &[], seed))
        .find(|play| puzzle.judge(play).expect("legal").score == bound);
    let Some(optimal) = optimal else { panic!("the case is small enough to be solved by chance") };
    let (session, _) = farm.hello("w", vec![]);
    let held: Vec<_> = (0..3).map(|_| farm.lease(session)).collect();
    let lease = held.iter().find(|grant| grant.instance == case.name).expect("each has one").lease;
    let text = puzzle.format(&optimal);
    farm.ask(Request::Import(Import { instance: case.name.clone(), text, source: "test".into() })).expect("taken");
    let beats: Vec<_> = held.iter().map(|grant| (grant.lease, 1)).collect();
    assert_eq!(farm.beat(session, &beats).expect("a live session").drop, [lease], "what is pointless is dropped");
    for _ in 0..10 {
        let grant = farm.lease(session);
        assert_ne!(grant.instance, case.name);
        farm.finish(session, done(&grant, 10));
    }
    let Ok(Reply::Explanation(why)) = farm.ask(Request::Explain(case.name)) else { panic!("no explanation") };
    assert!(why.instance.optimal && why.summary.contains("optimal"), "{}", why.summary);
}

#[test]
fn of_instances_with_equal_effort_the_one_furthest_from_its_bound_comes_first() {
    let fills: Vec<_> = built_in().into_iter().take(5).collect();
    let mut farm = rarely_checked(fills);
    let mut searcher = Searcher::new(&mut farm, "w", 3_000_000);
    for _ in 0..5 {
        searcher.search(&mut farm);
    }
    let worst = farm.published.values().max_by_key(|best| best.score).expect("bests").clone();
    let next = farm.lease(searcher.session);
    assert_eq!(farm.published[&next.instance].score, worst.score);
}
