//! What a set of deals counts: whole numbers in named places, which add up in any order.

use arrayvec::ArrayVec;

use crate::game::MAX_SEATS;
use crate::stats::{Controls, Moments, Seatings};

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

/// Sums over deals, each in its place.
pub(super) trait Sums {
    /// Visits all numbers in a fixed order, each with its place, which is `at` unless it has one
    /// of its own. All moments are said to be those of so many deals.
    fn walk(&mut self, deals: u64, at: Place, visit: &mut dyn FnMut(Place, &mut i64));
}

impl Sums for i64 {
    fn walk(&mut self, _: u64, at: Place, visit: &mut dyn FnMut(Place, &mut i64)) {
        visit(at, self);
    }
}

impl Sums for u64 {
    fn walk(&mut self, _: u64, at: Place, visit: &mut dyn FnMut(Place, &mut i64)) {
        let mut number = *self as i64;
        visit(at, &mut number);
        *self = number as u64;
    }
}

impl<T: Sums> Sums for [T] {
    fn walk(&mut self, deals: u64, at: Place, visit: &mut dyn FnMut(Place, &mut i64)) {
        self.iter_mut().for_each(|sums| sums.walk(deals, at, visit));
    }
}

impl Sums for Moments {
    fn walk(&mut self, deals: u64, at: Place, visit: &mut dyn FnMut(Place, &mut i64)) {
        self.n = deals;
        self.sum.walk(deals, at, visit);
        self.squares.walk(deals, at, visit);
    }
}

impl Sums for Seatings {
    fn walk(&mut self, deals: u64, at: Place, visit: &mut dyn FnMut(Place, &mut i64)) {
        self.n = deals;
        self.sums.walk(deals, at, visit);
        self.squares.walk(deals, at, visit);
        self.totals.walk(deals, at, visit);
    }
}

/// A struct of sums, in the order of its fields; their places are in a group.
macro_rules! sums {
    ($group:literal, $(#[$about:meta])* pub struct $name:ident {
        $($(#[$said:meta])* pub $field:ident: $type:ty,)+
    }) => {
        $(#[$about])*
        #[derive(Clone, PartialEq, Debug, Default)]
        pub struct $name {
            $($(#[$said])* pub $field: $type,)+
        }

        impl Sums for $name {
            fn walk(&mut self, deals: u64, _: Place, visit: &mut dyn FnMut(Place, &mut i64)) {
                $(self.$field.walk(deals, ($group, stringify!($field)), visit);)+
            }
        }
    };
}

sums! { "tables",
    /// All that was counted at one table.
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
        pub seatings: Vec<Seatings>,
        /// Deals by the units that the first place of a line-up of two got in both matches: 0, ½,
        /// 1, 1½ and 2 wins. All 0 for other numbers of seats.
        pub deals: [u64; 5],
        /// Turns of all hands.
        pub turns: u64,
    }
}

sums! { "tables",
    /// What one strategy of a line-up got.
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
    }
}

sums! { "tables",
    /// How the first of two strategies of a line-up compared, by who sat first.
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
    pub struct VariantTally {
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
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CountSums {
    /// Their names.
    pub names: &'static [&'static str],
    /// As many numbers.
    pub sums: Vec<i64>,
}

impl Sums for CountSums {
    fn walk(&mut self, _: u64, _: Place, visit: &mut dyn FnMut(Place, &mut i64)) {
        self.names.iter().zip(&mut self.sums).for_each(|(name, sum)| visit((COUNTS, name), sum));
    }
}

/// The sums of a figure.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FigureSums {
    /// Its name.
    pub name: &'static str,
    /// What its kind needs: hands by bin, cells by row, what is above a line and below it.
    pub sums: Vec<i64>,
}

impl Sums for FigureSums {
    fn walk(&mut self, _: u64, _: Place, visit: &mut dyn FnMut(Place, &mut i64)) {
        self.sums.iter_mut().for_each(|sum| visit((FIGURES, self.name), sum));
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
    /// The counts and figures that were not measured: the deals were counted by a program that did
    /// not know them. Their sums are 0.
    pub missing: Vec<&'static str>,
}

impl Tally {
    /// Visits all numbers in a fixed order.
    pub(super) fn walk(&mut self, visit: &mut dyn FnMut(Place, &mut i64)) {
        self.tables.walk(self.deals, ("", ""), visit);
        self.variants.walk(self.deals, ("", ""), visit);
    }

    /// Lets all moments know how many deals were counted.
    pub(super) fn settle(&mut self) {
        self.walk(&mut |_, _| {});
    }

    /// Adds the tally of other deals of the same plan.
    pub fn merge(&mut self, other: &Tally) {
        self.deals += other.deals;
        self.combine(other, i64::saturating_add);
    }

    /// Takes out the tally of a part of the deals.
    #[must_use]
    pub fn without(&self, part: &Tally) -> Tally {
        let mut rest = Tally { deals: self.deals - part.deals, ..self.clone() };
        rest.combine(part, i64::saturating_sub);
        rest
    }

    fn combine(&mut self, other: &Tally, with: fn(i64, i64) -> i64) {
        let mut numbers = Vec::new();
        other.clone().walk(&mut |_, number| numbers.push(*number));
        let mut numbers = numbers.into_iter();
        self.walk(&mut |_, number| *number = with(*number, numbers.next().unwrap_or(0)));
        self.missing.extend(&other.missing);
        self.missing.sort_unstable();
        self.missing.dedup();
    }
}

impl VariantTally {
    /// The sums of a figure that is read off every hand.
    pub fn figure(&self, name: &str) -> &[i64] {
        self.figures.iter().find(|row| row.name == name).map_or(&[], |row| &row.sums)
    }

    /// What was known of the deals before they were played, beside what the first seats won.
    pub fn controls(&self, figure: &str, strengths: usize) -> Option<Controls> {
        let sums = self.figure(figure);
        (sums.len() == Controls::room(strengths) && strengths > 0).then(|| Controls {
            first: self.first,
            strengths,
            sums: sums.to_vec(),
        })
    }
}
