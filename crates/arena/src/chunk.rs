//! A chunk of deals: all tables, all rotations, one tally.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::begun::{Begun, Open};
use super::hand::{Ended, LineUp, seat_of, slot_of};
use super::ledger::{Ledger, Page, PlayedHand};
use super::tally::Tally;
use super::{Observer, Outline, Plan, Table};
use crate::chance::Stream;
use crate::error::{Error, Result};
use crate::game::{Counters, FinishedHand, Label, Reading};
use crate::stats::ControlSums;
use crate::strategy::Strategic;

/// How long a chunk is played before what was played of it is written down.
const SAVED_EVERY: Duration = Duration::from_secs(5);

/// Where a deal takes longer than this, a stop does not wait for its end.
const SLOW: Duration = Duration::from_millis(500);

/// So many deals that are not slow end before the clock is asked again.
const UNCLOCKED: u32 = 8;

/// A chunk that is to be played, or a part of one.
pub struct Chunk<'a> {
    /// Its number.
    pub number: u64,
    /// Which of its deals are to be played.
    pub deals: Range<u64>,
    /// What was played of it before.
    pub begun: Option<Begun>,
    /// Where every hand is written down.
    pub ledger: Option<&'a dyn Ledger>,
    /// Hears of the hands played.
    pub observer: &'a dyn Observer,
    /// A flag that stops the play when it is raised.
    pub stop: &'a AtomicBool,
    /// Is given what was played so far, every few seconds.
    pub save: &'a dyn Fn(&Begun) -> Result<()>,
}

impl<'a> Chunk<'a> {
    /// All of a chunk, that nobody listens to and nothing keeps.
    pub fn new(plan: &Outline, number: u64, to: &'a dyn Observer, stop: &'a AtomicBool) -> Self {
        let deals = plan.deals_of(number);
        Chunk { number, deals, begun: None, ledger: None, observer: to, stop, save: &|_| Ok(()) }
    }
}

/// What was played of a chunk.
#[expect(clippy::large_enum_variant, reason = "there is one for each chunk")]
#[derive(Clone, PartialEq, Debug)]
pub enum Played {
    /// All that was to be played of it.
    Whole(Tally),
    /// A part of it, for the play was stopped.
    Part(Begun),
}

impl Played {
    /// The tally of a whole chunk.
    pub fn whole(self) -> Option<Tally> {
        match self {
            Played::Whole(tally) => Some(tally),
            Played::Part(_) => None,
        }
    }
}

/// Plays a chunk of a plan, or what is missing of it.
///
/// # Errors
/// When a hand cannot be written down, and bad input where nobody can play the plan.
pub fn play_chunk<G: Strategic>(plan: &Plan<G>, mut chunk: Chunk<'_>) -> Result<Played> {
    if plan.bots.len() < plan.names().len() {
        return Err(Error::input("a plan that was read to report on a run cannot be played"));
    }
    let deals = chunk.deals.clone();
    let begun = chunk.begun.take().unwrap_or_else(|| Begun::nothing(&plan.empty));
    let missing = begun.missing(&deals);
    let mut round = Round::new(plan, chunk, begun)?;
    for deal in missing.into_iter().flatten() {
        if !round.deal(deal)? {
            return Ok(Played::Part(round.put_down()?));
        }
    }
    round.end().map(Played::Whole)
}

/// A chunk at play.
struct Round<'a, G: Strategic> {
    plan: &'a Plan<G>,
    chunk: Chunk<'a>,
    begun: Begun,
    page: Option<Box<dyn Page + 'a>>,
    line_ups: Vec<LineUp<'a, G>>,
    /// The chance before the deal of each hand of a match.
    starts: Vec<Stream>,
    /// By variant the units that each strategy won in a deal.
    won: Vec<Vec<i64>>,
    known: Vec<i64>,
    /// How many points a deal has: for each table its seats, for each rotation.
    places: usize,
    saved: Instant,
    /// When the clock was last asked at the end of a deal, and how many deals have ended since.
    closed: Instant,
    unclocked: u32,
    /// Whether the hands of the open deal are counted apart, so that it can be put down.
    slow: bool,
}

impl<'a, G: Strategic> Round<'a, G> {
    fn new(plan: &'a Plan<G>, chunk: Chunk<'a>, begun: Begun) -> Result<Self> {
        let line_up = |table: &Table| {
            let bots = table.line_up.iter().map(|&s| &plan.bots[s]);
            LineUp::new(&plan.variants[table.variant].game, bots)
        };
        let now = Instant::now();
        let mut round = Round {
            plan,
            chunk,
            begun,
            page: None,
            line_ups: plan.tables.iter().map(line_up).collect(),
            starts: Vec::new(),
            won: vec![vec![0; plan.names().len()]; plan.variants.len()],
            known: Vec::new(),
            places: plan.points_of_deal(),
            saved: now,
            closed: now,
            unclocked: 0,
            // How long a deal takes is seen by the first.
            slow: true,
        };
        round.open_page()?;
        Ok(round)
    }

    fn open_page(&mut self) -> Result<()> {
        let Chunk { number, ledger, .. } = self.chunk;
        let pieces = self.begun.pieces;
        self.page = ledger.map(|ledger| ledger.page(number, pieces)).transpose()?;
        Ok(())
    }

    /// What was played, with its hands written down.
    fn put_down(mut self) -> Result<Begun> {
        self.close_page()?;
        Ok(self.begun)
    }

    fn close_page(&mut self) -> Result<()> {
        let Some(page) = self.page.take() else { return Ok(()) };
        self.begun.pieces += 1;
        page.finish()
    }

    fn end(mut self) -> Result<Tally> {
        self.close_page()?;
        let Chunk { number, ledger, .. } = self.chunk;
        ledger.map_or(Ok(()), |ledger| ledger.join(number, self.begun.pieces))?;
        Ok(self.begun.tally)
    }

    fn save_at_times(&mut self, now: Instant) -> Result<()> {
        if now - self.saved < SAVED_EVERY {
            return Ok(());
        }
        self.close_page()?;
        (self.chunk.save)(&self.begun)?;
        self.saved = now;
        self.open_page()
    }

    /// Plays what is missing of a deal at every table. False after a stop.
    fn deal(&mut self, deal: u64) -> Result<bool> {
        if self.chunk.stop.load(Ordering::Relaxed) {
            return Ok(false);
        }
        let plan = self.plan;
        let hands = plan.variants.iter().map(|v| v.game.hands_per_match()).max().unwrap_or(0);
        self.starts.clear();
        self.starts.extend((0..hands).map(|hand| plan.deal_seed(deal, hand).stream()));
        let before = self.begun.open.hands;
        self.lay_out();
        let (mut hands, mut at) = (0, 0);
        for (number, table) in plan.tables.iter().enumerate() {
            let seats = table.line_up.len();
            // Afresh for each deal, so that no bot carries anything from one deal to the next.
            self.line_ups[number].dismiss();
            for rotation in 0..seats as u32 {
                let place = at..at + seats;
                for hand in 0..plan.variants[table.variant].game.hands_per_match() {
                    hands += 1;
                    if hands <= before {
                        continue;
                    }
                    if self.slow {
                        if self.chunk.stop.load(Ordering::Relaxed) {
                            return Ok(false);
                        }
                        self.save_at_times(Instant::now())?;
                    }
                    if !self.hand(Which { number, deal, rotation, hand }, place.clone())? {
                        return Ok(false);
                    }
                    self.begun.open.hands = hands;
                    if self.slow {
                        self.chunk.observer.played(1);
                    }
                }
                at += seats;
            }
        }
        if !self.slow {
            self.chunk.observer.played(hands - before);
        }
        self.close(deal);
        // Where deals are short, the clock is asked after some of them only: it takes its time.
        self.unclocked += 1;
        if self.slow || self.unclocked == UNCLOCKED {
            let before = std::mem::replace(&mut self.closed, Instant::now());
            self.slow = (self.closed - before) / self.unclocked > SLOW;
            self.unclocked = 0;
            self.save_at_times(self.closed)?;
        }
        Ok(true)
    }

    /// Makes room for the points of a deal, unless some are there.
    fn lay_out(&mut self) {
        let Open { hands, points, first, luck, tally } = &mut self.begun.open;
        if *hands == 0 {
            points.fill(0);
            points.resize(self.places, 0);
            first.fill(0);
            first.resize(self.plan.variants.len(), 0);
            luck.fill(0);
            luck.resize(self.plan.empty.luck.wide(), 0);
        }
        if self.slow && tally.is_none() {
            *tally = Some(self.plan.empty.clone());
        }
    }

    /// Counts the deal, all hands of which were played.
    fn close(&mut self, deal: u64) {
        let Begun { tally, open, .. } = &mut self.begun;
        if let Some(hands) = open.tally.take() {
            tally.merge(&hands);
        }
        self.won.iter_mut().for_each(|standings| standings.fill(0));
        let mut points = open.points.as_slice();
        for (table, counted) in self.plan.tables.iter().zip(&mut tally.tables) {
            let (own, rest) = points.split_at(table.line_up.len().pow(2));
            points = rest;
            let units = counted.add_deal(own);
            if !table.is_mirror() {
                let standings = &mut self.won[table.variant];
                table.line_up.iter().zip(units).for_each(|(&s, units)| standings[s] += units);
            }
        }
        let control = G::control().filter(|_| self.plan.experiment().control);
        let counted = self.plan.variants.iter().zip(&mut tally.variants);
        for ((first, standings), (variant, counted)) in
            open.first.iter().zip(&self.won).zip(counted)
        {
            counted.first.add(*first);
            counted.standings.iter_mut().zip(standings).for_each(|(sum, &units)| sum.add(units));
            if let Some(figure) = control
                && let Reading::Control { strengths, read } = figure.kind
                && let Some(row) =
                    counted.figures.iter_mut().find(|row| row.name == figure.head.name)
            {
                self.known.clear();
                self.known.resize(strengths.len(), 0);
                for start in self.starts.iter().take(variant.game.hands_per_match() as usize) {
                    read(&variant.game, start, &mut self.known);
                }
                ControlSums::add(&mut row.sums, *first, &self.known);
            }
        }
        if !open.luck.is_empty() {
            tally.add_luck(&self.plan.tables, open);
        }
        tally.deals += 1;
        open.hands = 0;
        self.begun.enter(deal..deal + 1);
        self.chunk.observer.dealt(1, &self.won);
    }

    /// Plays a hand; `places` are those of the points in its match. False where it was broken off.
    fn hand(&mut self, which: Which, places: Range<usize>) -> Result<bool> {
        let Which { number, deal, rotation, hand } = which;
        let (table, line_up) = (&self.plan.tables[number], &mut self.line_ups[number]);
        let variant = &self.plan.variants[table.variant];
        let (game, seats) = (&variant.game, table.line_up.len());
        let with_records = self.page.as_ref().is_some_and(|page| page.with_records());
        let (judge, looking) = (self.plan.judge(), self.plan.looking.as_ref());
        let looking = looking.filter(|looking| looking.at(deal));
        let with_moves = with_records || judge.is_some() || looking.is_some();
        let start = &self.starts[hand as usize];
        let choice = table.seed.child(deal).child(rotation.into()).child(hand.into());
        let slot_at = |seat| slot_of(seat, rotation, hand, seats);
        let ended = line_up.play_or_break_off(with_moves, start, choice, slot_at);
        let Some(Ended { state: end, scores, faults }) = ended else { return Ok(false) };
        let Begun { tally, open, .. } = &mut self.begun;
        let tally = open.tally.as_mut().unwrap_or(tally);
        for (slot, forfeit) in &faults {
            // A strategy that failed at two seats lost one hand.
            let failed_already =
                |(before, _): (&usize, _)| table.line_up[*before] == table.line_up[*slot];
            if faults.range(..slot).any(failed_already) {
                continue;
            }
            let counted = &mut tally.tables[number].slots[*slot];
            counted.faults += 1;
            counted.fault_kinds.0[forfeit.fault as usize] += 1;
            self.chunk.observer.failed(self.plan.name_of(table.line_up[*slot]), &forfeit.said);
        }
        if let Some(looking) = looking.filter(|_| faults.is_empty()) {
            let counts = looking.look(line_up, start, choice, &end);
            counts.add_to(&mut tally.variants[table.variant].counts.sums);
        }
        let played = FinishedHand { game, stats: &line_up.stats, end: &end };
        open.first[table.variant] += tally.add_hand(number, table.variant, &played, &scores.0);
        for (slot, sum) in open.points[places].iter_mut().enumerate() {
            *sum += i64::from(scores.0[seat_of(slot, rotation, hand, seats)]);
        }
        let failed = !faults.is_empty();
        let players = || -> Vec<&str> {
            let slots = (0..seats).map(|seat| slot_of(seat, rotation, hand, seats));
            slots.map(|slot| self.plan.name_of(table.line_up[slot])).collect()
        };
        if let Some(judge) = judge.filter(|_| !failed) {
            let lucky = judge.luck(game, start, &line_up.moves, &players());
            let own = if slot_of(0, rotation, hand, seats) == 0 { lucky } else { -lucky };
            open.luck[number] += own;
            open.luck[self.plan.tables.len() + table.variant] += lucky;
        }
        let Some(page) = &mut self.page else { return Ok(true) };
        let names = players().into_iter().map(str::to_owned).collect();
        let (variant, seed) = (variant.name.clone(), self.plan.experiment().seed);
        let label = Label { variant, deal, hand, rotation, seed, seats: names };
        // Nobody made the moves of a hand in which a bot failed, and its points are not the game's.
        let record = (with_records && !failed).then(|| {
            let moves: Vec<G::Move> = line_up.moves.iter().map(|(_, mv)| *mv).collect();
            let record = game.record_to(&label, start.clone(), &moves, &end);
            crate::files::compact(&record)
        });
        page.hand(&PlayedHand {
            label,
            values: game.values(&end),
            scores,
            turns: game.turns(&line_up.stats),
            ended: if failed { "fault" } else { game.ending(&end) },
            record,
        })?;
        Ok(true)
    }
}

/// A hand of a chunk.
#[derive(Clone, Copy)]
struct Which {
    /// The number of its table.
    number: usize,
    deal: u64,
    rotation: u32,
    hand: u32,
}
