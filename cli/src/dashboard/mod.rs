//! The dashboard of `cascade watch`: the farm on one screen, each instance on another, with a replay of its best.
//!
//! [`model`] is pure and knows all that is shown; [`feed`] asks the coordinator, [`typed`] hears the keys,
//! and the other modules draw.

mod board;
mod chart;
mod feed;
mod header;
mod help;
mod instance;
mod keys;
mod model;
mod open;
mod overview;
mod panes;
mod player;
mod replay;
mod theme;
mod tiles;
mod typed;
mod view;

#[cfg(test)]
mod tests;

use crate::connection::{ConnectionOptions, Farm};
use crate::exit::{Exit, Failure};
use crate::screen::{self, Screen};
use feed::Feed;
use model::Model;
use ratatui::crossterm::event::Event;
use std::time::{Duration, SystemTime};
use theme::Theme;
use tokio::sync::{mpsc, watch};
use tokio::time::{MissedTickBehavior, interval};

/// How often the screen is drawn anew, and how long a scene of a replay lasts.
const TICK: Duration = Duration::from_millis(250);
/// News that may wait to be shown.
const NEWS_WAITING: usize = 256;

/// Shows the farm until the person leaves; the instance called `instance` first, unless that is empty.
///
/// What is wrong with the coordinator before the screen is taken is told as by any other command.
pub(crate) async fn run(mut farm: Farm, options: &ConnectionOptions, instance: &str) -> Result<(), Failure> {
    let snapshot = feed::snapshot(&mut farm).await?;
    let mut model = Model::new(snapshot, SystemTime::now());
    if !instance.is_empty() {
        farm.content(instance).await?;
        model.open_named(instance);
    }
    let (news, mut incoming) = mpsc::channel(NEWS_WAITING);
    let (wish, wished) = watch::channel(None);
    let feed = Feed::new(farm, options, wished, news).run();
    tokio::pin!(feed);

    let theme = Theme::new(screen::wants_colours());
    let mut screen = Screen::open()?;
    let mut keys = typed::listen();
    let mut ticks = interval(TICK);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    while !model.is_done {
        wish.send_if_modified(|wish| {
            let is_other = wish.as_deref() != model.opened();
            *wish = model.opened().map(str::to_owned);
            is_other
        });
        model.resized(screen.size()?);
        screen.draw(|frame| view::draw(frame, &model, theme, SystemTime::now()))?;
        tokio::select! {
            failure = &mut feed => return Err(failure),
            Some(first) = incoming.recv() => {
                let now = SystemTime::now();
                model.hear(first, now);
                while let Ok(more) = incoming.try_recv() {
                    model.hear(more, now);
                }
            }
            event = keys.recv() => match event {
                Some(Ok(Event::Key(key))) => model.key(key),
                // The rest, such as a new size, only means that the screen is drawn anew.
                Some(Ok(_)) => {}
                Some(Err(error)) => return Err(Failure::new(Exit::Internal, error)),
                None => return Err(Failure::say(Exit::Internal, "the keyboard cannot be read any more")),
            },
            _ = ticks.tick() => model.tick(),
        }
    }
    Ok(())
}
