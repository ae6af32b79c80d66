//! The instances that are served and the best of each, as readers see them without asking the core.

use crate::core::Best;
use cascade_games::{Bound, Instance, InstanceName, Puzzle};
use dashmap::DashMap;
use std::sync::Arc;
use tokio::sync::watch;

/// Served instances by name. Only durable bests come in here. No guard of the map is held across an await, and never two
/// at once.
#[derive(Debug)]
pub(crate) struct Bests {
    served: DashMap<InstanceName, Served>,
    /// No play is better.
    bounds: DashMap<InstanceName, Bound>,
    /// Number of the last publication.
    published: watch::Sender<u64>,
}

#[derive(Debug)]
struct Served {
    puzzle: Arc<dyn Puzzle>,
    best: Option<Published>,
}

#[derive(Clone, Debug)]
struct Published {
    number: u64,
    best: Arc<Best>,
}

impl Bests {
    /// No instances yet.
    pub(crate) fn new() -> Self {
        Self { served: DashMap::new(), bounds: DashMap::new(), published: watch::Sender::new(0) }
    }

    /// Serves `instance`, without a best.
    pub(crate) fn add_instance(&self, instance: &Instance) {
        self.served.insert(instance.name.clone(), Served { puzzle: instance.puzzle(), best: None });
    }

    /// The puzzle of the instance called `name`, if there is one.
    pub(crate) fn puzzle(&self, name: &InstanceName) -> Option<Arc<dyn Puzzle>> {
        self.served.get(name).map(|served| served.puzzle.clone())
    }

    /// The best of the instance called `name`, if it has one.
    pub(crate) fn get(&self, name: &InstanceName) -> Option<Arc<Best>> {
        self.served.get(name).and_then(|served| served.best.as_ref().map(|published| published.best.clone()))
    }

    /// What no play of the instance called `name` beats.
    pub(crate) fn bound(&self, name: &InstanceName) -> Option<Bound> {
        self.bounds.get(name).map(|bound| bound.clone())
    }

    /// From now on no play of the instance called `name` is known to be better than `bound`.
    pub(crate) fn set_bound(&self, name: InstanceName, bound: Bound) {
        self.bounds.insert(name, bound);
    }

    /// All bests in the order of names, numbers by value.
    pub(crate) fn all(&self) -> Vec<Arc<Best>> {
        let mut all: Vec<_> = self
            .served
            .iter()
            .filter_map(|served| served.best.as_ref().map(|published| published.best.clone()))
            .collect();
        all.sort_by_key(|best| (best.instance.game(), best.instance.name().parse::<u64>().ok(), best.instance.clone()));
        all
    }

    /// Serves `best` from now on, of an instance that is served. Called by one task only.
    pub(crate) fn publish(&self, best: Arc<Best>) {
        let number = *self.published.borrow() + 1;
        let Some(mut served) = self.served.get_mut(&best.instance) else {
            tracing::error!(instance = %best.instance, "a best of an instance that is not served: please report this fault");
            return;
        };
        served.best = Some(Published { number, best });
        drop(served);
        self.published.send_replace(number);
    }

    /// A reader of publications from the beginning: each instance's best as it is, then new ones.
    pub(crate) fn watch(self: &Arc<Self>) -> Watch {
        let mut published = self.published.subscribe();
        published.mark_changed();
        Watch { bests: self.clone(), published, seen: 0 }
    }
}

/// One reader. It keeps a number, not a queue: however slow it is, it costs nothing, and gets the newest of each instance.
#[derive(Debug)]
pub(crate) struct Watch {
    bests: Arc<Bests>,
    published: watch::Receiver<u64>,
    seen: u64,
}

impl Watch {
    /// Waits for something new and gives all of it, oldest first; `None` when there will be nothing new any more.
    pub(crate) async fn next(&mut self) -> Option<Vec<Arc<Best>>> {
        self.published.changed().await.ok()?;
        // What is numbered higher may be incomplete in the map as yet; its turn comes with the next change.
        let last = *self.published.borrow_and_update();
        let mut news: Vec<Published> = self
            .bests
            .served
            .iter()
            .filter_map(|served| served.best.clone())
            .filter(|published| (self.seen + 1..=last).contains(&published.number))
            .collect();
        self.seen = last;
        news.sort_by_key(|published| published.number);
        Some(news.into_iter().map(|published| published.best).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::UnixMillis;
    use cascade_games::{AnyGame, GameId, Origin};

    /// Two instances, without bests.
    fn served() -> Arc<Bests> {
        let bests = Bests::new();
        for (name, content) in [("tetris/a", "ab\nba\n"), ("tetris/b", "ba\nab\n")] {
            let game = AnyGame::parse(GameId::Tetris, content, "test").expect("a grid");
            let name = name.parse().expect("a name");
            bests.add_instance(&Instance { name, origin: Origin::BuiltIn, game });
        }
        Arc::new(bests)
    }

    fn best(name: &str, score: i64) -> Arc<Best> {
        let instance = InstanceName::new(GameId::Tetris, name).expect("a name");
        Arc::new(Best {
            digest: served().puzzle(&instance).expect("served").digest(),
            instance,
            game: GameId::Tetris,
            score,
            moves: vec![],
            text: String::new(),
            worker: "w".to_owned(),
            plan: None,
            found_at: UnixMillis(0),
            total_expansions: 0,
        })
    }

    fn scores(bests: &[Arc<Best>]) -> Vec<(&str, i64)> {
        bests.iter().map(|best| (best.instance.name(), best.score)).collect()
    }

    #[tokio::test]
    async fn a_slow_reader_gets_the_newest_of_each_instance() {
        let bests = served();
        bests.publish(best("a", 30));
        let mut watch = bests.watch();
        assert_eq!(scores(&watch.next().await.expect("news")), [("a", 30)]);
        for score in (10..20).rev() {
            bests.publish(best("a", score));
            bests.publish(best("b", score + 1));
        }
        assert_eq!(scores(&watch.next().await.expect("news")), [("a", 10), ("b", 11)]);
        assert_eq!(scores(&bests.all()), [("a", 10), ("b", 11)]);
    }

    #[tokio::test]
    async fn a_reader_of_a_fresh_farm_gets_an_empty_beginning() {
        let bests = Arc::new(Bests::new());
        let mut watch = bests.watch();
        assert_eq!(watch.next().await.map(|news| news.len()), Some(0));
    }
}
