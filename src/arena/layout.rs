//! What stands where in the row of integers that a chunk of deals counts.

use super::tally::{OrderCounts, SlotTally, SpreadTally, TableTally, Tally};
use crate::game::{STEPS, Spread};
use crate::stats::{Controls, Moments, Seatings};

pub(super) const TABLE_HEAD: usize = 5;
pub(super) const SLOT: usize = 9;
/// The results of a deal of two matches.
const PAIRED: usize = 5;

/// What stands where in a [`Tally`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    pub(super) tables: Vec<TableLayout>,
    pub(super) variants: Vec<SpreadLayout>,
    pub(super) strategies: usize,
    /// Where the first seats' results begin: two numbers a variant.
    pub(super) firsts: usize,
    /// Where the standings begin: two numbers for each variant and strategy.
    standings: usize,
    /// How many strengths of a deal are counted.
    pub(super) strengths: usize,
    /// Where they begin: [`Controls::room`] numbers a variant.
    pub(super) controls: usize,
    len: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SpreadLayout {
    pub at: usize,
    pub seats: usize,
    pub spread: Spread,
}

impl SpreadLayout {
    pub fn margin(&self) -> usize {
        self.at + self.seats * self.spread.score.count
    }

    pub fn turns(&self) -> usize {
        self.margin() + self.spread.margin.count
    }

    pub fn leads(&self) -> usize {
        self.turns() + self.spread.turns.count
    }

    pub fn known(&self) -> usize {
        self.leads() + self.spread.lead.map_or(0, |bins| STEPS * bins.count)
    }

    pub fn board(&self) -> usize {
        self.known() + self.spread.known.map_or(0, |bins| bins.count)
    }

    pub fn end(&self) -> usize {
        self.board() + self.spread.board.map_or(0, |(rows, columns)| rows * columns)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct TableLayout {
    pub at: usize,
    pub seats: usize,
    pub counters: usize,
}

impl TableLayout {
    pub fn orders(&self) -> usize {
        TABLE_HEAD + self.seats * SLOT
    }

    pub fn seatings(&self) -> usize {
        self.orders() + self.seats * (self.seats - 1) / 2 * 6
    }

    pub fn deals(&self) -> usize {
        self.seatings() + self.seats * (self.seats + 2)
    }

    pub fn counters_at(&self) -> usize {
        self.deals() + if self.seats == 2 { PAIRED } else { 0 }
    }

    pub fn len(&self) -> usize {
        self.counters_at() + self.counters
    }
}

impl Layout {
    /// The layout for tables with these numbers of seats and so many counters each, and for
    /// variants with these seats and spreads, with so many strengths of a deal.
    pub fn new(
        seats: &[usize],
        counters: usize,
        spreads: Vec<(usize, Spread)>,
        strategies: usize,
        strengths: usize,
    ) -> Layout {
        let mut at = 0;
        let mut tables = Vec::with_capacity(seats.len());
        for &seats in seats {
            let table = TableLayout { at, seats, counters };
            at += table.len();
            tables.push(table);
        }
        let standings = at + 2 * spreads.len();
        let controls = standings + 2 * spreads.len() * strategies;
        let mut len = controls + spreads.len() * Controls::room(strengths);
        let firsts = at;
        let mut variants = Vec::with_capacity(spreads.len());
        for (seats, spread) in spreads {
            let variant = SpreadLayout { at: len, seats, spread };
            len = variant.end();
            variants.push(variant);
        }
        Layout { tables, variants, strategies, firsts, standings, strengths, controls, len }
    }

    /// A tally of no deals.
    pub fn empty(&self) -> Tally {
        Tally { deals: 0, sums: vec![0; self.len] }
    }

    /// How many integers a tally has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether a tally has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// What was counted at a table.
    pub fn table(&self, tally: &Tally, table: usize) -> TableTally {
        let layout = self.tables[table];
        let sums = &tally.sums[layout.at..layout.at + layout.len()];
        let moments =
            |at: usize| Moments { n: tally.deals, sum: sums[at], squares: sums[at + 1] as u64 };
        let slots = (0..layout.seats).map(|slot| {
            let at = TABLE_HEAD + slot * SLOT;
            SlotTally {
                wins: sums[at] as u64,
                draws: sums[at + 1] as u64,
                losses: sums[at + 2] as u64,
                score: moments(at + 3),
                margin: moments(at + 5),
                points: sums[at + 7],
                against: sums[at + 8],
            }
        });
        let pairs = (0..layout.seats).flat_map(|i| (i + 1..layout.seats).map(move |j| (i, j)));
        let orders = pairs.enumerate().map(|(index, pair)| {
            let at = layout.orders() + 6 * index;
            let three = |at: usize| [sums[at] as u64, sums[at + 1] as u64, sums[at + 2] as u64];
            OrderCounts { pair, in_order: three(at), swapped: three(at + 3) }
        });
        let seatings = (0..layout.seats).map(|seat| {
            let at = layout.seatings() + seat * (layout.seats + 2);
            Seatings {
                n: tally.deals,
                sums: sums[at..at + layout.seats].to_vec(),
                squares: sums[at + layout.seats] as u64,
                totals: sums[at + layout.seats + 1] as u64,
            }
        });
        TableTally {
            matches: sums[0] as u64,
            hands: sums[1] as u64,
            drawn_hands: sums[2] as u64,
            margin: sums[3],
            margin_squares: sums[4],
            slots: slots.collect(),
            orders: orders.collect(),
            seatings: seatings.collect(),
            deals: match layout.seats {
                2 => std::array::from_fn(|i| sums[layout.deals() + i] as u64),
                _ => [0; PAIRED],
            },
            counters: sums[layout.counters_at()..].to_vec(),
        }
    }

    /// How the hands of a variant spread.
    pub fn spread(&self, tally: &Tally, variant: usize) -> SpreadTally {
        let layout = &self.variants[variant];
        let rows = |from: usize, to: usize, wide: usize| -> Vec<Vec<i64>> {
            tally.sums[from..to].chunks_exact(wide.max(1)).map(<[i64]>::to_vec).collect()
        };
        let lead = layout.spread.lead.map_or(0, |bins| bins.count);
        SpreadTally {
            scores: rows(layout.at, layout.margin(), layout.spread.score.count),
            margin: tally.sums[layout.margin()..layout.turns()].to_vec(),
            turns: tally.sums[layout.turns()..layout.leads()].to_vec(),
            leads: rows(layout.leads(), layout.known(), lead),
            known: tally.sums[layout.known()..layout.board()].to_vec(),
            board: tally.sums[layout.board()..layout.end()].to_vec(),
        }
    }

    /// The units that the first seats of a variant's hands won, a deal's hands summed.
    pub fn first(&self, tally: &Tally, variant: usize) -> Moments {
        let at = self.firsts + 2 * variant;
        Moments { n: tally.deals, sum: tally.sums[at], squares: tally.sums[at + 1] as u64 }
    }

    /// The units that a strategy won under a variant, a deal's matches against others summed.
    pub fn standing(&self, tally: &Tally, variant: usize, strategy: usize) -> Moments {
        let at = self.standings + 2 * (variant * self.strategies + strategy);
        Moments { n: tally.deals, sum: tally.sums[at], squares: tally.sums[at + 1] as u64 }
    }

    /// What a variant's deals told before they were played, beside what its first seats won; none
    /// without strengths.
    pub fn controls(&self, tally: &Tally, variant: usize) -> Option<Controls> {
        let room = Controls::room(self.strengths);
        let at = self.controls + variant * room;
        (self.strengths > 0).then(|| Controls {
            first: self.first(tally, variant),
            strengths: self.strengths,
            sums: tally.sums[at..at + room].to_vec(),
        })
    }
}
