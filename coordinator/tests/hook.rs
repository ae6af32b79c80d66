//! The operator's own command for a new best.

#![cfg(unix)]

mod common;

use cascade_proto::v1;
use common::{Coordinator, command};
use std::time::Duration;

#[tokio::test]
async fn a_new_best_runs_the_command_with_its_sequence_and_what_was_there_does_not() {
    let data = tempfile::tempdir().expect("a directory");
    let told = data.path().join("told");
    let script = format!("echo $CASCADE_INSTANCE $CASCADE_SCORE $CASCADE_WORKER $(cat) >> {}", told.display());
    let store = data.path().join("data");
    let arguments = ["--listen", "127.0.0.1:0", "--log-level", "warn", "--no-records"];
    let hook = ["--on-best", "sh", "--on-best", "-c", "--on-best", &script];
    let import =
        |name: &str, text: &str| v1::ImportSequenceRequest { instance: name.to_owned(), text: text.to_owned() };
    let first = "c0 9f f4 f2 d7 cf ef fb de ee f3 fe f7 e3 ff f3 fc fb f2 f2 f1 fe";
    let better = include_str!("../../configs/records/tetris/baba.txt");
    let coordinator = Coordinator::spawn(command(&store).args(arguments));
    coordinator.admin().await.import_sequence(import("tetris/baba", first)).await.expect("taken");
    coordinator.kill();
    let coordinator = Coordinator::spawn(command(&store).args(arguments).args(hook));
    coordinator.admin().await.import_sequence(import("tetris/baba", better)).await.expect("taken");
    let mut lines = String::new();
    for _ in 0..200 {
        lines = std::fs::read_to_string(&told).unwrap_or_default();
        if lines.ends_with('\n') {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let moves = better.split_whitespace().collect::<Vec<_>>();
    let words: Vec<_> = lines.split_whitespace().collect();
    assert_eq!(words[..2], ["tetris/baba", &moves.len().to_string()], "{lines}");
    assert_eq!(words[words.len() - moves.len()..], moves, "{lines}");
    assert_eq!(lines.lines().count(), 1, "{lines}");
}
