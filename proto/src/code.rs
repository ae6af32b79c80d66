//! Error codes that travel beside a gRPC status, so that clients sort errors without reading prose.

use tonic::metadata::AsciiMetadataValue;
use tonic::{Code as GrpcCode, Status};

/// The metadata key that carries a [`Code`].
pub const KEY: &str = "cascade-code";

/// What went wrong, for programs. The status' message says it for people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Code {
    /// The token is absent or wrong.
    Unauthenticated,
    /// Software that must not work together met.
    VersionMismatch,
    /// The session is not known (any more): say hello again.
    SessionUnknown,
    /// A later hello under the same name has taken this session's place.
    SessionFenced,
    /// The request belongs to another term of office: say hello again.
    WrongEpoch,
    /// The worker has been set aside by name.
    SetAside,
    /// No instance has this name.
    UnknownInstance,
    /// No worker has this name.
    UnknownWorker,
    /// The request is not what it should be.
    BadInput,
    /// The store cannot take writes now; nothing was kept. Try again later.
    StoreUnavailable,
    /// More is asked at once than can be served. Try again later.
    Overloaded,
    /// The coordinator is stopping.
    ShuttingDown,
    /// A fault of the coordinator itself.
    Internal,
}

impl Code {
    /// Every code.
    pub const ALL: [Self; 13] = [
        Self::Unauthenticated,
        Self::VersionMismatch,
        Self::SessionUnknown,
        Self::SessionFenced,
        Self::WrongEpoch,
        Self::SetAside,
        Self::UnknownInstance,
        Self::UnknownWorker,
        Self::BadInput,
        Self::StoreUnavailable,
        Self::Overloaded,
        Self::ShuttingDown,
        Self::Internal,
    ];

    /// The code as it travels.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Unauthenticated => "unauthenticated",
            Self::VersionMismatch => "version-mismatch",
            Self::SessionUnknown => "session-unknown",
            Self::SessionFenced => "session-fenced",
            Self::WrongEpoch => "wrong-epoch",
            Self::SetAside => "set-aside",
            Self::UnknownInstance => "unknown-instance",
            Self::UnknownWorker => "unknown-worker",
            Self::BadInput => "bad-input",
            Self::StoreUnavailable => "store-unavailable",
            Self::Overloaded => "overloaded",
            Self::ShuttingDown => "shutting-down",
            Self::Internal => "internal",
        }
    }

    /// The code called `name`.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|code| code.name() == name)
    }

    /// The gRPC code that says nearly the same to software that knows nothing of Cascade.
    #[must_use]
    pub const fn grpc(self) -> GrpcCode {
        match self {
            Self::Unauthenticated => GrpcCode::Unauthenticated,
            Self::VersionMismatch | Self::SetAside | Self::SessionUnknown => GrpcCode::FailedPrecondition,
            Self::SessionFenced | Self::WrongEpoch => GrpcCode::Aborted,
            Self::UnknownInstance | Self::UnknownWorker => GrpcCode::NotFound,
            Self::BadInput => GrpcCode::InvalidArgument,
            Self::StoreUnavailable | Self::ShuttingDown => GrpcCode::Unavailable,
            Self::Overloaded => GrpcCode::ResourceExhausted,
            Self::Internal => GrpcCode::Internal,
        }
    }

    /// A status with this code and `message` for people.
    #[must_use]
    pub fn status(self, message: impl Into<String>) -> Status {
        let mut status = Status::new(self.grpc(), message);
        status.metadata_mut().insert(KEY, AsciiMetadataValue::from_static(self.name()));
        status
    }

    /// The code that `status` carries; `None` when it does not come from Cascade (the connection, a proxy).
    #[must_use]
    pub fn of(status: &Status) -> Option<Self> {
        status.metadata().get(KEY).and_then(|value| value.to_str().ok()).and_then(Self::from_name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_is_read_back_from_its_status() {
        for code in Code::ALL {
            let status = code.status("words");
            assert_eq!(Code::of(&status), Some(code));
            assert_eq!(status.message(), "words");
        }
    }

    #[test]
    fn a_status_from_elsewhere_has_no_code() {
        assert_eq!(Code::of(&Status::unavailable("connection refused")), None);
    }
}
