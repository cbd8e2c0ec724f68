//! A plan without its game's types: all that is needed to report on a run, and to have it played.

use std::ops::Range;
use std::path::Path;

use super::{
    Chunk, Experiment, Inputs, Played, Resolved, Shard, SpelledStrategy, SpelledVariant, Table,
    Tally, Variant,
};
use crate::chance::Seed;
use crate::error::{Error, Result};
use crate::game::{FigureSpec, ForcedByRules, Measured, ReplayFn, Ruled};

/// What is known of a variant without its game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Frame {
    /// Its name.
    pub name: String,
    /// How many seats it has.
    pub seats: usize,
    /// How many hands make a match.
    pub hands: u32,
    /// Every score at the end of a hand lies between these, both included.
    pub scores: (i32, i32),
    /// The figures that its rules leave no choice.
    pub fixed: Vec<(&'static str, ForcedByRules)>,
}

impl Frame {
    /// Of a variant.
    pub(super) fn of<G: Ruled + Measured>(variant: &Variant<G>) -> Frame {
        let Variant { name, game } = variant;
        let (seats, hands, scores) = (game.seats(), game.hands_per_match(), game.score_range());
        Frame { name: name.clone(), seats, hands, scores, fixed: game.forced_figures() }
    }
}

/// A resolved experiment and what is derived from it: what will be played, to the last seed.
#[derive(Clone, Debug)]
pub struct Outline {
    /// What decides every result.
    pub resolved: Resolved,
    /// Where its parts came from.
    pub inputs: Inputs,
    /// Of each variant what is known without its game.
    pub frames: Vec<Frame>,
    /// The tables, variant by variant.
    pub tables: Vec<Table>,
    /// A tally of no deals: the shape of what is counted.
    pub empty: Tally,
    /// The game's figures.
    pub figures: Vec<FigureSpec>,
    /// The digest of what decides every result, as the program that began the run made it.
    pub digest: String,
}

impl Outline {
    /// Zero deals are nothing to play; too many would not fit the integers they are counted in.
    pub(super) fn check_size(&self) -> Result<()> {
        let deals = self.experiment().deals;
        if deals == 0 {
            return Err(Error::input("`deals` is 0; at least 1 is needed"));
        }
        if self.experiment().control && !self.figures.iter().any(|f| f.strengths().is_some()) {
            return Err(Error::input(format!(
                "`control`: {} does not tell how strong a deal is, as leopard does; leave it out",
                self.experiment().game
            )));
        }
        // Of luck twice a win for each hand is more than any deal has.
        let luck = if self.is_luck_adjusted() { 2 * crate::game::LUCK_UNIT as u128 } else { 0 };
        // The largest sum a deal can add to a tally: the square of all points at once, or of all units, of
        // which the seats of a hand share one win's.
        let largest = |table: usize| {
            let seats = self.tables[table].line_up.len() as u128;
            let (low, high) = self.frames[self.tables[table].variant].scores;
            let points = seats * u128::from(high.abs_diff(low)).max(luck);
            u128::from(self.hands_of(table)) * points.max(super::UNIT as u128)
        };
        let all: u128 = (0..self.tables.len()).map(largest).sum();
        let most = (i64::MAX as u128 / (all * all).max(1)).min(1 << 48);
        if u128::from(deals) > most {
            return Err(Error::input(format!(
                "`deals` is {deals}; this experiment can count at most {most}"
            )));
        }
        Ok(())
    }

    /// What was asked for, spelled out.
    pub fn experiment(&self) -> &Experiment<SpelledVariant, SpelledStrategy> {
        &self.resolved.experiment
    }

    /// A strategy's name.
    pub fn name_of(&self, strategy: usize) -> &str {
        &self.experiment().strategies[strategy].name
    }

    /// The strategies' names.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.experiment().strategies.iter().map(|s| s.name.as_str())
    }

    /// How many chunks the deals are divided into.
    pub fn chunks(&self) -> u64 {
        self.resolved.chunks()
    }

    /// The deals of a chunk.
    pub fn deals_of(&self, chunk: u64) -> Range<u64> {
        self.resolved.deals_of(chunk)
    }

    /// How many hands a deal has at a table.
    pub fn hands_of(&self, table: usize) -> u64 {
        let table = &self.tables[table];
        table.line_up.len() as u64 * u64::from(self.frames[table.variant].hands)
    }

    /// How many points a deal has at all tables: for each rotation those of each place.
    pub(super) fn points_of_deal(&self) -> usize {
        self.tables.iter().map(|table| table.line_up.len().pow(2)).sum()
    }

    /// How many hands a deal has at all tables of a variant.
    pub fn hands_of_variant(&self, variant: usize) -> u64 {
        let tables = 0..self.tables.len();
        tables.filter(|&t| self.tables[t].variant == variant).map(|t| self.hands_of(t)).sum()
    }

    /// How many hands a deal has at all tables together.
    pub fn hands_per_deal(&self) -> u64 {
        (0..self.tables.len()).map(|table| self.hands_of(table)).sum()
    }

    /// How many hands the whole run has, or a part of it.
    pub fn hands(&self, shard: Option<Shard>) -> u64 {
        let deals = (0..self.chunks()).map(|chunk| self.resolved.deals_in(chunk, shard));
        let deals: u64 = deals.map(|deals| deals.end - deals.start).sum();
        deals * self.hands_per_deal()
    }

    /// Where the chance of a deal's hand grows from. Neither variant nor pairing is in it, so all
    /// of them meet the same cards.
    pub fn deal_seed(&self, deal: u64, hand: u32) -> Seed {
        Seed::new(self.experiment().seed).named("deal").child(deal).child(hand.into())
    }
}

/// A plan of some game, to be played without its types being known. What stands on plans, from
/// [`Work`](super::Work) to the results, is compiled once for all games.
pub trait Playable: Send + Sync {
    /// What will be played.
    fn outline(&self) -> &Outline;

    /// Plays a chunk, as [`play_chunk`](super::play_chunk) does.
    ///
    /// # Errors
    /// When a hand cannot be written down, and bad input where nobody can play the plan.
    fn play_chunk(&self, chunk: Chunk<'_>) -> Result<Played>;

    /// The same plan with a change of what it resolves.
    ///
    /// # Errors
    /// Bad input when it then cannot be played.
    fn with(&self, change: &mut dyn FnMut(&mut Resolved)) -> Result<Box<dyn Playable>>;

    /// The same plan with bots, made from the texts of its strategies.
    ///
    /// # Errors
    /// Bad input when a strategy cannot be read any more, or means something else to this program.
    fn with_bots(&self) -> Result<Box<dyn Playable>>;

    /// Sees that all who play can: programs of their own are started. What these say on their
    /// standard error goes into the folder.
    ///
    /// # Errors
    /// Bad input when one does not start, or does not greet as a player of this game.
    fn prepare(&self, folder: Option<&Path>) -> Result<()>;

    /// Who plays a record of its game again.
    fn retell(&self) -> ReplayFn;

    /// What its strategies know beside their files, each by name with its digest.
    fn knowledge(&self) -> Vec<(&'static str, String)>;
}
