//! The page, in a real browser, on a real farm.

#![cfg(unix)]

#[path = "../common/mod.rs"]
mod common;

mod browser;

use browser::Browser;
use common::farm::Local;
use common::{directory, run};
use serde_json::Value;
use std::path::Path;

/// Where the farm in `directory` serves its page.
fn page(directory: &Path) -> String {
    let status = run(directory, &["status", "--json"]).json();
    status["page"].as_str().expect("a page").to_owned()
}

/// The number of moves that the replay shows, of how many, and whether the board is empty.
async fn replay_state(browser: &Browser) -> (u64, u64, String) {
    let data = browser.ask("return { ...document.getElementById('player').dataset }").await;
    let number = |name: &str| data[name].as_str().and_then(|text| text.parse().ok()).expect("a number");
    (number("turn"), number("turns"), data["empty"].as_str().unwrap_or_default().to_owned())
}

async fn press(browser: &Browser, key: &str) {
    let script = format!(
        "document.querySelector('#player button').dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"
    );
    browser.ask(&script).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_overview_is_live_while_a_farm_improves() {
    let Some(browser) = Browser::start().await else { return };
    let directory = directory();
    let farm = Local::start(directory.path(), &["--threads", "1"]);
    browser.open(&page(directory.path())).await;
    browser.until("every instance has a tile", "return document.querySelectorAll('.tile').length === 101").await;
    browser
        .until(
            "a best shows by itself",
            "return [...document.querySelectorAll('.tile')].some((tile) => tile.dataset.score)",
        )
        .await;
    let best = "return Number(document.querySelector('.figures dd span').textContent)";
    let before = browser.ask(best).await.as_u64().expect("a number");
    browser
        .until(
            "more bests come",
            &format!("return Number(document.querySelector('.figures dd span').textContent) > {before}"),
        )
        .await;
    drop(farm);
    browser
        .until(
            "it says that the farm is gone",
            "return document.getElementById('connection').className.includes('lost')",
        )
        .await;
    let _ = browser.complaints().await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_replay_steps_to_an_empty_board_and_the_download_is_the_best() {
    let Some(browser) = Browser::start().await else { return };
    let directory = directory();
    let farm = Local::start_with_records(directory.path(), &["--threads", "1"]);
    let page = page(directory.path());
    browser.open(&format!("{page}/instances/tetris/baba")).await;
    browser.until("the replay is there", "return document.querySelectorAll('#player .square').length === 256").await;
    let (turn, turns, empty) = replay_state(&browser).await;
    assert!((turn, empty.as_str()) == (0, "false") && turns >= 10, "{turn} of {turns}, {empty}");
    for _ in 0..turns {
        press(&browser, "ArrowRight").await;
    }
    browser
        .until(
            "it is at its end",
            "const d = document.getElementById('player').dataset; return d.turn === d.turns && d.empty === 'true'",
        )
        .await;
    press(&browser, "Home").await;
    browser
        .until(
            "it is back",
            "const d = document.getElementById('player').dataset; return d.turn === '0' && d.empty === 'false'",
        )
        .await;

    let href = browser.ask("return document.getElementById('download').href").await;
    let fetch = "const [href, done] = arguments; fetch(href).then((answer) => answer.text()).then(done)";
    let downloaded = browser.page.execute_async(fetch, vec![href]).await.expect("downloaded");
    let best = run(directory.path(), &["best", "tetris/baba"]).stdout;
    assert_eq!(downloaded, Value::String(best));
    assert_eq!(browser.complaints().await, Vec::<String>::new());
    drop(farm);
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_page_has_names_contrast_and_room_and_none_complains() {
    let Some(browser) = Browser::start().await else { return };
    let directory = directory();
    let farm = Local::start_with_records(directory.path(), &["--threads", "1"]);
    common::farm::until("a case has a best", || run(directory.path(), &["best", "tritown/1"]).code == Some(0));
    let page = page(directory.path());
    let pages = [
        ("/", "return document.querySelectorAll('.tile').length === 101"),
        (
            "/instances/tetris/baba",
            "return document.querySelector('.plot svg') && document.querySelectorAll('#player .square').length > 0",
        ),
        (
            "/instances/tritown/1",
            "return document.querySelector('.plot svg') && document.querySelectorAll('#player .square').length > 0",
        ),
        ("/workers", "return document.querySelectorAll('tbody tr').length > 0"),
        ("/events", "return document.querySelectorAll('tbody tr').length > 0"),
        ("/instances/tetris/nowhere", "return document.querySelector('[role=alert]') !== null"),
    ];
    let mut problems = Vec::new();
    for (path, ready) in pages {
        for (width, dark) in [(1280, false), (1280, true), (390, false), (390, true)] {
            browser.look(width, 900, dark).await;
            browser.open(&format!("{page}{path}")).await;
            browser.until("the page is drawn", &format!("return Boolean((() => {{ {ready} }})())")).await;
            let found = browser.ask(include_str!("audit.js")).await;
            let found = found.as_array().expect("a list").iter();
            problems.extend(found.map(|problem| format!("{path} at {width}, dark {dark}: {problem}")));
            // The page that is not there is told so by a failed request, which the console notes.
            let complaints = browser.complaints().await;
            problems.extend(complaints.into_iter().filter(|_| !path.ends_with("nowhere")));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    drop(farm);
    browser.close().await;
}

/// Times that the overview is loaded to measure it.
const LOADS: usize = 20;

/// Prints how long the overview takes from the first request to the frame that shows every instance.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "measures"]
async fn how_long_the_overview_takes_to_load() {
    let Some(browser) = Browser::start().await else { return };
    let directory = directory();
    let _farm = Local::start_with_records(directory.path(), &["--threads", "1"]);
    let page = page(directory.path());
    let at_the_frame = "const look = () => {
        if (document.querySelectorAll('.tile').length === 101) window.allShownAt = performance.now();
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);";
    browser.run_first(at_the_frame).await;
    let mut milliseconds = Vec::new();
    for _ in 0..LOADS {
        browser.open(&page).await;
        browser.until("all is shown", "return window.allShownAt !== undefined").await;
        milliseconds.push(browser.ask("return window.allShownAt").await.as_f64().expect("a number"));
    }
    milliseconds.sort_by(f64::total_cmp);
    println!(
        "milliseconds to 101 tiles: median {:.0}, longest {:.0}",
        milliseconds[LOADS / 2],
        milliseconds[LOADS - 1]
    );
    browser.close().await;
}

/// Writes the pictures of the documentation into the directory that `CASCADE_PICTURES` names.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "draws the pictures of the documentation"]
async fn pictures() {
    let Some(target) = std::env::var_os("CASCADE_PICTURES") else { return };
    let Some(browser) = Browser::start().await else { return };
    let directory = directory();
    let _farm = Local::start_with_records(directory.path(), &["--threads", "1"]);
    std::thread::sleep(std::time::Duration::from_secs(60));
    let page = page(directory.path());
    let shots = [("overview", "/", 0), ("instance", "/instances/tetris/baba", 6), ("case", "/instances/tritown/3", 40)];
    for (name, path, turns) in shots {
        for (width, height, dark) in [(1280, 900, false), (1280, 900, true), (390, 844, false), (390, 844, true)] {
            browser.look(width, height, dark).await;
            browser.open(&format!("{page}{path}")).await;
            tokio::time::sleep(std::time::Duration::from_secs(3)).await;
            for _ in 0..turns {
                press(&browser, "ArrowRight").await;
            }
            tokio::time::sleep(std::time::Duration::from_secs(2)).await;
            let picture = browser.page.screenshot().await.expect("a picture");
            let scheme = if dark { "dark" } else { "light" };
            let file = Path::new(&target).join(format!("{name}-{width}-{scheme}.png"));
            std::fs::write(file, picture).expect("written");
        }
    }
    browser.close().await;
}
