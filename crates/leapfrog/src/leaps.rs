//! Every leap on a board at once, by shifting rows of bits, and whole chains.

use std::fmt;
use std::ops::ControlFlow;

use super::board::{Cell, Rows, WAYS, cells, has};
use super::{Leapfrog, Move, Phase, Rules, SIDE, State};
use crate::chance::Stream;
use crate::game::{Game, Ruled};

/// Most rows worked on together: a board's and two more, so that vectors come out even.
const LANES: usize = 20;

/// The rows with two empty ones above and below.
type Padded = [u32; LANES + 4];

/// The cells in the first `N` rows from which a leap is possible, for four ways.
struct Starts<const N: usize>([[u32; N]; 4]);

/// The orthogonal ways, and the diagonal ones.
const STRAIGHT: [(isize, isize); 4] = [WAYS[0], WAYS[1], WAYS[2], WAYS[3]];
const DIAGONAL: [(isize, isize); 4] = [WAYS[4], WAYS[5], WAYS[6], WAYS[7]];

/// The starts of leaps one way. Compiled into its callers, which know the way.
#[inline(always)]
fn way<const N: usize>(pieces: &Padded, empty: &Padded, (down, right): (isize, isize)) -> [u32; N] {
    // Brings the bit of the cell so many columns to the right to a cell's own place.
    let bring = |row: u32, right: isize| if right >= 0 { row >> right } else { row << -right };
    // Loops over lanes, which become vectors; closures handed to arrays are not always inlined.
    let mut starts = [0; N];
    for (lane, start) in starts.iter_mut().enumerate() {
        let row = |steps: isize| (lane as isize + 2 + down * steps) as usize;
        *start = pieces[row(0)] & bring(pieces[row(1)], right) & bring(empty[row(2)], 2 * right);
    }
    starts
}

impl<const N: usize> Starts<N> {
    #[inline(always)]
    fn of(board: &Rows, rules: &Rules, [a, b, c, d]: [(isize, isize); 4]) -> Starts<N> {
        let (mut pieces, mut empty) = ([0; LANES + 4], [0; LANES + 4]);
        pieces[2..2 + SIDE].copy_from_slice(board);
        for row in 2..2 + usize::from(rules.rows) {
            empty[row] = rules.full() ^ pieces[row];
        }
        let (p, e) = (&pieces, &empty);
        Starts([way(p, e, a), way(p, e, b), way(p, e, c), way(p, e, d)])
    }

    /// How many leaps each row has: their bits counted in pairs, fours and eights (Knuth, 7.1.3),
    /// all ways together as soon as the sums have room.
    fn counts(&self) -> [u32; N] {
        let pairs = |x: u32| x - (x >> 1 & 0x5555_5555);
        let fours = |x: u32| (x & 0x3333_3333) + (x >> 2 & 0x3333_3333);
        let eights = |x: u32| (x & 0x0F0F_0F0F) + (x >> 4 & 0x0F0F_0F0F);
        let [a, b, c, d] = &self.0;
        let mut counts = [0; N];
        for (lane, count) in counts.iter_mut().enumerate() {
            let two = |x: u32, y: u32| eights(fours(pairs(x)) + fours(pairs(y)));
            let sum = two(a[lane], b[lane]) + two(c[lane], d[lane]);
            let sum = sum + (sum >> 16);
            *count = (sum + (sum >> 8)) & 0xFF;
        }
        counts
    }

    /// The `k`-th leap, rows from the top, then ways, then columns.
    fn nth(&self, counts: &[u32; N], mut k: u32, first_way: usize) -> Move {
        let mut lane = 0;
        while k >= counts[lane] {
            k -= counts[lane];
            lane += 1;
        }
        let mut way = 0;
        let mut row = self.0[0][lane];
        while k >= row.count_ones() {
            k -= row.count_ones();
            way += 1;
            row = self.0[way][lane];
        }
        for _ in 0..k {
            row &= row - 1;
        }
        let from = Cell::new(lane, row.trailing_zeros() as usize);
        Move::Leap(from, from.landing(first_way + way))
    }
}

/// Whether any leap is possible.
pub(super) fn any(pieces: &Rows, rules: &Rules) -> bool {
    // Leaps along a row, either way; most often the first rows have one.
    let along = |&row: &u32| {
        let empty = rules.full() ^ row;
        row & row >> 1 & (empty >> 2 | empty << 1) != 0
    };
    pieces[..usize::from(rules.rows)].iter().any(along)
        || starts(pieces, rules).as_flattened().iter().any(|&row| row != 0)
}

/// Adds every leap: by cell, then by way.
pub(super) fn list(pieces: &Rows, rules: &Rules, out: &mut Vec<Move>) {
    let starts = starts(pieces, rules);
    let any: Rows = std::array::from_fn(|row| starts.iter().fold(0, |all, way| all | way[row]));
    for from in cells(&any) {
        let open = (0..WAYS.len()).filter(|&way| has(&starts[way], from));
        out.extend(open.map(|way| Move::Leap(from, from.landing(way))));
    }
}

/// A leap drawn uniformly from all; `None` if there is none.
pub(super) fn sample(pieces: &Rows, rules: &Rules, chance: &mut Stream) -> Option<Move> {
    match rules.rows {
        ..=8 => draw::<8>(pieces, rules, chance),
        9..=12 => draw::<12>(pieces, rules, chance),
        13..=16 => draw::<16>(pieces, rules, chance),
        _ => draw::<LANES>(pieces, rules, chance),
    }
}

/// [`sample`] on a board of at most `N` rows.
fn draw<const N: usize>(pieces: &Rows, rules: &Rules, chance: &mut Stream) -> Option<Move> {
    let straight = Starts::<N>::of(pieces, rules, STRAIGHT);
    let counts = straight.counts();
    let total: u32 = counts.iter().sum();
    let diagonal = rules.diagonal.then(|| {
        let starts = Starts::<N>::of(pieces, rules, DIAGONAL);
        let counts = starts.counts();
        (starts, counts)
    });
    let all = total + diagonal.as_ref().map_or(0, |(_, counts)| counts.iter().sum());
    let k = (all > 0).then(|| chance.below(all))?;
    match &diagonal {
        Some((starts, counts)) if k >= total => Some(starts.nth(counts, k - total, 4)),
        _ => Some(straight.nth(&counts, k, 0)),
    }
}

/// The cells from which a piece can leap, for each of the eight ways: up, left, right, down and,
/// where the rules have them, the diagonals up left, up right, down left and down right.
pub(super) fn starts(pieces: &Rows, rules: &Rules) -> [Rows; 8] {
    let mut starts = [[0; SIDE]; 8];
    for (rows, way) in starts.iter_mut().zip(Starts::<LANES>::of(pieces, rules, STRAIGHT).0) {
        rows.copy_from_slice(&way[..SIDE]);
    }
    if rules.diagonal {
        let diagonal = Starts::<LANES>::of(pieces, rules, DIAGONAL).0;
        for (rows, way) in starts[4..].iter_mut().zip(diagonal) {
            rows.copy_from_slice(&way[..SIDE]);
        }
    }
    starts
}

/// A whole turn, or what is left of one that has begun: a first capture, or leaps.
#[derive(Clone, Copy, Debug)]
pub struct Chain<'a> {
    /// The first capture, or the leaps and the stop where there is one. Never empty.
    pub moves: &'a [Move],
    /// The hand before.
    pub before: &'a State,
    /// The hand after, the turn ended.
    pub after: &'a State,
}

impl Chain<'_> {
    /// The cell on which the chain starts.
    pub fn start(&self) -> Cell {
        match self.moves[0] {
            Move::Remove(cell) | Move::Leap(cell, _) => cell,
            Move::Stop => self.before.trail.at,
        }
    }

    /// The cell on which it ends.
    pub fn end(&self) -> Cell {
        self.landings().last().unwrap_or_else(|| self.start())
    }

    /// The cells on which its leaps land.
    fn landings(&self) -> impl Iterator<Item = Cell> {
        self.moves.iter().filter_map(|mv| match mv {
            Move::Leap(_, to) => Some(*to),
            _ => None,
        })
    }

    /// The points it brings.
    pub fn points(&self) -> u16 {
        let seat = self.before.seat();
        self.after.points(seat) - self.before.points(seat)
    }
}

/// As in a record: `xe5` or `e5-g5-g7`.
impl fmt::Display for Chain<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.before.phase == Phase::Remove { "x" } else { "" })?;
        write!(f, "{}", self.start())?;
        self.landings().try_for_each(|to| write!(f, "-{to}"))
    }
}

impl Leapfrog {
    /// Visits every first capture or every chain with which the seat to move can end its turn, each
    /// once, shorter chains before those that go on from them. In the middle of a turn these are
    /// its continuations. None when the hand is over.
    ///
    /// There can be very many (their number may grow exponentially with the board), so the visitor
    /// may break off.
    pub fn chains(
        &self,
        state: &State,
        mut visit: impl FnMut(Chain<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.walk(state, state, &mut Vec::new(), &mut visit)
    }

    fn walk(
        &self,
        before: &State,
        here: &State,
        path: &mut Vec<Move>,
        visit: &mut impl FnMut(Chain<'_>) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut moves = Vec::new();
        self.legal_moves(here, &mut moves);
        // The stop first: a chain before those that go on from it.
        let stop = moves.pop_if(|mv| *mv == Move::Stop);
        for mv in stop.into_iter().chain(moves) {
            let mut after = *here;
            after.play(self.rules(), mv);
            path.push(mv);
            if after.phase == Phase::Continue {
                self.walk(before, &after, path, visit)?;
            } else {
                visit(Chain { moves: path, before, after: &after })?;
            }
            path.pop();
        }
        ControlFlow::Continue(())
    }
}
