//! Chunks: ranges of deals, each played at all tables and rotations into one tally.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::hand::{HandResult, LineUp, seat_of, slot_of};
use super::hand_log::LogPart;
use super::{DealInProgress, HandLogs, Observer, PartialChunk, Plan, PlanInfo, PlannedTable};
use parlour_base::chance::Stream;
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::compact;
use parlour_base::time::Instant;
use parlour_game::strategy::{BotFactory, Strategic};
use parlour_game::{Counters, FinishedHand, Label, Replay, luck};

/// The time between two checkpoints of a chunk.
const CHECKPOINT_INTERVAL: Duration = Duration::from_secs(5);

/// The number of fast hands between two looks at the clock, which takes time itself.
const HANDS_PER_CLOCK: usize = 16;

/// A chunk, or a part of one, to be played.
pub struct Chunk<'a> {
    /// Its number.
    pub number: u64,
    /// Its deals that are to be played.
    pub deals: Range<u64>,
    /// The part that was played before.
    pub partial: Option<PartialChunk>,
    /// A log of all hands.
    pub log: Option<&'a HandLogs>,
    /// Receives progress reports.
    pub observer: &'a dyn Observer,
    /// Stops the play if set.
    pub stop: &'a AtomicBool,
    /// Saves the part played so far; called every few seconds.
    pub save: &'a dyn Fn(&PartialChunk) -> Result<()>,
}

/// Plays the missing deals of a chunk. The result has no next deal, unless the play was stopped.
///
/// # Errors
/// If a hand cannot be logged; bad input if the plan has no players.
pub fn execute_chunk<G: Strategic>(plan: &Plan<G>, chunk: Chunk<'_>) -> Result<PartialChunk> {
    ensure(plan.bots.len() == plan.names().len(), || {
        Error::input("a plan that only reports on a run cannot be played")
    })?;
    let mut play = ChunkPlay::new(plan, chunk)?;
    while let Some(deal) = play.partial.next_deal(&play.chunk.deals) {
        if !play.play_deal(deal)? {
            play.close_log_part()?;
            return Ok(play.partial);
        }
    }
    play.close_log_part()?;
    if let Some(log) = play.chunk.log {
        log.concatenate(play.chunk.number, play.partial.log_parts)?;
    }
    Ok(play.partial)
}

/// A chunk being played.
struct ChunkPlay<'a, G: Strategic> {
    plan: &'a Plan<G>,
    chunk: Chunk<'a>,
    partial: PartialChunk,
    log_part: Option<LogPart>,
    line_ups: Vec<LineUp<'a, G>>,
    /// The hands of a deal in their order.
    hands: Vec<HandIndex>,
    /// The streams before the deal of each hand of a match.
    starts: Vec<Stream>,
    /// The units that each strategy won in the deal, by variant.
    won: Vec<Vec<i64>>,
    last_checkpoint: Instant,
    hands_since_clock: usize,
    /// `true` if hands may be slow: they are counted apart, so that a deal can be interrupted.
    is_slow: bool,
}

/// The position of a hand in a deal.
#[derive(Clone, Copy)]
struct HandIndex {
    table: usize,
    rotation: u32,
    hand: u32,
    /// The index of the points of the first place.
    points: usize,
}

/// Lists the hands of a deal.
fn hands_of_deal(plan: &PlanInfo) -> Vec<HandIndex> {
    let (mut all, mut points) = (Vec::new(), 0);
    for (number, table) in plan.tables.iter().enumerate() {
        let (seats, hands) = (table.line_up.len(), plan.variants[table.variant].hands);
        for rotation in 0..seats as u32 {
            all.extend((0..hands).map(|hand| HandIndex { table: number, rotation, hand, points }));
            points += seats;
        }
    }
    all
}

impl<'a, G: Strategic> ChunkPlay<'a, G> {
    fn new(plan: &'a Plan<G>, mut chunk: Chunk<'a>) -> Result<Self> {
        let line_up = |table: &PlannedTable| {
            let bots = table.line_up.iter().map(|&s| &plan.bots[s]);
            LineUp::new(&plan.variants[table.variant].game, bots)
        };
        let partial = chunk.partial.take().unwrap_or_else(|| PartialChunk::new(&plan.empty));
        let is_fast = |bot: &BotFactory<G>| bot.spec().is_some_and(|spec| G::is_cheap(&spec.kind));
        let mut play = ChunkPlay {
            plan,
            chunk,
            partial,
            log_part: None,
            line_ups: plan.tables.iter().map(line_up).collect(),
            hands: hands_of_deal(plan),
            starts: Vec::new(),
            won: vec![vec![0; plan.names().len()]; plan.variants.len()],
            last_checkpoint: Instant::now(),
            hands_since_clock: 0,
            is_slow: !plan.bots.iter().all(is_fast),
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

    /// Reports hands to the observer, and saves a checkpoint if the last is old enough.
    fn report(&mut self, hands: usize) -> Result<()> {
        self.chunk.observer.played(hands as u64);
        self.hands_since_clock += hands;
        if !self.is_slow && self.hands_since_clock < HANDS_PER_CLOCK {
            return Ok(());
        }
        self.hands_since_clock = 0;
        if self.last_checkpoint.elapsed() >= CHECKPOINT_INTERVAL {
            self.close_log_part()?;
            (self.chunk.save)(&self.partial)?;
            self.last_checkpoint = Instant::now();
            self.open_log_part()?;
        }
        Ok(())
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
        // New bots for each deal: none carries anything over.
        self.line_ups.iter_mut().for_each(LineUp::reset_bots);
        self.prepare_deal();
        for number in self.partial.current.hands as usize..self.hands.len() {
            if !self.play_hand(deal, self.hands[number])? {
                return Ok(false);
            }
            self.partial.current.hands += 1;
            if self.is_slow && number + 1 < self.hands.len() {
                self.report(1)?;
                if self.is_stopped() {
                    return Ok(false);
                }
            }
        }
        self.count_deal(deal);
        self.report(if self.is_slow { 1 } else { self.hands.len() })?;
        Ok(true)
    }

    /// Resets the sums of the deal, unless some of its hands were played before.
    fn prepare_deal(&mut self) {
        let (plan, current) = (self.plan, &mut self.partial.current);
        if current.hands == 0 {
            let DealInProgress { points, first_seat, luck, .. } = current;
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
        if self.is_slow && current.tally.is_none() {
            current.tally = Some(plan.empty.clone());
        }
    }

    /// Counts a deal of which all hands were played.
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
        let won = current.first_seat.iter().zip(&self.won);
        for ((units, standings), counted) in won.zip(&mut tally.variants) {
            counted.first_seat.add(*units);
            counted.standings.iter_mut().zip(standings).for_each(|(sum, &units)| sum.add(units));
        }
        if let Some(results) = &mut tally.results {
            let strategies = 0..self.plan.names().len();
            let won = strategies.flat_map(|s| self.won.iter().map(move |won| won[s]));
            results.insert(deal, current.first_seat.iter().copied().chain(won).collect());
        }
        if !current.luck.is_empty() {
            let DealInProgress { luck, points, first_seat, .. } = &*current;
            tally.add_luck(&self.plan.tables, luck, points, first_seat);
        }
        tally.deals += 1;
        current.hands = 0;
        self.partial.mark_completed(deal..deal + 1);
        self.chunk.observer.dealt(1, &self.won);
    }

    /// Plays a hand. Returns `false` if a bot cancelled it.
    fn play_hand(&mut self, deal: u64, index: HandIndex) -> Result<bool> {
        let HandIndex { table: number, rotation, hand, points } = index;
        let (plan, line_up) = (self.plan, &mut self.line_ups[number]);
        let (table, experiment) = (&plan.tables[number], plan.experiment());
        let variant = &plan.variants[table.variant];
        let (game, seats) = (&variant.game, table.line_up.len());
        let with_records = self.log_part.as_ref().is_some_and(|part| part.records.is_some());
        let every = experiment.sample_decisions_every;
        let is_sampled = every.is_some_and(|every| deal.is_multiple_of(every.get().into()));
        let with_moves = with_records || plan.luck_judge.is_some() || is_sampled;
        let mut start = self.starts[hand as usize].clone();
        if experiment.exchange_cards && rotation == 1 && table.is_mirror() {
            start = start.exchanged();
        }
        let start = &start;
        let choice = table.seed.child(deal).child(rotation.into()).child(hand.into());
        let slot_at = |seat| slot_of(seat, rotation, hand, seats);
        let ended = line_up.play(with_moves, start, choice, slot_at)?;
        let Some(HandResult { state: end, scores, faults }) = ended else { return Ok(false) };
        let PartialChunk { tally, current, .. } = &mut self.partial;
        let tally = current.tally.as_mut().unwrap_or(tally);
        for (slot, forfeit) in &faults {
            // A strategy that failed at two seats lost one hand.
            let is_same = |(before, _): (&usize, _)| table.line_up[*before] == table.line_up[*slot];
            if faults.range(..slot).any(is_same) {
                continue;
            }
            let counted = &mut tally.tables[number].slots[*slot];
            counted.faults += 1;
            counted.fault_kinds.0[forfeit.fault as usize] += 1;
            self.chunk.observer.failed(plan.name_of(table.line_up[*slot]), &forfeit.message);
        }
        let finished = FinishedHand { game, stats: &line_up.stats, end: &end };
        current.first_seat[table.variant] +=
            tally.add_hand(number, table.variant, &finished, &scores.0);
        for (slot, sum) in current.points[points..points + seats].iter_mut().enumerate() {
            *sum += i64::from(scores.0[seat_of(slot, rotation, hand, seats)]);
        }
        let has_failed = !faults.is_empty();
        if !with_moves && self.log_part.is_none() {
            return Ok(true);
        }
        let names: Vec<&str> =
            (0..seats).map(|seat| plan.name_of(table.line_up[slot_at(seat)])).collect();
        let label = Label {
            variant: variant.name.clone(),
            deal,
            hand,
            rotation,
            seed: experiment.seed,
            seats: names.iter().map(ToString::to_string).collect(),
        };
        // A hand with a failed bot has made-up moves and adjusted points: it has no record.
        let record = (!has_failed && (with_records || is_sampled)).then(|| {
            let moves: Vec<G::Move> = line_up.moves().iter().map(|(_, mv)| *mv).collect();
            game.record(&label, start.clone(), &moves, &end)
        });
        if is_sampled
            && let Some(record) = &record
            // The replay of a hand that was just played does not fail.
            && let Ok(Replay { choices, .. }) = G::replay(record)
        {
            let judge = plan.decision_judge.as_ref().map(|judge| &*judge.policy);
            // The label of this stream must not change: seeds depend on it.
            let mut chance = choice.named("looking").stream();
            let counts = game.count_decisions(&choices, judge, &mut chance);
            counts.add_to(&mut tally.variants[table.variant].counts.sums);
        }
        if let Some(judge) = plan.luck_judge.as_ref().filter(|_| !has_failed) {
            let luck = luck(game, &*judge.policy, start, line_up.moves());
            current.luck[number] += if slot_at(0) == 0 { luck } else { -luck };
            current.luck[plan.tables.len() + table.variant] += luck;
        }
        let Some(part) = &mut self.log_part else { return Ok(true) };
        let ended = if has_failed { "fault" } else { game.ending(&end) };
        let record = record.filter(|_| with_records).map(|record| compact(&record));
        let turns = game.turns(&line_up.stats);
        part.add(&label, game.values(&end), &scores, turns, ended, record)?;
        Ok(true)
    }
}
