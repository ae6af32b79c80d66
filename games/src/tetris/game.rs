//! A full grid as a [`Game`]: everything here rests on the fast board.

use super::LARGEST_SIDE;
use super::board::Board;
use super::bound::run_bound;
use super::estimate::{self, Outlook};
use super::features::Inputs;
use super::grid::{Grid, IllegalFill, illegal};
use super::judge::Field;
use super::place::Place;
use super::weights::Weights;
use crate::digest::Digest;
use crate::error::FormatError;
use crate::game::{Direction, Game};
use crate::mix::mix2;

/// One full grid that the rules allow.
#[derive(Clone, Debug)]
pub struct TetrisGame {
    field: Field,
    content: String,
    digest: Digest,
    board: Board,
    weights: Weights,
}

/// A position: the board and the removals that led to it.
#[derive(Clone, Debug)]
pub struct TetrisState {
    /// The board as it stands, settled.
    pub board: Board,
    /// Removals made.
    pub removals: u16,
}

impl TetrisGame {
    /// Reads a full grid. `source_name` stands in errors.
    ///
    /// # Errors
    /// Where the text is not of the format, a square is unknown, or a cluster stands in the grid.
    pub fn parse(content: &str, source_name: &str) -> Result<Self, FormatError> {
        Grid::parse(content, source_name)?.into_game(source_name)
    }

    /// The game of full `rows` (1 to 16 of them, equally long, 1 to 16 letters of `a` to `d`), if it holds no cluster.
    pub(super) fn of_rows(rows: &[Vec<u8>]) -> Result<Self, IllegalFill> {
        let field = Field::new(rows);
        if let Some(cluster) = illegal(&field) {
            return Err(cluster);
        }
        let mut content = String::with_capacity(rows.len() * (LARGEST_SIDE + 1));
        for row in rows {
            content.extend(row.iter().copied().map(char::from));
            content.push('\n');
        }
        let digest = Digest::of("tetris", &content);
        Ok(Self { board: Board::new(&field), field, content, digest, weights: Weights::default() })
    }

    /// The same grid, its positions estimated with other weights.
    #[must_use]
    pub fn with_weights(mut self, weights: Weights) -> Self {
        self.weights = weights;
        self
    }

    /// What the estimate sees of `state`.
    #[must_use]
    pub fn inputs(&self, state: &TetrisState) -> Inputs {
        estimate::inputs(&state.board)
    }

    /// The start as the judge sees it.
    #[must_use]
    pub const fn field(&self) -> &Field {
        &self.field
    }

    pub(super) fn content_text(&self) -> &str {
        &self.content
    }

    pub(super) const fn content_digest(&self) -> Digest {
        self.digest
    }
}

impl Game for TetrisGame {
    type State = TetrisState;
    type Move = Place;
    type Outlook = Outlook;

    const DIRECTION: Direction = Direction::Minimize;

    fn start(&self) -> TetrisState {
        TetrisState { board: self.board.clone(), removals: 0 }
    }

    /// Of squares of one colour that stand on each other, only the lowest: removing any of them is the same.
    fn moves(&self, state: &TetrisState, moves: &mut Vec<Place>) {
        state.board.distinct_removals(moves);
    }

    fn is_legal(&self, state: &TetrisState, mv: Place) -> bool {
        state.board.is_occupied(mv)
    }

    fn apply(&self, state: &mut TetrisState, mv: Place) {
        state.board.remove(mv);
        state.removals += 1;
    }

    fn score(&self, state: &TetrisState) -> i64 {
        state.removals.into()
    }

    fn is_complete(&self, state: &TetrisState) -> bool {
        state.board.is_empty()
    }

    fn is_over(&self, state: &TetrisState) -> bool {
        state.board.is_empty()
    }

    fn hash(&self, state: &TetrisState) -> u64 {
        state.board.hash()
    }

    fn same_position(&self, left: &TetrisState, right: &TetrisState) -> bool {
        left.board == right.board
    }

    fn estimate(&self, state: &TetrisState) -> i64 {
        estimate::estimate(&state.board, &self.weights)
    }

    /// Whether clusters vanished, and not just the square that was removed.
    fn is_lively(&self, parent: &TetrisState, child: &TetrisState) -> bool {
        child.board.squares_left() + 1 < parent.board.squares_left()
    }

    fn outlook(&self, parent: &TetrisState) -> Outlook {
        Outlook::new(&parent.board, &self.weights)
    }

    fn estimate_child(&self, outlook: &Outlook, child: &TetrisState, least: i64) -> Option<i64> {
        estimate::estimate_child(&child.board, &self.weights, outlook, least)
    }

    fn estimate_unit(&self) -> i64 {
        estimate::UNIT
    }

    fn layer(&self, state: &TetrisState) -> u32 {
        state.removals.into()
    }

    fn bound(&self, state: &TetrisState) -> i64 {
        i64::from(state.removals) + i64::from(run_bound(&state.board.colour_counts()))
    }

    /// The place, its colour and what stands around it: what is learnt of a removal holds where it looks the same.
    fn move_code(&self, state: &TetrisState, mv: Place) -> u64 {
        mix2(u64::from(mv.index(self.field.rows())), u64::from(state.board.surroundings(mv)))
    }

    fn encode(&self, mv: Place) -> u32 {
        mv.index(self.field.rows())
    }

    fn decode(&self, code: u32) -> Option<Place> {
        Place::from_index(code, self.field.rows(), self.field.columns())
    }
}
