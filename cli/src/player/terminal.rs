//! The play on a terminal.

use super::controls::{Action, Controls};
use super::look;
use super::screen::lines;
use crate::exit::{Exit, Failure, OrExit};
use crate::interrupt;
use crate::play::Play;
use crate::screen::{Screen, wants_colours};
use anyhow::Context;
use cascade_search::StopFlag;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::terminal::{self, BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate};
use ratatui::crossterm::{QueueableCommand, cursor};
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// How long a key is waited for before signals are looked at.
const LOOK_UP: Duration = Duration::from_millis(50);

/// Shows `play` until the user leaves.
pub(crate) fn watch(play: &Play) -> Result<(), Failure> {
    let stop = StopFlag::default();
    interrupt::stop_on_signal(stop.clone())?;
    let mut screen = Screen::open()?;
    screen.hide_cursor()?;
    show(play, &stop).context("cannot use the terminal").or_exit(Exit::Internal)
}

/// Shows `play` on the screen that is open.
fn show(play: &Play, stop: &StopFlag) -> io::Result<()> {
    let colours = wants_colours();
    let mut controls = Controls::new(&play.replay);
    let mut since = Instant::now();
    draw(play, &controls, colours)?;
    while !stop.is_stopped() {
        let left = controls.pause().saturating_sub(since.elapsed());
        let wait = if controls.playing() { left.min(LOOK_UP) } else { LOOK_UP };
        if event::poll(wait)? {
            match event::read()? {
                Event::Key(key) if key.kind != KeyEventKind::Release => match asked(key) {
                    Asked::Quit => return Ok(()),
                    Asked::Do(action) => controls.act(action),
                    Asked::Nothing => continue,
                },
                Event::Resize(..) => {
                    draw(play, &controls, colours)?;
                    continue;
                }
                _ => continue,
            }
        } else if controls.playing() && since.elapsed() >= controls.pause() {
            controls.tick();
        } else {
            continue;
        }
        since = Instant::now();
        draw(play, &controls, colours)?;
    }
    Ok(())
}

/// What a key stands for.
enum Asked {
    Quit,
    Do(Action),
    Nothing,
}

fn asked(key: KeyEvent) -> Asked {
    let shift = key.modifiers.contains(KeyModifiers::SHIFT);
    let control = key.modifiers.contains(KeyModifiers::CONTROL);
    Asked::Do(match key.code {
        KeyCode::Char('q') | KeyCode::Esc => return Asked::Quit,
        KeyCode::Char('c') if control => return Asked::Quit,
        KeyCode::Char(' ') => Action::PlayOrPause,
        KeyCode::Right if shift => Action::NextScene,
        KeyCode::Left if shift => Action::PreviousScene,
        KeyCode::Right | KeyCode::Char('l') => Action::NextMove,
        KeyCode::Left | KeyCode::Char('h') => Action::PreviousMove,
        KeyCode::Char('.') => Action::NextScene,
        KeyCode::Char(',') => Action::PreviousScene,
        KeyCode::Home => Action::First,
        KeyCode::End => Action::Last,
        KeyCode::Char('+' | '=') => Action::Faster,
        KeyCode::Char('-') => Action::Slower,
        _ => return Asked::Nothing,
    })
}

fn draw(play: &Play, controls: &Controls, colours: bool) -> io::Result<()> {
    let (width, height) = terminal::size()?;
    let lines = lines(play, controls, width.into(), height.into());
    let mut out = Vec::new();
    out.queue(BeginSynchronizedUpdate)?;
    for row in 0..height {
        // Cleared before it is written: after a line as wide as the terminal the cursor stands on its last square.
        out.queue(cursor::MoveTo(0, row))?.queue(Clear(ClearType::CurrentLine))?;
        for piece in lines.get(usize::from(row)).into_iter().flatten() {
            look::queue(&mut out, piece, colours)?;
        }
    }
    out.queue(EndSynchronizedUpdate)?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(&out)?;
    stdout.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_do_what_the_last_line_says() {
        let action = |code, modifiers| match asked(KeyEvent::new(code, modifiers)) {
            Asked::Do(action) => Some(action),
            Asked::Quit | Asked::Nothing => None,
        };
        let none = KeyModifiers::NONE;
        for (code, modifiers, expected) in [
            (KeyCode::Char(' '), none, Action::PlayOrPause),
            (KeyCode::Right, none, Action::NextMove),
            (KeyCode::Left, none, Action::PreviousMove),
            (KeyCode::Right, KeyModifiers::SHIFT, Action::NextScene),
            (KeyCode::Left, KeyModifiers::SHIFT, Action::PreviousScene),
            (KeyCode::Char('.'), none, Action::NextScene),
            (KeyCode::Char(','), none, Action::PreviousScene),
            (KeyCode::Home, none, Action::First),
            (KeyCode::End, none, Action::Last),
            (KeyCode::Char('+'), KeyModifiers::SHIFT, Action::Faster),
            (KeyCode::Char('-'), none, Action::Slower),
        ] {
            assert_eq!(action(code, modifiers), Some(expected), "{code:?}");
        }
        let quits = |code, modifiers| matches!(asked(KeyEvent::new(code, modifiers)), Asked::Quit);
        assert!(quits(KeyCode::Char('q'), none) && quits(KeyCode::Char('c'), KeyModifiers::CONTROL));
        assert!(!quits(KeyCode::Char('c'), none));
    }
}
