//! The terminal: taken for a view of its own, and left as it was however that ends.

use crate::exit::{Exit, Failure, OrExit};
use anyhow::Context;
use ratatui::layout::Size;
use ratatui::{DefaultTerminal, Frame};

/// The whole screen. When it goes, by whatever way, the terminal is as it was before.
pub(crate) struct Screen {
    terminal: DefaultTerminal,
}

impl Screen {
    /// Takes the terminal. A panic, too, gives it back before it tells of itself.
    pub(crate) fn open() -> Result<Self, Failure> {
        match ratatui::try_init() {
            Ok(terminal) => Ok(Self { terminal }),
            Err(error) => {
                // Some of it may have been done.
                let _ = ratatui::try_restore();
                Err(error).context("cannot use this terminal; --plain does without").or_exit(Exit::Internal)
            }
        }
    }

    /// The size as it is now.
    pub(crate) fn size(&self) -> Result<Size, Failure> {
        self.terminal.size().context("cannot tell the size of the terminal").or_exit(Exit::Internal)
    }

    /// Takes the cursor away while the screen is there.
    pub(crate) fn hide_cursor(&mut self) -> Result<(), Failure> {
        self.terminal.hide_cursor().context("cannot write to the terminal").or_exit(Exit::Internal)
    }

    /// Draws all of it.
    pub(crate) fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> Result<(), Failure> {
        self.terminal.draw(draw).map(drop).context("cannot write to the terminal").or_exit(Exit::Internal)
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // A terminal that is gone needs no care.
        let _ = ratatui::try_restore();
    }
}

/// Whether colours are wanted: unless the variable `NO_COLOR` holds anything.
pub(crate) fn wants_colours() -> bool {
    std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::io::{self, IsTerminal};
    use std::process::{Command, Stdio};

    const TAKE: &str = "\u{1b}[?1049h";
    const GIVE_BACK: &str = "\u{1b}[?1049l";

    #[test]
    #[ignore = "for the test below, which runs it on a terminal of its own"]
    fn panics_on_the_screen() {
        if !io::stdout().is_terminal() {
            return;
        }
        let panicked = std::panic::catch_unwind(|| {
            let _screen = Screen::open().expect("a terminal");
            panic!("on the screen");
        });
        assert!(panicked.is_err());
    }

    #[test]
    fn a_panic_gives_the_terminal_back_before_it_tells_of_itself() {
        let this = std::env::current_exe().expect("known");
        let test = "screen::tests::panics_on_the_screen";
        let on_terminal = format!(
            "before=$(stty -g); '{}' --exact {test} --ignored --nocapture; test \"$before\" = \"$(stty -g)\" && echo as before",
            this.display()
        );
        let mut script = Command::new("script");
        script.args(["-qec", &on_terminal, "/dev/null"]).env("TERM", "xterm").stdin(Stdio::null());
        let Ok(ended) = script.output() else {
            eprintln!("skipped: there is no 'script', which makes terminals");
            return;
        };
        let text = String::from_utf8_lossy(&ended.stdout);
        let place = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part:?} in {text:?}"));
        assert!(place(TAKE) < place(GIVE_BACK) && place(GIVE_BACK) < place("on the screen"), "{text:?}");
        assert!(text.contains("as before"), "{text:?}");
    }
}
