//! What the dashboard shows and what its keys do, with a farm that stands still.

use super::model::{Focus, Model, News, Snapshot, Trouble};
use super::open::{Detail, List};
use super::theme::Theme;
use super::view;
use crate::command::status::{name, short_name};
use cascade_coordinator::history::Over;
use cascade_games::{Catalog, InstanceName};
use cascade_proto::convert::{to_timestamp, to_wire_duration};
use cascade_proto::v1::{
    ArmInfo, Best, Event, ExplainResponse, GetInstanceResponse, HistoryEntry, InstanceInfo, InstanceRef, SearchPlan,
    Sequence, StatusResponse, Strategy, WorkerInfo,
};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use ratatui::layout::Size;
use ratatui::style::Color;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

/// Seconds since 1970 at which it all happens.
const NOW: i64 = 1_800_000_000;
/// A play that clears `tetris/baba`.
const PLAY: &str = "c0 9f f4 f2 d7 cf ef fb de ee f3 fe f7 e3 ff f3 fc fb f2 f2 f1 fe\n";

fn now() -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_secs(NOW as u64)
}

fn catalog() -> Catalog {
    Catalog::built_in().expect("built in")
}

fn farm() -> Snapshot {
    let info = |(number, name): (usize, &InstanceName)| {
        let game = name.game().name();
        let number = number as i64;
        let (best, bound) = if game == "tetris" { (12 + number * 5 % 4, 4) } else { (900 + number % 10 * 9, 990) };
        InstanceInfo {
            instance: Some(InstanceRef { name: name.to_string(), digest: Vec::new() }),
            game: game.to_owned(),
            origin: "built-in".to_owned(),
            paused: number == 5,
            priority: 100,
            best_score: (number != 7).then_some(best),
            bound,
            bound_name: "counting".to_owned(),
            expansions: 123_456_789,
            optimal: best == bound || number == 3,
            ..InstanceInfo::default()
        }
    };
    let catalog = catalog();
    let worker = |name: &str, state: &str, lease: &str| WorkerInfo {
        name: name.to_owned(),
        state: state.to_owned(),
        threads: 8,
        speed: [("tetris".to_owned(), 1.5e6), ("tritown".to_owned(), 2.25e6)].into(),
        leases: vec![lease.to_owned()],
        ..WorkerInfo::default()
    };
    let event = |number: u64, kind: &str, severity: &str, instance: &str, detail: &str| Event {
        number,
        at: Some(to_timestamp((NOW - 100 + number as i64) * 1000)),
        kind: kind.to_owned(),
        severity: severity.to_owned(),
        instance: instance.to_owned(),
        worker: "attic".to_owned(),
        detail: detail.to_owned(),
    };
    Snapshot {
        status: StatusResponse {
            epoch: 3,
            uptime: Some(to_wire_duration(Duration::from_secs(7_265))),
            workers_connected: 1,
            leases_out: 2,
            total_expansions: 12_345_678_901,
            expansions_per_second: 4.2e6,
            last_improvement: Some(to_timestamp((NOW - 15) * 1000)),
            store: "sqlite, accepts writes".to_owned(),
            ..StatusResponse::default()
        },
        instances: catalog.instances().iter().map(|instance| &instance.name).enumerate().map(info).collect(),
        workers: vec![worker("attic", "connected", "tetris/baba"), worker("cellar", "lost", "")],
        events: vec![
            event(1, "worker-on", "info", "", "signed on with 8 threads"),
            event(2, "lease-stalled", "warning", "tritown/3", "no progress for 60s"),
            event(85, "new-best", "info", "tetris/baba", "14 removals, 15 before"),
        ],
    }
}

fn model() -> Model {
    let mut model = Model::new(farm(), now());
    model.resized(Size::new(80, 24));
    model
}

fn detail(of: &str) -> Detail {
    let catalog = catalog();
    let instance = catalog.get(&of.parse().expect("a name")).expect("built in");
    let puzzle = instance.puzzle();
    let moves = puzzle.parse(PLAY, "play").expect("a play");
    let entry = |score, ago: i64, total_expansions| HistoryEntry {
        score,
        worker: "attic".to_owned(),
        strategy: Strategy::Beam.into(),
        width: 2000,
        found_at: Some(to_timestamp((NOW - ago) * 1000)),
        total_expansions,
        ..HistoryEntry::default()
    };
    let arm = |name: &str, finished, out, best| ArmInfo {
        name: name.to_owned(),
        finished,
        out,
        expansions: finished * 1_000_000,
        best,
        ..ArmInfo::default()
    };
    let known = farm().instances.into_iter().find(|info| name(info) == of);
    let known = known.map(|info| InstanceInfo { best_score: Some(22), ..info });
    Detail {
        name: of.to_owned(),
        content: GetInstanceResponse {
            instance: None,
            game: "tetris".to_owned(),
            content: puzzle.content().to_owned(),
        },
        best: Some(Best {
            instance: Some(InstanceRef { name: of.to_owned(), digest: Vec::new() }),
            score: 22,
            sequence: Some(Sequence { moves }),
            worker: "attic".to_owned(),
            plan: Some(SearchPlan { strategy: Strategy::Beam.into(), width: 2000, seed: 77, ..SearchPlan::default() }),
            found_at: Some(to_timestamp((NOW - 60) * 1000)),
            ..Best::default()
        }),
        explained: ExplainResponse {
            instance: known,
            summary: "2 leases are out and 0 wait to be handed out again.".to_owned(),
            arms: vec![arm("beam 1000", 9, 0, Some(24)), arm("beam 2000", 4, 1, Some(22)), arm("window", 0, 1, None)],
            endings: vec!["beam of width 2000, seed 77, from partial state 0 by attic: done".to_owned()],
            ..ExplainResponse::default()
        },
        history: vec![entry(30, 600, 1_000_000), entry(24, 300, 20_000_000), entry(22, 60, 90_000_000)],
    }
}

fn looking_at_baba() -> Model {
    let mut model = model();
    model.open_named("tetris/baba");
    model.hear(News::Instance(Box::new(detail("tetris/baba"))), now());
    model
}

fn press(model: &mut Model, keys: &[KeyCode]) {
    for &key in keys {
        model.key(KeyEvent::new(key, KeyModifiers::NONE));
    }
}

fn letters(model: &mut Model, keys: &str) {
    press(model, &keys.chars().map(KeyCode::Char).collect::<Vec<_>>());
}

fn drawn(model: &mut Model, width: u16, height: u16, colours: bool) -> Buffer {
    model.resized(Size::new(width, height));
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a screen in memory");
    terminal.draw(|frame| view::draw(frame, model, Theme::new(colours), now())).expect("drawn in memory");
    terminal.backend().buffer().clone()
}

fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let line = |cells: &[ratatui::buffer::Cell]| {
        let line: String = cells.iter().map(|cell| cell.symbol()).collect();
        format!("{}\n", line.trim_end())
    };
    buffer.content.chunks(width).map(line).collect()
}

fn screen(model: &mut Model, width: u16, height: u16) -> String {
    text(&drawn(model, width, height, true))
}

fn golden_path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("tests/golden/dashboard_{name}.txt"))
}

/// Holds a screen against `golden/dashboard_NAME.txt`; `CASCADE_GOLDEN=write` writes it anew.
fn golden(name: &str, found: &str) {
    let path = golden_path(name);
    if std::env::var_os("CASCADE_GOLDEN").is_some_and(|value| value == "write") {
        std::fs::write(&path, found).expect("the golden file can be written");
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(found, expected, "{} differs", path.display());
}

#[test]
fn the_overview_fits_a_small_screen_and_uses_a_large_one() {
    let mut model = model();
    let better = Best {
        instance: Some(InstanceRef { name: "tetris/babb".to_owned(), digest: Vec::new() }),
        score: 11,
        ..Best::default()
    };
    model.hear(News::Best(Box::new(better)), now());
    golden("overview_80x24", &screen(&mut model, 80, 24));
    golden("overview_120x40", &screen(&mut model, 120, 40));
    letters(&mut model, "?");
    golden("help_80x24", &screen(&mut model, 80, 24));
}

#[test]
fn an_instance_fits_a_small_screen_and_uses_a_large_one() {
    let mut model = looking_at_baba();
    golden("instance_80x24", &screen(&mut model, 80, 24));
    press(&mut model, &[KeyCode::Right, KeyCode::Tab, KeyCode::Tab]);
    letters(&mut model, "..t");
    golden("instance_120x40", &screen(&mut model, 120, 40));
}

#[test]
fn no_screen_is_too_small_to_be_drawn() {
    for (width, height) in [(1, 1), (10, 3), (59, 24), (60, 20), (61, 21), (80, 20), (300, 100)] {
        for mut model in [model(), looking_at_baba()] {
            let shown = screen(&mut model, width, height);
            assert_eq!(shown.lines().count(), usize::from(height));
            letters(&mut model, "?");
            screen(&mut model, width, height);
        }
    }
}

#[test]
fn without_colours_the_same_is_said() {
    for mut model in [model(), looking_at_baba()] {
        let (coloured, plain) = (drawn(&mut model, 80, 24, true), drawn(&mut model, 80, 24, false));
        assert_eq!(text(&coloured), text(&plain));
        assert!(coloured.content.iter().any(|cell| cell.fg != Color::Reset || cell.bg != Color::Reset));
        assert!(plain.content.iter().all(|cell| cell.fg == Color::Reset && cell.bg == Color::Reset));
    }
}

#[test]
fn arrows_select_and_enter_opens() {
    let mut model = model();
    let first = model.farm.instances.iter().map(name).next().expect("one").to_owned();
    press(&mut model, &[KeyCode::Left, KeyCode::Up]);
    assert_eq!(model.selected(), Some(0));
    press(&mut model, &[KeyCode::Right, KeyCode::Down, KeyCode::Left]);
    let below = model.selected().expect("one");
    assert_eq!(model.board().place(below), Some((1, 0)));
    press(&mut model, &[KeyCode::Up, KeyCode::Enter]);
    assert_eq!(model.opened(), Some(first.as_str()));
    press(&mut model, &[KeyCode::Esc]);
    assert_eq!((model.opened(), model.is_done), (None, false));
    press(&mut model, &[KeyCode::Esc]);
    assert!(model.is_done);
}

#[test]
fn the_last_tile_is_reached_where_the_board_does_not_fit() {
    let mut model = model();
    letters(&mut model, "G");
    let last = model.farm.instances.len() - 1;
    assert_eq!(model.selected(), Some(last));
    let short = short_name(&model.farm.instances[last]).to_owned();
    assert!(screen(&mut model, 60, 20).contains(&format!(">{short}")));
}

#[test]
fn the_filter_narrows_the_board_and_what_is_selected() {
    let mut model = model();
    letters(&mut model, "/tritown");
    assert_eq!(model.shown().len(), 10);
    assert!(screen(&mut model, 80, 24).contains("/tritown_"));
    press(&mut model, &[KeyCode::Enter]);
    letters(&mut model, "l");
    press(&mut model, &[KeyCode::Enter]);
    assert_eq!(model.opened(), Some("tritown/2"));
    press(&mut model, &[KeyCode::Esc, KeyCode::Esc]);
    assert_eq!((model.filter.as_str(), model.is_done), ("", false));
    letters(&mut model, "/zzz");
    assert!(screen(&mut model, 80, 24).contains("no name has that in it"));
    press(&mut model, &[KeyCode::Backspace, KeyCode::Esc, KeyCode::Enter]);
    assert!(model.opened().is_some(), "a filter that is dropped hides nothing");
}

#[test]
fn tab_leads_through_the_lists_which_scroll_to_their_last_line() {
    let mut model = model();
    press(&mut model, &[KeyCode::Tab]);
    assert_eq!(model.focus, Focus::Workers);
    assert!(screen(&mut model, 80, 24).contains("[Workers 2]"));
    press(&mut model, &[KeyCode::Down, KeyCode::Down, KeyCode::Down]);
    assert_eq!(model.worker_scroll, 1);
    press(&mut model, &[KeyCode::Tab]);
    assert!(screen(&mut model, 80, 24).contains("[Events 3]"));
    press(&mut model, &[KeyCode::Tab]);
    assert_eq!((model.focus, model.list), (Focus::Board, Focus::Events));
}

#[test]
fn an_improvement_is_marked_for_a_minute() {
    let mut model = model();
    let mut farm = farm();
    farm.instances[1].best_score = Some(10);
    let named = name(&farm.instances[1]).to_owned();
    model.hear(News::Farm(Box::new(farm)), now());
    assert!(model.is_fresh(&named, now() + Duration::from_secs(59)));
    assert!(!model.is_fresh(&named, now() + Duration::from_secs(60)));
    assert!(!model.is_fresh(name(&model.farm.instances[0]), now()), "what stood before is not new");
}

#[test]
fn a_lost_or_silent_coordinator_is_told_until_it_answers() {
    let mut model = model();
    assert_eq!(model.trouble(now()), None);
    assert_eq!(model.trouble(now() + Duration::from_secs(7)), Some(Trouble::Silent(Duration::from_secs(7))));
    model.hear(News::Lost("connection refused".to_owned()), now());
    assert!(screen(&mut model, 80, 24).contains("reconnecting: connection refused"));
    model.hear(News::Farm(Box::new(farm())), now());
    assert_eq!(model.trouble(now()), None);
}

#[test]
fn an_instance_that_is_gone_is_left_with_a_word() {
    let mut model = looking_at_baba();
    let gone = News::Unknown { name: "tetris/baba".to_owned(), reason: "no such instance".to_owned() };
    model.hear(gone, now());
    assert_eq!(model.opened(), None);
    assert!(screen(&mut model, 80, 24).contains("no such instance"));
}

#[test]
fn the_keys_of_an_instance_step_and_turn() {
    let mut model = looking_at_baba();
    letters(&mut model, "l.t");
    press(&mut model, &[KeyCode::Tab, KeyCode::Down]);
    let open = model.open.as_mut().expect("open");
    assert_eq!((open.over, open.list, open.scroll), (Over::Time, List::Leases, 0));
    let player = open.player_mut().expect("a replay");
    assert_eq!((player.turn(), player.moves()), (1, 22));
    letters(&mut model, "G");
    assert!(screen(&mut model, 80, 24).contains("22: remove row 16"));
    letters(&mut model, "g ");
    model.tick();
    model.tick();
    assert!(screen(&mut model, 80, 24).contains("playing"));
}

#[test]
fn a_replay_stays_where_it_is_until_the_best_changes() {
    let mut model = looking_at_baba();
    letters(&mut model, "lll");
    model.hear(News::Instance(Box::new(detail("tetris/baba"))), now());
    let turn = |model: &mut Model| model.open.as_mut().and_then(|open| open.player_mut().map(|player| player.turn()));
    assert_eq!(turn(&mut model), Some(3));
    let mut better = detail("tetris/baba");
    if let Some(sequence) = better.best.as_mut().and_then(|best| best.sequence.as_mut()) {
        sequence.moves.pop();
    }
    model.hear(News::Instance(Box::new(better)), now());
    assert_eq!(turn(&mut model), Some(0));
    model.hear(News::Instance(Box::new(Detail { name: "tetris/babb".to_owned(), ..Detail::default() })), now());
    assert_eq!(turn(&mut model), Some(0), "news of another instance are not for this one");
}

#[test]
fn a_case_is_replayed_scene_by_scene_in_words() {
    let mut model = model();
    model.open_named("tritown/1");
    let moves = vec![1, 0, 1 << 16 | 3];
    let detail = Detail {
        name: "tritown/1".to_owned(),
        content: GetInstanceResponse {
            instance: None,
            game: "tritown".to_owned(),
            content: "2 3\n1 1\n..1\n221\n2\n1 3\n".to_owned(),
        },
        best: Some(Best { score: 824, sequence: Some(Sequence { moves }), ..Best::default() }),
        ..Detail::default()
    };
    model.hear(News::Instance(Box::new(detail)), now());
    let start = screen(&mut model, 80, 24);
    assert!(start.contains(". .<1") && start.contains("next: PUT row 1 column 2 (<)"), "{start}");
    letters(&mut model, "..");
    let merged = screen(&mut model, 80, 24);
    assert!(merged.contains("1: PUT row 1 column 2") && merged.contains("squares merged (*)"), "{merged}");
    letters(&mut model, "G");
    assert!(screen(&mut model, 80, 24).contains("3: STAR row 2 column 1, score 824"));
}

#[test]
fn control_c_and_q_leave_from_anywhere() {
    for mut model in [model(), looking_at_baba()] {
        model.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
        assert!(model.is_done);
    }
    let mut model = looking_at_baba();
    letters(&mut model, "?q");
    assert!(!model.is_done && !model.shows_help, "the first key closes the help");
    letters(&mut model, "q");
    assert!(model.is_done);
}

#[test]
fn the_page_on_operations_shows_the_overview() {
    let page = include_str!("../../../docs/operations.md");
    let screen = std::fs::read_to_string(golden_path("overview_80x24")).expect("there");
    assert!(page.contains(&screen), "the page shows another screen than\n{screen}");
}
