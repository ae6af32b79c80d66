//! Triple Town as a [`Game`]: what searches play with.

use super::affinity::Affinity;
use super::board::Board;
use super::case::Case;
use super::command::Command;
use super::counting_bound::Resources;
use super::estimate::Weights;
use super::level::{POINTS, VALUES};
use super::marks::Marks;
use super::moves;
use super::outlook::{Outlook, Stock};
use super::room_bound::RoomBound;
use super::terrain::Terrain;
use crate::digest::Digest;
use crate::error::FormatError;
use crate::game::{Direction, Game};
use crate::mix::{mix, mix2};
use crate::registry::GameId;
use std::sync::OnceLock;

/// A case of Triple Town, ready to be searched and judged.
#[derive(Clone, Debug)]
pub struct TritownGame {
    pub(super) case: Case,
    pub(super) content: String,
    pub(super) digest: Digest,
    pub(super) marks: Option<Marks>,
    pub(super) terrain: Terrain,
    /// Buildings by level that come after so many are built.
    pub(super) coming: Vec<[u32; VALUES]>,
    pub(super) weights: Weights,
    /// Found when it is first asked for.
    room: OnceLock<Option<RoomBound>>,
}

impl TritownGame {
    /// Reads a case (see [`Case::parse`]).
    ///
    /// # Errors
    /// Where the text is not of the format.
    pub fn parse(content: &str, source_name: &str) -> Result<Self, FormatError> {
        Case::parse(content, source_name).map(Self::new)
    }

    /// A case as a game.
    #[must_use]
    pub fn new(case: Case) -> Self {
        let content = case.content();
        let mut coming = vec![[0; VALUES]; case.sequence.len() + 1];
        for (built, &level) in case.sequence.iter().enumerate().rev() {
            coming[built] = coming[built + 1];
            coming[built][usize::from(level)] += 1;
        }
        Self {
            digest: Digest::of(GameId::Tritown.name(), &content),
            content,
            marks: None,
            terrain: Terrain::new(case.rows, case.columns, Affinity::new(&Weights::default())),
            coming,
            weights: Weights::default(),
            room: OnceLock::new(),
            case,
        }
    }

    /// The same case with the scores that earn marks.
    #[must_use]
    pub fn with_marks(&self, marks: Marks) -> Self {
        Self { marks: Some(marks), ..self.clone() }
    }

    /// The same case, searched with other weights of the estimate.
    #[must_use]
    pub fn with_weights(&self, weights: Weights) -> Self {
        let terrain = Terrain::new(self.case.rows, self.case.columns, Affinity::new(&weights));
        Self { weights, terrain, ..self.clone() }
    }

    /// The case.
    #[must_use]
    pub const fn case(&self) -> &Case {
        &self.case
    }

    /// The counting bound of the whole case, exactly; `None` when there are too many stars to find it in a second.
    #[must_use]
    pub fn counting_bound(&self) -> Option<i64> {
        self.resources(&self.case.map, 0, self.case.stars).most_points()
    }

    /// The room bound of the whole case; `None` when the map is too large to find it in a second.
    #[must_use]
    pub fn room_bound(&self) -> Option<i64> {
        self.room().map(RoomBound::most_points_of_all)
    }

    fn room(&self) -> Option<&RoomBound> {
        self.room.get_or_init(|| RoomBound::new(&self.case, self.terrain.climb())).as_ref()
    }

    /// An upper bound of the points to come on a map of these levels.
    pub(super) fn optimistic_gain(&self, levels: &[u8], built: usize, stars: u32) -> i64 {
        self.resources(levels, built, stars).most_points_relaxed()
    }

    fn resources(&self, levels: &[u8], built: usize, stars: u32) -> Resources {
        let mut standing = [0; VALUES];
        for &level in levels {
            standing[usize::from(level)] += 1;
        }
        Resources { standing, coming: self.coming[built], stars, climb: self.terrain.climb() }
    }

    /// An upper bound of the points to come.
    pub(super) fn bound_gain(&self, board: &Board) -> i64 {
        let standing = board.counts().map(u32::from);
        let coming = self.coming[board.built as usize];
        let resources = Resources { standing, coming, stars: u32::from(board.stars), climb: self.terrain.climb() };
        resources.most_points_relaxed()
    }

    /// What is still to be had by counting.
    pub(super) fn outlook(&self, board: &Board) -> Outlook {
        let stock = Stock {
            standing: board.counts(),
            coming: &self.coming[board.built as usize],
            stars: board.stars.into(),
            climb: self.terrain.climb(),
        };
        stock.outlook(self.weights.likelihood)
    }

    /// Buildings and stars still to be placed.
    pub(super) fn left(&self, board: &Board) -> u32 {
        self.case.sequence.len() as u32 - board.built + u32::from(board.stars)
    }

    /// The level that the next PUT builds.
    pub(super) fn next_level(&self, board: &Board) -> Option<u8> {
        self.case.sequence.get(board.built as usize).copied()
    }
}

impl Game for TritownGame {
    type State = Board;
    type Move = Command;
    type Outlook = ();

    const DIRECTION: Direction = Direction::Maximize;

    fn start(&self) -> Board {
        // The limits of a case keep the items far below the type's end.
        Board::new(&self.case.map, self.case.stars as u16, self.case.bombers as u16, &self.terrain)
    }

    fn moves(&self, board: &Board, moves: &mut Vec<Command>) {
        moves::list(self, board, self.moves_keep_optimum(), moves);
    }

    fn moves_for_proof(&self, board: &Board, moves: &mut Vec<Command>) {
        moves::list(self, board, true, moves);
    }

    fn moves_keep_optimum(&self) -> bool {
        self.terrain.squares() <= moves::COMPLETE_UP_TO
    }

    fn is_legal(&self, board: &Board, command: Command) -> bool {
        let Some(&level) = board.levels().get(command.square()) else { return false };
        match command {
            Command::Put(_) => level == 0 && self.next_level(board).is_some(),
            Command::Star(_) => level == 0 && board.stars > 0,
            Command::Bomber(_) => level > 0 && board.bombers > 0,
        }
    }

    fn apply(&self, board: &mut Board, command: Command) {
        let square = command.square();
        match command {
            Command::Put(_) => {
                let level = self.case.sequence[board.built as usize];
                board.built += 1;
                board.build(&self.terrain, square, level);
            }
            Command::Star(_) => {
                board.stars -= 1;
                let level = board.star_level(&self.terrain, square);
                board.build(&self.terrain, square, level);
            }
            Command::Bomber(_) => {
                board.bombers -= 1;
                board.bomb(&self.terrain, square);
            }
        }
    }

    fn score(&self, board: &Board) -> i64 {
        board.score()
    }

    fn is_complete(&self, _board: &Board) -> bool {
        true
    }

    fn is_over(&self, board: &Board) -> bool {
        // Points come from building alone: without anything to build, or without room and a bomber to make some, the
        // rest can only cost.
        let nothing_to_build = board.stars == 0 && self.next_level(board).is_none();
        nothing_to_build || (board.counts()[0] == 0 && board.bombers == 0)
    }

    fn hash(&self, board: &Board) -> u64 {
        let items = u64::from(board.stars) << 16 | u64::from(board.bombers);
        board.hash_of_squares() ^ mix(u64::from(board.built) << 32 | items)
    }

    fn same_position(&self, left: &Board, right: &Board) -> bool {
        left.same_position(right)
    }

    fn estimate(&self, board: &Board) -> i64 {
        self.weights.estimate(self, board)
    }

    fn outlook(&self, _: &Board) {}

    fn estimate_child(&self, (): &(), child: &Board, least: i64) -> Option<i64> {
        Some(self.estimate(child)).filter(|&estimate| estimate >= least)
    }

    fn estimate_unit(&self) -> i64 {
        POINTS[3]
    }

    fn layer(&self, board: &Board) -> u32 {
        let items = self.case.stars + self.case.bombers - u32::from(board.stars) - u32::from(board.bombers);
        board.built + items
    }

    fn bound(&self, board: &Board) -> i64 {
        board.score() + self.bound_gain(board)
    }

    fn bound_for_proof(&self, board: &Board) -> i64 {
        let (stars, bombers) = (board.stars.into(), board.bombers.into());
        let room =
            self.room().and_then(|room| room.most_points(self.layer(board) as usize, board.counts(), stars, bombers));
        let counting = self.bound(board);
        room.map_or(counting, |most| counting.min(board.score() + most))
    }

    fn move_code(&self, board: &Board, command: Command) -> u64 {
        mix2(self.layer(board).into(), command.encode().into())
    }

    fn encode(&self, command: Command) -> u32 {
        command.encode()
    }

    fn decode(&self, code: u32) -> Option<Command> {
        Command::decode(code, self.terrain.squares())
    }
}
