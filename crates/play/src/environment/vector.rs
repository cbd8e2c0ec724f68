//! A vector environment: many tables stepped at once by several threads. The events at a table
//! depend on its number and the seed, not on threads.

use std::mem::take;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::buffers::StepBuffers;
use super::interface::{Facts, Opponents, VectorEnv, refusal, strategy};
use super::memory::Rows;
use super::reward::Reward;
use super::single::deal_seed;
use super::{mask, memory};
use crate::chance::{Seed, Stream};
use crate::error::{Error, Faults, Result};
use crate::game::{Bot, BotError, Encoded, MoveHistory, Observation, Seat, Turn};
use crate::strategy::{Spec, Strategic};
use crate::variant::Variant;

/// A table.
struct VectorTable<G: Strategic> {
    state: G::State,
    chance: Stream,
    /// The random stream of sampled actions.
    lot: Stream,
    /// Number of hands dealt before this one.
    hands: u64,
    /// The learner's seat, if there are opponents.
    learner: Option<Seat>,
    /// The opponents, from the seat after the learner's.
    bots: Vec<Box<dyn Bot<G>>>,
    thoughts: Stream,
    /// The moves of the hand, if there are opponents. Other tables save the time and the memory; so
    /// this is no `Playthrough`.
    history: MoveHistory<G>,
}

/// The data that all tables share.
struct VectorShared<G: Strategic> {
    facts: Facts,
    game: G,
    /// The game for the bots, if it has a secret.
    known: Option<G>,
    seed: u64,
    tables: u64,
    opponents: Vec<Spec<G::Kind>>,
    seat: Option<Seat>,
}

/// A vector environment of one game.
pub(super) struct VectorTables<G: Strategic> {
    shared: VectorShared<G>,
    tables: Vec<VectorTable<G>>,
    /// The mask of legal actions of each table.
    legal: Vec<u64>,
    pool: Option<ThreadPool>,
}

/// Maximum number of hands in a row without a choice of the learner.
const MAX_IDLE_HANDS: u32 = 1000;

/// Assumed heap memory of a table whose state or opponents use the heap.
const HEAP_PER_TABLE: usize = 4096;

impl<G: Strategic + Encoded> VectorTables<G> {
    /// Creates the tables before their first deal.
    pub fn new(
        variant: Variant<G>,
        reward: Reward,
        tables: usize,
        threads: usize,
        opponents: &Opponents,
        rows: Rows,
    ) -> Result<VectorTables<G>> {
        let facts = Facts::of(&variant, reward);
        let mut faults = Faults::default();
        faults.range("n", tables, 1..=1 << 24);
        faults.range("threads", threads, 1..=1024);
        faults.range("seat", opponents.seat.unwrap_or(0), 0..=facts.seats - 1);
        if opponents.seat.is_some() && opponents.strategies.is_empty() {
            faults.push("`seat` is the learner's among `opponents`; there are none");
        }
        let (others, said) = (facts.seats - 1, opponents.strategies.len());
        if said > 1 && said != others {
            let there = match others {
                1 => "there is 1 other seat".to_owned(),
                _ => format!("there are {others} other seats: name one for all, or one for each"),
            };
            faults.push(format!("`opponents` are {said}; {there}"));
        }
        faults.into_result()?;
        let specs = opponents.strategies.iter().map(|name| Ok(strategy::<G>(name)?.spec));
        let shared = VectorShared {
            known: variant.game.secret_setup().and_then(|secret| secret.redacted()),
            game: variant.game,
            seed: 0,
            tables: tables as u64,
            opponents: specs.collect::<Result<_>>()?,
            seat: opponents.seat.map(|seat| Seat(seat as u8)),
            facts,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::failed(format!("cannot start threads: {error}")))?;
        let elsewhere = std::mem::needs_drop::<G::State>() || !shared.opponents.is_empty();
        let here = size_of::<VectorTable<G>>() + shared.facts.words() * size_of::<u64>();
        let here = here + if elsewhere { HEAP_PER_TABLE } else { 0 };
        memory::check(tables, here + rows.bytes(&shared.facts))?;
        Ok(VectorTables {
            legal: vec![0; tables * shared.facts.words()],
            tables: (0..tables as u64).map(|number| shared.table(number)).collect(),
            pool: (threads > 1).then_some(pool),
            shared,
        })
    }

    /// Runs `work` at every table on all threads.
    fn each(
        &mut self,
        actions: &[i64],
        out: StepBuffers<'_>,
        work: impl Fn(
            &VectorShared<G>,
            u64,
            &mut VectorTable<G>,
            i64,
            &mut OutcomeRow<'_>,
        ) -> Result<()>
        + Sync,
    ) -> Result<()> {
        let shared = &self.shared;
        let (tables, legal) = (&mut self.tables[..], &mut self.legal[..]);
        let threads = self.pool.as_ref().map_or(1, ThreadPool::current_num_threads);
        let few = few(tables.len(), threads);
        let part = TablePart { first: 0, tables, legal, actions, out };
        match &self.pool {
            Some(pool) => pool.install(|| part.go(few, &|part| part.each(shared, &work))),
            None => part.each(shared, &work),
        }
    }
}

impl<G: Strategic + Encoded> VectorEnv for VectorTables<G> {
    fn facts(&self) -> &Facts {
        &self.shared.facts
    }

    fn tables(&self) -> usize {
        self.tables.len()
    }

    fn columns(&self) -> usize {
        if self.shared.opponents.is_empty() { self.shared.facts.seats } else { 1 }
    }

    fn reset(&mut self, seed: u64, out: StepBuffers<'_>) -> Result<()> {
        self.shared.seed = seed;
        self.each(&[], out, |shared, number, table, _, row| {
            table.hands = 0;
            table.lot = Seed::new(seed).named("lot").child(number).stream();
            shared.deal(number, table);
            shared.advance(number, table, false, row)
        })
    }

    fn step(&mut self, actions: &[i64], out: StepBuffers<'_>) -> Result<()> {
        let (shared, words) = (&self.shared, self.shared.facts.words());
        if actions.len() != self.tables.len() {
            let (said, tables) = (actions.len(), self.tables.len());
            return Err(Error::input(format!("there are {tables} tables, but {said} actions")));
        }
        let legal = || self.legal.chunks_exact(words);
        if let Some(at) = actions.iter().zip(legal()).position(|(a, words)| !mask::has(words, *a)) {
            let here = &self.legal[at * words..][..words];
            let error = refusal(&shared.game, &shared.facts, here, actions[at]);
            return Err(error.in_part(format!("table {at}")));
        }
        self.each(actions, out, |shared, number, table, action, row| {
            // The action was checked before.
            if let (Some(mv), Turn::Seat(seat)) =
                (shared.game.move_of(action as usize), shared.game.turn(&table.state))
            {
                shared.play(table, seat, mv);
            }
            shared.advance(number, table, true, row)
        })
    }

    fn sample(&mut self, actions: &mut [i64]) {
        let words = self.shared.facts.words();
        let draw = |table: &mut VectorTable<G>, legal: &[u64], action: &mut i64| {
            *action = mask::pick(legal, &mut table.lot).unwrap_or(-1);
        };
        match &self.pool {
            None => {
                let rows = self.tables.iter_mut().zip(self.legal.chunks_exact(words));
                rows.zip(actions).for_each(|((table, legal), action)| draw(table, legal, action));
            }
            Some(pool) => {
                let few = few(self.tables.len(), pool.current_num_threads());
                let rows = self.tables.par_iter_mut().zip(self.legal.par_chunks_exact(words));
                let rows = rows.zip(actions).with_min_len(few);
                pool.install(|| {
                    rows.for_each(|((table, legal), action)| draw(table, legal, action));
                });
            }
        }
    }
}

/// Number of tables that a thread takes at a time.
fn few(tables: usize, threads: usize) -> usize {
    (tables / (4 * threads)).max(32)
}

/// A table's row of the outcome.
struct OutcomeRow<'a> {
    rewards: &'a mut [f32],
    done: &'a mut u8,
}

impl<G: Strategic + Encoded> VectorShared<G> {
    fn table(&self, number: u64) -> VectorTable<G> {
        let mut chance = deal_seed(self.seed, number).stream();
        let known = self.known.as_ref().unwrap_or(&self.game);
        let others = if self.opponents.is_empty() { 0 } else { self.facts.seats - 1 };
        let specs = self.opponents.iter().cycle().take(others);
        VectorTable {
            state: self.game.deal(&mut chance),
            lot: chance.clone(),
            thoughts: chance.clone(),
            chance,
            hands: 0,
            learner: None,
            bots: specs.map(|spec| known.bot(spec)).collect(),
            history: MoveHistory::default(),
        }
    }

    /// Deals the next hand of a table; the deals are distributed over the tables.
    fn deal(&self, number: u64, table: &mut VectorTable<G>) {
        let deal = number + table.hands * self.tables;
        table.chance = deal_seed(self.seed, deal).stream();
        table.state = self.game.deal(&mut table.chance);
        if table.bots.is_empty() {
            return;
        }
        let (seats, turn) = (self.facts.seats as u64, number + table.hands);
        let learner = self.seat.unwrap_or(Seat((turn % seats) as u8));
        table.learner = Some(learner);
        table.thoughts = Seed::new(self.seed).named("thoughts").child(deal).stream();
        table.history.clear();
        for (after, bot) in table.bots.iter_mut().enumerate() {
            bot.start(Seat(((learner.index() + 1 + after) % self.facts.seats) as u8));
        }
    }

    #[inline]
    fn play(&self, table: &mut VectorTable<G>, seat: Seat, mv: G::Move) {
        if !table.bots.is_empty() {
            table.history.record(&self.game, &table.state, seat, mv);
        }
        self.game.apply(&mut table.state, mv, &mut table.chance);
    }

    /// Plays and deals until the learner has a choice; `chose` says whether it had one in this
    /// hand.
    fn advance(
        &self,
        number: u64,
        table: &mut VectorTable<G>,
        mut chose: bool,
        row: &mut OutcomeRow<'_>,
    ) -> Result<()> {
        row.rewards.fill(0.0);
        *row.done = 0;
        let failed = |error: BotError| {
            let what = format!("an opponent failed: {error}");
            Error::failed(what).in_part(format!("table {number}"))
        };
        for _ in 0..MAX_IDLE_HANDS {
            while let Turn::Seat(seat) = self.game.turn(&table.state) {
                let Some(learner) = table.learner.filter(|learner| *learner != seat) else {
                    return Ok(());
                };
                self.opponent(table, learner, seat).map_err(failed)?;
            }
            if chose {
                self.pay(table, row);
                chose = false;
            }
            table.hands += 1;
            self.deal(number, table);
        }
        let what = format!(
            "the learner's seat had no choice in {MAX_IDLE_HANDS} hands; use another `seat`"
        );
        Err(Error::failed(what).in_part(format!("table {number}")))
    }

    fn opponent(
        &self,
        table: &mut VectorTable<G>,
        learner: Seat,
        seat: Seat,
    ) -> std::result::Result<(), BotError> {
        let known = self.known.as_ref().unwrap_or(&self.game);
        let after = (seat.index() + self.facts.seats - learner.index() - 1) % self.facts.seats;
        let view = self.game.view(&table.state, seat);
        let Some(bot) = table.bots.get_mut(after) else { return Ok(()) };
        let observation = Observation { view: &view, past: table.history.visible_to(seat) };
        let mv = bot.choose(known, observation, &mut table.thoughts)?;
        self.play(table, seat, mv);
        Ok(())
    }

    fn pay(&self, table: &VectorTable<G>, row: &mut OutcomeRow<'_>) {
        let (scores, reward) = (self.game.scores(&table.state), self.facts.reward);
        let first = table.learner.map_or(0, Seat::index);
        for (column, paid) in row.rewards.iter_mut().enumerate() {
            *paid = reward.of(&scores, first + column);
        }
        *row.done = 1;
    }
}

/// A part of the tables with the buffers of their outcome.
struct TablePart<'a, G: Strategic> {
    first: usize,
    tables: &'a mut [VectorTable<G>],
    legal: &'a mut [u64],
    actions: &'a [i64],
    out: StepBuffers<'a>,
}

/// Splits off the first `count` of `of` rows.
fn cut<'a, T>(rows: &mut &'a mut [T], count: usize, of: usize) -> &'a mut [T] {
    let all = take(rows);
    let (head, rest) = all.split_at_mut(all.len() / of * count);
    *rows = rest;
    head
}

impl<'a, G: Strategic + Encoded> TablePart<'a, G> {
    /// Splits off the first tables.
    fn cut(&mut self, count: usize) -> TablePart<'a, G> {
        let (of, first) = (self.tables.len(), self.first);
        self.first += count;
        let (head, rest) = self.actions.split_at(self.actions.len() / of * count);
        self.actions = rest;
        let out = &mut self.out;
        TablePart {
            first,
            legal: cut(&mut self.legal, count, of),
            actions: head,
            out: StepBuffers {
                observations: cut(&mut out.observations, count, of),
                masks: cut(&mut out.masks, count, of),
                rewards: cut(&mut out.rewards, count, of),
                dones: cut(&mut out.dones, count, of),
                seats: cut(&mut out.seats, count, of),
            },
            tables: cut(&mut self.tables, count, of),
        }
    }

    /// Halves the tables until a part has at most `few` of them.
    fn go(
        mut self,
        few: usize,
        work: &(impl Fn(TablePart<'a, G>) -> Result<()> + Sync),
    ) -> Result<()> {
        let tables = self.tables.len();
        if tables <= few {
            return work(self);
        }
        let head = self.cut(tables / 2);
        let (one, two) = rayon::join(|| head.go(few, work), || self.go(few, work));
        one.and(two)
    }

    /// Runs `work` at each table and writes the learner's next observation and mask.
    fn each(
        mut self,
        shared: &VectorShared<G>,
        work: &impl Fn(
            &VectorShared<G>,
            u64,
            &mut VectorTable<G>,
            i64,
            &mut OutcomeRow<'_>,
        ) -> Result<()>,
    ) -> Result<()> {
        for left in (1..=self.tables.len()).rev() {
            debug_assert_eq!(left, self.tables.len());
            let part = self.cut(1);
            let [table] = part.tables else { continue };
            let [done] = part.out.dones else { continue };
            let action = part.actions.first().copied().unwrap_or(-1);
            let mut row = OutcomeRow { rewards: part.out.rewards, done };
            work(shared, part.first as u64, table, action, &mut row)?;
            let Turn::Seat(seat) = shared.game.turn(&table.state) else { continue };
            let view = shared.game.view(&table.state, seat);
            shared.game.legal(&view, part.legal);
            mask::write(part.legal, part.out.masks);
            if !part.out.observations.is_empty() {
                shared.game.observe(&view, part.out.observations);
            }
            part.out.seats.fill(seat.0);
        }
        Ok(())
    }
}
