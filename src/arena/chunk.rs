//! A chunk of deals: all tables, all rotations, one tally.

use std::sync::atomic::{AtomicBool, Ordering};

use super::hand::{Buffers, Ended, LineUp, PlayedHand, seat_of, slot_of};
use super::tally::{Points, Tally, UNIT};
use super::{Observer, Plan, Table};
use crate::chance::Stream;
use crate::error::Result;
use crate::game::{FinishedHand, Kind, MAX_SEATS, Scores};
use crate::strategy::Strategic;

/// Where the hands of a run are written down, a page a chunk.
pub trait Ledger<G: Strategic>: Sync {
    /// The page of one chunk.
    type Page: Page<G>;

    /// Opens the page of a chunk.
    ///
    /// # Errors
    /// When it cannot be written.
    fn page(&self, chunk: u64) -> Result<Self::Page>;
}

/// The hands of one chunk.
pub trait Page<G: Strategic> {
    /// Whether it needs the moves of a hand.
    fn with_moves(&self) -> bool {
        true
    }

    /// Writes a hand down.
    ///
    /// # Errors
    /// When it cannot be written.
    fn hand(&mut self, hand: &PlayedHand<'_, G>) -> Result<()>;

    /// Puts the page in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    fn finish(self) -> Result<()>;
}

/// No hand is written down.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoLedger;

impl<G: Strategic> Ledger<G> for NoLedger {
    type Page = NoLedger;

    fn page(&self, _: u64) -> Result<NoLedger> {
        Ok(NoLedger)
    }
}

impl<G: Strategic> Page<G> for NoLedger {
    fn with_moves(&self) -> bool {
        false
    }

    #[inline]
    fn hand(&mut self, _: &PlayedHand<'_, G>) -> Result<()> {
        Ok(())
    }

    fn finish(self) -> Result<()> {
        Ok(())
    }
}

/// Plays a chunk of a plan. `None` when `stop` was raised first: an unfinished chunk is absent.
///
/// # Errors
/// When a hand cannot be written down.
pub fn play_chunk<G: Strategic, L: Ledger<G>>(
    plan: &Plan<G>,
    chunk: u64,
    ledger: &L,
    observer: &impl Observer,
    stop: &AtomicBool,
) -> Result<Option<Tally>> {
    let mut page = ledger.page(chunk)?;
    let mut tally = plan.layout.empty();
    let mut buffers = Buffers::default();
    let mut matches = Default::default();
    let line_up = |table: &Table| {
        let bots = table.line_up.iter().map(|&s| &plan.bots[s]);
        LineUp::new(&plan.variants[table.variant].game, bots)
    };
    let mut line_ups: Vec<LineUp<'_, G>> = plan.tables.iter().map(line_up).collect();
    let mut firsts = vec![0; plan.variants.len()];
    let strategies = plan.names().len();
    let mut standings = vec![0; plan.variants.len() * strategies];
    let hands = plan.variants.iter().map(|v| v.game.hands_per_match()).max().unwrap_or(0);
    let mut starts: Vec<Stream> = Vec::new();
    let control = G::control().filter(|_| plan.experiment().control);
    let mut known = Vec::new();
    for deal in plan.deals_of(chunk) {
        starts.clear();
        starts.extend((0..hands).map(|hand| plan.deal_seed(deal, hand).stream()));
        firsts.fill(0);
        standings.fill(0);
        let mut played = 0;
        for (table, line_up) in line_ups.iter_mut().enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let mut round = Round {
                plan,
                table,
                deal,
                starts: &starts,
                page: &mut page,
                tally: &mut tally,
                buffers: &mut buffers,
                line_up,
                matches: &mut matches,
                observer,
            };
            let first = round.play()?;
            let place = &plan.tables[table];
            firsts[place.variant] += first;
            let units = tally.tables[table].add_deal(&matches[..place.line_up.len()]);
            if !place.is_mirror() {
                for (&strategy, units) in place.line_up.iter().zip(units) {
                    standings[place.variant * strategies + strategy] += units;
                }
            }
            played += plan.hands_of(table);
        }
        for (variant, &first) in firsts.iter().enumerate() {
            let game = &plan.variants[variant].game;
            let counted = &mut tally.variants[variant];
            if let Some(figure) = control
                && let Kind::Control { strengths, read } = figure.kind
            {
                known.clear();
                known.resize(strengths.len(), 0);
                for start in starts.iter().take(game.hands_per_match() as usize) {
                    read(game, start, &mut known);
                }
                counted.add_control(figure.name, first, &known);
            }
            counted.add_deal(first, &standings[variant * strategies..(variant + 1) * strategies]);
        }
        tally.deals += 1;
        observer.played(played);
    }
    tally.settle();
    page.finish()?;
    Ok(Some(tally))
}

/// One deal at one table.
struct Round<'a, 'p, G: Strategic, P> {
    plan: &'a Plan<G>,
    table: usize,
    deal: u64,
    /// The chance before the deal of each hand of a match.
    starts: &'a [Stream],
    page: &'a mut P,
    tally: &'a mut Tally,
    buffers: &'a mut Buffers<G>,
    line_up: &'a mut LineUp<'p, G>,
    /// For each rotation the points by place in the line-up.
    matches: &'a mut [Points; MAX_SEATS],
    observer: &'a dyn Observer,
}

impl<G: Strategic, P: Page<G>> Round<'_, '_, G, P> {
    /// Plays every rotation. Returns the units that first seats won.
    fn play(&mut self) -> Result<i64> {
        let table = &self.plan.tables[self.table];
        let game = &self.plan.variants[table.variant].game;
        let seats = table.line_up.len();
        // Afresh for each deal, so that no bot carries anything from one deal to the next.
        self.line_up.dismiss();
        let mut first = 0;
        for (rotation, points) in (0..seats as u32).zip(&mut *self.matches) {
            points.clear();
            points.extend(std::iter::repeat_n(0, seats));
            for hand in 0..game.hands_per_match() {
                let start = &self.starts[hand as usize];
                let choice = table.seed.child(self.deal).child(rotation.into()).child(hand.into());
                let slot_at = |seat| slot_of(seat, rotation, hand, seats);
                let Ended { state: end, scores, faults } =
                    self.buffers.play(self.page.with_moves(), self.line_up, start, choice, slot_at);
                for (slot, said) in &faults {
                    self.tally.tables[self.table].slots[*slot].faults += 1;
                    self.observer.failed(self.plan.name_of(table.line_up[*slot]), said);
                }
                let (units, shared) = units_of_first(&scores);
                first += units;
                let watch = &self.buffers.watch;
                let played = FinishedHand { game, watch, end: &end };
                self.tally.add_hand(&self.plan.layout, self.table, &played, &scores.0, shared);
                for (slot, sum) in points.iter_mut().enumerate() {
                    *sum += i64::from(scores.0[seat_of(slot, rotation, hand, seats)]);
                }
                self.page.hand(&PlayedHand {
                    table: self.table,
                    deal: self.deal,
                    hand,
                    rotation,
                    start,
                    moves: &self.buffers.moves,
                    end: &end,
                    watch,
                    scores: &scores,
                    failed: !faults.is_empty(),
                })?;
            }
        }
        Ok(first)
    }
}

/// The units that the first seat won, and whether several seats share the win.
fn units_of_first(scores: &Scores) -> (i64, bool) {
    let top = scores.0.iter().copied().max().unwrap_or(0);
    let sharing = scores.0.iter().filter(|&&s| s == top).count() as i64;
    (if scores.0[0] == top { UNIT / sharing } else { 0 }, sharing > 1)
}
