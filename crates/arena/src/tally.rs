//! What a set of deals counts: whole numbers in named places, which add up in any order.

use arrayvec::ArrayVec;

use super::LuckSums;
use crate::game::{BotFault, MAX_SEATS, StandardBins};
use crate::stats::{Bins, ControlSums, Moments, RotationSums};

/// Points or units, one number for each place at a table.
pub(super) type Points = ArrayVec<i64, MAX_SEATS>;

/// A won match in units of the score; a draw of `k` gives each `UNIT / k`. It is the least number
/// that 1 to 8 divide, so that sums of results are exact integers.
pub const UNIT: i64 = 840;

/// Where a number stands: a group (`tables`, `variants`, `counts`, `figures`) and a name in it.
pub(super) type Place = (&'static str, &'static str);

/// The groups of what is the game's own, which a file may lack.
pub(super) const COUNTS: &str = "counts";
pub(super) const FIGURES: &str = "figures";

/// The group of how bots failed; none is written where none did.
pub(super) const FAULTS: &str = "faults";

/// The number of deals, which stands in a tally, in all moments and in all seatings.
pub(super) const DEALS: Place = ("deals", "");

/// Is shown numbers in their order, each run of them with its place.
pub(super) type Visit<'a> = &'a mut dyn FnMut(Place, &mut [i64]);

/// Sums over deals, each in its place.
pub(super) trait Sums: Sized {
    /// Visits all numbers in a fixed order. Their place is `at` unless they have one of their own.
    fn walk(&mut self, at: Place, visit: Visit<'_>);

    /// Visits all numbers of all of these.
    fn walk_all(all: &mut [Self], at: Place, visit: Visit<'_>) {
        all.iter_mut().for_each(|sums| sums.walk(at, visit));
    }
}

impl Sums for i64 {
    fn walk(&mut self, at: Place, visit: Visit<'_>) {
        visit(at, std::slice::from_mut(self));
    }

    fn walk_all(all: &mut [i64], at: Place, visit: Visit<'_>) {
        visit(at, all);
    }
}

impl Sums for u64 {
    fn walk(&mut self, at: Place, visit: Visit<'_>) {
        let mut number = [*self as i64];
        visit(at, &mut number);
        *self = number[0] as u64;
    }
}

impl<T: Sums> Sums for Vec<T> {
    fn walk(&mut self, at: Place, visit: Visit<'_>) {
        T::walk_all(self, at, visit);
    }
}

impl<T: Sums, const N: usize> Sums for [T; N] {
    fn walk(&mut self, at: Place, visit: Visit<'_>) {
        T::walk_all(self, at, visit);
    }
}

impl Sums for Moments {
    fn walk(&mut self, at: Place, visit: Visit<'_>) {
        self.n.walk(DEALS, visit);
        self.sum.walk(at, visit);
        self.squares.walk(at, visit);
    }
}

impl Sums for RotationSums {
    fn walk(&mut self, at: Place, visit: Visit<'_>) {
        self.n.walk(DEALS, visit);
        self.sums.walk(at, visit);
        self.squares.walk(at, visit);
        self.totals.walk(at, visit);
    }
}

/// The bins of a sum are no sums themselves.
impl Sums for StandardBins {
    fn walk(&mut self, _: Place, _: Visit<'_>) {}
}

/// A struct of sums, in the order of its fields; their places are in a group.
macro_rules! sums {
    ($group:literal, $(#[$about:meta])* pub struct $name:ident {
        $($(#[$said:meta])* pub $field:ident: $type:ty,)+
    }) => {
        $(#[$about])*
        pub struct $name {
            $($(#[$said])* pub $field: $type,)+
        }

        impl Sums for $name {
            fn walk(&mut self, _: Place, visit: Visit<'_>) {
                $(self.$field.walk(($group, stringify!($field)), visit);)+
            }
        }
    };
}

sums! { "tables",
    /// All that was counted at one table.
    #[derive(Clone, PartialEq, Debug, Default)]
    pub struct TableTally {
        /// Matches played.
        pub matches: u64,
        /// Hands played.
        pub hands: u64,
        /// Hands whose win was shared.
        pub drawn_hands: u64,
        /// Over hands: `seats − 1` times the first seat's points less all others'.
        pub lead: i64,
        /// The squares of the same.
        pub lead_squares: i64,
        /// By place in the line-up.
        pub slots: Vec<SlotTally>,
        /// By pair of places in the line-up, as [`pairs`] lists them.
        pub orders: Vec<OrderCounts>,
        /// By seat.
        pub seatings: Vec<RotationSums>,
        /// Deals by the units that the first place of a line-up of two got in both matches: 0, ½,
        /// 1, 1½ and 2 wins. All 0 for other numbers of seats.
        pub deals: [u64; 5],
        /// Turns of all hands.
        pub turns: u64,
    }
}

sums! { "tables",
    /// What one strategy of a line-up got.
    #[derive(Clone, PartialEq, Debug, Default)]
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
        /// Hands lost because the bot failed.
        pub faults: u64,
        /// The same by how it failed.
        pub fault_kinds: FaultCounts,
    }
}

/// Hands by how a bot failed, in the order of [`BotFault::ALL`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FaultCounts(pub [u64; BotFault::ALL.len()]);

impl Sums for FaultCounts {
    fn walk(&mut self, _: Place, visit: Visit<'_>) {
        let named = BotFault::ALL.iter().zip(&mut self.0);
        named.for_each(|(fault, hands)| hands.walk((FAULTS, fault.name()), visit));
    }
}

sums! { "tables",
    /// How the first of two strategies of a line-up compared, by who sat first.
    #[derive(Clone, PartialEq, Debug, Default)]
    pub struct OrderCounts {
        /// The first of the pair sat before the second: matches in which it had more points, as
        /// many, fewer.
        pub in_order: [u64; 3],
        /// The second of the pair sat before the first: the same, for the first.
        pub swapped: [u64; 3],
    }
}

/// All pairs of places at a table, the first before the second.
pub fn pairs(seats: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..seats).flat_map(move |i| (i + 1..seats).map(move |j| (i, j)))
}

sums! { "variants",
    /// What was counted of a variant, at all its tables.
    #[derive(Clone, PartialEq, Debug)]
    pub struct VariantTally {
        /// The bins of what every game has.
        pub spread: StandardBins,
        /// The units that the first seats of its hands won, a deal's hands summed.
        pub first: Moments,
        /// The units that each strategy won, a deal's matches against others summed.
        pub standings: Vec<Moments>,
        /// Hands by the points of each seat, over the bins of the first seat, of the second and so
        /// on.
        pub scores: Vec<i64>,
        /// Hands by the first seat's points less the best other's.
        pub margin: Vec<i64>,
        /// Hands by their turns.
        pub turns: Vec<i64>,
        /// The game's counts.
        pub counts: CountSums,
        /// The figures that are read off every hand, and the control variate where it is wanted.
        pub figures: Vec<FigureSums>,
    }
}

/// The counts of a game, summed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CountSums {
    /// Their names.
    pub names: &'static [&'static str],
    /// As many numbers.
    pub sums: Vec<i64>,
}

impl Sums for CountSums {
    fn walk(&mut self, _: Place, visit: Visit<'_>) {
        let named = self.names.iter().zip(&mut self.sums);
        named.for_each(|(name, sum)| sum.walk((COUNTS, name), visit));
    }
}

/// The sums of a figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureSums {
    /// Its name.
    pub name: &'static str,
    /// Its number among the game's figures.
    pub(super) figure: usize,
    /// Its bins, where its kind has any.
    pub bins: Option<Bins>,
    /// How many of the sums make a row: of bins, or of a board's cells.
    pub wide: usize,
    /// What its kind needs: hands by bin, cells by row, what is above a line and below it.
    pub sums: Vec<i64>,
}

impl Sums for FigureSums {
    fn walk(&mut self, _: Place, visit: Visit<'_>) {
        self.sums.walk((FIGURES, self.name), visit);
    }
}

/// The sums over a set of deals. Tallies of different deals add up, in any order, and a part can be
/// taken out again.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tally {
    /// How many deals were counted.
    pub deals: u64,
    /// By table of the plan.
    pub tables: Vec<TableTally>,
    /// By variant.
    pub variants: Vec<VariantTally>,
    /// The luck, where it is judged.
    pub luck: LuckSums,
    /// The counts and figures that were not measured: the deals were counted by a program that did
    /// not know them. Their sums are 0.
    pub missing: Vec<&'static str>,
}

impl Tally {
    /// Visits all numbers in a fixed order.
    pub(super) fn walk(&mut self, visit: Visit<'_>) {
        self.deals.walk(DEALS, visit);
        self.tables.walk(DEALS, visit);
        self.variants.walk(DEALS, visit);
        self.luck.walk(DEALS, visit);
    }

    /// Adds the tally of other deals of the same plan.
    pub fn merge(&mut self, other: &Tally) {
        self.combine(other, i64::saturating_add);
    }

    /// Takes out the tally of a part of the deals.
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
}

impl VariantTally {
    /// What was counted of a figure that is read off every hand.
    pub fn counted(&self, name: &str) -> Option<&FigureSums> {
        self.figures.iter().find(|row| row.name == name)
    }

    /// Its sums; none of another.
    pub fn figure(&self, name: &str) -> &[i64] {
        self.counted(name).map_or(&[], |row| &row.sums)
    }

    /// What was known of the deals before they were played, beside what the first seats won.
    pub fn controls(&self, figure: &str, strengths: usize) -> Option<ControlSums> {
        let sums = self.figure(figure);
        (sums.len() == ControlSums::room(strengths) && strengths > 0).then(|| ControlSums {
            first: self.first,
            covariates: strengths,
            sums: sums.to_vec(),
        })
    }
}
