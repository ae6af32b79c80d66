//! Errors as clients see them.

use crate::bests::Bests;
use crate::core::{Refusal, Reply};
use crate::shell::Unanswered;
use cascade_games::{Catalog, InstanceName};
use cascade_proto::Code;
use cascade_proto::convert::ConvertError;
use tonic::Status;

/// The status of a refusal, with its code.
pub(super) fn refused(refusal: &Refusal) -> Status {
    let code = match refusal {
        Refusal::SessionUnknown => Code::SessionUnknown,
        Refusal::WrongEpoch { .. } => Code::WrongEpoch,
        Refusal::Fenced { .. } => Code::SessionFenced,
        Refusal::Versions { .. } => Code::VersionMismatch,
        Refusal::UnknownInstance(_) => Code::UnknownInstance,
        Refusal::UnknownWorker(_) => Code::UnknownWorker,
        Refusal::BadInput(_) => Code::BadInput,
        Refusal::StoreUnavailable(_) => Code::StoreUnavailable,
    };
    code.status(refusal.to_string())
}

/// The status of a request that got no answer.
pub(super) fn unanswered(error: &Unanswered) -> Status {
    match error {
        Unanswered::Refused(refusal) => refused(refusal),
        Unanswered::Overloaded => Code::Overloaded.status(error.to_string()),
        Unanswered::Stopping => Code::ShuttingDown.status(error.to_string()),
    }
}

/// The status of a message that does not say what it must.
pub(super) fn bad_input(error: &ConvertError) -> Status {
    Code::BadInput.status(error.to_string())
}

/// The status of an answer of the wrong kind: a fault of the program.
pub(super) fn unexpected(reply: &Reply) -> Status {
    tracing::error!(?reply, "an answer of the wrong kind: please report this fault");
    Code::Internal.status("the coordinator gave an answer of the wrong kind; its log has it")
}

/// The served instance that `text` names, short forms too.
pub(super) fn instance(text: &str, bests: &Bests, catalog: &Catalog) -> Result<InstanceName, Status> {
    let name: InstanceName = text.parse().map_err(|error| Code::BadInput.status(format!("instance: {error}")))?;
    if bests.puzzle(&name).is_some() {
        return Ok(name);
    }
    let reason =
        catalog.get(&name).err().map_or_else(|| format!("there is no instance {name}"), |error| error.to_string());
    Err(Code::UnknownInstance.status(reason))
}
