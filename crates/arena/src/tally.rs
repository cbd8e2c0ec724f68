//! Tallies: integer sums over deals, which can be added in any order.
//!
//! Every sum has a name, by which it is written and read ([`RowName`]).

use std::cmp::Ordering;
use std::collections::BTreeMap;

use arrayvec::ArrayVec;

use super::{Experiment, PlannedTable, ResolvedStrategy, ResolvedVariant, Variant};
use parlour_game::{
    BotFault, Counters, FinishedHand, LEAD_STEPS, MAX_SEATS, Measured, Reading, StandardBins,
};
use parlour_stats::{Bins, ControlSums, Moments, RotationSums};

/// A won match, in units of the score; each of `k` winners gets `UNIT / k`.
///
/// It is the least common multiple of 1 to 8, so that sums of results are exact integers.
pub const UNIT: i64 = 840;

/// Points or units, one number per place at a table.
type ByPlace = ArrayVec<i64, MAX_SEATS>;

/// The name of a row of sums: a group (`tables`, `variants`, `counts`, `figures`, `faults`, `luck`) and a
/// name in it.
pub(super) type RowName = (&'static str, &'static str);

/// The group of the game's counts, which a file may lack.
pub(super) const COUNTS: &str = "counts";

/// The group of the game's figures, which a file may lack.
pub(super) const FIGURES: &str = "figures";

/// The group of bot failures by kind, written only if a bot failed.
pub(super) const FAULTS: &str = "faults";

/// The number of deals, which every tally, moment and seating repeats.
pub(super) const DEALS: RowName = ("deals", "");

/// Receives all numbers in a fixed order, as runs with their names.
pub(super) type Visitor<'a> = &'a mut dyn FnMut(RowName, &mut [i64]);

/// Named integer sums.
trait Sums: Sized {
    /// Visits all numbers in a fixed order, under the name `at` unless they have their own.
    fn walk(&mut self, at: RowName, visit: Visitor<'_>);

    /// Visits all numbers of a list.
    fn walk_all(all: &mut [Self], at: RowName, visit: Visitor<'_>) {
        all.iter_mut().for_each(|sums| sums.walk(at, visit));
    }
}

impl Sums for i64 {
    fn walk(&mut self, at: RowName, visit: Visitor<'_>) {
        visit(at, std::slice::from_mut(self));
    }

    fn walk_all(all: &mut [i64], at: RowName, visit: Visitor<'_>) {
        visit(at, all);
    }
}

impl Sums for u64 {
    fn walk(&mut self, at: RowName, visit: Visitor<'_>) {
        let mut number = [*self as i64];
        visit(at, &mut number);
        *self = number[0] as u64;
    }
}

impl<T: Sums> Sums for Vec<T> {
    fn walk(&mut self, at: RowName, visit: Visitor<'_>) {
        T::walk_all(self, at, visit);
    }
}

impl<T: Sums, const N: usize> Sums for [T; N] {
    fn walk(&mut self, at: RowName, visit: Visitor<'_>) {
        T::walk_all(self, at, visit);
    }
}

impl Sums for Moments {
    fn walk(&mut self, at: RowName, visit: Visitor<'_>) {
        self.n.walk(DEALS, visit);
        self.sum.walk(at, visit);
        self.squares.walk(at, visit);
    }
}

impl Sums for RotationSums {
    fn walk(&mut self, at: RowName, visit: Visitor<'_>) {
        self.n.walk(DEALS, visit);
        self.sums.walk(at, visit);
        self.squares.walk(at, visit);
        self.totals.walk(at, visit);
    }
}

/// Bins are the layout of sums, not sums.
impl Sums for StandardBins {
    fn walk(&mut self, _: RowName, _: Visitor<'_>) {}
}

/// Defines a struct of sums in a group; each field is a row.
macro_rules! sums {
    ($group:literal, $(#[$about:meta])* pub struct $name:ident {
        $($(#[$doc:meta])* pub $field:ident: $type:ty,)+
    }) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$doc])* pub $field: $type,)+
        }

        impl Sums for $name {
            fn walk(&mut self, _: RowName, visit: Visitor<'_>) {
                $(self.$field.walk(($group, stringify!($field)), visit);)+
            }
        }
    };
}

sums! { "tables",
    /// The sums of one table.
    #[derive(Clone, PartialEq, Debug, Default)]
    pub struct TableTally {
        /// Matches played.
        pub matches: u64,
        /// Hands played.
        pub hands: u64,
        /// Hands with several winners.
        pub drawn_hands: u64,
        /// Sum over hands of `seats − 1` times the first seat's points less all others' points.
        pub lead: i64,
        /// Sum of the squares of these leads.
        pub lead_squares: i64,
        /// By place in the line-up.
        pub slots: Vec<SlotTally>,
        /// By pair of places in the line-up, in the order of [`pairs`].
        pub orders: Vec<OrderCounts>,
        /// By seat.
        pub seatings: Vec<RotationSums>,
        /// Deals by the score of the first of two strategies in both matches: 0, ½, 1, 1½ and 2
        /// wins. All 0 for other numbers of seats.
        pub pentanomial: [u64; 5],
        /// Turns of all hands.
        pub turns: u64,
    }
}

sums! { "tables",
    /// The sums of one strategy of a line-up.
    #[derive(Clone, PartialEq, Debug, Default)]
    pub struct SlotTally {
        /// Matches won alone.
        pub wins: u64,
        /// Matches with a shared win.
        pub draws: u64,
        /// Matches lost.
        pub losses: u64,
        /// Units won, summed per deal.
        pub score: Moments,
        /// `seats − 1` times the own points less all others' points, summed per deal.
        pub margin: Moments,
        /// Points made.
        pub points: i64,
        /// Points made by all others.
        pub points_against: i64,
        /// Hands lost because the bot failed.
        pub faults: u64,
        /// These hands by kind of failure.
        pub fault_kinds: FaultCounts,
    }
}

/// Hands lost by kind of bot failure, in the order of [`BotFault::NAMES`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FaultCounts(pub [u64; BotFault::NAMES.len()]);

impl Sums for FaultCounts {
    fn walk(&mut self, _: RowName, visit: Visitor<'_>) {
        let named = BotFault::NAMES.iter().zip(&mut self.0);
        named.for_each(|(fault, hands)| hands.walk((FAULTS, fault), visit));
    }
}

sums! { "tables",
    /// Matches of two strategies of a line-up by who sat first.
    #[derive(Clone, PartialEq, Debug, Default)]
    pub struct OrderCounts {
        /// Matches in which the first of the pair sat before the second: it had more points, as
        /// many, fewer.
        pub in_order: [u64; 3],
        /// Matches in which the second sat before the first, also as seen by the first.
        pub swapped: [u64; 3],
    }
}

/// Returns all pairs of places at a table, the smaller number first.
pub fn pairs(seats: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..seats).flat_map(move |i| (i + 1..seats).map(move |j| (i, j)))
}

sums! { "variants",
    /// The sums of one variant over all its tables.
    #[derive(Clone, PartialEq, Debug)]
    pub struct VariantTally {
        /// The bins of the distributions that every game has.
        pub spread: StandardBins,
        /// Units won by the first seat, summed per deal.
        pub first_seat: Moments,
        /// By strategy the units won against other strategies, summed per deal.
        pub standings: Vec<Moments>,
        /// Hands by points: the bins of the first seat, of the second and so on.
        pub scores: Vec<i64>,
        /// Hands by the first seat's points less the best other's.
        pub margin: Vec<i64>,
        /// Hands by number of turns.
        pub turns: Vec<i64>,
        /// The game's counts.
        pub counts: CountSums,
        /// Figures computed from single hands.
        pub figures: Vec<FigureSums>,
    }
}

/// The sums of a game's counts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountSums {
    /// Their names.
    pub names: &'static [&'static str],
    /// One sum per name.
    pub sums: Vec<i64>,
}

impl Sums for CountSums {
    fn walk(&mut self, _: RowName, visit: Visitor<'_>) {
        let named = self.names.iter().zip(&mut self.sums);
        named.for_each(|(name, sum)| sum.walk((COUNTS, name), visit));
    }
}

/// The sums of a figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureSums {
    /// Its name.
    pub name: &'static str,
    /// Its index among the game's figures.
    index: usize,
    /// Its bins, if its kind has bins.
    pub bins: Option<Bins>,
    /// The length of a row of the sums: of bins, or of a board's cells.
    pub row_len: usize,
    /// The sums of its kind: hands by bin, cells by row, numerator and denominator.
    pub sums: Vec<i64>,
}

impl Sums for FigureSums {
    fn walk(&mut self, _: RowName, visit: Visitor<'_>) {
        self.sums.walk((FIGURES, self.name), visit);
    }
}

/// The sums of the luck of deals and of its products with results; empty if luck is not adjusted.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LuckSums {
    /// By table: sums of the first place's luck, of its square, and of its products with the units
    /// and with the margin of this place.
    pub tables: Vec<[i64; 4]>,
    /// By variant: sums of the first seats' luck, of its square, and of its product with the units
    /// of these seats.
    pub variants: Vec<[i64; 3]>,
}

impl Sums for LuckSums {
    fn walk(&mut self, _: RowName, visit: Visitor<'_>) {
        self.tables.iter_mut().for_each(|sums| visit(("luck", "tables"), sums));
        self.variants.iter_mut().for_each(|sums| visit(("luck", "variants"), sums));
    }
}

impl LuckSums {
    /// Returns how many luck values one deal has: one per table and one per variant.
    pub(super) fn values_per_deal(&self) -> usize {
        self.tables.len() + self.variants.len()
    }
}

/// The sums over a set of deals.
///
/// Tallies of disjoint sets can be merged in any order, and a part can be subtracted again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// The number of deals.
    pub deals: u64,
    /// By table of the plan.
    pub tables: Vec<TableTally>,
    /// By variant.
    pub variants: Vec<VariantTally>,
    /// The sums of luck.
    pub luck: LuckSums,
    /// By deal, with `store_deals`: the units that the first seats won, by variant; then those that each
    /// strategy won against others, again by variant.
    pub results: Option<BTreeMap<u64, Vec<i64>>>,
    /// Counts and figures that the program that played the deals did not measure; their sums are 0.
    pub missing: Vec<&'static str>,
}

impl Tally {
    /// Creates a plan's tally of no deals.
    pub(super) fn empty<G: Measured>(
        variants: &[Variant<G>],
        tables: &[PlannedTable],
        experiment: &Experiment<ResolvedVariant, ResolvedStrategy>,
        is_luck_adjusted: bool,
    ) -> Tally {
        let variant = |game: &G| {
            let spread = game.standard_bins();
            let names = G::HandCounts::NAMES;
            VariantTally {
                spread,
                first_seat: Moments::default(),
                standings: vec![Moments::default(); experiment.strategies.len()],
                scores: vec![0; game.seats() * spread.score.count],
                margin: vec![0; spread.margin.count],
                turns: vec![0; spread.turns.count],
                counts: CountSums { names, sums: vec![0; names.len()] },
                figures: empty_figures(game),
            }
        };
        let is_extendable = !(is_luck_adjusted || experiment.confirm) && experiment.until.is_none();
        let luck = |items: usize| if is_luck_adjusted { items } else { 0 };
        Tally {
            deals: 0,
            tables: tables.iter().map(|table| TableTally::empty(table.line_up.len())).collect(),
            variants: variants.iter().map(|v| variant(&v.game)).collect(),
            luck: LuckSums {
                tables: vec![[0; 4]; luck(tables.len())],
                variants: vec![[0; 3]; luck(variants.len())],
            },
            results: (experiment.store_deals && is_extendable).then(BTreeMap::new),
            missing: match experiment.sample_decisions_every {
                Some(_) => Vec::new(),
                None => G::decision_counts().to_vec(),
            },
        }
    }

    /// Visits all numbers in a fixed order.
    pub(super) fn walk(&mut self, visit: Visitor<'_>) {
        self.deals.walk(DEALS, visit);
        self.tables.walk(DEALS, visit);
        self.variants.walk(DEALS, visit);
        self.luck.walk(DEALS, visit);
    }

    /// Adds the tally of other deals of the same plan.
    pub fn merge(&mut self, other: &Tally) {
        self.combine(other, i64::saturating_add);
        if let Some((results, others)) = self.results.as_mut().zip(other.results.as_ref()) {
            for (deal, row) in others {
                let sums = results.entry(*deal).or_default();
                sums.resize(row.len().max(sums.len()), 0);
                sums.iter_mut().zip(row).for_each(|(sum, units)| *sum += units);
            }
        }
    }

    /// Returns this tally without the tally of some of its deals.
    #[must_use]
    pub fn without(&self, part: &Tally) -> Tally {
        let mut rest = self.clone();
        rest.combine(part, i64::saturating_sub);
        rest
    }

    fn combine(&mut self, other: &Tally, with: fn(i64, i64) -> i64) {
        let mut numbers = Vec::new();
        other.clone().walk(&mut |_, row| numbers.extend_from_slice(row));
        let mut others = numbers.into_iter();
        self.walk(&mut |_, row| {
            row.iter_mut().for_each(|n| *n = with(*n, others.next().unwrap_or(0)));
        });
        self.missing.extend(&other.missing);
        self.missing.sort_unstable();
        self.missing.dedup();
    }

    /// Counts a hand. Returns the units that its first seat won.
    #[inline]
    pub(super) fn add_hand<G: Measured>(
        &mut self,
        table: usize,
        variant: usize,
        hand: &FinishedHand<'_, G>,
        scores: &[i32],
    ) -> i64 {
        let turns = hand.game.turns(hand.stats);
        let lead = lead(scores.iter().map(|&s| i64::from(s)), scores[0].into());
        let (top, winners) = top_score(scores);
        let counted = &mut self.tables[table];
        counted.hands += 1;
        counted.drawn_hands += u64::from(winners > 1);
        counted.lead += lead;
        counted.lead_squares += lead * lead;
        counted.turns += u64::from(turns);
        let counted = &mut self.variants[variant];
        hand.game.counts(hand.stats, hand.end).add_to(&mut counted.counts.sums);
        let bins = &counted.spread;
        for (seat, &score) in scores.iter().enumerate() {
            counted.scores[seat * bins.score.count + bins.score.of(score)] += 1;
        }
        let best = scores[1..].iter().copied().max().unwrap_or(0);
        counted.margin[bins.margin.of(scores[0] - best)] += 1;
        counted.turns[bins.turns.of(turns as i32)] += 1;
        for row in &mut counted.figures {
            let sums = &mut row.sums;
            match (&G::FIGURES[row.index].kind, row.bins) {
                (Reading::Histogram { read, .. }, Some(bins)) => {
                    read(hand).into_iter().for_each(|number| sums[bins.of(number)] += 1);
                }
                (Reading::Curve { read, .. }, Some(bins)) => {
                    let steps = sums.chunks_exact_mut(bins.count).zip(read(hand));
                    steps.for_each(|(step, number)| step[bins.of(number)] += 1);
                }
                (Reading::Map { mark, .. }, _) => mark(hand, sums),
                (Reading::Each(read), _) => {
                    sums.iter_mut().zip(read(hand)).for_each(|(sum, number)| *sum += number);
                }
                _ => {}
            }
        }
        if scores[0] == top { UNIT / winners } else { 0 }
    }
}

/// Returns the empty sums of the figures computed from single hands.
fn empty_figures<G: Measured>(game: &G) -> Vec<FigureSums> {
    let binned = |bins: Bins, rows: usize| (Some(bins), bins.count, rows * bins.count);
    let row = |(index, figure): (usize, &parlour_game::Figure<G>)| {
        let (bins, row_len, len) = match figure.kind {
            Reading::Ratio { .. } | Reading::Parts { .. } => return None,
            Reading::Each(_) => (None, 1, 2),
            Reading::Histogram { bins, .. } => binned(bins(game), 1),
            Reading::Curve { bins, .. } => binned(bins(game), LEAD_STEPS),
            Reading::Map { size, .. } => (None, size(game).1, size(game).0 * size(game).1),
        };
        Some(FigureSums { name: figure.head.name, index, bins, row_len, sums: vec![0; len] })
    };
    G::FIGURES.iter().enumerate().filter_map(row).collect()
}

impl VariantTally {
    /// Returns the sums of a figure computed from single hands.
    pub fn counted(&self, name: &str) -> Option<&FigureSums> {
        self.figures.iter().find(|row| row.name == name)
    }

    /// Returns the numbers of a figure; empty if it has none.
    pub fn figure(&self, name: &str) -> &[i64] {
        self.counted(name).map_or(&[], |row| &row.sums)
    }
}

impl TableTally {
    fn empty(seats: usize) -> TableTally {
        let seating = RotationSums { sums: vec![0; seats], ..RotationSums::default() };
        TableTally {
            slots: vec![SlotTally::default(); seats],
            orders: vec![OrderCounts::default(); pairs(seats).count()],
            seatings: vec![seating; seats],
            ..TableTally::default()
        }
    }

    /// Counts a deal: `points` has, for each rotation, the points of each place in the line-up.
    /// Returns the units each place won.
    pub(super) fn add_deal(&mut self, points: &[i64]) -> ByPlace {
        match self.slots.len() {
            // Most tables have two seats; with the constant, the compiler unrolls all loops.
            2 => self.add_matches(points, 2),
            seats => self.add_matches(points, seats),
        }
    }

    #[inline(always)]
    fn add_matches(&mut self, points: &[i64], seats: usize) -> ByPlace {
        let wrap = |place: usize| if place < seats { place } else { place - seats };
        let matches = points[..seats * seats].chunks_exact(seats);
        // Units and leads by place in the line-up.
        let mut deal = [(0, 0); MAX_SEATS];
        // Units by seat.
        let mut totals = [0; MAX_SEATS];
        self.matches += matches.len() as u64;
        for (rotation, points) in matches.enumerate() {
            let (top, winners) = top_score(points);
            let sum: i64 = points.iter().sum();
            for (place, (slot, &own)) in self.slots[..seats].iter_mut().zip(points).enumerate() {
                let (outcome, units) = match own == top {
                    true if winners > 1 => (&mut slot.draws, UNIT / winners),
                    true => (&mut slot.wins, UNIT),
                    false => (&mut slot.losses, 0),
                };
                *outcome += 1;
                slot.points += own;
                slot.points_against += sum - own;
                deal[place].0 += units;
                deal[place].1 += lead(points.iter().copied(), own);
                let seat = wrap(place + rotation);
                let seating = &mut self.seatings[seat];
                seating.sums[rotation] += units;
                seating.squares += (units * units) as u64;
                totals[seat] += units;
            }
            for (OrderCounts { in_order, swapped }, (i, j)) in
                self.orders.iter_mut().zip(pairs(seats))
            {
                let is_before = wrap(i + rotation) < wrap(j + rotation);
                let outcome = match points[i].cmp(&points[j]) {
                    Ordering::Greater => 0,
                    Ordering::Equal => 1,
                    Ordering::Less => 2,
                };
                (if is_before { in_order } else { swapped })[outcome] += 1;
            }
        }
        for (slot, &(units, margin)) in self.slots.iter_mut().zip(&deal) {
            slot.score.add(units);
            slot.margin.add(margin);
        }
        if seats == 2 {
            self.pentanomial[(2 * deal[0].0 / UNIT) as usize] += 1;
        }
        for (seating, total) in self.seatings.iter_mut().zip(totals) {
            seating.n += 1;
            seating.totals += (total * total) as u64;
        }
        let mut units = ByPlace::from(deal.map(|(units, _)| units));
        units.truncate(seats);
        units
    }
}

fn add_all<const N: usize>(sums: &mut [i64; N], values: [i64; N]) {
    sums.iter_mut().zip(values).for_each(|(sum, value)| *sum = sum.saturating_add(value));
}

/// A result that can be adjusted for luck.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LuckTarget {
    /// The score of the first place at a table.
    Score(usize),
    /// The margin of the first place at a table.
    Margin(usize),
    /// The score of the first seats of a variant.
    FirstSeat(usize),
}

impl Tally {
    /// Counts the luck of a finished deal. Out of line, since most runs do not adjust for luck.
    #[cold]
    pub(super) fn add_luck(
        &mut self,
        tables: &[PlannedTable],
        luck: &[i64],
        mut points: &[i64],
        first_seat: &[i64],
    ) {
        let (by_table, by_variant) = luck.split_at(self.luck.tables.len());
        for ((table, sums), &luck) in tables.iter().zip(&mut self.luck.tables).zip(by_table) {
            let matches = points.split_off(..table.line_up.len().pow(2)).unwrap_or_default();
            let leads = matches.chunks_exact(2).map(|points| points[0] - points[1]);
            let margin: i64 = leads.clone().sum();
            let units: i64 = leads.map(|lead| UNIT / 2 * (1 + lead.signum())).sum();
            add_all(sums, [luck, luck.saturating_mul(luck), units * luck, margin * luck]);
        }
        let variants = self.luck.variants.iter_mut().zip(by_variant);
        for ((sums, &luck), &units) in variants.zip(first_seat) {
            add_all(sums, [luck, luck.saturating_mul(luck), units * luck]);
        }
    }

    /// Returns a result with its luck as control variate. Returns `None` if luck was not judged.
    pub fn luck_of(&self, target: LuckTarget) -> Option<ControlSums> {
        let (first, [luck, squares, crossed]) = match target {
            LuckTarget::Score(table) => {
                let [luck, squares, crossed, _] = *self.luck.tables.get(table)?;
                (self.tables[table].slots.first()?.score, [luck, squares, crossed])
            }
            LuckTarget::Margin(table) => {
                let [luck, squares, _, crossed] = *self.luck.tables.get(table)?;
                (self.tables[table].slots.first()?.margin, [luck, squares, crossed])
            }
            LuckTarget::FirstSeat(variant) => {
                (self.variants[variant].first_seat, *self.luck.variants.get(variant)?)
            }
        };
        Some(ControlSums { first, sum: luck, squares, crossed })
    }
}

/// Returns the highest score and how many seats have it.
#[inline]
fn top_score<T: Copy + Ord + Default>(points: &[T]) -> (T, i64) {
    let top = points.iter().copied().max().unwrap_or_default();
    (top, points.iter().filter(|&&p| p == top).count() as i64)
}

/// Returns `seats − 1` times the own points less all others' points.
fn lead(points: impl Iterator<Item = i64>, own: i64) -> i64 {
    points.fold(0, |sum, p| sum + own - p)
}
