//! Where a play stands and what keys do to it.

use super::moments::Moment;
use cascade_games::Replay;
use std::time::Duration;

/// Speeds to choose from.
const SPEEDS: [f64; 8] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];
/// The place of the usual speed among them.
const USUAL_SPEED: usize = 2;
/// How long a scene is shown at the usual speed.
const SCENE: Duration = Duration::from_millis(350);
/// How long the board at rest is shown at the usual speed.
const REST: Duration = Duration::from_millis(600);

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Play, or pause.
    PlayOrPause,
    /// To the board after the next move.
    NextMove,
    /// To the board before this move.
    PreviousMove,
    /// To the next scene.
    NextScene,
    /// To the scene before.
    PreviousScene,
    /// To the start.
    First,
    /// To the end.
    Last,
    /// Play faster.
    Faster,
    /// Play more slowly.
    Slower,
}

/// A play on show.
#[derive(Debug)]
pub(super) struct Controls {
    moments: Vec<Moment>,
    at: usize,
    playing: bool,
    speed: usize,
}

impl Controls {
    /// `replay` at its start, playing.
    pub(super) fn new(replay: &Replay) -> Self {
        Self { moments: Moment::all(replay), at: 0, playing: !replay.turns.is_empty(), speed: USUAL_SPEED }
    }

    /// What is on show.
    pub(super) fn moment(&self) -> Moment {
        self.moments.get(self.at).copied().unwrap_or(Moment { turn: 0, scene: None })
    }

    /// Whether it goes on by itself.
    pub(super) const fn playing(&self) -> bool {
        self.playing
    }

    /// How many times the usual speed it plays at.
    pub(super) fn speed(&self) -> f64 {
        SPEEDS.get(self.speed).copied().unwrap_or(1.0)
    }

    /// How long this moment is shown while it plays.
    pub(super) fn pause(&self) -> Duration {
        let usual = if self.moment().scene.is_some() { SCENE } else { REST };
        usual.div_f64(self.speed())
    }

    /// Goes on by itself, and stops at the end.
    pub(super) fn tick(&mut self) {
        if self.playing {
            self.at = (self.at + 1).min(self.last());
            self.playing = self.at < self.last();
        }
    }

    /// Does what a key asks for. Whoever steps has stopped playing.
    pub(super) fn act(&mut self, action: Action) {
        match action {
            Action::PlayOrPause => {
                if !self.playing && self.at == self.last() {
                    self.at = 0;
                }
                self.playing = !self.playing && self.last() > 0;
                return;
            }
            Action::Faster => {
                self.speed = (self.speed + 1).min(SPEEDS.len() - 1);
                return;
            }
            Action::Slower => {
                self.speed = self.speed.saturating_sub(1);
                return;
            }
            Action::NextMove => self.at = self.resting_after().unwrap_or(self.at),
            Action::PreviousMove => self.at = self.resting_before().unwrap_or(self.at),
            Action::NextScene => self.at = (self.at + 1).min(self.last()),
            Action::PreviousScene => self.at = self.at.saturating_sub(1),
            Action::First => self.at = 0,
            Action::Last => self.at = self.last(),
        }
        self.playing = false;
    }

    fn last(&self) -> usize {
        self.moments.len().saturating_sub(1)
    }

    fn resting_after(&self) -> Option<usize> {
        (self.at + 1..self.moments.len()).find(|&at| self.is_at_rest(at))
    }

    fn resting_before(&self) -> Option<usize> {
        (0..self.at).rev().find(|&at| self.is_at_rest(at))
    }

    fn is_at_rest(&self, at: usize) -> bool {
        self.moments.get(at).is_some_and(|moment| moment.scene.is_none())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Play;

    fn controls() -> Controls {
        Controls::new(&Play::example("a\nb\nb\nc\nb\nb\n", "30\n50\n").replay)
    }

    fn at(controls: &Controls) -> (usize, Option<usize>) {
        let moment = controls.moment();
        (moment.turn, moment.scene)
    }

    #[test]
    fn it_plays_to_the_end_and_stops_there() {
        let mut controls = controls();
        let mut ticks = 0;
        while controls.playing() {
            controls.tick();
            ticks += 1;
        }
        assert_eq!((ticks, at(&controls)), (7, (2, None)));
        controls.act(Action::PlayOrPause);
        assert_eq!((controls.playing(), at(&controls)), (true, (0, None)), "from the start again");
    }

    #[test]
    fn steps_go_by_move_and_by_scene_and_stop_it() {
        let mut controls = controls();
        let mut step = |action| {
            controls.act(action);
            assert!(!controls.playing());
            at(&controls)
        };
        assert_eq!(step(Action::NextScene), (1, Some(0)));
        assert_eq!(step(Action::NextScene), (1, Some(1)));
        assert_eq!(step(Action::NextMove), (1, None));
        assert_eq!(step(Action::PreviousScene), (1, Some(3)));
        assert_eq!(step(Action::PreviousMove), (0, None));
        assert_eq!(step(Action::PreviousMove), (0, None));
        assert_eq!(step(Action::Last), (2, None));
        assert_eq!(step(Action::NextMove), (2, None));
        assert_eq!(step(Action::First), (0, None));
    }

    #[test]
    fn speed_has_limits_and_a_pause_in_it() {
        let mut controls = controls();
        assert_eq!(controls.pause(), REST);
        (0..20).for_each(|_| controls.act(Action::Faster));
        assert_eq!((controls.speed(), controls.pause()), (32.0, REST / 32));
        (0..20).for_each(|_| controls.act(Action::Slower));
        assert_eq!(controls.speed(), 0.25);
        assert!(controls.playing());
    }

    #[test]
    fn a_play_without_moves_has_nothing_to_play() {
        let mut controls = Controls::new(&Play::example("ab\n", "").replay);
        for action in [Action::PlayOrPause, Action::NextMove, Action::PreviousScene, Action::Last] {
            controls.act(action);
            assert_eq!((controls.playing(), at(&controls)), (false, (0, None)));
        }
    }
}
