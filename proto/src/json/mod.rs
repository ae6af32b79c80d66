//! What programs read as JSON, the same from `cascade --json` and from the coordinator's `/api/v1`. Points in time are
//! RFC 3339 in UTC; a field without a value is null.

mod best;
mod event;
mod explanation;
mod failure;
pub mod replay;
mod status;
mod time;
mod worker;

pub use best::{Best, strategy_name};
pub use event::Event;
pub use explanation::{Arm, Explanation, Improvement, State};
pub use failure::Failure;
pub use status::{Farm, Instance, Status};
pub use time::{rfc3339, system_time};
pub use worker::Worker;

/// `text`, or nothing where it is empty: how the wire leaves a text out.
fn named(text: &str) -> Option<String> {
    Some(text.to_owned()).filter(|text| !text.is_empty())
}
