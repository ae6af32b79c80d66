//! What happens in a replay, in words.

use cascade_games::{Scene, SceneKind, Turn};

/// One scene in words.
pub(crate) fn scene(scene: &Scene) -> String {
    let (squares, built) = (scene.squares.len(), built(scene));
    match scene.kind {
        SceneKind::Remove => "the square is taken away".to_owned(),
        SceneKind::Fall => "what hangs in the air falls".to_owned(),
        SceneKind::Vanish => format!("{squares} squares vanish"),
        SceneKind::Build => format!("a {built} is built"),
        SceneKind::Merge => format!("{squares} alike become a {built}"),
        SceneKind::Demolish => "the building is torn down".to_owned(),
    }
}

/// What a whole move set off.
pub(crate) fn turn(turn: &Turn) -> String {
    let of = |kind: SceneKind| turn.scenes.iter().filter(move |scene| scene.kind == kind);
    let (waves, mergers) = (of(SceneKind::Vanish).count(), of(SceneKind::Merge).count());
    if let Some(last) = of(SceneKind::Merge).next_back() {
        let times = if mergers == 1 { "merges into".to_owned() } else { format!("merges {mergers} times, up to") };
        return format!("{times} a {}", built(last));
    }
    if let Some(only) = of(SceneKind::Build).chain(of(SceneKind::Demolish)).next() {
        return scene(only);
    }
    let squares: usize = of(SceneKind::Vanish).map(|scene| scene.squares.len()).sum();
    match waves {
        0 => "nothing vanishes".to_owned(),
        1 => format!("{squares} squares vanish"),
        _ => format!("{squares} squares vanish in {waves} waves"),
    }
}

/// The level of what is built in a scene.
fn built(scene: &Scene) -> char {
    scene.changes.iter().map(|&(_, letter)| letter).find(|&letter| letter != '.').unwrap_or('?')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::Play;

    fn turns(play: &Play) -> Vec<String> {
        play.replay.turns.iter().map(turn).collect()
    }

    #[test]
    fn removals_are_told_by_what_vanishes() {
        let column = Play::example("a\na\nb\nb\nc\nb\nb\na\na\n", "40\n");
        assert_eq!(turns(&column), ["8 squares vanish in 2 waves"]);
        assert_eq!(turns(&Play::example("a\nb\nb\nc\nb\nb\n", "30\n50\n")), ["4 squares vanish", "nothing vanishes"]);
    }

    #[test]
    fn commands_are_told_by_what_is_built_in_the_end() {
        let case = Play::example("2 3 1 1 ..1 221 2 1 3", "PUT 1 2 PUT 1 1 STAR 2 1 BOMBER 2 1 END");
        let expected = ["merges 2 times, up to a 3", "a 3 is built", "merges into a 4", "the building is torn down"];
        assert_eq!(turns(&case), expected);
        let first: Vec<_> = case.replay.turns.iter().take(1).flat_map(|turn| &turn.scenes).map(scene).collect();
        assert_eq!(first, ["a 1 is built", "3 alike become a 2", "3 alike become a 3"]);
    }
}
