//! Counts expansions a second on one core: `cargo run --release -p cascade-games --example tetris_speed`.
//!
//! An expansion is one removal applied to a copy of its parent, settled, estimated and hashed. The parents are taken
//! from a narrow beam, as a search meets them, and each layer is expanded over and over for a while.

use cascade_games::Game;
use cascade_games::tetris::{TetrisGame, TetrisState, random_grid};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// States kept in each layer.
const WIDTH: usize = 300;
/// Time spent on each row of the table.
const TIME: Duration = Duration::from_millis(1500);

fn main() {
    let game = random_grid(16, 16, 1);
    let layers = beam(&game);
    let parents: Vec<&TetrisState> = layers.iter().flatten().collect();
    println!("{} parents in {} layers of a beam on a random 16x16 grid", parents.len(), layers.len());
    println!("{:<34}{:>16}{:>10}", "", "expansions/s", "ns each");
    row("apply", &game, &parents, |_, child| {
        black_box(child);
    });
    row("apply, hash", &game, &parents, |game, child| {
        black_box(game.hash(child));
    });
    row("apply, hash, estimate", &game, &parents, |game, child| {
        black_box((game.hash(child), game.estimate(child)));
    });
}

fn row(name: &str, game: &TetrisGame, parents: &[&TetrisState], look: impl Fn(&TetrisGame, &TetrisState)) {
    let mut moves = Vec::new();
    let (mut expansions, begun) = (0_u64, Instant::now());
    while begun.elapsed() < TIME {
        for parent in parents {
            moves.clear();
            game.moves(parent, &mut moves);
            for &place in &moves {
                let mut child = (*parent).clone();
                game.apply(&mut child, place);
                look(game, &child);
            }
            expansions += moves.len() as u64;
        }
    }
    let seconds = begun.elapsed().as_secs_f64();
    println!("{name:<34}{:>16.0}{:>10.0}", expansions as f64 / seconds, 1e9 * seconds / expansions as f64);
}

/// The layers of a plain beam, up to the first cleared board.
fn beam(game: &TetrisGame) -> Vec<Vec<TetrisState>> {
    let mut layers = vec![vec![game.start()]];
    while let Some(layer) = layers.last() {
        let mut children = Vec::new();
        for parent in layer {
            let mut moves = Vec::new();
            game.moves(parent, &mut moves);
            for place in moves {
                let mut child = parent.clone();
                game.apply(&mut child, place);
                children.push((game.estimate(&child), game.hash(&child), child));
            }
        }
        children.sort_by_key(|&(estimate, hash, _)| (-estimate, hash));
        children.dedup_by_key(|&mut (_, hash, _)| hash);
        children.truncate(WIDTH);
        if children.iter().any(|(_, _, child)| game.is_complete(child)) {
            break;
        }
        layers.push(children.into_iter().map(|(_, _, child)| child).collect());
    }
    layers
}
