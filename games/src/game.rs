//! The trait that searches are generic over.

use std::fmt::Debug;
use std::hash::Hash;

/// Whether a game's players want its score small or large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Less is better (tetris counts removals).
    Minimize,
    /// More is better (tritown counts points).
    Maximize,
}

impl Direction {
    /// Whether score `candidate` is strictly better than `incumbent`.
    #[must_use]
    pub fn is_better(self, candidate: i64, incumbent: i64) -> bool {
        match self {
            Self::Minimize => candidate < incumbent,
            Self::Maximize => candidate > incumbent,
        }
    }

    /// `score` turned so that more is always better.
    #[must_use]
    pub fn merit(self, score: i64) -> i64 {
        match self {
            Self::Minimize => -score,
            Self::Maximize => score,
        }
    }
}

/// One instance of a game, ready to be searched: the rules together with the start position.
///
/// All methods are pure; the same arguments give the same answer on every machine. `State` carries everything
/// that can still matter and the score so far; equality and hash of positions leave the score out.
pub trait Game: Send + Sync {
    /// A position reached by playing, with the score so far.
    type State: Clone + Debug + Send + Sync;
    /// One step. The order of moves is the last tie-break of every search.
    type Move: Copy + Debug + Ord + Hash + Send + Sync;
    /// What a parent tells of its children; see [`Game::outlook`].
    type Outlook;

    /// Whether less or more is better.
    const DIRECTION: Direction;

    /// The position an instance starts from.
    fn start(&self) -> Self::State;

    /// Appends to `moves`, in ascending order, the moves worth considering in `state`. Of several moves that
    /// lead to equal positions with equal score only one need be listed.
    fn moves(&self, state: &Self::State, moves: &mut Vec<Self::Move>);

    /// Whether [`Game::moves`] always leaves a best play reachable: only then has a search that looked at every listed
    /// move proved its result.
    fn moves_keep_optimum(&self) -> bool {
        true
    }

    /// Appends to `moves`, in ascending order, so many moves that a best play stays reachable: for searches that prove
    /// their result. The same as [`Game::moves`] where [`Game::moves_keep_optimum`].
    fn moves_for_proof(&self, state: &Self::State, moves: &mut Vec<Self::Move>) {
        self.moves(state, moves);
    }

    /// Whether `mv` may be played in `state` by the rules (a wider set than [`Game::moves`] may list).
    fn is_legal(&self, state: &Self::State, mv: Self::Move) -> bool;

    /// Plays `mv`, which must be legal, and lets every chain reaction settle.
    fn apply(&self, state: &mut Self::State, mv: Self::Move);

    /// The score so far: removals made (tetris), points (tritown).
    fn score(&self, state: &Self::State) -> i64;

    /// Whether stopping here is a valid play: the board is cleared (tetris), always (tritown).
    fn is_complete(&self, state: &Self::State) -> bool;

    /// Whether nothing more can be gained: searches do not expand such a state.
    fn is_over(&self, state: &Self::State) -> bool;

    /// Hash of all that can still matter (board, place in the sequence, items left), not of the score.
    fn hash(&self, state: &Self::State) -> u64;

    /// Whether two states are one position: all that can still matter is equal (the score may differ).
    fn same_position(&self, left: &Self::State, right: &Self::State) -> bool;

    /// How promising a state is among states of its layer; more is better, whatever the direction of the score.
    fn estimate(&self, state: &Self::State) -> i64;

    /// Whether the move that led from `parent` to `child` set something off that may be what earlier moves prepared. Of the
    /// less promising states a beam looks at such children only. Where moves are not told apart this way, all are such.
    fn is_lively(&self, _parent: &Self::State, _child: &Self::State) -> bool {
        true
    }

    /// What helps to tell early which children of `parent` are not worth an estimate.
    fn outlook(&self, parent: &Self::State) -> Self::Outlook;

    /// The estimate of a child of the outlook's parent, or `None` if it is less than `least`, or so likely to be less that
    /// a search can do without the child. Never `None` if `least` is [`i64::MIN`].
    fn estimate_child(&self, outlook: &Self::Outlook, child: &Self::State, least: i64) -> Option<i64>;

    /// The scale of [`Game::estimate`]: what a clearly visible difference between two good siblings amounts to.
    /// Noise and weights of searches are given in this unit. At least 1.
    fn estimate_unit(&self) -> i64;

    /// The layer a state belongs to in a beam. Each move raises it by exactly one, and equal positions are in
    /// equal layers.
    fn layer(&self, state: &Self::State) -> u32;

    /// An optimistic final score: no play that goes on from `state` ends better than this.
    fn bound(&self, state: &Self::State) -> i64;

    /// As [`Game::bound`], but as tight as can be had by preparing for it: for searches that prove their result.
    fn bound_for_proof(&self, state: &Self::State) -> i64 {
        self.bound(state)
    }

    /// What kind of move `mv` is in `state`, for policies that learn over many plays: equal codes share what is
    /// learnt.
    fn move_code(&self, state: &Self::State, mv: Self::Move) -> u64;

    /// The move as a number, for the wire and the store.
    fn encode(&self, mv: Self::Move) -> u32;

    /// The move that `code` stands for, or `None` when it names none of this instance.
    fn decode(&self, code: u32) -> Option<Self::Move>;
}
