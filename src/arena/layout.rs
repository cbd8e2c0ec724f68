//! What a chunk of deals counts: a row of integers, and what stands where in it.

use arrayvec::ArrayVec;

use crate::game::{MAX_SEATS, STEPS, Spread};
use crate::stats::{Controls, Moments, Seatings};

/// Points or units, one number for each place at a table.
pub(super) type Points = ArrayVec<i64, MAX_SEATS>;

/// A won match in units of the score; a draw of `k` gives each `UNIT / k`. It is the least number
/// that 1 to 8 divide, so that sums of results are exact integers.
pub const UNIT: i64 = 840;

/// The sums over a set of deals. Every entry is a sum, so tallies of different deals add up, in
/// any order, and a part can be taken out again.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// How many deals were counted.
    pub deals: u64,
    /// The sums; [`Layout`] says which.
    pub sums: Vec<i64>,
}

impl Tally {
    /// Adds the tally of other deals.
    pub fn merge(&mut self, other: &Tally) {
        self.deals += other.deals;
        for (sum, x) in self.sums.iter_mut().zip(&other.sums) {
            *sum = sum.saturating_add(*x);
        }
    }

    /// Takes out the tally of a part of the deals.
    #[must_use]
    pub fn without(&self, part: &Tally) -> Tally {
        let sums = self.sums.iter().zip(&part.sums).map(|(sum, x)| sum.saturating_sub(*x));
        Tally { deals: self.deals - part.deals, sums: sums.collect() }
    }
}

/// What one strategy of a line-up got.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SlotTally {
    /// Matches won alone.
    pub wins: u64,
    /// Matches whose win was shared.
    pub draws: u64,
    /// Matches lost.
    pub losses: u64,
    /// Units won, a deal's matches summed.
    pub score: Moments,
    /// `seats − 1` times the own points less all others', a deal's matches summed.
    pub margin: Moments,
    /// Points made.
    pub points: i64,
    /// Points made by all others.
    pub against: i64,
}

/// How two strategies of a line-up compared, by who sat first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OrderCounts {
    /// Their places in the line-up.
    pub pair: (usize, usize),
    /// The first of the pair sat before the second: matches in which it had more points, as many,
    /// fewer.
    pub in_order: [u64; 3],
    /// The second of the pair sat before the first: the same, for the first.
    pub swapped: [u64; 3],
}

/// All that was counted at one table.
#[derive(Clone, PartialEq, Debug)]
pub struct TableTally {
    /// Matches played.
    pub matches: u64,
    /// Hands played.
    pub hands: u64,
    /// Hands whose win was shared.
    pub drawn_hands: u64,
    /// Over hands: `seats − 1` times the first seat's points less all others'.
    pub margin: i64,
    /// The squares of the same.
    pub margin_squares: i64,
    /// By place in the line-up.
    pub slots: Vec<SlotTally>,
    /// By pair of places in the line-up.
    pub orders: Vec<OrderCounts>,
    /// By seat.
    pub seatings: Vec<Seatings>,
    /// Deals by the units that the first place of a line-up of two got in both matches: 0, ½, 1,
    /// 1½ and 2 wins. All 0 for other numbers of seats.
    pub deals: [u64; 5],
    /// The game's own counters.
    pub counters: Vec<i64>,
}

/// How the hands of a variant spread, over all its tables; the bins are those of its
/// [`Spread`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpreadTally {
    /// Hands by the points of each seat.
    pub scores: Vec<Vec<i64>>,
    /// Hands by the first seat's points less the best other's.
    pub margin: Vec<i64>,
    /// Hands by their turns.
    pub turns: Vec<i64>,
    /// Hands by the first seat's lead after each eighth of the hand; empty where it is not told.
    pub leads: Vec<Vec<i64>>,
    /// Hands by what was played until the rule was known; empty where there is none to find.
    pub known: Vec<i64>,
    /// What was counted on each cell, row by row; empty without a board.
    pub board: Vec<i64>,
}

/// A finished hand, for the [`SpreadTally`].
pub(super) struct Shape<'a> {
    pub scores: &'a [i32],
    pub turns: u32,
    pub leads: [i32; STEPS],
}

const TABLE_HEAD: usize = 5;
const SLOT: usize = 9;
/// The results of a deal of two matches.
const PAIRED: usize = 5;

/// What stands where in a [`Tally`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Layout {
    tables: Vec<TableLayout>,
    variants: Vec<SpreadLayout>,
    strategies: usize,
    /// Where the first seats' results begin: two numbers a variant.
    firsts: usize,
    /// Where the standings begin: two numbers for each variant and strategy.
    standings: usize,
    /// How many strengths of a deal are counted.
    strengths: usize,
    /// Where they begin: [`Controls::room`] numbers a variant.
    controls: usize,
    len: usize,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct SpreadLayout {
    at: usize,
    seats: usize,
    spread: Spread,
}

impl SpreadLayout {
    fn margin(&self) -> usize {
        self.at + self.seats * self.spread.score.count
    }

    fn turns(&self) -> usize {
        self.margin() + self.spread.margin.count
    }

    fn leads(&self) -> usize {
        self.turns() + self.spread.turns.count
    }

    fn known(&self) -> usize {
        self.leads() + self.spread.lead.map_or(0, |bins| STEPS * bins.count)
    }

    fn board(&self) -> usize {
        self.known() + self.spread.known.map_or(0, |bins| bins.count)
    }

    fn end(&self) -> usize {
        self.board() + self.spread.board.map_or(0, |(rows, columns)| rows * columns)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct TableLayout {
    at: usize,
    seats: usize,
    counters: usize,
}

impl TableLayout {
    fn orders(&self) -> usize {
        TABLE_HEAD + self.seats * SLOT
    }

    fn seatings(&self) -> usize {
        self.orders() + self.seats * (self.seats - 1) / 2 * 6
    }

    fn deals(&self) -> usize {
        self.seatings() + self.seats * (self.seats + 2)
    }

    fn counters_at(&self) -> usize {
        self.deals() + if self.seats == 2 { PAIRED } else { 0 }
    }

    fn len(&self) -> usize {
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

    /// Counts what was known of a variant's deal, and what its first seats won.
    pub(super) fn add_controls(
        &self,
        tally: &mut Tally,
        variant: usize,
        first: i64,
        strengths: &[i64],
    ) {
        let room = Controls::room(self.strengths);
        let at = self.controls + variant * room;
        Controls::add(&mut tally.sums[at..at + room], first, strengths);
    }

    /// Counts what a deal gave the first seats of each variant, and each strategy of each variant.
    #[inline]
    pub(super) fn add_deal(&self, tally: &mut Tally, firsts: &[i64], standings: &[i64]) {
        debug_assert_eq!(
            (firsts.len(), standings.len()),
            (self.variants.len(), self.variants.len() * self.strategies)
        );
        tally.deals += 1;
        let entries = firsts.iter().chain(standings);
        for (two, &x) in tally.sums[self.firsts..].chunks_exact_mut(2).zip(entries) {
            two[0] += x;
            two[1] += x * x;
        }
    }

    /// Counts a hand at a table: the first seat's lead, whether the win was shared, and the
    /// counters through `count`.
    #[inline]
    pub(super) fn add_hand(
        &self,
        tally: &mut Tally,
        table: usize,
        scores: &[i32],
        shared: bool,
        count: impl FnOnce(&mut [i64]),
    ) {
        let layout = self.tables[table];
        let sums = &mut tally.sums[layout.at..layout.at + layout.len()];
        let lead = lead(scores.iter().map(|&s| i64::from(s)), scores[0].into());
        sums[1] += 1;
        sums[2] += i64::from(shared);
        sums[3] += lead;
        sums[4] += lead * lead;
        count(&mut sums[layout.counters_at()..]);
    }

    /// Counts a hand of a variant in its histograms, and on its board through `mark`.
    #[inline]
    pub(super) fn add_shape(
        &self,
        tally: &mut Tally,
        variant: usize,
        hand: &Shape<'_>,
        mark: impl FnOnce(&mut [i64]),
    ) {
        let layout = &self.variants[variant];
        let spread = &layout.spread;
        let sums = &mut tally.sums[..layout.end()];
        for (seat, &score) in hand.scores.iter().enumerate() {
            sums[layout.at + seat * spread.score.count + spread.score.of(score)] += 1;
        }
        let best = hand.scores[1..].iter().copied().max().unwrap_or(0);
        sums[layout.margin() + spread.margin.of(hand.scores[0] - best)] += 1;
        sums[layout.turns() + spread.turns.of(hand.turns as i32)] += 1;
        if let Some(bins) = spread.lead {
            for (step, &lead) in hand.leads.iter().enumerate() {
                sums[layout.leads() + step * bins.count + bins.of(lead)] += 1;
            }
        }
        if spread.board.is_some() {
            mark(&mut sums[layout.board()..]);
        }
    }

    /// Counts a hand of a variant in which the rule became known after so many cards.
    pub(super) fn add_known(&self, tally: &mut Tally, variant: usize, cards: u32) {
        let layout = &self.variants[variant];
        if let Some(bins) = layout.spread.known {
            tally.sums[layout.known() + bins.of(cards as i32)] += 1;
        }
    }

    /// Counts a deal at a table: for each rotation the points of each place in the line-up.
    /// Returns the units each place won.
    #[inline]
    pub(super) fn add_table(&self, tally: &mut Tally, table: usize, matches: &[Points]) -> Points {
        let layout = self.tables[table];
        let sums = &mut tally.sums[layout.at..layout.at + layout.len()];
        let seats = layout.seats;
        let mut deal = [(0, 0); MAX_SEATS];
        let mut by_seat = [[0; MAX_SEATS]; MAX_SEATS];
        sums[0] += matches.len() as i64;
        for (rotation, points) in matches.iter().enumerate() {
            let top = points.iter().copied().max().unwrap_or(0);
            let sharing = points.iter().filter(|&&p| p == top).count() as i64;
            for (slot, &own) in points.iter().enumerate() {
                let units = if own == top { UNIT / sharing } else { 0 };
                let outcome = if own < top { 2 } else { usize::from(sharing > 1) };
                let at = TABLE_HEAD + slot * SLOT;
                sums[at + outcome] += 1;
                sums[at + 7] += own;
                sums[at + 8] += points.iter().sum::<i64>() - own;
                deal[slot].0 += units;
                deal[slot].1 += lead(points.iter().copied(), own);
                by_seat[(slot + rotation) % seats][rotation] = units;
            }
            let pairs = (0..seats).flat_map(|i| (i + 1..seats).map(move |j| (i, j)));
            for (index, (i, j)) in pairs.enumerate() {
                let before = (i + rotation) % seats < (j + rotation) % seats;
                let outcome = match points[i].cmp(&points[j]) {
                    std::cmp::Ordering::Greater => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Less => 2,
                };
                sums[layout.orders() + 6 * index + if before { 0 } else { 3 } + outcome] += 1;
            }
        }
        for (slot, &(units, margin)) in deal[..seats].iter().enumerate() {
            let at = TABLE_HEAD + slot * SLOT;
            sums[at + 3] += units;
            sums[at + 4] += units * units;
            sums[at + 5] += margin;
            sums[at + 6] += margin * margin;
        }
        if seats == 2 {
            sums[layout.deals() + (2 * deal[0].0 / UNIT) as usize] += 1;
        }
        for (seat, results) in by_seat[..seats].iter().enumerate() {
            let at = layout.seatings() + seat * (seats + 2);
            let results = &results[..seats];
            for (rotation, units) in results.iter().enumerate() {
                sums[at + rotation] += units;
                sums[at + seats] += units * units;
            }
            sums[at + seats + 1] += results.iter().sum::<i64>().pow(2);
        }
        let mut units = Points::from(deal.map(|(units, _)| units));
        units.truncate(seats);
        units
    }
}

/// `seats − 1` times one's points less all others'.
fn lead(points: impl Iterator<Item = i64>, own: i64) -> i64 {
    points.fold(0, |sum, p| sum + own - p)
}
