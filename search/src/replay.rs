//! Playing the rest of a known play after part of it was searched anew.

use cascade_games::Game;

/// What the replay of a suffix came to.
pub(crate) struct Replayed {
    /// The best complete score on the way, where there is one.
    pub(crate) score: Option<i64>,
    /// The encoded moves that lead there.
    pub(crate) moves: Vec<u32>,
    /// Moves made in all.
    pub(crate) expansions: u64,
}

/// Plays `suffix` from `state`, leaving out what is not legal there, and stops the play where it is best.
pub(crate) fn replay<G: Game>(game: &G, state: &G::State, suffix: &[G::Move]) -> Replayed {
    let mut state = state.clone();
    let mut moves = Vec::new();
    let mut best = game.is_complete(&state).then(|| (game.score(&state), 0));
    for &mv in suffix {
        if !game.is_legal(&state, mv) {
            continue;
        }
        game.apply(&mut state, mv);
        moves.push(game.encode(mv));
        let score = game.score(&state);
        if game.is_complete(&state) && best.is_none_or(|(known, _)| G::DIRECTION.is_better(score, known)) {
            best = Some((score, moves.len()));
        }
    }
    let expansions = moves.len() as u64;
    moves.truncate(best.map_or(0, |(_, length)| length));
    Replayed { score: best.map(|(score, _)| score), moves, expansions }
}
