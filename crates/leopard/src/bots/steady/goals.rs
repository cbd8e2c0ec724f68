//! The six *goals* of a line: to be of black or of red cards, or of one of the four suits; what is
//! counted for each of them, on both squares at once, since a processor does several sums at once.

use std::ops::{Add, Div, Mul, Sub};

use fearless_simd::{Simd, f64x2, f64x4, f64x8, prelude::*};

use crate::cells::CELLS;

/// Black and red, then the four suits.
pub(in super::super) const GOALS: usize = 6;

/// The goals that each suit fits: its colour, then itself.
pub(super) const GOALS_OF: [[usize; 2]; 4] = [[0, 2], [1, 3], [1, 4], [0, 5]];

/// A number for each side.
pub(super) type Pair = [f64; 2];

/// Two pairs.
pub(super) type Quad = [f64; 4];

/// A pair for each goal.
pub(super) type ByGoal = [f64; 2 * GOALS];

/// The same for each cell.
pub(super) type ByCell = [ByGoal; CELLS];

/// That of one goal and side.
#[inline(always)]
pub(super) fn at(goals: &ByGoal, goal: usize, side: usize) -> f64 {
    goals[2 * goal + side]
}

/// Something for each cell. Spelled out, since a closure is not always inlined, and an array to be
/// filled would first be filled with noughts.
macro_rules! by_cell {
    (|$cell:ident| $of:expr) => {
        by_cell!(@ $cell, $of, 0 1 2 3 4 5 6 7 8)
    };
    (@ $cell:ident, $of:expr, $($at:literal)*) => {
        [$({
            let $cell: usize = $at;
            $of
        }),*]
    };
}
pub(super) use by_cell;

/// A table of which much is worked out, a row for each cell: that is compiled once, since a processor
/// keeps only so much of a program at hand. It is not filled with noughts first, for which the compiler
/// would call a function.
macro_rules! cell_by_cell {
    (|$cell:ident| $row:expr) => {{
        let mut table = [[f64::NAN; _]; CELLS];
        for $cell in 0..CELLS {
            table[$cell] = $row;
        }
        table
    }};
}
pub(super) use cell_by_cell;

/// Four numbers as a processor works on them.
#[inline(always)]
fn in_lanes<L: Simd>(lanes: L, numbers: Quad) -> f64x4<L> {
    f64x4::simd_from(lanes, numbers)
}

/// Two independent chances of which one is enough.
#[inline(always)]
pub(super) fn either<T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>>(
    a: T,
    b: T,
) -> T {
    a + b - a * b
}

/// A pair for each goal as a processor works on them.
#[derive(Clone, Copy)]
pub(super) struct Goals<L: Simd> {
    pub colors: f64x4<L>,
    pub suits: f64x8<L>,
}

impl<L: Simd> Goals<L> {
    #[inline(always)]
    pub fn of(lanes: L, numbers: &ByGoal) -> Goals<L> {
        let [a, b, c, d, suits @ ..] = *numbers;
        Goals { colors: in_lanes(lanes, [a, b, c, d]), suits: f64x8::simd_from(lanes, suits) }
    }

    /// The same pair for every goal.
    #[inline(always)]
    pub fn sides(lanes: L, [own, other]: Pair) -> Goals<L> {
        let colors = in_lanes(lanes, [own, other, own, other]);
        Goals { colors, suits: colors.combine(colors) }
    }

    /// The same number for every goal and side.
    #[inline(always)]
    pub fn splat(lanes: L, number: f64) -> Goals<L> {
        Goals { colors: f64x4::splat(lanes, number), suits: f64x8::splat(lanes, number) }
    }

    /// One of two numbers for each, by whether it is more than nothing.
    #[inline(always)]
    pub fn choose(self, yes: Goals<L>, no: Goals<L>) -> Goals<L> {
        Goals {
            colors: self.colors.simd_gt(0.0).select(yes.colors, no.colors),
            suits: self.suits.simd_gt(0.0).select(yes.suits, no.suits),
        }
    }

    /// What is less than nothing as nothing.
    #[inline(always)]
    pub fn positive(self) -> Goals<L> {
        Goals { colors: self.colors.max(0.0), suits: self.suits.max(0.0) }
    }

    /// The sums over the goals, by side.
    #[inline(always)]
    pub fn sum(self) -> f64x2<L> {
        let (majors, minors) = self.suits.split();
        let (first, second) = (self.colors + majors + minors).split();
        first + second
    }

    /// The pairs of the goals, one after another.
    #[inline(always)]
    pub fn pairs(self) -> [f64x2<L>; GOALS] {
        let (black, red) = self.colors.split();
        let (majors, minors) = self.suits.split();
        let ((spades, hearts), (diamonds, clubs)) = (majors.split(), minors.split());
        [black, red, spades, hearts, diamonds, clubs]
    }
}

impl<L: Simd> From<Goals<L>> for ByGoal {
    #[inline(always)]
    fn from(goals: Goals<L>) -> ByGoal {
        let mut row = [0.0; 2 * GOALS];
        row[..4].copy_from_slice(&*goals.colors);
        row[4..].copy_from_slice(&*goals.suits);
        row
    }
}

impl<L: Simd> Add for Goals<L> {
    type Output = Goals<L>;

    #[inline(always)]
    fn add(self, other: Goals<L>) -> Goals<L> {
        Goals { colors: self.colors + other.colors, suits: self.suits + other.suits }
    }
}

impl<L: Simd> Sub for Goals<L> {
    type Output = Goals<L>;

    #[inline(always)]
    fn sub(self, other: Goals<L>) -> Goals<L> {
        Goals { colors: self.colors - other.colors, suits: self.suits - other.suits }
    }
}

impl<L: Simd> Mul for Goals<L> {
    type Output = Goals<L>;

    #[inline(always)]
    fn mul(self, other: Goals<L>) -> Goals<L> {
        Goals { colors: self.colors * other.colors, suits: self.suits * other.suits }
    }
}

impl<L: Simd> Div for Goals<L> {
    type Output = Goals<L>;

    #[inline(always)]
    fn div(self, other: Goals<L>) -> Goals<L> {
        Goals { colors: self.colors / other.colors, suits: self.suits / other.suits }
    }
}
