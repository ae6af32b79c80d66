//! Where in a replay the person is.

use cascade_games::{AnyGame, GameId, Replay, Scene, Turn};

/// A replay and a place in it: after some whole moves, and some scenes of the next.
#[derive(Debug)]
pub(super) struct Player {
    replay: Replay,
    /// Whole moves made.
    turn: usize,
    /// Scenes of the next move; fewer than it has.
    scene: usize,
    is_playing: bool,
}

impl Player {
    /// The replay of `moves` in an instance of the game called `game`, at its start; or why there is none.
    pub(super) fn new(game: &str, content: &str, name: &str, moves: &[u32]) -> Result<Self, String> {
        let id = GameId::from_name(game).ok_or_else(|| format!("this program does not know the game '{game}'"))?;
        let game = AnyGame::parse(id, content, name).map_err(|error| error.to_string())?;
        let replay = game.puzzle().replay(moves).map_err(|error| error.to_string())?;
        Ok(Self { replay, turn: 0, scene: 0, is_playing: false })
    }

    pub(super) const fn rows(&self) -> usize {
        self.replay.rows
    }

    pub(super) const fn columns(&self) -> usize {
        self.replay.columns
    }

    /// Moves of the play.
    pub(super) fn moves(&self) -> usize {
        self.replay.turns.len()
    }

    /// Whole moves made.
    pub(super) const fn turn(&self) -> usize {
        self.turn
    }

    pub(super) const fn is_playing(&self) -> bool {
        self.is_playing
    }

    /// The move that was made last; none at the start.
    pub(super) fn last(&self) -> Option<&Turn> {
        self.turn.checked_sub(1).and_then(|last| self.replay.turns.get(last))
    }

    /// The move that comes next, or is half done; none at the end.
    pub(super) fn next(&self) -> Option<&Turn> {
        self.replay.turns.get(self.turn)
    }

    /// The scene that the board shows the end of, its number from 1, and how many its move has; none between moves.
    pub(super) fn scene(&self) -> Option<(&Scene, usize, usize)> {
        let scenes = &self.next()?.scenes;
        Some((scenes.get(self.scene.checked_sub(1)?)?, self.scene, scenes.len()))
    }

    /// The board as it is.
    pub(super) fn board(&self) -> Vec<char> {
        let mut board = self.replay.board_after(self.turn);
        if let Some(turn) = self.next() {
            turn.scenes.iter().take(self.scene).for_each(|scene| scene.apply(&mut board));
        }
        board
    }

    /// To the end of the move.
    pub(super) fn next_move(&mut self) {
        if self.turn < self.moves() {
            self.turn += 1;
            self.scene = 0;
        }
    }

    /// To the start of the move; from there to the start of the one before.
    pub(super) fn previous_move(&mut self) {
        if self.scene == 0 {
            self.turn = self.turn.saturating_sub(1);
        }
        self.scene = 0;
    }

    pub(super) fn next_scene(&mut self) {
        let Some(turn) = self.next() else { return };
        if self.scene + 1 < turn.scenes.len() {
            self.scene += 1;
        } else {
            self.next_move();
        }
    }

    pub(super) fn previous_scene(&mut self) {
        if self.scene > 0 {
            self.scene -= 1;
        } else if let Some(last) = self.last() {
            self.scene = last.scenes.len().saturating_sub(1);
            self.turn -= 1;
        }
    }

    pub(super) fn rewind(&mut self) {
        (self.turn, self.scene) = (0, 0);
    }

    pub(super) fn skip_to_end(&mut self) {
        (self.turn, self.scene) = (self.moves(), 0);
    }

    /// Plays on by itself, or stops. From the end it plays again from the start.
    pub(super) fn play_or_pause(&mut self) {
        self.is_playing = !self.is_playing;
        if self.is_playing && self.turn == self.moves() {
            self.rewind();
        }
    }

    /// Goes on by a scene if it plays; at the end it stops.
    pub(super) fn tick(&mut self) {
        if self.is_playing {
            self.next_scene();
            self.is_playing = self.turn < self.moves();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The statement's example: PUT 1 2, PUT 1 1, STAR 2 1.
    fn example() -> Player {
        let moves = [1, 0, 1 << 16 | 3];
        Player::new("tritown", "2 3\n1 1\n..1\n221\n2\n1 3\n", "tritown/example", &moves).expect("a legal play")
    }

    fn shown(player: &Player) -> String {
        player.board().into_iter().collect()
    }

    #[test]
    fn scenes_lead_through_every_move_and_back() {
        let mut player = example();
        let mut boards = vec![shown(&player)];
        while player.turn() < player.moves() {
            player.next_scene();
            boards.push(shown(&player));
        }
        assert!(boards.len() > player.moves() + 1, "a move has several scenes");
        while let Some(board) = boards.pop() {
            assert_eq!(shown(&player), board);
            player.previous_scene();
        }
        assert_eq!(player.turn(), 0);
    }

    #[test]
    fn moves_are_whole_and_stop_at_both_ends() {
        let mut player = example();
        player.previous_move();
        let start = shown(&player);
        player.next_scene();
        player.previous_move();
        assert_eq!((player.turn(), shown(&player)), (0, start), "the half move is taken back first");
        for _ in 0..5 {
            player.next_move();
        }
        assert_eq!((player.turn(), player.next().is_none()), (3, true));
        assert_eq!(player.last().map(|turn| turn.score), Some(824));
    }

    #[test]
    fn it_plays_to_the_end_and_then_again_from_the_start() {
        let mut player = example();
        player.tick();
        assert_eq!(player.turn(), 0, "it does not play by itself");
        player.play_or_pause();
        for _ in 0..20 {
            player.tick();
        }
        assert_eq!((player.turn(), player.is_playing()), (3, false));
        player.play_or_pause();
        assert_eq!((player.turn(), player.is_playing()), (0, true));
    }

    #[test]
    fn what_cannot_be_replayed_is_told() {
        let refusal =
            |game: &str, content: &str, moves: &[u32]| Player::new(game, content, "a/b", moves).expect_err("refused");
        assert!(refusal("chess", "", &[]).contains("chess"));
        assert!(refusal("tritown", "x", &[]).contains("a/b, line 1"));
        assert!(!refusal("tritown", "1 1 0 0 1 0", &[0]).is_empty());
    }
}
