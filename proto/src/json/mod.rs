//! What web pages and scripts read: types that are written as JSON.

pub mod replay;
