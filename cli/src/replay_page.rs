//! A page that plays a replay, in one file that needs nothing else.

use crate::exit::{Exit, Failure, OrExit};
use crate::markup::{document, escape};
use crate::play::Play;
use anyhow::Context;
use cascade_coordinator::player::{SCRIPT, STYLE};
use cascade_proto::json::replay::Replay;

const PAGE_STYLE: &str = "\
body { background: var(--paper); color: var(--ink); font: 1rem/1.45 system-ui, \"Segoe UI\", sans-serif; margin: 0; }
main { margin: 0 auto; max-width: 36rem; padding: 1rem; }
h1 { font-size: 1.35rem; margin: 0 0 0.8rem; }
.keys { color: var(--ink); font-size: 0.9rem; opacity: 0.75; }
";

/// What keeps the page from asking anyone for anything.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'";

/// The page that plays `play`.
pub(crate) fn page(play: &Play) -> Result<String, Failure> {
    let title = escape(&play.title());
    let replay = Replay::new(&play.name, &play.replay);
    let json = serde_json::to_string(&replay).context("cannot write JSON").or_exit(Exit::Internal)?;
    // It stands in a script element, which would end at the first `</script`.
    let json = json.replace('<', "\\u003c");
    let style = format!("{STYLE}\n{PAGE_STYLE}");
    let body = format!(
        r#"<main>
<h1>{title}</h1>
<div id="player"></div>
<p class="keys">Keys: left and right step by move, space plays and pauses, home and end go to the first and last board.</p>
<noscript><p>This page needs scripts to play the moves.</p></noscript>
</main>
<script type="application/json" id="replay">{json}</script>
<script type="module">
{SCRIPT}
const replay = JSON.parse(document.getElementById("replay").textContent);
window.player = new Player(document.getElementById("player"), replay);
</script>
"#
    );
    Ok(document(POLICY, &title, &style, &body))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_holds_all_it_needs_and_asks_nobody() {
        let page = page(&Play::example("a\nb\nb\nc\nb\nb\n", "30\n50\n")).expect("written");
        assert!(
            page.contains(r#""start":"abbcbb""#) && page.contains("class Player") && page.contains(".player-board")
        );
        let addresses = page.replace("http://www.w3.org/2000/svg", "");
        for loads in ["http:", "https:", " src=", "href=", "@import", "url(", "fetch("] {
            assert!(!addresses.contains(loads), "{loads}");
        }
    }
}
