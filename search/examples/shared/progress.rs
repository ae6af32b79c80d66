//! How far a long measurement is, on standard error; nothing of it where that is no terminal.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// How often the time left is written anew.
const REFRESH: Duration = Duration::from_secs(1);

/// A bar of so many steps, which tells the time left by the time they took so far. Lines of output go through
/// [`ProgressBar::suspend`].
pub(crate) fn bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    if let Ok(style) = ProgressStyle::with_template("[{bar:20}] {pos}/{len}  {wide_msg}  {eta} left") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(REFRESH);
    bar
}
