//! What can go wrong, sorted by what a worker does about it.

use crate::config::ConfigError;
use crate::data_dir::DataDirError;
use cascade_games::{FormatError, IllegalMove};
use cascade_proto::Code;
use cascade_proto::convert::ConvertError;
use cascade_proto::endpoint::EndpointError;
use cascade_search::SearchError;
use std::process::ExitCode;
use std::time::Duration;
use tonic::{Code as GrpcCode, Status};

/// Why a worker ended otherwise than asked.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The options cannot be used.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The coordinator's address is none.
    #[error(transparent)]
    Address(#[from] EndpointError),
    /// The address asks for what this program cannot do.
    #[error(
        "'{0}': connections over TLS are not supported; expected http://HOST:PORT, in a private network or through a tunnel"
    )]
    TlsAddress(String),
    /// The data directory cannot be used.
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    /// The search threads cannot be started.
    #[error("cannot start the search threads: {0}")]
    Threads(String),
    /// The coordinator refuses this worker for what it says of itself.
    #[error("the coordinator refuses this worker: {0}")]
    Refused(String),
    /// Another worker has this name.
    #[error(
        "another worker signed on as '{name}' and took this one's place; give each worker a name of its own (--name)"
    )]
    Fenced {
        /// The name both use.
        name: String,
    },
    /// The coordinator has set this worker aside.
    #[error("the coordinator has set this worker aside: {0}")]
    SetAside(String),
    /// The coordinator could not be reached for as long as the options allow.
    #[error("the coordinator at {address} was out of reach for {}: {reason}", humantime::format_duration(*.tried_for))]
    Unreachable {
        /// Its address.
        address: String,
        /// For how long.
        tried_for: Duration,
        /// The last attempt's failure.
        reason: String,
    },
    /// The token is absent or wrong.
    #[error("the coordinator does not accept the token (CASCADE_TOKEN or --token-file): {0}")]
    Credentials(String),
    /// Software that must not work together met.
    #[error("coordinator and worker do not fit together: {0}")]
    Versions(String),
}

impl WorkerError {
    /// The exit code of a program that ends by this error.
    #[must_use]
    pub fn exit_code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::SetAside(_) => 1,
            Self::Config(ConfigError::CommandLine(error)) => u8::try_from(error.exit_code()).unwrap_or(2),
            Self::Address(_) | Self::TlsAddress(_) | Self::Refused(_) | Self::Fenced { .. } => 2,
            Self::Config(ConfigError::Token(_)) => 5,
            Self::Config(_) | Self::DataDir(_) | Self::Threads(_) => 3,
            Self::Unreachable { .. } => 4,
            Self::Credentials(_) => 5,
            Self::Versions(_) => 6,
        })
    }
}

/// What an unanswered or refused call means, each with one behaviour.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// The coordinator is out of reach or does not answer: connect again, later and later.
    Connection(String),
    /// The coordinator cannot do this now: make the same call later.
    Later(String),
    /// The session is over: say hello again, offering what is held.
    Session(String),
    /// Another worker said hello under this name.
    Fenced,
    /// The token is absent or wrong: end.
    Credentials(String),
    /// The two sides do not fit together: end.
    Versions(String),
    /// This worker has been set aside: end.
    SetAside(String),
    /// This very request is refused; making it again would not help.
    Request(String),
}

impl Trouble {
    /// Sorts what came instead of an answer.
    pub(crate) fn of(status: &Status) -> Self {
        let words = || match status.message() {
            "" => status.code().description().to_owned(),
            message => message.to_owned(),
        };
        match Code::of(status) {
            Some(Code::Unauthenticated) => Self::Credentials(words()),
            Some(Code::VersionMismatch) => Self::Versions(words()),
            Some(Code::SessionUnknown | Code::WrongEpoch) => Self::Session(words()),
            Some(Code::SessionFenced) => Self::Fenced,
            Some(Code::SetAside) => Self::SetAside(words()),
            Some(Code::UnknownInstance | Code::UnknownWorker | Code::BadInput) => Self::Request(words()),
            Some(Code::StoreUnavailable | Code::Overloaded | Code::Internal) => Self::Later(words()),
            Some(Code::ShuttingDown) => Self::Connection(words()),
            None => Self::of_foreign(status, words()),
        }
    }

    /// Sorts a status that Cascade's coordinator did not make: the connection's own, or a proxy's.
    fn of_foreign(status: &Status, words: String) -> Self {
        match status.code() {
            GrpcCode::Unavailable
            | GrpcCode::Unknown
            | GrpcCode::Cancelled
            | GrpcCode::DeadlineExceeded
            | GrpcCode::Internal
            | GrpcCode::Aborted
            | GrpcCode::DataLoss
            | GrpcCode::Ok => Self::Connection(words),
            GrpcCode::ResourceExhausted => Self::Later(words),
            GrpcCode::Unauthenticated | GrpcCode::PermissionDenied => Self::Credentials(words),
            GrpcCode::Unimplemented => {
                Self::Versions(format!("what answers there does not know the call of a Cascade worker ({words})"))
            }
            GrpcCode::InvalidArgument
            | GrpcCode::NotFound
            | GrpcCode::AlreadyExists
            | GrpcCode::FailedPrecondition
            | GrpcCode::OutOfRange => Self::Request(words),
        }
    }
}

/// Why one lease cannot be searched. The worker goes on with others.
#[derive(Debug, thiserror::Error)]
pub enum LeaseFault {
    /// The lease does not say what it must.
    #[error(transparent)]
    Message(#[from] ConvertError),
    /// The lease names a game that this build does not have.
    #[error("unknown game '{0}'")]
    UnknownGame(String),
    /// The lease names a strategy that this build does not have.
    #[error("unknown strategy {0}")]
    UnknownStrategy(i32),
    /// The instance's content is not of its game's format.
    #[error("the instance's content: {0}")]
    Content(#[from] FormatError),
    /// The content is not the one that the lease means.
    #[error("the instance's content has digest {found}, the lease names {expected}")]
    Digest {
        /// Of the content.
        found: String,
        /// In the lease.
        expected: String,
    },
    /// The search does not take the plan.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// The search's engine and the judge disagree on a play; nothing of it is reported.
    #[error("the engine says {claimed} of a play, the judge says {judged}")]
    Disagreement {
        /// What the engine counted.
        claimed: String,
        /// What the judge says.
        judged: String,
    },
    /// The search panicked.
    #[error("the search panicked: {0}")]
    Panic(String),
}

impl LeaseFault {
    /// A disagreement about a play that the engine takes for complete with `score`.
    pub(crate) fn disagreement(score: i64, judged: Result<cascade_games::Judged, IllegalMove>) -> Self {
        let judged = match judged {
            Ok(judged) if judged.complete => judged.score.to_string(),
            Ok(judged) => format!("{} and not complete", judged.score),
            Err(error) => error.to_string(),
        };
        Self::Disagreement { claimed: score.to_string(), judged }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_of_the_coordinator_has_its_behaviour() {
        let kind = |code: Code| match Trouble::of(&code.status("words")) {
            Trouble::Connection(_) => "connect again",
            Trouble::Later(_) => "later",
            Trouble::Session(_) => "hello again",
            Trouble::Fenced => "fenced",
            Trouble::Credentials(_) | Trouble::Versions(_) | Trouble::SetAside(_) => "end",
            Trouble::Request(_) => "give up the request",
        };
        for code in Code::ALL {
            let expected = match code {
                Code::Unauthenticated | Code::VersionMismatch | Code::SetAside => "end",
                Code::SessionUnknown | Code::WrongEpoch => "hello again",
                Code::SessionFenced => "fenced",
                Code::UnknownInstance | Code::UnknownWorker | Code::BadInput => "give up the request",
                Code::StoreUnavailable | Code::Overloaded | Code::Internal => "later",
                Code::ShuttingDown => "connect again",
            };
            assert_eq!(kind(code), expected, "{code:?}");
        }
    }

    #[test]
    fn a_broken_connection_is_not_taken_for_a_refusal() {
        for code in [GrpcCode::Unavailable, GrpcCode::Unknown, GrpcCode::Cancelled, GrpcCode::Internal] {
            assert!(matches!(Trouble::of(&Status::new(code, "broken")), Trouble::Connection(_)), "{code:?}");
        }
        assert!(matches!(Trouble::of(&Status::unauthenticated("")), Trouble::Credentials(_)));
        assert!(matches!(Trouble::of(&Status::unimplemented("")), Trouble::Versions(_)));
    }
}
