//! Chunks: ranges of deals, each played at all tables and rotations into one tally.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::hand::{HandResult, LineUp, seat_of, slot_of};
use super::{
    DealInProgress, HandLog, HandLogPart, Observer, PartialChunk, Plan, PlanInfo, PlannedTable,
    PlayedHand, Tally,
};
use parlour_base::chance::Stream;
use parlour_base::error::{Result, ensure};
use parlour_base::files::compact;
use parlour_game::strategy::Strategic;
use parlour_game::{Counters, FinishedHand, Label, Reading};
use parlour_stats::ControlSums;

/// The time between two checkpoints of a chunk.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(5);

/// The time above which a deal is slow: it can be interrupted between two hands.
const SLOW_DEAL: Duration = Duration::from_millis(500);

/// The number of fast deals between two looks at the clock, which takes time itself.
const DEALS_PER_CLOCK: u32 = 8;

/// A chunk, or a part of one, to be played.
pub struct Chunk<'a> {
    /// Its number.
    pub number: u64,
    /// Its deals that are to be played.
    pub deals: Range<u64>,
    /// The part that was played before.
    pub partial: Option<PartialChunk>,
    /// A log of all hands.
    pub log: Option<&'a dyn HandLog>,
    /// Receives progress reports.
    pub observer: &'a dyn Observer,
    /// Stops the play if set.
    pub stop: &'a AtomicBool,
    /// Saves the part played so far; called every few seconds.
    pub save: &'a dyn Fn(&PartialChunk) -> Result<()>,
}

impl<'a> Chunk<'a> {
    /// Creates a complete chunk without log and checkpoints.
    pub fn new(
        plan: &PlanInfo,
        number: u64,
        observer: &'a dyn Observer,
        stop: &'a AtomicBool,
    ) -> Self {
        let deals = plan.deals_of(number);
        Chunk { number, deals, partial: None, log: None, observer, stop, save: &|_| Ok(()) }
    }
}

/// The result of playing a chunk.
#[expect(clippy::large_enum_variant, reason = "there is one for each chunk")]
#[derive(Clone, PartialEq, Debug)]
pub enum ChunkOutcome {
    /// All deals were played.
    Complete(Tally),
    /// The play was stopped.
    Stopped(PartialChunk),
}

impl ChunkOutcome {
    /// Returns the tally of a complete chunk.
    pub fn complete(self) -> Option<Tally> {
        match self {
            ChunkOutcome::Complete(tally) => Some(tally),
            ChunkOutcome::Stopped(_) => None,
        }
    }
}

/// Plays the missing deals of a chunk.
///
/// # Errors
/// If a hand cannot be logged; bad input if the plan has no players.
pub fn execute_chunk<G: Strategic>(plan: &Plan<G>, chunk: Chunk<'_>) -> Result<ChunkOutcome> {
    ensure(plan.bots.len() == plan.names().len(), || {
        parlour_base::error::Error::input("a plan that only reports on a run cannot be played")
    })?;
    let mut play = ChunkPlay::new(plan, chunk)?;
    for deal in play.partial.missing(&play.chunk.deals).into_iter().flatten() {
        if !play.play_deal(deal)? {
            play.close_log_part()?;
            return Ok(ChunkOutcome::Stopped(play.partial));
        }
    }
    play.close_log_part()?;
    if let Some(log) = play.chunk.log {
        log.concatenate(play.chunk.number, play.partial.log_parts)?;
    }
    Ok(ChunkOutcome::Complete(play.partial.tally))
}

/// A chunk being played.
struct ChunkPlay<'a, G: Strategic> {
    plan: &'a Plan<G>,
    chunk: Chunk<'a>,
    partial: PartialChunk,
    log_part: Option<Box<dyn HandLogPart + 'a>>,
    line_ups: Vec<LineUp<'a, G>>,
    /// The streams before the deal of each hand of a match.
    starts: Vec<Stream>,
    /// The units that each strategy won in the deal, by variant.
    won: Vec<Vec<i64>>,
    /// The strengths of the deal for the control variate.
    strengths: Vec<i64>,
    last_checkpoint: Instant,
    last_clock: Instant,
    deals_since_clock: u32,
    /// `true` if deals are slow: their hands are counted apart, so that a deal can be interrupted.
    is_slow: bool,
}

/// The position of a hand in a chunk.
#[derive(Clone, Copy)]
struct HandIndex {
    table: usize,
    deal: u64,
    rotation: u32,
    hand: u32,
}

impl<'a, G: Strategic> ChunkPlay<'a, G> {
    fn new(plan: &'a Plan<G>, mut chunk: Chunk<'a>) -> Result<Self> {
        let line_up = |table: &PlannedTable| {
            let bots = table.line_up.iter().map(|&s| &plan.bots[s]);
            LineUp::new(&plan.variants[table.variant].game, bots)
        };
        let partial = chunk.partial.take().unwrap_or_else(|| PartialChunk::new(&plan.empty));
        let now = Instant::now();
        let mut play = ChunkPlay {
            plan,
            chunk,
            partial,
            log_part: None,
            line_ups: plan.tables.iter().map(line_up).collect(),
            starts: Vec::new(),
            won: vec![vec![0; plan.names().len()]; plan.variants.len()],
            strengths: Vec::new(),
            last_checkpoint: now,
            last_clock: now,
            deals_since_clock: 0,
            // Until the first deal shows how long deals take.
            is_slow: true,
        };
        play.open_log_part()?;
        Ok(play)
    }

    fn open_log_part(&mut self) -> Result<()> {
        let (number, part) = (self.chunk.number, self.partial.log_parts);
        self.log_part = self.chunk.log.map(|log| log.open_part(number, part)).transpose()?;
        Ok(())
    }

    fn close_log_part(&mut self) -> Result<()> {
        let Some(part) = self.log_part.take() else { return Ok(()) };
        self.partial.log_parts += 1;
        part.finish()
    }

    /// Saves a checkpoint if the last is old enough.
    fn save_checkpoint(&mut self, now: Instant) -> Result<()> {
        if now - self.last_checkpoint < CHECKPOINT_INTERVAL {
            return Ok(());
        }
        self.close_log_part()?;
        (self.chunk.save)(&self.partial)?;
        self.last_checkpoint = now;
        self.open_log_part()
    }

    fn is_stopped(&self) -> bool {
        self.chunk.stop.load(Ordering::Relaxed)
    }

    /// Plays the missing hands of a deal at every table. Returns `false` if stopped.
    fn play_deal(&mut self, deal: u64) -> Result<bool> {
        if self.is_stopped() {
            return Ok(false);
        }
        let plan = self.plan;
        let hands = plan.variants.iter().map(|v| v.game.hands_per_match()).max().unwrap_or(0);
        self.starts.clear();
        self.starts.extend((0..hands).map(|hand| plan.deal_seed(deal, hand).stream()));
        self.prepare_deal();
        let before = self.partial.current.hands;
        let (mut hands, mut place) = (0, 0);
        for (number, table) in plan.tables.iter().enumerate() {
            let seats = table.line_up.len();
            // New bots for each deal: none carries anything over.
            self.line_ups[number].reset_bots();
            for rotation in 0..seats as u32 {
                for hand in 0..plan.variants[table.variant].game.hands_per_match() {
                    hands += 1;
                    if hands <= before {
                        continue;
                    }
                    if self.is_slow {
                        if self.is_stopped() {
                            return Ok(false);
                        }
                        self.save_checkpoint(Instant::now())?;
                    }
                    let index = HandIndex { table: number, deal, rotation, hand };
                    if !self.play_hand(index, place..place + seats)? {
                        return Ok(false);
                    }
                    self.partial.current.hands = hands;
                    if self.is_slow {
                        self.chunk.observer.played(1);
                    }
                }
                place += seats;
            }
        }
        if !self.is_slow {
            self.chunk.observer.played(hands - before);
        }
        self.count_deal(deal);
        self.deals_since_clock += 1;
        if self.is_slow || self.deals_since_clock == DEALS_PER_CLOCK {
            let before = std::mem::replace(&mut self.last_clock, Instant::now());
            self.is_slow = (self.last_clock - before) / self.deals_since_clock > SLOW_DEAL;
            self.deals_since_clock = 0;
            self.save_checkpoint(self.last_clock)?;
        }
        Ok(true)
    }

    /// Resets the sums of the deal, unless some of its hands were played before.
    fn prepare_deal(&mut self) {
        let plan = self.plan;
        let DealInProgress { hands, points, first_seat, luck, tally } = &mut self.partial.current;
        if *hands == 0 {
            let lengths = [
                (points, plan.points_per_deal()),
                (first_seat, plan.variants.len()),
                (luck, plan.empty.luck.values_per_deal()),
            ];
            for (values, len) in lengths {
                values.clear();
                values.resize(len, 0);
            }
        }
        if self.is_slow && tally.is_none() {
            *tally = Some(plan.empty.clone());
        }
    }

    /// Counters a deal of which all hands were played.
    fn count_deal(&mut self, deal: u64) {
        let PartialChunk { tally, current, .. } = &mut self.partial;
        if let Some(hands) = current.tally.take() {
            tally.merge(&hands);
        }
        self.won.iter_mut().for_each(|standings| standings.fill(0));
        let mut points = current.points.as_slice();
        for (table, counted) in self.plan.tables.iter().zip(&mut tally.tables) {
            let (own, rest) = points.split_at(table.line_up.len().pow(2));
            points = rest;
            let units = counted.add_deal(own);
            if !table.is_mirror() {
                let standings = &mut self.won[table.variant];
                table.line_up.iter().zip(units).for_each(|(&s, units)| standings[s] += units);
            }
        }
        let control = G::control().filter(|_| self.plan.experiment().control_variate);
        let counted = self.plan.variants.iter().zip(&mut tally.variants);
        for ((units, standings), (variant, counted)) in
            current.first_seat.iter().zip(&self.won).zip(counted)
        {
            counted.first_seat.add(*units);
            counted.standings.iter_mut().zip(standings).for_each(|(sum, &units)| sum.add(units));
            if let Some(figure) = control
                && let Reading::Control { strengths, read } = figure.kind
                && let Some(row) =
                    counted.figures.iter_mut().find(|row| row.name == figure.head.name)
            {
                self.strengths.clear();
                self.strengths.resize(strengths.len(), 0);
                for start in self.starts.iter().take(variant.game.hands_per_match() as usize) {
                    read(&variant.game, start, &mut self.strengths);
                }
                ControlSums::add(&mut row.sums, *units, &self.strengths);
            }
        }
        if !current.luck.is_empty() {
            tally.add_luck(&self.plan.tables, current);
        }
        tally.deals += 1;
        current.hands = 0;
        self.partial.mark_completed(deal..deal + 1);
        self.chunk.observer.dealt(1, &self.won);
    }

    /// Plays a hand; `places` is the range of its match in the points of the deal. Returns `false`
    /// if a bot cancelled it.
    fn play_hand(&mut self, index: HandIndex, places: Range<usize>) -> Result<bool> {
        let HandIndex { table: number, deal, rotation, hand } = index;
        let (table, line_up) = (&self.plan.tables[number], &mut self.line_ups[number]);
        let variant = &self.plan.variants[table.variant];
        let (game, seats) = (&variant.game, table.line_up.len());
        let with_records = self.log_part.as_ref().is_some_and(|part| part.with_records());
        let adjuster = self.plan.luck_adjuster.as_ref();
        let sampler = self.plan.decision_sampler.as_ref().filter(|it| it.includes(deal));
        let with_moves = with_records || adjuster.is_some() || sampler.is_some();
        let start = &self.starts[hand as usize];
        let choice = table.seed.child(deal).child(rotation.into()).child(hand.into());
        let slot_at = |seat| slot_of(seat, rotation, hand, seats);
        let ended = line_up.play(with_moves, start, choice, slot_at);
        let Some(HandResult { state: end, scores, faults }) = ended else { return Ok(false) };
        let PartialChunk { tally, current, .. } = &mut self.partial;
        let tally = current.tally.as_mut().unwrap_or(tally);
        for (slot, forfeit) in &faults {
            // A strategy that failed at two seats lost one hand.
            let is_counted =
                |(before, _): (&usize, _)| table.line_up[*before] == table.line_up[*slot];
            if faults.range(..slot).any(is_counted) {
                continue;
            }
            let counted = &mut tally.tables[number].slots[*slot];
            counted.faults += 1;
            counted.fault_kinds.0[forfeit.fault as usize] += 1;
            self.chunk.observer.failed(self.plan.name_of(table.line_up[*slot]), &forfeit.message);
        }
        let has_failed = !faults.is_empty();
        if let Some(sampler) = sampler.filter(|_| !has_failed) {
            let counts = sampler.analyze_decisions(line_up, start, choice, &end);
            counts.add_to(&mut tally.variants[table.variant].counts.sums);
        }
        let finished = FinishedHand { game, stats: &line_up.stats, end: &end };
        current.first_seat[table.variant] +=
            tally.add_hand(number, table.variant, &finished, &scores.0);
        for (slot, sum) in current.points[places].iter_mut().enumerate() {
            *sum += i64::from(scores.0[seat_of(slot, rotation, hand, seats)]);
        }
        let players = || -> Vec<&str> {
            (0..seats).map(|seat| self.plan.name_of(table.line_up[slot_at(seat)])).collect()
        };
        if let Some(adjuster) = adjuster.filter(|_| !has_failed) {
            let luck = adjuster.judge.luck(game, start, line_up.moves(), &players());
            current.luck[number] += if slot_at(0) == 0 { luck } else { -luck };
            current.luck[self.plan.tables.len() + table.variant] += luck;
        }
        let Some(part) = &mut self.log_part else { return Ok(true) };
        let names = players().into_iter().map(str::to_owned).collect();
        let (variant, seed) = (variant.name.clone(), self.plan.experiment().seed);
        let label = Label { variant, deal, hand, rotation, seed, seats: names };
        // A hand with a failed bot has made-up moves and adjusted points: it has no record.
        let record = (with_records && !has_failed).then(|| {
            let moves: Vec<G::Move> = line_up.moves().iter().map(|(_, mv)| *mv).collect();
            compact(&game.record(&label, start.clone(), &moves, &end))
        });
        part.add(&PlayedHand {
            label,
            values: game.values(&end),
            scores,
            turns: game.turns(&line_up.stats),
            ended: if has_failed { "fault" } else { game.ending(&end) },
            record,
        })?;
        Ok(true)
    }
}
