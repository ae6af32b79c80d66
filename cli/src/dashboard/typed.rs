//! What is typed.

use ratatui::crossterm::event::{self, Event};
use std::io;
use std::time::Duration;
use tokio::sync::mpsc;

/// How long the thread that reads keys may take to notice that nobody wants them any more.
const NOTICE: Duration = Duration::from_millis(100);

/// Keys and sizes, read by a thread of its own until nobody listens.
pub(super) fn listen() -> mpsc::UnboundedReceiver<io::Result<Event>> {
    let (sender, receiver) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        while !sender.is_closed() {
            let event = match event::poll(NOTICE) {
                Ok(false) => continue,
                Ok(true) => event::read(),
                Err(error) => Err(error),
            };
            let is_over = event.is_err();
            if sender.send(event).is_err() || is_over {
                return;
            }
        }
    });
    receiver
}
