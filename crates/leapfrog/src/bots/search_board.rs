//! A board for search with fast listing, playing and hashing of chains.

use super::image_hashes::{ImageHashes, Place, cell, mark, place};
use crate::board::{bits, flip};
use crate::leaps::starts;
use crate::{Board, Cell, Chains, Rows, Rules, SIDE};

/// Number of places, walls included.
const PLACES: usize = 32 * (SIDE + 4);

/// Content of a place off the board.
const WALL: u8 = 0x80;

/// Steps of the eight ways between places, in the order of [`starts`].
const WAY_STEPS: [i16; 8] = [-32, -1, 1, 32, -33, -31, 31, 33];

/// A chain of a searched position. Its leaps are in its [`ChainStack`].
#[derive(Clone, Copy, Debug)]
pub(super) struct SearchChain {
    pub gain: i32,
    /// Hash of the board after the chain.
    pub hash: u64,
    start: Place,
    first: u32,
    leaps: u16,
}

/// Chains of all positions on the path from the root, and the ways of their leaps.
#[derive(Default)]
pub(super) struct ChainStack {
    pub lines: Vec<SearchChain>,
    /// Chains of the last position during its listing.
    fresh: Vec<SearchChain>,
    ways: Vec<u8>,
}

impl ChainStack {
    pub fn mark(&self) -> (usize, usize) {
        (self.lines.len(), self.ways.len())
    }

    pub fn back_to(&mut self, (lines, ways): (usize, usize)) {
        self.lines.truncate(lines);
        self.ways.truncate(ways);
    }
}

/// A board for search.
#[derive(Clone)]
pub(super) struct SearchBoard {
    worth: [u8; PLACES],
    pieces: Rows,
    pub hash: u64,
    images: ImageHashes,
}
fn step(at: Place, way: usize) -> Place {
    at.wrapping_add_signed(WAY_STEPS[way & 7])
}

impl SearchBoard {
    /// Creates a board; with `images`, its key is common to its symmetric images.
    pub fn new(rules: &Rules, board: &Board, images: bool) -> SearchBoard {
        let images = ImageHashes::new(rules, board, images);
        let mut new = SearchBoard { worth: [WALL; PLACES], pieces: board.pieces, hash: 0, images };
        for cell in rules.each_cell() {
            let (place, worth) = (place(cell), board.worth(cell));
            new.worth[usize::from(place)] = worth;
            if worth > 0 {
                new.hash ^= mark(place, worth);
            }
        }
        new
    }
    fn at(&self, place: Place) -> u8 {
        self.worth[usize::from(place) % PLACES]
    }
    fn set(&mut self, place: Place, worth: u8) {
        self.worth[usize::from(place) % PLACES] = worth;
    }

    /// Calls `call` with the place and way of each possible leap, until it returns `false`.
    fn each_start(&self, rules: &Rules, mut call: impl FnMut(Place, usize) -> bool) {
        let starts = starts(&self.pieces, rules);
        for (way, rows) in starts.iter().enumerate().take(rules.ways()) {
            for (row, &cells) in rows.iter().enumerate().take(usize::from(rules.rows)) {
                for col in bits(cells) {
                    if !call(place(Cell::new(row, col)), way) {
                        return;
                    }
                }
            }
        }
    }

    /// The leap of the piece on a place in one way: captured place, landing place and points.
    fn leap(&self, at: Place, way: usize) -> Option<(Place, Place, u8)> {
        let over = step(at, way);
        let (to, taken) = (step(over, way), self.at(over));
        ((1..=4).contains(&taken) && self.at(to) == 0).then_some((over, to, taken))
    }

    /// The most points of a single chain, or at least `enough` if the most are more than that.
    ///
    /// It tries at most `patience` leaps.
    pub fn best_gain(&self, rules: &Rules, enough: i32, patience: u32) -> i32 {
        let mut climb = BestGain { ways: rules.ways(), best: 0, enough, patience };
        // Most chains are single leaps, so the board is copied only for the first longer one.
        let mut copy = None;
        self.each_start(rules, |at, way| {
            let over = step(at, way);
            let to = step(over, way);
            let gain = i32::from(self.at(over));
            climb.best = climb.best.max(gain);
            let on = rules.chains == Chains::Optional
                && (0..climb.ways).any(|next| {
                    let next_over = step(to, next);
                    let free = step(next_over, next);
                    next_over != over
                        && next_over != at
                        && (1..=4).contains(&self.at(next_over))
                        && (self.at(free) == 0 || free == at)
                });
            if on && climb.best < enough {
                let board = copy.get_or_insert_with(|| self.clone());
                let (piece, taken) = (board.at(at), board.at(over));
                board.set(at, 0);
                board.set(over, 0);
                board.climb(&mut climb, to, gain);
                board.set(over, taken);
                board.set(at, piece);
            }
            climb.best < enough
        });
        climb.best
    }

    fn climb(&mut self, climb: &mut BestGain, at: Place, gain: i32) {
        climb.best = climb.best.max(gain);
        for way in 0..climb.ways {
            let Some((over, to, taken)) = self.leap(at, way) else { continue };
            if climb.patience == 0 || climb.best >= climb.enough {
                return;
            }
            climb.patience -= 1;
            self.set(over, 0);
            self.climb(climb, to, gain + i32::from(taken));
            self.set(over, taken);
        }
    }

    /// Lists each chain once, those with the most points first, within `patience` leaps.
    pub fn list(&self, rules: &Rules, ways: &mut ChainStack, patience: u32) {
        let mut copy = self.clone();
        let path = arrayvec::ArrayVec::new();
        let mut walk = ChainListing { rules, ways, path, start: 0, piece: 0, patience };
        self.each_start(rules, |at, way| {
            (walk.start, walk.piece) = (at, copy.at(at));
            copy.set(at, 0);
            let hash = self.hash ^ mark(at, walk.piece);
            copy.walk(&mut walk, at, way, 0, hash);
            copy.set(at, walk.piece);
            true
        });
        ways.fresh.sort_unstable_by_key(|line| (-line.gain, line.hash));
        ways.fresh.dedup_by_key(|line| line.hash);
        ways.lines.append(&mut ways.fresh);
    }

    fn walk(&mut self, walk: &mut ChainListing<'_>, at: Place, way: usize, gain: i32, hash: u64) {
        let Some((over, to, taken)) = self.leap(at, way) else { return };
        if walk.path.is_full() {
            return;
        }
        let (gain, hash) = (gain + i32::from(taken), hash ^ mark(over, taken));
        walk.path.push(way as u8);
        let (first, leaps) = (walk.ways.ways.len() as u32, walk.path.len() as u16);
        walk.ways.ways.extend_from_slice(&walk.path);
        let hash_after = hash ^ mark(to, walk.piece);
        walk.ways.fresh.push(SearchChain {
            gain,
            hash: hash_after,
            start: walk.start,
            first,
            leaps,
        });
        if walk.rules.chains == Chains::Optional && walk.patience > 0 {
            walk.patience -= 1;
            self.set(over, 0);
            for next in 0..walk.rules.ways() {
                self.walk(walk, to, next, gain, hash);
            }
            self.set(over, taken);
        }
        walk.path.pop();
    }

    /// The common key of the board and its images. [`after`](SearchBoard::after) must have kept it.
    pub fn key(&self) -> u64 {
        self.images.least(self.hash)
    }

    /// The board after a chain. Its key is kept up to date only if `keyed`.
    pub fn after(&self, line: &SearchChain, ways: &ChainStack, keyed: bool) -> SearchBoard {
        let mut board = self.clone();
        let mut at = line.start;
        let piece = board.at(at);
        board.clear(at, keyed);
        let first = line.first as usize;
        for &way in &ways.ways[first..first + usize::from(line.leaps)] {
            let over = step(at, usize::from(way));
            board.clear(over, keyed);
            at = step(over, usize::from(way));
        }
        board.set(at, piece);
        board.flip(at, piece, keyed);
        board.hash = line.hash;
        board
    }

    fn clear(&mut self, place: Place, keyed: bool) {
        let worth = self.at(place);
        self.set(place, 0);
        self.flip(place, worth, keyed);
    }
    fn flip(&mut self, place: Place, worth: u8, keyed: bool) {
        if keyed {
            self.images.flip(place, worth);
        }
        flip(&mut self.pieces, cell(place));
    }
}

/// State of the search for the most points of a chain.
struct BestGain {
    ways: usize,
    best: i32,
    enough: i32,
    patience: u32,
}

/// State of the listing of one piece's chains.
struct ChainListing<'a> {
    rules: &'a Rules,
    ways: &'a mut ChainStack,
    path: arrayvec::ArrayVec<u8, 256>,
    start: Place,
    piece: u8,
    patience: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Leapfrog;
    use parlour_game::Ruled;

    fn search_board(variant: &str, board: &str) -> SearchBoard {
        let rules = Leapfrog::preset(variant).unwrap();
        SearchBoard::new(&rules, &Board::read(board, &rules).unwrap(), true)
    }

    #[test]
    fn all_eight_images_of_a_square_have_one_key() {
        let key = |board| search_board("mini-3x3", board).key();
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
        let key = |board| search_board("mini-2x3", board).key();
        let images = ["o../ooo", "..o/ooo", "ooo/o..", "ooo/..o"];
        assert!(images.iter().all(|board| key(board) == key(images[0])));
        assert_ne!(key(".o./ooo"), key(images[0]));
    }

    #[test]
    fn a_board_far_from_its_images_has_its_own_key() {
        let rows = ["oooooo......"; 2].into_iter().chain(["............"; 10]);
        let far = search_board("mini-12x12", &rows.collect::<Vec<_>>().join("/"));
        assert_eq!(far.images.count(), 0);
        assert_eq!(far.key(), far.hash);
    }
}
