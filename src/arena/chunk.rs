//! A chunk of deals: all tables, all rotations, one tally.

use std::sync::atomic::{AtomicBool, Ordering};

use super::hand::{Ended, LineUp, PlayedHand, seat_of, slot_of};
use super::tally::{Points, Tally};
use super::{Observer, Plan, Table};
use crate::chance::Stream;
use crate::error::{Error, Result};
use crate::game::{FinishedHand, Kind, Label, MAX_SEATS};
use crate::stats::Controls;
use crate::strategy::Strategic;

/// Where the hands of a run are written down, a page a chunk.
pub trait Ledger: Sync {
    /// Opens the page of a chunk.
    ///
    /// # Errors
    /// When it cannot be written.
    fn page(&self, chunk: u64) -> Result<Box<dyn Page + '_>>;
}

/// The hands of one chunk.
pub trait Page {
    /// Whether it needs the records of hands.
    fn with_records(&self) -> bool;

    /// Writes a hand down.
    ///
    /// # Errors
    /// When it cannot be written.
    fn hand(&mut self, hand: &PlayedHand) -> Result<()>;

    /// Puts the page in its place.
    ///
    /// # Errors
    /// When it cannot be written.
    fn finish(self: Box<Self>) -> Result<()>;
}

/// Plays a chunk of a plan; where there is a ledger, every hand is written down. `None` when `stop`
/// was raised first: an unfinished chunk is absent.
///
/// # Errors
/// When a hand cannot be written down, and bad input where nobody can play the plan.
pub fn play_chunk<G: Strategic>(
    plan: &Plan<G>,
    chunk: u64,
    ledger: Option<&dyn Ledger>,
    observer: &dyn Observer,
    stop: &AtomicBool,
) -> Result<Option<Tally>> {
    if plan.bots.len() < plan.names().len() {
        return Err(Error::input("a plan that was read to report on a run cannot be played"));
    }
    let mut round = Round {
        plan,
        page: ledger.map(|ledger| ledger.page(chunk)).transpose()?,
        tally: plan.empty.clone(),
        observer,
        starts: Vec::new(),
        matches: Default::default(),
    };
    let line_up = |table: &Table| {
        let bots = table.line_up.iter().map(|&s| &plan.bots[s]);
        LineUp::new(&plan.variants[table.variant].game, bots)
    };
    let mut line_ups: Vec<LineUp<'_, G>> = plan.tables.iter().map(line_up).collect();
    // By variant, what the first seats won and what each strategy won.
    let mut won = vec![(0, vec![0; plan.names().len()]); plan.variants.len()];
    let hands = plan.variants.iter().map(|v| v.game.hands_per_match()).max().unwrap_or(0);
    let hands_per_deal = plan.hands_per_deal();
    let control = G::control().filter(|_| plan.experiment().control);
    let mut known = Vec::new();
    for deal in plan.deals_of(chunk) {
        round.starts.clear();
        round.starts.extend((0..hands).map(|hand| plan.deal_seed(deal, hand).stream()));
        for (first, standings) in &mut won {
            *first = 0;
            standings.fill(0);
        }
        for (number, (table, line_up)) in plan.tables.iter().zip(&mut line_ups).enumerate() {
            if stop.load(Ordering::Relaxed) {
                return Ok(None);
            }
            let (first, standings) = &mut won[table.variant];
            *first += round.play(number, line_up, deal)?;
            let matches = &round.matches[..table.line_up.len()];
            let units = round.tally.tables[number].add_deal(matches);
            if !table.is_mirror() {
                table.line_up.iter().zip(units).for_each(|(&s, units)| standings[s] += units);
            }
        }
        let counted = plan.variants.iter().zip(&mut round.tally.variants);
        for ((first, standings), (variant, counted)) in won.iter().zip(counted) {
            counted.first.add(*first);
            counted.standings.iter_mut().zip(standings).for_each(|(sum, &units)| sum.add(units));
            if let Some(figure) = control
                && let Kind::Control { strengths, read } = figure.kind
                && let Some(row) =
                    counted.figures.iter_mut().find(|row| row.name == figure.head.name)
            {
                known.clear();
                known.resize(strengths.len(), 0);
                for start in round.starts.iter().take(variant.game.hands_per_match() as usize) {
                    read(&variant.game, start, &mut known);
                }
                Controls::add(&mut row.sums, *first, &known);
            }
        }
        round.tally.deals += 1;
        observer.played(hands_per_deal);
    }
    round.page.map_or(Ok(()), |page| page.finish())?;
    Ok(Some(round.tally))
}

/// One deal at one table.
struct Round<'a, G: Strategic> {
    plan: &'a Plan<G>,
    page: Option<Box<dyn Page + 'a>>,
    tally: Tally,
    observer: &'a dyn Observer,
    /// The chance before the deal of each hand of a match.
    starts: Vec<Stream>,
    /// For each rotation the points by place in the line-up.
    matches: [Points; MAX_SEATS],
}

impl<G: Strategic> Round<'_, G> {
    /// Plays every rotation. Returns the units that first seats won.
    fn play(&mut self, number: usize, line_up: &mut LineUp<'_, G>, deal: u64) -> Result<i64> {
        let table = &self.plan.tables[number];
        let variant = &self.plan.variants[table.variant];
        let game = &variant.game;
        let seats = table.line_up.len();
        let with_moves = self.page.as_ref().is_some_and(|page| page.with_records());
        // Afresh for each deal, so that no bot carries anything from one deal to the next.
        line_up.dismiss();
        let mut first = 0;
        for (rotation, points) in (0..seats as u32).zip(&mut self.matches) {
            points.clear();
            points.extend(std::iter::repeat_n(0, seats));
            for hand in 0..game.hands_per_match() {
                let start = &self.starts[hand as usize];
                let choice = table.seed.child(deal).child(rotation.into()).child(hand.into());
                let slot_at = |seat| slot_of(seat, rotation, hand, seats);
                let Ended { state: end, scores, faults } =
                    line_up.play(with_moves, start, choice, slot_at);
                for (slot, said) in &faults {
                    self.tally.tables[number].slots[*slot].faults += 1;
                    self.observer.failed(self.plan.name_of(table.line_up[*slot]), said);
                }
                let watch = &line_up.watch;
                let played = FinishedHand { game, watch, end: &end };
                first += self.tally.add_hand(number, table.variant, &played, &scores.0);
                for (slot, sum) in points.iter_mut().enumerate() {
                    *sum += i64::from(scores.0[seat_of(slot, rotation, hand, seats)]);
                }
                if let Some(page) = &mut self.page {
                    let failed = !faults.is_empty();
                    let mut seats = vec![String::new(); seats];
                    for (slot, &strategy) in table.line_up.iter().enumerate() {
                        let seat = seat_of(slot, rotation, hand, seats.len());
                        self.plan.name_of(strategy).clone_into(&mut seats[seat]);
                    }
                    let (variant, seed) = (variant.name.clone(), self.plan.experiment().seed);
                    let label = Label { variant, deal, hand, rotation, seed, seats };
                    // Nobody made the moves of a hand in which a bot failed, and its points are
                    // not the game's.
                    let record = (with_moves && !failed).then(|| {
                        let moves: Vec<G::Move> = line_up.moves.iter().map(|(_, mv)| *mv).collect();
                        let record = game.record_to(&label, start.clone(), &moves, &end);
                        serde_json::to_string(&record).expect("a record is plain data")
                    });
                    page.hand(&PlayedHand {
                        label,
                        values: game.values(&end),
                        scores,
                        turns: game.turns(watch),
                        ended: if failed { "fault" } else { game.ending(&end) },
                        record,
                    })?;
                }
            }
        }
        Ok(first)
    }
}
