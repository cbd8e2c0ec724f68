//! Plans without their game's types: everything that reports on a run need.

use std::ops::Range;

use super::{
    Experiment, Inputs, PlannedTable, Resolved, ResolvedStrategy, ResolvedVariant, Shard, Tally,
    UNIT, VariantInfo,
};
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Result, ensure};
use parlour_game::{FigureSpec, LUCK_UNIT};

/// A resolved experiment and what is derived from it, down to the seed of every hand.
#[derive(Clone, Debug)]
pub struct PlanInfo {
    /// Everything that determines a result.
    pub resolved: Resolved,
    /// The sources of its parts.
    pub inputs: Inputs,
    /// The variants.
    pub variants: Vec<VariantInfo>,
    /// The tables, variant by variant.
    pub tables: Vec<PlannedTable>,
    /// A tally of no deals, which has the shape of all tallies of the plan.
    pub empty: Tally,
    /// The game's figures.
    pub figures: Vec<FigureSpec>,
    /// The digest of everything that determines a result, as computed when the run was started.
    pub digest: String,
}

impl PlanInfo {
    /// Rejects 0 deals and numbers of deals whose sums could overflow.
    pub(super) fn check_size(&self) -> Result<()> {
        let experiment = self.experiment();
        let deals = experiment.deals;
        ensure(deals > 0, || Error::input("`deals` is 0; it must be at least 1"))?;
        let has_control = self.figures.iter().any(|f| f.strengths().is_some());
        ensure(has_control || !experiment.control_variate, || {
            Error::input(format!(
                "`control_variate`: {} does not measure how strong a deal is (leopard does); \
                 remove the field",
                experiment.game
            ))
        })?;
        // No hand has more luck than two wins.
        let luck = if self.is_luck_adjusted() { 2 * LUCK_UNIT as u128 } else { 0 };
        // The largest sum that a deal can add is the square of all points or of all units.
        let largest = |table: usize| {
            let seats = self.tables[table].line_up.len() as u128;
            let (low, high) = self.variants[self.tables[table].variant].scores;
            let points = seats * u128::from(high.abs_diff(low)).max(luck);
            u128::from(self.hands_of(table)) * points.max(UNIT as u128)
        };
        let all: u128 = (0..self.tables.len()).map(largest).sum();
        let max = (i64::MAX as u128 / (all * all).max(1)).min(1 << 48);
        ensure(u128::from(deals) <= max, || {
            Error::input(format!("`deals` is {deals}; this experiment can count at most {max}"))
        })
    }

    /// Returns the experiment with complete rules and strategies.
    pub fn experiment(&self) -> &Experiment<ResolvedVariant, ResolvedStrategy> {
        &self.resolved.experiment
    }

    /// Returns `true` if results are adjusted for luck.
    pub fn is_luck_adjusted(&self) -> bool {
        self.resolved.judge.is_some()
    }

    /// Returns the name of a strategy.
    pub fn name_of(&self, strategy: usize) -> &str {
        &self.experiment().strategies[strategy].name
    }

    /// Returns the names of all strategies.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.experiment().strategies.iter().map(|s| s.name.as_str())
    }

    /// Returns the number of chunks.
    pub fn chunks(&self) -> u64 {
        self.resolved.chunks()
    }

    /// Returns the deals of a chunk.
    pub fn deals_of(&self, chunk: u64) -> Range<u64> {
        self.resolved.deals_of(chunk)
    }

    /// Returns the number of hands per deal at a table.
    pub fn hands_of(&self, table: usize) -> u64 {
        let table = &self.tables[table];
        table.line_up.len() as u64 * u64::from(self.variants[table.variant].hands)
    }

    /// Returns the number of point values of a deal: one per place, rotation and table.
    pub(super) fn points_per_deal(&self) -> usize {
        self.tables.iter().map(|table| table.line_up.len().pow(2)).sum()
    }

    /// Returns the number of hands per deal at all tables of a variant.
    pub fn hands_of_variant(&self, variant: usize) -> u64 {
        let tables = 0..self.tables.len();
        tables.filter(|&t| self.tables[t].variant == variant).map(|t| self.hands_of(t)).sum()
    }

    /// Returns the number of hands per deal at all tables.
    pub fn hands_per_deal(&self) -> u64 {
        (0..self.tables.len()).map(|table| self.hands_of(table)).sum()
    }

    /// Returns the number of hands of the whole run or of a shard.
    pub fn hands(&self, shard: Option<Shard>) -> u64 {
        let deals = (0..self.chunks()).map(|chunk| self.resolved.deals_in(chunk, shard));
        let deals: u64 = deals.map(|deals| deals.end - deals.start).sum();
        deals * self.hands_per_deal()
    }

    /// Returns the seed of a hand's cards. It depends on neither variant nor pairing, so that all of
    /// them get the same cards.
    pub fn deal_seed(&self, deal: u64, hand: u32) -> Seed {
        Seed::new(self.experiment().seed).named("deal").child(deal).child(hand.into())
    }
}
