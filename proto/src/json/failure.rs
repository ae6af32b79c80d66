//! Why there is no answer.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What `/api/v1` answers when it cannot do what was asked.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// The error code, as in the table of errors.
    pub code: String,
    /// What went wrong, for people.
    pub message: String,
}
