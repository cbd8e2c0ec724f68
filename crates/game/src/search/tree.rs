//! A search tree in one vector.

/// Index of the root.
pub(super) const ROOT: u32 = 0;

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
    /// Index of the first child; children are adjacent and in the order of moves.
    first: u32,
    len: u16,
    /// Capacity of the children's block: 0 or a power of two.
    room: u16,
}

impl<M> Node<M> {
    fn new(mv: M) -> Node<M> {
        Node { mv, visits: 0, available: 0, total: 0.0, squares: 0.0, first: 0, len: 0, room: 0 }
    }
}

/// A tree whose nodes are in one vector, which is reused by the next search.
///
/// The children of a node form a block of the vector, sorted by move. A full block moves to one
/// twice as large, and its old place is reused. No node is added beyond [`cap`](Tree::new) nodes;
/// the search then continues with the existing tree.
pub(super) struct Tree<M> {
    nodes: Vec<Node<M>>,
    /// Free blocks by the logarithm of their size.
    free: [Vec<u32>; 16],
    cap: usize,
    /// Number of nodes in use.
    live: usize,
}

impl<M: Copy + Ord> Tree<M> {
    /// Creates an empty tree with at most `cap` nodes.
    pub fn new(cap: usize) -> Tree<M> {
        let cap = cap.clamp(1, u32::MAX as usize);
        Tree { nodes: Vec::new(), free: Default::default(), cap, live: 0 }
    }

    /// Size of a node in bytes.
    pub const NODE_BYTES: usize = size_of::<Node<M>>();

    /// Removes all nodes but keeps the memory; `any` is an arbitrary move.
    pub fn clear(&mut self, any: M) {
        self.nodes.clear();
        self.free.iter_mut().for_each(Vec::clear);
        self.nodes.push(Node::new(any));
        self.live = 1;
    }

    /// Returns `true` if the tree was never cleared for use.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.live
    }

    /// Number of slots of the vector, including free ones.
    #[cfg(test)]
    pub fn held(&self) -> usize {
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

    /// Returns the index of the first child and the children.
    #[inline]
    pub fn children(&self, index: u32) -> (u32, &[Node<M>]) {
        let node = self.node(index);
        let first = node.first as usize;
        (node.first, &self.nodes[first..first + usize::from(node.len)])
    }

    #[inline]
    pub fn children_mut(&mut self, index: u32) -> (u32, &mut [Node<M>]) {
        let Node { first, len, .. } = *self.node(index);
        (first, &mut self.nodes[first as usize..first as usize + usize::from(len)])
    }

    /// Returns the child of a move.
    #[inline]
    pub fn child(&self, index: u32, mv: M) -> Option<u32> {
        let (first, children) = self.children(index);
        children.binary_search_by(|child| child.mv.cmp(&mv)).ok().map(|at| first + at as u32)
    }

    /// Adds a missing child that is available now. Returns `None` if the memory is used up.
    ///
    /// Siblings may move; other nodes do not.
    pub fn add(&mut self, index: u32, mv: M) -> Option<u32> {
        let Node { first, len, room, .. } = *self.node(index);
        let first = if len == room { self.grow(index)? } else { first };
        let (start, len) = (first as usize, usize::from(len));
        let at = self.nodes[start..start + len].partition_point(|child| child.mv < mv);
        self.nodes.copy_within(start + at..start + len, start + at + 1);
        self.nodes[start + at] = Node { available: 1, ..Node::new(mv) };
        self.nodes[index as usize].len += 1;
        self.live += 1;
        Some(first + at as u32)
    }

    /// Moves the children of a node to a larger block and returns its index.
    fn grow(&mut self, index: u32) -> Option<u32> {
        let Node { mv, first, len, room, .. } = *self.node(index);
        let larger = if room == 0 { 2 } else { room.checked_mul(2).filter(|r| *r < 1 << 15)? };
        let class = larger.trailing_zeros() as usize;
        let place = match self.free[class].pop() {
            Some(place) => place,
            None => {
                let place = self.nodes.len();
                let end = place + usize::from(larger);
                // If memory is short, the tree stops growing as if it were full.
                if end > self.cap || self.nodes.try_reserve(larger.into()).is_err() {
                    return None;
                }
                self.nodes.resize(end, Node::new(mv));
                place as u32
            }
        };
        let from = first as usize;
        self.nodes.copy_within(from..from + usize::from(len), place as usize);
        if room > 0 {
            self.free[room.trailing_zeros() as usize].push(first);
        }
        let node = self.node_mut(index);
        (node.first, node.room) = (place, larger);
        Some(place)
    }

    /// Makes a node the root and removes everything outside its subtree.
    ///
    /// The nodes are copied to a new vector, once per move. It is not longer than the old one.
    pub fn reroot(&mut self, index: u32) {
        let old = std::mem::take(&mut self.nodes);
        self.free.iter_mut().for_each(Vec::clear);
        self.nodes.push(old[index as usize]);
        self.live = 1;
        let mut to_do = vec![ROOT];
        while let Some(parent) = to_do.pop() {
            let Node { mv, first, len, .. } = self.nodes[parent as usize];
            let (from, place) = (first as usize, self.nodes.len());
            let room = if len == 0 { 0 } else { len.next_power_of_two().max(2) };
            self.nodes.extend_from_slice(&old[from..from + usize::from(len)]);
            self.nodes.resize(place + usize::from(room), Node::new(mv));
            self.live += usize::from(len);
            let node = &mut self.nodes[parent as usize];
            (node.first, node.room) = (place as u32, room);
            to_do.extend((0..u32::from(len)).map(|child| place as u32 + child));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    /// All paths below a node with their visits.
    fn paths(tree: &Tree<u16>, index: u32) -> Vec<(Vec<u16>, u32)> {
        let (first, children) = tree.children(index);
        assert!(children.is_sorted_by(|a, b| a.mv < b.mv), "children in the order of moves");
        let mut all = Vec::new();
        for (at, child) in children.iter().enumerate() {
            all.push((vec![child.mv], child.visits));
            for (path, visits) in paths(tree, first + at as u32) {
                all.push(([vec![child.mv], path].concat(), visits));
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
            assert!(tree.held() <= cap && tree.len() <= tree.held());
            assert_eq!(paths(&tree, ROOT).len() + 1, tree.len());
        }
    }

    #[test]
    fn climbing_keeps_what_lies_below() {
        let mut tree = grown(1 << 20, 3000);
        let (first, children) = tree.children(ROOT);
        let below = first + children.len() as u32 / 2;
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
