//! The instance that is looked at: what is known of it, and what of it is shown.

use super::player::Player;
use cascade_coordinator::history::Over;
use cascade_proto::v1::{Best, ExplainResponse, GetInstanceResponse, HistoryEntry, InstanceInfo};

/// What the coordinator said of one instance.
#[derive(Clone, Debug, Default)]
pub(super) struct Detail {
    pub(super) name: String,
    pub(super) content: GetInstanceResponse,
    pub(super) best: Option<Best>,
    pub(super) explained: ExplainResponse,
    /// Oldest first.
    pub(super) history: Vec<HistoryEntry>,
}

/// A list of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum List {
    Searches,
    Leases,
    Improvements,
}

impl List {
    /// Every list, in the order of their titles.
    pub(super) const ALL: [Self; 3] = [Self::Searches, Self::Leases, Self::Improvements];

    /// The title.
    pub(super) const fn title(self) -> &'static str {
        match self {
            Self::Searches => "Searches",
            Self::Leases => "Last leases",
            Self::Improvements => "Improvements",
        }
    }
}

/// An instance that is looked at.
#[derive(Debug)]
pub(super) struct Open {
    pub(super) name: String,
    /// None until the coordinator has told.
    pub(super) detail: Option<Detail>,
    /// The best's replay, or why there is none.
    pub(super) replay: Result<Player, String>,
    /// What the history is drawn over.
    pub(super) over: Over,
    pub(super) list: List,
    pub(super) scroll: usize,
    replayed: Vec<u32>,
}

impl Open {
    pub(super) fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            detail: None,
            replay: Err("the coordinator is asked".to_owned()),
            over: Over::Effort,
            list: List::Searches,
            scroll: 0,
            replayed: Vec::new(),
        }
    }

    /// Takes what the coordinator said. Another best is replayed from its start.
    pub(super) fn take(&mut self, detail: Detail) {
        let moves = detail.best.as_ref().and_then(|best| best.sequence.as_ref()).map(|sequence| &sequence.moves);
        match moves {
            None => self.replay = Err("no best yet".to_owned()),
            Some(moves) => {
                if self.detail.is_none() || *moves != self.replayed {
                    self.replay = Player::new(&detail.content.game, &detail.content.content, &detail.name, moves);
                    self.replayed.clone_from(moves);
                }
            }
        }
        self.detail = Some(detail);
        self.scroll = self.scroll.min(self.lines().saturating_sub(1));
    }

    /// The replay, if there is one.
    pub(super) fn player_mut(&mut self) -> Option<&mut Player> {
        self.replay.as_mut().ok()
    }

    /// What a list of all instances tells of this one.
    pub(super) fn info(&self) -> Option<&InstanceInfo> {
        self.detail.as_ref().and_then(|detail| detail.explained.instance.as_ref())
    }

    /// Lines of the list that is shown.
    pub(super) fn lines(&self) -> usize {
        self.detail.as_ref().map_or(0, |detail| match self.list {
            List::Searches => detail.explained.arms.len(),
            List::Leases => detail.explained.endings.len(),
            List::Improvements => detail.history.len(),
        })
    }

    pub(super) fn next_list(&mut self) {
        self.show(1);
    }

    pub(super) fn previous_list(&mut self) {
        self.show(List::ALL.len() - 1);
    }

    fn show(&mut self, ahead: usize) {
        let at = List::ALL.iter().position(|list| *list == self.list).unwrap_or(0);
        self.list = List::ALL[(at + ahead) % List::ALL.len()];
        self.scroll = 0;
    }

    /// Draws the history over time instead of effort, or back.
    pub(super) fn turn_axis(&mut self) {
        self.over = match self.over {
            Over::Effort => Over::Time,
            Over::Time => Over::Effort,
        };
    }
}
