//! One search tree: it grows by a node an iteration, until its budget of nodes is spent.

use super::policy::Policy;
use super::rollout::{Rollout, roll_out};
use super::scene::Scene;
use crate::gate::Gate;
use crate::outcome::Ending;
use cascade_games::Game;
use rand_core::RngCore;
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;

/// Moves of a node that are ever tried: the best by the estimate.
const EDGES: usize = 32;
/// Weight of the best result below a node against the mean of all, from 0 to 1.
const MAX_SHARE: f64 = 0.7;
/// Weight of exploration.
const EXPLORATION: f64 = 0.4;
/// Stands for the child of an edge that was not followed yet.
const NONE: u32 = u32::MAX;

/// A move of a node, best first by the estimate of where it leads.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Edge {
    mv: u32,
    child: u32,
}

/// What is known of a state, but for the state itself.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Node {
    parent: u32,
    /// Encoded move that led here from the parent.
    mv: u32,
    depth: u32,
    /// Whether its edges are known.
    is_expanded: bool,
    /// Whether nothing more can come of it.
    is_closed: bool,
    edges: Vec<Edge>,
    visits: u32,
    /// Sum and best of the merits of the plays through it.
    sum: i64,
    best: Option<i64>,
}

/// A complete play of a tree.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Play {
    pub(crate) score: i64,
    /// Encoded moves from the root.
    pub(crate) moves: Vec<u32>,
}

/// A tree as a checkpoint keeps it.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct TreeRecord {
    nodes: Vec<Node>,
    policy: Vec<(u64, i64)>,
    best: Option<Play>,
    range: Option<(i64, i64)>,
    lossy: bool,
    idle: u32,
}

pub(crate) struct Tree<S> {
    nodes: Vec<Node>,
    /// The state of each node.
    states: Vec<S>,
    policy: Policy,
    /// The best play of this tree.
    best: Option<Play>,
    /// The lowest and highest merit seen.
    range: Option<(i64, i64)>,
    /// Whether moves were left out.
    lossy: bool,
    /// Iterations since the tree was full.
    idle: u32,
}

/// The moves of a node that are worth a try.
struct Edges {
    kept: Vec<Edge>,
    /// Whether there are more.
    lossy: bool,
    /// Moves looked at.
    expansions: u64,
}

/// An iteration that the tree does not know of yet.
pub(crate) struct Iteration<S> {
    /// The last node on the way that the tree has.
    at: usize,
    /// The edges of that node, if they were not known.
    edges: Option<Edges>,
    /// The edge that led on from there, its move and the state behind it: the next node.
    step: Option<(usize, u32, S)>,
    /// Whether nothing more can come of where it ended.
    is_end: bool,
    rollout: Rollout,
}

impl<S> Iteration<S> {
    /// At least 1: an iteration that applies no move must not be free.
    pub(crate) fn expansions(&self) -> u64 {
        let looked_at = self.edges.as_ref().map_or(0, |edges| edges.expansions);
        (looked_at + self.rollout.expansions).max(1)
    }
}

impl<S: Clone + Send + Sync> Tree<S> {
    pub(crate) fn new(root: &S) -> Self {
        Self {
            nodes: vec![Node { parent: NONE, ..Node::default() }],
            states: vec![root.clone()],
            policy: Policy::default(),
            best: None,
            range: None,
            lossy: false,
            idle: 0,
        }
    }

    /// The best play so far.
    pub(crate) fn best(&self) -> Option<&Play> {
        self.best.as_ref()
    }

    /// Whether nothing more can come of it.
    pub(crate) fn is_closed(&self) -> bool {
        self.nodes[0].is_closed
    }

    /// Whether it is full, with so many `nodes`, and had as many iterations again since.
    pub(crate) fn is_tired(&self, nodes: usize) -> bool {
        self.idle as usize >= nodes
    }

    /// Whether moves were left out, so that a closed tree proves nothing.
    pub(crate) fn is_lossy(&self) -> bool {
        self.lossy
    }

    /// Depth of the newest node.
    pub(crate) fn depth(&self) -> u32 {
        self.nodes.last().map_or(0, |node| node.depth)
    }

    /// A number that depends on the whole history.
    pub(crate) fn digest(&self) -> u64 {
        cascade_games::mix::mix2(self.nodes.len() as u64, self.nodes[0].sum.cast_unsigned())
    }

    /// Works out an iteration: down the tree, one node more, and a rollout. Plays whose bound does not pass `counts` are
    /// not followed.
    ///
    /// # Errors
    /// Why it was interrupted.
    pub(crate) fn look<G: Game<State = S>>(
        &self,
        scene: &Scene<'_, G>,
        gate: &Gate<'_>,
        random: &mut impl RngCore,
        counts: &impl Fn(i64) -> bool,
    ) -> Result<Iteration<S>, Ending> {
        let game = scene.game;
        let is_end = |state: &S, depth| scene.is_window_end(depth) || game.is_over(state);
        let mut at = 0;
        let mut edges = None;
        let mut step = None;
        let mut is_closing = false;
        while !is_end(&self.states[at], self.nodes[at].depth) {
            let node = &self.nodes[at];
            let chosen = if node.is_expanded {
                self.choose(at).map(|index| (index, node.edges[index]))
            } else {
                let kept = &edges.insert(look_ahead(scene, &self.states[at], counts)).kept;
                kept.first().map(|&edge| (0, edge))
            };
            let Some((index, Edge { mv, child })) = chosen else {
                is_closing = true;
                break;
            };
            if child != NONE {
                at = child as usize;
                continue;
            }
            if let Some(decoded) = game.decode(mv).filter(|_| self.nodes.len() < scene.nodes) {
                let mut state = self.states[at].clone();
                game.apply(&mut state, decoded);
                step = Some((index, mv, state));
            }
            break;
        }
        let (leaf, depth) = match &step {
            Some((_, _, state)) => (state, self.nodes[at].depth + 1),
            None => (&self.states[at], self.nodes[at].depth),
        };
        let rollout = roll_out(scene, &self.policy, leaf, depth, gate, random)?;
        let is_end = is_closing || is_end(leaf, depth);
        Ok(Iteration { at, edges, step, is_end, rollout })
    }

    /// Books an iteration: its node, and its play on all nodes from there up.
    pub(crate) fn book<G: Game<State = S>>(&mut self, scene: &Scene<'_, G>, iteration: Iteration<S>) {
        let Iteration { at, edges, step, is_end, rollout } = iteration;
        if let Some(edges) = edges {
            self.lossy |= edges.lossy;
            self.nodes[at].edges = edges.kept;
            self.nodes[at].is_expanded = true;
        }
        let mut leaf = at;
        if let Some((edge, mv, state)) = step {
            leaf = self.nodes.len();
            let depth = self.nodes[at].depth + 1;
            self.nodes[at].edges[edge].child = leaf as u32;
            self.nodes.push(Node { parent: at as u32, mv, depth, ..Node::default() });
            self.states.push(state);
        }
        self.keep(leaf, &rollout, G::DIRECTION);
        self.back_up(leaf, rollout.score.map(|score| G::DIRECTION.merit(score)));
        if self.nodes.len() >= scene.nodes {
            self.idle = self.idle.saturating_add(1);
        }
        if is_end {
            self.close(leaf);
        }
    }

    /// The open edge of the largest upper confidence bound: value + c * prior * sqrt(visits) / (1 + visits of the
    /// child), as in PUCB (Rosin 2011), the prior falling with the edge's rank. The value mixes the best and the mean
    /// merit of the plays through the child, scaled to what this tree has seen, because one player keeps the best
    /// play (Schadd et al. 2008); an edge not followed yet takes its node's value.
    fn choose(&self, at: usize) -> Option<usize> {
        let node = &self.nodes[at];
        let here = self.value(node);
        let reach = f64::from(node.visits.max(1)).sqrt();
        let mut best: Option<(f64, usize)> = None;
        for (rank, edge) in node.edges.iter().enumerate() {
            let child = self.nodes.get(edge.child as usize);
            if child.is_some_and(|child| child.is_closed) {
                continue;
            }
            let (value, visits) = child.map_or((here, 0), |child| (self.value(child), child.visits));
            let prior = 1.0 / (rank + 1) as f64;
            let bound = value + EXPLORATION * prior * reach / f64::from(1 + visits);
            if best.is_none_or(|(known, _)| bound > known) {
                best = Some((bound, rank));
            }
        }
        best.map(|(_, rank)| rank)
    }

    /// From 0 to 1; 0 for a node no complete play went through.
    fn value(&self, node: &Node) -> f64 {
        let (Some(best), Some((low, high))) = (node.best, self.range) else { return 0.0 };
        let mean = node.sum as f64 / f64::from(node.visits.max(1));
        let merit = MAX_SHARE * best as f64 + (1.0 - MAX_SHARE) * mean;
        ((merit - low as f64) / ((high - low).max(1)) as f64).clamp(0.0, 1.0)
    }

    /// Books a play's merit on every node from `leaf` to the root; none counts as the worst merit seen.
    fn back_up(&mut self, leaf: usize, merit: Option<i64>) {
        if let Some(merit) = merit {
            let (low, high) = self.range.unwrap_or((merit, merit));
            self.range = Some((low.min(merit), high.max(merit)));
        }
        let booked = merit.or(self.range.map(|(low, _)| low)).unwrap_or(0);
        let mut at = leaf;
        loop {
            let node = &mut self.nodes[at];
            node.visits = node.visits.saturating_add(1);
            node.sum = node.sum.saturating_add(booked);
            node.best = node.best.max(merit);
            if at == 0 {
                return;
            }
            at = node.parent as usize;
        }
    }

    /// Closes a node, and every node above that has no open edge left.
    fn close(&mut self, at: usize) {
        let mut at = at;
        loop {
            self.nodes[at].is_closed = true;
            if at == 0 {
                return;
            }
            at = self.nodes[at].parent as usize;
            let open = |edge: &Edge| self.nodes.get(edge.child as usize).is_none_or(|child| !child.is_closed);
            if self.nodes[at].edges.iter().any(open) {
                return;
            }
        }
    }

    /// Keeps the play through `leaf` if it is this tree's best.
    fn keep(&mut self, leaf: usize, rollout: &Rollout, direction: cascade_games::Direction) {
        let Some(score) = rollout.score else { return };
        if self.best.as_ref().is_some_and(|best| !direction.is_better(score, best.score)) {
            return;
        }
        let mut moves: Vec<u32> = Vec::new();
        let mut at = leaf;
        while at != 0 {
            moves.push(self.nodes[at].mv);
            at = self.nodes[at].parent as usize;
        }
        moves.reverse();
        moves.extend(&rollout.moves);
        self.best = Some(Play { score, moves });
    }

    /// Draws the policy towards the best play.
    pub(crate) fn learn<G: Game<State = S>>(&mut self, scene: &Scene<'_, G>) {
        let Some(best) = &self.best else { return };
        let game = scene.game;
        let mut state = self.states[0].clone();
        let mut moves = Vec::new();
        for &code in &best.moves {
            let Some(mv) = game.decode(code).filter(|&mv| game.is_legal(&state, mv)) else { return };
            moves.clear();
            game.moves(&state, &mut moves);
            if let Some(chosen) = moves.iter().position(|&listed| listed == mv) {
                let codes: Vec<u64> = moves.iter().map(|&mv| game.move_code(&state, mv)).collect();
                self.policy.adapt(&codes, chosen);
            }
            game.apply(&mut state, mv);
        }
    }

    pub(crate) fn record(&self) -> TreeRecord {
        TreeRecord {
            nodes: self.nodes.clone(),
            policy: self.policy.sorted(),
            best: self.best.clone(),
            range: self.range,
            lossy: self.lossy,
            idle: self.idle,
        }
    }

    /// A tree from its record, its states played again.
    ///
    /// # Errors
    /// What is wrong with the record.
    pub(crate) fn rebuild<G: Game<State = S>>(scene: &Scene<'_, G>, record: TreeRecord) -> Result<Self, String> {
        let game = scene.game;
        let TreeRecord { nodes, policy, best, range, lossy, idle } = record;
        let mut states: Vec<S> = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            let below = index + 1..nodes.len();
            if node.edges.iter().any(|edge| edge.child != NONE && !below.contains(&(edge.child as usize))) {
                return Err(format!("an edge of node {index} does not lead down the tree"));
            }
            if index == 0 {
                states.push(scene.root.state.clone());
                continue;
            }
            let step = || {
                let mut state = states.get(node.parent as usize)?.clone();
                let mv = game.decode(node.mv).filter(|&mv| game.is_legal(&state, mv))?;
                game.apply(&mut state, mv);
                Some(state)
            };
            let state = step().ok_or_else(|| format!("node {index} does not follow from its parent"))?;
            states.push(state);
        }
        if nodes.is_empty() {
            return Err("a tree has no root".to_owned());
        }
        Ok(Self { nodes, states, policy: Policy::from_sorted(policy), best, range, lossy, idle })
    }
}

/// Looks at every move of a state; the best by the estimate are kept.
fn look_ahead<G: Game>(scene: &Scene<'_, G>, state: &G::State, counts: &impl Fn(i64) -> bool) -> Edges {
    let game = scene.game;
    let mut moves = Vec::new();
    game.moves(state, &mut moves);
    let mut children = Vec::new();
    for &mv in &moves {
        let mut child = state.clone();
        game.apply(&mut child, mv);
        if counts(game.bound(&child)) {
            children.push((Reverse((game.is_complete(&child) && game.is_over(&child), game.estimate(&child))), mv));
        }
    }
    children.sort();
    let kept = children.iter().take(EDGES).map(|&(_, mv)| Edge { mv: game.encode(mv), child: NONE });
    Edges { kept: kept.collect(), lossy: children.len() > EDGES, expansions: moves.len() as u64 }
}
