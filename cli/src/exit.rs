//! How the command ends: exit codes, and errors that know theirs.

use std::fmt;
use std::process::ExitCode;

/// The meaning of the exit code, the same for every command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done, or judged correct.
    Done = 0,
    /// Judged, and not correct.
    NotCorrect = 1,
    /// The command line is wrong.
    Usage = 2,
    /// A file, an instance or a sequence is wrong or cannot be read or written.
    BadInput = 3,
    /// No coordinator answers.
    Unreachable = 4,
    /// The coordinator does not accept the token.
    Credentials = 5,
    /// Coordinator and command are of versions that do not fit.
    Versions = 6,
    /// A fault of the program itself.
    Internal = 70,
}

/// The exit codes as every help text ends with them.
pub(crate) const EXIT_CODES: &str = "\
Exit codes: 0 done or correct; 1 judged not correct; 2 usage; 3 bad input; \
     4 coordinator unreachable; 5 credentials; 6 versions; 70 internal fault";

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// An error for people together with the exit code it leads to.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) exit: Exit,
    error: anyhow::Error,
}

impl Failure {
    pub(crate) fn new(exit: Exit, error: impl Into<anyhow::Error>) -> Self {
        Self { exit, error: error.into() }
    }

    /// A failure told by `message` alone.
    pub(crate) fn say(exit: Exit, message: impl fmt::Display) -> Self {
        Self { exit, error: anyhow::anyhow!("{message}") }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#}", self.error)
    }
}

/// Says at the place where an error is met which exit code it leads to.
pub(crate) trait OrExit<T> {
    /// The value, or the error with its exit code.
    fn or_exit(self, exit: Exit) -> Result<T, Failure>;
}

impl<T, E: Into<anyhow::Error>> OrExit<T> for Result<T, E> {
    fn or_exit(self, exit: Exit) -> Result<T, Failure> {
        self.map_err(|error| Failure::new(exit, error))
    }
}
