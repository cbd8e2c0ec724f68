//! A board for search: its chains, and one key for the board and its turned and mirrored images.

use arrayvec::ArrayVec;

use crate::board::{bits, cells, flip, has};
use crate::leaps::starts;
use crate::{Board, Cell, Chains, Rows, Rules, SIDE};
use parlour_base::chance::{GAMMA, mix};

/// Most cells in which a board may differ from an image that is tracked.
///
/// Positions a few chains ahead can then still be images of each other: each of two chains on either
/// side changes at least three cells.
const NEAR: usize = 12;

/// The Zobrist number of a piece of this worth on this cell (SplitMix64's finalizer).
fn mark(cell: Cell, worth: u8) -> u64 {
    // Searches order equal chains by hash, so another offset would change the moves of bots.
    mix((u64::from(cell.0 + 66) << 3 | u64::from(worth)).wrapping_mul(GAMMA))
}

/// A board for search.
#[derive(Clone)]
pub(super) struct SearchBoard<'a> {
    pub rules: &'a Rules,
    board: Board,
    /// Hash of the board (Zobrist 1970).
    hash: u64,
    /// Tracked symmetries with the hash of the image.
    images: ArrayVec<(u8, u64), 7>,
}

/// A chain of a searched position.
pub(super) struct SearchChain {
    pub gain: i32,
    /// Hash of the board after the chain.
    pub hash: u64,
    start: Cell,
    end: Cell,
    captured: Rows,
}

impl<'a> SearchBoard<'a> {
    /// Creates a board. With `images`, it tracks the symmetries that the board nearly has.
    ///
    /// Other symmetries never map one searched position to another.
    pub fn new(rules: &'a Rules, board: &Board, images: bool) -> SearchBoard<'a> {
        let is_near = |&symmetry: &u8| {
            let image = |cell| board.worth(rules.image(symmetry, cell));
            rules.each_cell().filter(|&cell| board.worth(cell) != image(cell)).count() <= NEAR
        };
        let symmetries = (1..rules.symmetries()).filter(|symmetry| images && is_near(symmetry));
        let images = symmetries.map(|symmetry| (symmetry, 0)).collect();
        let mut new = SearchBoard { rules, board: *board, hash: 0, images };
        cells(&board.pieces).for_each(|cell| new.flip(cell, board.worth(cell)));
        new
    }

    /// Adds or removes a piece in all hashes.
    fn flip(&mut self, cell: Cell, worth: u8) {
        self.hash ^= mark(cell, worth);
        for (symmetry, hash) in &mut self.images {
            *hash ^= mark(self.rules.image(*symmetry, cell), worth);
        }
    }

    /// The common key of the board and its tracked images: the least hash.
    pub fn key(&self) -> u64 {
        self.images.iter().fold(self.hash, |least, &(_, image)| least.min(image))
    }

    /// The board after a chain.
    pub fn after(&self, chain: &SearchChain) -> SearchBoard<'a> {
        let mut new = self.clone();
        let piece = new.board.worth(chain.start);
        for cell in cells(&chain.captured).chain([chain.start]) {
            let worth = new.board.take(cell);
            new.flip(cell, worth);
        }
        new.board.lay(chain.end, piece);
        new.flip(chain.end, piece);
        new
    }

    /// The possible leaps: starts and ways.
    fn starts(&self) -> impl Iterator<Item = (Cell, usize)> + use<> {
        let starts = starts(&self.board.pieces, self.rules).into_iter().enumerate();
        starts.flat_map(|(way, rows)| {
            let rows = rows.into_iter().enumerate();
            rows.flat_map(move |(row, cols)| bits(cols).map(move |c| (Cell::new(row, c), way)))
        })
    }

    /// The most points of a single chain, or at least `enough` if the most are more than that.
    ///
    /// It tries at most `patience` leaps after the first ones.
    pub fn best_gain(&self, enough: i32, mut patience: u32) -> i32 {
        let mut best = 0;
        for (start, way) in self.starts() {
            let mut is_first = true;
            self.walk(start).leap(start, way, 0, &mut |_, _, gain| {
                if !std::mem::take(&mut is_first) {
                    if patience == 0 || best >= enough {
                        return false;
                    }
                    patience -= 1;
                }
                best = best.max(gain);
                best < enough
            });
            if best >= enough {
                break;
            }
        }
        best
    }

    /// Each chain once, those with the most points first. It extends at most `patience` chains.
    pub fn chains(&self, mut patience: u32) -> Vec<SearchChain> {
        let mut chains = Vec::new();
        for (start, way) in self.starts() {
            let piece = self.board.worth(start);
            self.walk(start).leap(start, way, 0, &mut |walk, end, gain| {
                let hash = walk.hash ^ mark(start, piece) ^ mark(end, piece);
                chains.push(SearchChain { gain, hash, start, end, captured: walk.captured });
                let is_extended = patience > 0;
                patience = patience.saturating_sub(1);
                is_extended
            });
        }
        chains.sort_unstable_by_key(|chain| (-chain.gain, chain.hash));
        chains.dedup_by_key(|chain| chain.hash);
        chains
    }

    fn walk(&self, start: Cell) -> ChainWalk<'_> {
        ChainWalk { board: self, start, captured: [0; SIDE], hash: self.hash }
    }
}

/// A walk over the chains of one piece.
struct ChainWalk<'a> {
    board: &'a SearchBoard<'a>,
    start: Cell,
    captured: Rows,
    /// Hash of the board without the captured pieces.
    hash: u64,
}

impl ChainWalk<'_> {
    /// Visits the chain with one more leap, if possible, and its extensions if `visit` returns `true`.
    fn leap(
        &mut self,
        at: Cell,
        way: usize,
        gain: i32,
        visit: &mut impl FnMut(&Self, Cell, i32) -> bool,
    ) {
        let SearchBoard { rules, board, .. } = self.board;
        let Some((over, to)) = rules.leap(at, way) else { return };
        let is_blocked = board.has(to) && to != self.start;
        if is_blocked || !board.has(over) || has(&self.captured, over) {
            return;
        }
        let worth = board.worth(over);
        self.flip(over, worth);
        let gain = gain + i32::from(worth);
        if visit(self, to, gain) && rules.chains == Chains::Optional {
            (0..rules.ways()).for_each(|next| self.leap(to, next, gain, visit));
        }
        self.flip(over, worth);
    }

    fn flip(&mut self, over: Cell, worth: u8) {
        flip(&mut self.captured, over);
        self.hash ^= mark(over, worth);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Leapfrog;
    use parlour_game::Ruled;

    /// The hash and the key of a board, and the number of tracked images.
    fn keys(variant: &str, board: &str) -> (u64, u64, usize) {
        let rules = Leapfrog::preset(variant).unwrap();
        let board = SearchBoard::new(&rules, &Board::read(board, &rules).unwrap(), true);
        (board.hash, board.key(), board.images.len())
    }

    #[test]
    fn all_eight_images_of_a_square_have_one_key() {
        let key = |board| keys("mini-3x3", board).1;
        let images = [
            "oo./oo./ooo",
            ".oo/.oo/ooo",
            "ooo/oo./oo.",
            "ooo/.oo/.oo",
            "ooo/ooo/..o",
            "..o/ooo/ooo",
            "ooo/ooo/o..",
            "o../ooo/ooo",
        ];
        assert!(images.iter().all(|board| key(board) == key(images[0])));
        assert_ne!(key("ooo/o.o/oo."), key(images[0]));
    }

    #[test]
    fn a_rectangle_has_four_images() {
        let key = |board| keys("mini-2x3", board).1;
        let images = ["o../ooo", "..o/ooo", "ooo/o..", "ooo/..o"];
        assert!(images.iter().all(|board| key(board) == key(images[0])));
        assert_ne!(key(".o./ooo"), key(images[0]));
    }

    #[test]
    fn a_board_far_from_its_images_has_its_own_key() {
        let rows = ["oooooo......"; 2].into_iter().chain(["............"; 10]);
        let (hash, key, images) = keys("mini-12x12", &rows.collect::<Vec<_>>().join("/"));
        assert_eq!((key, images), (hash, 0));
    }
}
