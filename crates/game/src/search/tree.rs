//! A search tree in one vector.

use crate::{MAX_SEATS, Seat};

/// Index of the root.
pub(super) const ROOT: u32 = 0;

/// Stands for a missing node: the end of a list of children, or a place outside the tree.
pub(super) const OUTSIDE: u32 = u32::MAX;

/// A step of a path: the nodes in each tree, the seat that moved, and the probability of its
/// selection.
pub(super) struct PathStep {
    pub nodes: [u32; MAX_SEATS],
    pub seat: Seat,
    pub probability: f32,
}

/// A node with the statistics of the move that leads to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<M> {
    /// The move to this node; meaningless at the root.
    pub mv: M,
    pub visits: u32,
    /// Number of visits of the parent in which this move was legal (Cowling, Powley and Whitehouse
    /// 2012, section IV.C).
    pub available: u32,
    /// Sum of the rewards of the seat that moved.
    pub total: f64,
    /// Sum of the squared rewards; with EXP3 the estimated gain.
    pub squares: f64,
    /// The first child. Children are a list in the order of moves.
    first: u32,
    /// The next child of the same parent.
    next: u32,
}

impl<M> Node<M> {
    fn new(mv: M, next: u32) -> Node<M> {
        Node { mv, visits: 0, available: 1, total: 0.0, squares: 0.0, first: OUTSIDE, next }
    }
}

/// A tree whose nodes are in one vector, which is reused by the next search. No node is added
/// beyond [`cap`](Tree::new) nodes; the search then continues with the existing tree.
pub(super) struct Tree<M> {
    nodes: Vec<Node<M>>,
    cap: usize,
}

impl<M: Copy + Ord> Tree<M> {
    /// Creates a tree with at most `cap` nodes. It must be [cleared](Tree::clear) before use.
    pub fn new(cap: usize) -> Tree<M> {
        Tree { nodes: Vec::new(), cap: cap.min(OUTSIDE as usize) }
    }

    /// Size of a node in bytes.
    pub const NODE_BYTES: usize = size_of::<Node<M>>();

    /// Removes all nodes but the root; `any` is an arbitrary move.
    pub fn clear(&mut self, any: M) {
        self.nodes.clear();
        self.nodes.push(Node::new(any, OUTSIDE));
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    #[inline]
    pub fn node(&self, index: u32) -> &Node<M> {
        &self.nodes[index as usize]
    }

    #[inline]
    pub fn node_mut(&mut self, index: u32) -> &mut Node<M> {
        &mut self.nodes[index as usize]
    }

    /// Returns the indices of the children, in the order of moves.
    pub fn children(&self, index: u32) -> impl Iterator<Item = u32> {
        let real = |index: u32| (index != OUTSIDE).then_some(index);
        std::iter::successors(real(self.node(index).first), move |at| real(self.node(*at).next))
    }

    /// Pairs moves, which must ascend, with their children.
    #[inline]
    pub fn pair<'a>(
        &'a self,
        index: u32,
        moves: impl IntoIterator<Item = M> + 'a,
    ) -> impl Iterator<Item = (M, Option<u32>)> {
        let mut at = self.node(index).first;
        moves.into_iter().map(move |mv| {
            while at != OUTSIDE && self.node(at).mv < mv {
                at = self.node(at).next;
            }
            (mv, (at != OUTSIDE && self.node(at).mv == mv).then_some(at))
        })
    }

    /// Returns the child of a move.
    #[inline]
    pub fn child(&self, index: u32, mv: M) -> Option<u32> {
        self.pair(index, [mv]).next()?.1
    }

    /// Adds a missing child that is available now. Returns `None` if the memory is used up.
    pub fn add(&mut self, index: u32, mv: M) -> Option<u32> {
        // If memory is short, the tree stops growing as if it were full.
        if self.nodes.len() >= self.cap || self.nodes.try_reserve(1).is_err() {
            return None;
        }
        let place = self.nodes.len() as u32;
        let before = self.children(index).take_while(|child| self.node(*child).mv < mv).last();
        let link = match before {
            Some(sibling) => &mut self.node_mut(sibling).next,
            None => &mut self.node_mut(index).first,
        };
        let next = std::mem::replace(link, place);
        self.nodes.push(Node::new(mv, next));
        Some(place)
    }

    /// Makes a node the root and removes everything outside its subtree.
    ///
    /// The nodes are copied to a new vector, once per move.
    pub fn reroot(&mut self, index: u32) {
        let old = Tree { nodes: std::mem::take(&mut self.nodes), cap: self.cap };
        self.nodes.push(Node { next: OUTSIDE, ..*old.node(index) });
        let mut parents = vec![(ROOT, index)];
        while let Some((parent, old_parent)) = parents.pop() {
            self.node_mut(parent).first = OUTSIDE;
            let children: Vec<u32> = old.children(old_parent).collect();
            for child in children.into_iter().rev() {
                let place = self.nodes.len() as u32;
                let next = std::mem::replace(&mut self.node_mut(parent).first, place);
                self.nodes.push(Node { next, ..*old.node(child) });
                parents.push((place, child));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    /// All paths below a node with their visits.
    fn paths(tree: &Tree<u16>, index: u32) -> Vec<(Vec<u16>, u32)> {
        let moves = tree.children(index).map(|child| tree.node(child).mv);
        assert!(moves.is_sorted_by(|a, b| a < b), "children in the order of moves");
        let mut all = Vec::new();
        for child in tree.children(index) {
            let node = tree.node(child);
            all.push((vec![node.mv], node.visits));
            for (path, visits) in paths(tree, child) {
                all.push(([vec![node.mv], path].concat(), visits));
            }
        }
        all
    }

    fn grown(cap: usize, count: u32) -> Tree<u16> {
        let mut tree = Tree::new(cap);
        tree.clear(0);
        let mut choice = Seed::new(4).stream();
        for number in 1..=count {
            let mut at = ROOT;
            loop {
                let mv = choice.below(12) as u16;
                match tree.child(at, mv) {
                    Some(child) => at = child,
                    None => {
                        if let Some(child) = tree.add(at, mv) {
                            tree.node_mut(child).visits = number;
                        }
                        break;
                    }
                }
            }
        }
        tree
    }

    #[test]
    fn nodes_stay_where_they_belong() {
        let tree = grown(1 << 20, 3000);
        assert_eq!(tree.len(), 3001);
        let mut visits: Vec<u32> = paths(&tree, ROOT).into_iter().map(|(_, v)| v).collect();
        visits.sort_unstable();
        assert_eq!(visits, (1..=3000).collect::<Vec<_>>());
    }

    #[test]
    fn the_cap_holds() {
        for cap in [1, 2, 3, 10, 100, 1000] {
            let tree = grown(cap, 3000);
            assert_eq!(tree.len(), cap);
            assert_eq!(paths(&tree, ROOT).len() + 1, tree.len());
        }
    }

    #[test]
    fn moves_are_paired_with_their_children() {
        let mut tree = Tree::new(10);
        tree.clear(0);
        let [five, two] = [5, 2].map(|mv: u16| tree.add(ROOT, mv).unwrap());
        let pairs: Vec<_> = tree.pair(ROOT, [1, 2, 4, 5, 6]).collect();
        assert_eq!(pairs, [(1, None), (2, Some(two)), (4, None), (5, Some(five)), (6, None)]);
    }

    #[test]
    fn climbing_keeps_what_lies_below() {
        let mut tree = grown(1 << 20, 3000);
        let below = tree.children(ROOT).nth(5).unwrap();
        let kept = paths(&tree, below);
        tree.reroot(below);
        assert_eq!(paths(&tree, ROOT), kept);
        assert_eq!(tree.len(), kept.len() + 1);
        // The tree can still grow.
        let before = tree.len();
        let leaf = tree.add(ROOT, 99).unwrap();
        assert_eq!(tree.child(ROOT, 99), Some(leaf));
        assert_eq!(tree.len(), before + 1);
    }
}
