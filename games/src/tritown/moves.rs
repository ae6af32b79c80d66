//! Which commands a search should look at.
//!
//! On small maps every legal command is listed, so that a search can prove its result. On larger ones most squares
//! are as good as lost for most buildings; looking at the best few by their surroundings lets a search of the same
//! effort keep several times as many positions. Placements that react are always listed.

use super::board::{Board, reacts};
use super::command::Command;
use super::engine::TritownGame;
use super::level::VALUES;
use super::outlook::Outlook;

/// Maps of at most this many squares get every legal command listed.
pub(super) const COMPLETE_UP_TO: usize = 12;

/// Empty squares up to which bombers are looked at in any case.
const CROWDED: u16 = 1;

/// Buildings looked at for a bomber on a crowded map.
const BOMBERS_WHEN_CROWDED: i64 = 4;

/// Appends the commands worth looking at, in ascending order; if `complete`, every legal one.
pub(super) fn list(game: &TritownGame, board: &Board, complete: bool, moves: &mut Vec<Command>) {
    let Outlook { worth, stars_from, .. } = game.outlook(board);
    let limit = |limit: i64| if complete { usize::MAX } else { limit.max(0) as usize };
    let from = moves.len();
    let next_level = game.next_level(board);
    if let Some(level) = next_level {
        list_puts(game, board, &worth, level, limit(game.weights.puts), moves);
    }
    if board.stars > 0 {
        // With nothing else to come, a star below the plan is better than one unused.
        let lowest = if complete || next_level.is_none() { 1 } else { stars_from };
        list_stars(game, board, lowest, limit(game.weights.star_places), moves);
    }
    if board.bombers > 0 {
        let crowded = board.counts()[0] <= CROWDED;
        let places = game.weights.bomber_places.max(if crowded { BOMBERS_WHEN_CROWDED } else { 0 });
        list_bombers(game, board, &worth, limit(places), moves);
    }
    moves[from..].sort_unstable();
}

fn list_puts(
    game: &TritownGame,
    board: &Board,
    worth: &[i64; VALUES],
    level: u8,
    limit: usize,
    moves: &mut Vec<Command>,
) {
    let levels = board.levels();
    let mut places = Vec::with_capacity(board.counts()[0].into());
    for square in empty(levels) {
        if reacts(levels, &game.terrain, square.into(), level) {
            moves.push(Command::Put(square));
        } else {
            places.push((-surroundings(game, levels, worth, square, level), square));
        }
    }
    keep_smallest(&mut places, limit);
    moves.extend(places.into_iter().map(|(_, square)| Command::Put(square)));
}

fn list_stars(game: &TritownGame, board: &Board, from: u8, limit: usize, moves: &mut Vec<Command>) {
    let mut places: Vec<_> = empty(board.levels())
        .filter_map(|square| match board.highest_reaction(&game.terrain, square.into()) {
            Some(level) => (level >= from).then_some((-i64::from(level), square)),
            // A star that sets nothing off is a one: not worth its loss while it may be kept.
            None => (limit == usize::MAX).then_some((0, square)),
        })
        .collect();
    keep_smallest(&mut places, limit);
    moves.extend(places.into_iter().map(|(_, square)| Command::Star(square)));
}

fn list_bombers(game: &TritownGame, board: &Board, worth: &[i64; VALUES], limit: usize, moves: &mut Vec<Command>) {
    let levels = board.levels();
    let mut places: Vec<_> = (0..)
        .zip(levels)
        .filter(|(_, level)| **level > 0)
        .map(|(square, &level)| (surroundings(game, levels, worth, square, level), square))
        .collect();
    keep_smallest(&mut places, limit);
    moves.extend(places.into_iter().map(|(_, square)| Command::Bomber(square)));
}

fn empty(levels: &[u8]) -> impl Iterator<Item = u16> {
    (0..).zip(levels).filter(|(_, level)| **level == 0).map(|(square, _)| square)
}

/// What a building of `level` on `square` and the buildings close to it do for each other.
#[inline]
fn surroundings(game: &TritownGame, levels: &[u8], worth: &[i64; VALUES], square: u16, level: u8) -> i64 {
    let (terrain, square) = (&game.terrain, usize::from(square));
    let sum = |others: &[u16], weights: &[i32; VALUES]| -> i64 {
        others
            .iter()
            .map(|&other| {
                let other = levels[usize::from(other)];
                i64::from(weights[usize::from(other)]) * worth[usize::from(other.min(level))]
            })
            .sum()
    };
    sum(terrain.beside(square), &terrain.affinity.beside[usize::from(level)])
        + sum(terrain.near(square), &terrain.affinity.near[usize::from(level)])
}

/// Keeps the `limit` smallest places, in no particular order.
fn keep_smallest(places: &mut Vec<(i64, u16)>, limit: usize) {
    if places.len() > limit {
        places.select_nth_unstable(limit);
        places.truncate(limit);
    }
}
