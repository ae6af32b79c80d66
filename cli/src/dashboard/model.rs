//! What the dashboard knows, and where in it the person is. Pure: news and the time they come at are given to it.

use super::board::{Board, Step};
use super::open::{Detail, Open};
use crate::command::status::name;
use cascade_proto::v1::{Best, Event, InstanceInfo, StatusResponse, WorkerInfo};
use ratatui::layout::Size;
use std::collections::BTreeMap;
use std::time::{Duration, SystemTime};

/// For so long an improvement is marked as new.
const FRESH: Duration = Duration::from_secs(60);
/// A coordinator that says nothing for so long is told to be silent.
const SILENCE: Duration = Duration::from_secs(5);

/// What the coordinator said of the whole farm.
#[derive(Clone, Debug, Default)]
pub(super) struct Snapshot {
    pub(super) status: StatusResponse,
    pub(super) instances: Vec<InstanceInfo>,
    pub(super) workers: Vec<WorkerInfo>,
    /// Oldest first.
    pub(super) events: Vec<Event>,
}

/// What the feed tells.
#[derive(Debug)]
pub(super) enum News {
    /// The whole farm as it is.
    Farm(Box<Snapshot>),
    /// An instance has this best.
    Best(Box<Best>),
    /// The opened instance as it is.
    Instance(Box<Detail>),
    /// The opened instance cannot be shown.
    Unknown {
        /// Its name.
        name: String,
        /// Why.
        reason: String,
    },
    /// The coordinator is out of reach.
    Lost(String),
}

/// A part of the overview that keys go to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Focus {
    Board,
    Workers,
    Events,
}

/// What keeps the dashboard from being up to date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The connection is lost and being made again.
    Reconnecting(String),
    /// No answer for so long.
    Silent(Duration),
}

/// The whole state of the dashboard.
#[derive(Debug)]
pub(super) struct Model {
    pub(super) farm: Snapshot,
    pub(super) focus: Focus,
    /// The list shown where there is room for one only: that which had the focus last.
    pub(super) list: Focus,
    /// Lines of the workers and of the events that are scrolled away.
    pub(super) worker_scroll: usize,
    pub(super) event_scroll: usize,
    /// Only instances with this in their names are shown.
    pub(super) filter: String,
    /// The filter is being typed.
    pub(super) is_typing: bool,
    /// The instance that is looked at.
    pub(super) open: Option<Open>,
    pub(super) shows_help: bool,
    /// Something to be said once.
    pub(super) notice: Option<String>,
    /// The person has left.
    pub(super) is_done: bool,
    selected: String,
    size: Size,
    lost: Option<String>,
    answered: SystemTime,
    /// The best score of each instance, and when it was seen to become so.
    scores: BTreeMap<String, (i64, Option<SystemTime>)>,
}

impl Model {
    /// Of a farm that said `farm` of itself at `now`.
    pub(super) fn new(farm: Snapshot, now: SystemTime) -> Self {
        let known = |info: &InstanceInfo| Some((name(info).to_owned(), (info.best_score?, None)));
        Self {
            scores: farm.instances.iter().filter_map(known).collect(),
            farm,
            focus: Focus::Board,
            list: Focus::Workers,
            worker_scroll: 0,
            event_scroll: 0,
            filter: String::new(),
            is_typing: false,
            open: None,
            shows_help: false,
            notice: None,
            is_done: false,
            selected: String::new(),
            size: Size::new(80, 24),
            lost: None,
            answered: now,
        }
    }

    /// The screen is of this size.
    pub(super) fn resized(&mut self, size: Size) {
        self.size = size;
    }

    /// Takes in what the feed tells at `now`.
    pub(super) fn hear(&mut self, news: News, now: SystemTime) {
        if !matches!(news, News::Lost(_)) {
            self.lost = None;
            self.answered = now;
        }
        match news {
            News::Farm(farm) => {
                for info in &farm.instances {
                    if let Some(score) = info.best_score {
                        self.saw(name(info), score, now);
                    }
                }
                self.farm = *farm;
                self.worker_scroll = self.worker_scroll.min(self.farm.workers.len().saturating_sub(1));
                self.event_scroll = self.event_scroll.min(self.farm.events.len().saturating_sub(1));
            }
            News::Best(best) => {
                let named = crate::best::name(&best);
                self.saw(named, best.score, now);
                if let Some(info) = self.farm.instances.iter_mut().find(|info| name(info) == named) {
                    info.best_score = Some(best.score);
                    info.best_found_at = best.found_at;
                    info.optimal = best.optimal;
                }
            }
            News::Instance(detail) => {
                if let Some(open) = self.open.as_mut().filter(|open| open.name == detail.name) {
                    open.take(*detail);
                }
            }
            News::Unknown { name, reason } => {
                if self.opened() == Some(&name) {
                    self.open = None;
                    self.notice = Some(reason);
                }
            }
            News::Lost(reason) => self.lost = Some(reason),
        }
    }

    fn saw(&mut self, name: &str, score: i64, now: SystemTime) {
        if self.scores.get(name).is_none_or(|(known, _)| *known != score) {
            self.scores.insert(name.to_owned(), (score, Some(now)));
        }
    }

    /// A scene of a replay that plays has lasted long enough.
    pub(super) fn tick(&mut self) {
        if let Some(player) = self.open.as_mut().and_then(Open::player_mut) {
            player.tick();
        }
    }

    /// What keeps the dashboard from being up to date at `now`.
    pub(super) fn trouble(&self, now: SystemTime) -> Option<Trouble> {
        let silent = now.duration_since(self.answered).unwrap_or_default();
        match &self.lost {
            Some(reason) => Some(Trouble::Reconnecting(reason.clone())),
            None => (silent >= SILENCE).then_some(Trouble::Silent(silent)),
        }
    }

    /// Whether the instance called `name` improved within the minute before `now`.
    pub(super) fn is_fresh(&self, name: &str, now: SystemTime) -> bool {
        let seen = self.scores.get(name).and_then(|(_, seen)| *seen);
        seen.is_some_and(|seen| now.duration_since(seen).unwrap_or_default() < FRESH)
    }

    /// The instances that the filter lets through, as places in the farm's list.
    pub(super) fn shown(&self) -> Vec<usize> {
        let fits = |info: &InstanceInfo| name(info).contains(&self.filter);
        let instances = self.farm.instances.iter().enumerate();
        instances.filter(|(_, info)| fits(info)).map(|(at, _)| at).collect()
    }

    /// The board of those.
    pub(super) fn board(&self) -> Board {
        Board::of(&self.farm.instances, &self.shown(), self.size.width)
    }

    /// The selected instance, as a place in the farm's list; the first on the board if the selected one is not on it.
    pub(super) fn selected(&self) -> Option<usize> {
        let shown = self.shown();
        let selected = |&&at: &&usize| self.farm.instances.get(at).is_some_and(|info| name(info) == self.selected);
        shown.iter().find(selected).or(shown.first()).copied()
    }

    /// Selects by a step on the board.
    pub(super) fn select(&mut self, step: Step) {
        let Some(at) = self.selected() else { return };
        let reached = self.board().step(at, step);
        if let Some(info) = self.farm.instances.get(reached) {
            self.selected = name(info).to_owned();
        }
    }

    /// Looks at the selected instance.
    pub(super) fn open_selected(&mut self) {
        let selected = self.selected().and_then(|at| self.farm.instances.get(at));
        if let Some(name) = selected.map(|info| name(info).to_owned()) {
            self.open_named(&name);
        }
    }

    /// Looks at the instance called `name`.
    pub(super) fn open_named(&mut self, name: &str) {
        self.selected = name.to_owned();
        self.open = Some(Open::new(name));
    }

    /// The name of the instance that is looked at.
    pub(super) fn opened(&self) -> Option<&str> {
        self.open.as_ref().map(|open| open.name.as_str())
    }
}
