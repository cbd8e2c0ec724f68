//! A small network of whole numbers: rows added up, one hidden layer, one number.
//!
//! Sums of whole numbers are the same in any order and on any machine, so what a move changes can
//! be added to what was there (as in the networks of Nasu 2018, *Efficiently updatable
//! neural-network-based evaluation functions for computer shogi*).

use super::rows::{ROWS, Sink};
use crate::files::digest;

/// How wide the hidden layer is.
pub const HIDDEN: usize = 32;

/// One number for each hidden unit, in parts of [`PARTS`].
pub type Layer = [i16; HIDDEN];

/// So many parts make 1.
pub const PARTS: f32 = 256.0;

/// The weights: what each row adds to the hidden units, and what each of those says.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    /// Added to the hidden units always.
    pub bias: Layer,
    /// What each row adds.
    pub rows: Vec<Layer>,
    /// What a unit above 0 says.
    pub out: Layer,
    /// What the rest says, in parts of a part.
    pub out_bias: i32,
}

impl Net {
    /// The SHA-256 of its numbers.
    pub fn digest(&self) -> String {
        let rows = self.rows.iter().flatten();
        let layers = rows.chain(&self.bias).chain(&self.out).flat_map(|w| w.to_le_bytes());
        digest(layers.chain(self.out_bias.to_le_bytes()).collect::<Vec<u8>>())
    }

    /// The logit of the chance to win that these hidden units stand for.
    #[inline]
    pub fn logit(&self, hidden: &Layer) -> f32 {
        let mut sum = self.out_bias;
        for (hidden, out) in hidden.iter().zip(&self.out) {
            sum = sum.wrapping_add(i32::from((*hidden).max(0)) * i32::from(*out));
        }
        sum as f32 * (1.0 / (PARTS * PARTS))
    }
}

/// Hidden units, before they are cut off at 0, as rows are added to them.
#[derive(Clone, Copy)]
pub(super) struct Sum<'a> {
    net: &'a Net,
    pub hidden: Layer,
}

impl<'a> Sum<'a> {
    /// No row yet.
    #[inline(always)]
    pub fn new(net: &'a Net) -> Sum<'a> {
        Sum { net, hidden: net.bias }
    }

    /// The same without the bias.
    #[inline(always)]
    pub fn none(net: &'a Net) -> Sum<'a> {
        Sum { net, hidden: [0; HIDDEN] }
    }

    /// Takes a row away again.
    #[inline(always)]
    pub fn take(&mut self, row: usize) {
        let weights = &self.net.rows[row];
        for (sum, weight) in self.hidden.iter_mut().zip(weights) {
            *sum = sum.wrapping_sub(*weight);
        }
    }

    /// Adds what another sum came to.
    #[inline(always)]
    pub fn join(&mut self, other: &Layer) {
        for (sum, other) in self.hidden.iter_mut().zip(other) {
            *sum = sum.wrapping_add(*other);
        }
    }
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add(&mut self, row: usize) {
        debug_assert!(row < ROWS);
        self.join(&self.net.rows[row]);
    }
}
