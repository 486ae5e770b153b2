//! What a search tells about its root.

use std::cmp::Ordering;
use std::time::Duration;

use super::edge::Edge;
use super::tree::Tree;
use super::value::Utility;
use super::{Actor, Bounds, Children, Game, StopReason};

/// The longest principal variation told.
const LONGEST_LINE: usize = 40;

/// One move of the root and what the search thinks of it. Rates, margins and
/// bounds are the first player's view.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<M> {
    /// The move.
    pub mv: M,
    /// Simulations through it.
    pub visits: u32,
    /// The chance that the first player wins, a draw counting half.
    pub winrate: f32,
    /// The expected final margin.
    pub margin: f32,
    /// What is proven of the final margin.
    pub bounds: Bounds,
    /// The line thought best, this move first.
    pub pv: Vec<M>,
}

/// The result of a search. Rates, margins and bounds are the first player's
/// view.
#[derive(Clone, Debug, PartialEq)]
pub struct Report<M> {
    /// All moves of the root, the best first; empty when the game is over.
    pub lines: Vec<Line<M>>,
    /// Simulations of this search.
    pub nodes: u64,
    /// Simulations that the root has seen, those of earlier searches included.
    pub visits: u32,
    /// Time taken.
    pub time: Duration,
    /// The chance that the first player wins.
    pub winrate: f32,
    /// The expected final margin.
    pub margin: f32,
    /// What is proven of the final margin.
    pub bounds: Bounds,
    /// Why the search ended; `None` while it goes on.
    pub stop: Option<StopReason>,
    /// How full the tree's memory is, in thousandths.
    pub hashfull: u32,
}

impl<M: Copy> Report<M> {
    /// The report on a game that is over.
    pub fn finished(margin: i16) -> Report<M> {
        Report {
            lines: Vec::new(),
            nodes: 0,
            visits: 0,
            time: Duration::ZERO,
            winrate: (1.0 + f32::from(margin.signum())) / 2.0,
            margin: f32::from(margin),
            bounds: Bounds::exact(margin),
            stop: Some(StopReason::GameOver),
            hashfull: 0,
        }
    }

    /// The move to play; `None` when the game is over.
    pub fn best(&self) -> Option<M> {
        self.lines.first().map(|line| line.mv)
    }
}

/// Reads a finished or running search off the tree.
pub(super) struct Reader<'t> {
    pub(super) tree: &'t Tree,
    pub(super) utility: Utility,
}

impl Reader<'_> {
    /// The addresses of a block's edges, the best first. A proven win comes first, the
    /// greatest sure margin before others; then the most visited, unless a sure result
    /// is worth more than what it promises.
    pub(super) fn ranked(&self, block: u32) -> Vec<u32> {
        let actor = self.tree.head(block).actor();
        let mut ranked: Vec<u32> = self.tree.indices(block).collect();
        ranked.sort_by(|&a, &b| self.compare(self.tree.edge(a), self.tree.edge(b), actor));
        let sure = |edge: u32| self.bounds(self.tree.edge(edge)).seen_by(actor).lo;
        let worth = |margin: i16| self.utility.of_margin(margin);
        let surest = ranked.iter().copied().max_by(|&a, &b| {
            // The earlier of equals: it has more visits.
            sure(a).cmp(&sure(b)).then(Ordering::Greater)
        });
        if let (Some(surest), Some(&first)) = (surest, ranked.first())
            && worth(sure(surest)) > actor.sign() * self.value(self.tree.edge(first))
        {
            ranked.retain(|&edge| edge != surest);
            ranked.insert(0, surest);
        }
        ranked
    }

    fn compare(&self, a: Edge<'_>, b: Edge<'_>, actor: Actor) -> Ordering {
        let [sure_a, sure_b] = [a, b].map(|edge| self.bounds(edge).seen_by(actor));
        let won = sure_b.lo.max(0).cmp(&sure_a.lo.max(0));
        let lost = (sure_a.hi < 0).cmp(&(sure_b.hi < 0));
        let value = |edge: Edge<'_>| actor.sign() * self.value(edge);
        let by_value = value(b).total_cmp(&value(a));
        let rest = if sure_a.hi < 0 && sure_b.hi < 0 {
            by_value
        } else {
            b.visits().cmp(&a.visits()).then(by_value)
        };
        won.then(lost).then(rest)
    }

    fn bounds(&self, edge: Edge<'_>) -> Bounds {
        self.tree.bounds(edge.link())
    }

    fn value(&self, edge: Edge<'_>) -> f32 {
        let value = if edge.visits() > 0 {
            self.tree.mean(edge)
        } else {
            edge.worth()
        };
        self.utility.clamp(value, self.bounds(edge))
    }

    /// The expected margin behind an edge with a block: the mean over the visits of its
    /// subtree, down to edges with few visits.
    fn margin(&self, edge: Edge<'_>, cutoff: u32) -> Option<f32> {
        let block = edge.link().block()?;
        let head = self.tree.head(block);
        let margin = if head.bounds().is_exact() || edge.visits() < cutoff {
            f32::from(head.margin())
        } else {
            let (mut sum, mut visits) = (0.0, 0u64);
            for child in self.tree.edges(block).filter(|child| child.visits() > 0) {
                if let Some(margin) = self.margin(child, cutoff) {
                    sum += margin * child.visits() as f32;
                    visits += u64::from(child.visits());
                }
            }
            if visits == 0 {
                f32::from(head.margin())
            } else {
                sum / visits as f32
            }
        };
        Some(head.bounds().clamp(margin))
    }

    fn line<G: Game>(&self, root: &Root<'_, G>, index: u32, cutoff: u32) -> Line<G::Move> {
        let edge = self.tree.edge(index);
        let (mv, bounds) = (root.state.unpack(edge.mv()), self.bounds(edge));
        let margin = self.margin(edge, cutoff);
        let margin = bounds.clamp(margin.unwrap_or_else(|| root.judged_margin(mv)));
        Line {
            mv,
            visits: edge.visits(),
            winrate: self.utility.winrate(self.value(edge), margin),
            margin,
            bounds,
            pv: self.pv(root.state, index),
        }
    }

    fn pv<G: Game>(&self, root: &G, first: u32) -> Vec<G::Move> {
        let mut state = root.clone();
        let mut index = first;
        let mut pv = Vec::new();
        loop {
            let edge = self.tree.edge(index);
            let mv = state.unpack(edge.mv());
            pv.push(mv);
            state.play(mv);
            let Some(block) = edge.link().block() else {
                return pv;
            };
            if pv.len() >= LONGEST_LINE || state.outcome().is_some() {
                return pv;
            }
            index = self.ranked(block)[0];
        }
    }

    /// The whole report, with lines for at most `most` moves.
    pub(super) fn report<G: Game>(&self, root: &Root<'_, G>, most: usize) -> Report<G::Move> {
        let edge = self.tree.edge(0);
        let cutoff = (edge.visits() / 1000).max(2);
        let ranked = match edge.link().block() {
            Some(block) => self.ranked(block),
            None => Vec::new(),
        };
        let lines = ranked.iter().take(most);
        let lines: Vec<_> = lines.map(|&index| self.line(root, index, cutoff)).collect();
        // The player will follow the first line, so its numbers are the root's,
        // within what is proven.
        let best = ranked.first().map_or(edge, |&best| self.tree.edge(best));
        let bounds = self.bounds(edge);
        let margin = bounds.clamp(lines.first().map_or(0.0, |line| line.margin));
        let value = self.utility.clamp(self.value(best), bounds);
        Report {
            margin,
            winrate: self.utility.winrate(value, margin),
            lines,
            nodes: 0,
            visits: edge.visits(),
            time: Duration::ZERO,
            bounds,
            stop: None,
            hashfull: (u64::from(self.tree.used()) * 1000 / u64::from(self.tree.capacity())) as u32,
        }
    }
}

/// The state that is searched, and the judgement of its moves: the tree has no margins of
/// moves that haven't been visited.
pub(super) struct Root<'s, G: Game> {
    pub(super) state: &'s G,
    pub(super) children: Children<G>,
}

impl<G: Game> Root<'_, G> {
    fn judged_margin(&self, mv: G::Move) -> f32 {
        let which = self.children.moves.iter().position(|&other| other == mv);
        which.map_or(0.0, |which| self.children.margins[which])
    }
}
