//! The event log: what happened, for people.

use super::change::{EventRecord, Severity};
use super::event::EventsRequest;
use super::id::UnixMillis;
use cascade_games::InstanceName;
use std::collections::VecDeque;

/// Lines kept for readers.
const KEPT: usize = 5_000;

/// A line to be written.
#[derive(Debug)]
pub(super) struct Line {
    severity: Severity,
    kind: &'static str,
    instance: Option<InstanceName>,
    worker: Option<String>,
    detail: String,
}

impl Line {
    /// Something usual.
    pub(super) fn info(kind: &'static str, detail: impl Into<String>) -> Self {
        Self { severity: Severity::Info, kind, instance: None, worker: None, detail: detail.into() }
    }

    /// Something that somebody should know.
    pub(super) fn warning(kind: &'static str, detail: impl Into<String>) -> Self {
        Self { severity: Severity::Warning, ..Self::info(kind, detail) }
    }

    /// Something that somebody should act on.
    pub(super) fn error(kind: &'static str, detail: impl Into<String>) -> Self {
        Self { severity: Severity::Error, ..Self::info(kind, detail) }
    }

    /// About this instance.
    pub(super) fn of(mut self, instance: &InstanceName) -> Self {
        self.instance = Some(instance.clone());
        self
    }

    /// About this worker.
    pub(super) fn by(mut self, worker: &str) -> Self {
        self.worker = Some(worker.to_owned());
        self
    }
}

/// The newest lines.
#[derive(Debug, Default)]
pub(super) struct Journal {
    lines: VecDeque<EventRecord>,
    last: u64,
}

impl Journal {
    /// Goes on from stored lines.
    pub(super) fn restore(lines: Vec<EventRecord>) -> Self {
        let last = lines.iter().map(|line| line.number).max().unwrap_or(0);
        let mut journal = Self { lines: lines.into(), last };
        journal.trim();
        journal
    }

    /// Adds a line and gives it its number.
    pub(super) fn add(&mut self, line: Line, at: UnixMillis) -> EventRecord {
        self.last += 1;
        let Line { severity, kind, instance, worker, detail } = line;
        let record = EventRecord { number: self.last, at, severity, kind: kind.into(), instance, worker, detail };
        self.lines.push_back(record.clone());
        self.trim();
        record
    }

    /// The newest lines asked for, oldest first.
    pub(super) fn list(&self, wanted: &EventsRequest) -> Vec<EventRecord> {
        let mut lines: Vec<_> = self
            .lines
            .iter()
            .rev()
            .take_while(|line| line.number > wanted.after)
            .filter(|line| wanted.instance.is_none() || line.instance == wanted.instance)
            .take(wanted.limit)
            .cloned()
            .collect();
        lines.reverse();
        lines
    }

    fn trim(&mut self) {
        while self.lines.len() > KEPT {
            self.lines.pop_front();
        }
    }
}
