//! Many tables, stepped at once by several threads. What happens at a table depends on its number
//! and the seed, not on threads.

use std::mem::take;

use rayon::ThreadPool;
use rayon::prelude::*;

use super::single::deal_seed;
use super::{Batch, Company, Facts, Reward, Rows, mask, refusal, room, strategy};
use crate::chance::{Seed, Stream};
use crate::error::{Error, Faults, Result};
use crate::game::{Bot, BotError, Encoded, MoveHistory, Observation, Seat, Turn};
use crate::strategy::{Spec, Strategic};
use crate::variant::Variant;

/// Where the outcome of a step is written: rows of equal length, one for each table. A slice that is
/// empty is not wanted.
pub struct Out<'a> {
    /// What the seat to choose knows: [`Facts::numbers`] for each table.
    pub observations: &'a mut [u8],
    /// 1 for each legal action: [`Facts::count`] for each table.
    pub masks: &'a mut [u8],
    /// What the hand came to that ended with this step, else 0: [`Batch::columns`] for each table.
    pub rewards: &'a mut [f32],
    /// 1 if a hand ended with this step; the observation is then of the next.
    pub dones: &'a mut [u8],
    /// The seat to choose.
    pub seats: &'a mut [u8],
}

/// A table.
struct Table<G: Strategic> {
    state: G::State,
    chance: Stream,
    /// What actions are sampled from.
    lot: Stream,
    /// How many hands were dealt before this one.
    hands: u64,
    /// The learner's seat, where there are opponents.
    learner: Option<Seat>,
    /// The opponents, from the seat after the learner's.
    bots: Vec<Box<dyn Bot<G>>>,
    thoughts: Stream,
    /// The moves of the hand, where there are bots. Other tables save the time and the memory, which
    /// is why this is no `Playthrough`.
    history: MoveHistory<G>,
}

/// What all tables share.
struct Hall<G: Strategic> {
    facts: Facts,
    game: G,
    /// The game as bots are handed it, where that is another.
    known: Option<G>,
    seed: u64,
    tables: u64,
    opponents: Vec<Spec<G::Kind>>,
    seat: Option<Seat>,
}

/// Many tables of one game.
pub(super) struct Many<G: Strategic> {
    hall: Hall<G>,
    tables: Vec<Table<G>>,
    /// The legal actions of each table.
    legal: Vec<u64>,
    pool: Option<ThreadPool>,
}

/// After so many hands in which the learner had no choice, there is something wrong.
const IDLE: u32 = 1000;

/// The bytes that a table is taken to have elsewhere, where its state or its opponents do.
const ELSEWHERE: usize = 4096;

impl<G: Strategic + Encoded> Many<G> {
    /// Tables before their first deal.
    pub fn new(
        variant: Variant<G>,
        reward: Reward,
        tables: usize,
        threads: usize,
        company: &Company,
        rows: Rows,
    ) -> Result<Many<G>> {
        let facts = Facts::of(&variant, reward);
        let mut faults = Faults::default();
        faults.range("n", tables, 1..=1 << 24);
        faults.range("threads", threads, 1..=1024);
        faults.range("seat", company.seat.unwrap_or(0), 0..=facts.seats - 1);
        if company.seat.is_some() && company.opponents.is_empty() {
            faults.push("`seat` is the learner's among `opponents`; there are none");
        }
        let (others, said) = (facts.seats - 1, company.opponents.len());
        if said > 1 && said != others {
            let there = match others {
                1 => "there is 1 other seat".to_owned(),
                _ => format!("there are {others} other seats: name one for all, or one for each"),
            };
            faults.push(format!("`opponents` are {said}; {there}"));
        }
        faults.into_result()?;
        let specs = company.opponents.iter().map(|name| Ok(strategy::<G>(name)?.spec));
        let hall = Hall {
            known: variant.game.redacted(),
            game: variant.game,
            seed: 0,
            tables: tables as u64,
            opponents: specs.collect::<Result<_>>()?,
            seat: company.seat.map(|seat| Seat(seat as u8)),
            facts,
        };
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::failed(format!("no threads: {error}")))?;
        let elsewhere = std::mem::needs_drop::<G::State>() || !hall.opponents.is_empty();
        let here = size_of::<Table<G>>() + hall.facts.words() * size_of::<u64>();
        let here = here + if elsewhere { ELSEWHERE } else { 0 };
        room::ask(tables, here + rows.bytes(&hall.facts))?;
        Ok(Many {
            legal: vec![0; tables * hall.facts.words()],
            tables: (0..tables as u64).map(|number| hall.table(number)).collect(),
            pool: (threads > 1).then_some(pool),
            hall,
        })
    }

    /// Does something at every table, by all threads.
    fn each(
        &mut self,
        actions: &[i64],
        out: Out<'_>,
        work: impl Fn(&Hall<G>, u64, &mut Table<G>, i64, &mut Row<'_>) -> Result<()> + Sync,
    ) -> Result<()> {
        let hall = &self.hall;
        let (tables, legal) = (&mut self.tables[..], &mut self.legal[..]);
        let threads = self.pool.as_ref().map_or(1, ThreadPool::current_num_threads);
        let few = few(tables.len(), threads);
        let part = Part { first: 0, tables, legal, actions, out };
        match &self.pool {
            Some(pool) => pool.install(|| part.go(few, &|part| part.each(hall, &work))),
            None => part.each(hall, &work),
        }
    }
}

impl<G: Strategic + Encoded> Batch for Many<G> {
    fn facts(&self) -> &Facts {
        &self.hall.facts
    }

    fn tables(&self) -> usize {
        self.tables.len()
    }

    fn columns(&self) -> usize {
        if self.hall.opponents.is_empty() { self.hall.facts.seats } else { 1 }
    }

    fn reset(&mut self, seed: u64, out: Out<'_>) -> Result<()> {
        self.hall.seed = seed;
        self.each(&[], out, |hall, number, table, _, row| {
            table.hands = 0;
            table.lot = Seed::new(seed).named("lot").child(number).stream();
            hall.deal(number, table);
            hall.go_on(number, table, false, row)
        })
    }

    fn step(&mut self, actions: &[i64], out: Out<'_>) -> Result<()> {
        let (hall, words) = (&self.hall, self.hall.facts.words());
        if actions.len() != self.tables.len() {
            let (said, tables) = (actions.len(), self.tables.len());
            return Err(Error::input(format!("there are {tables} tables, but {said} actions")));
        }
        let legal = || self.legal.chunks_exact(words);
        if let Some(at) = actions.iter().zip(legal()).position(|(a, words)| !mask::has(words, *a)) {
            let here = &self.legal[at * words..][..words];
            let error = refusal(&hall.game, &hall.facts, here, actions[at]);
            return Err(error.in_part(format!("table {at}")));
        }
        self.each(actions, out, |hall, number, table, action, row| {
            // It was checked before.
            if let (Some(mv), Turn::Seat(seat)) =
                (hall.game.move_of(action as usize), hall.game.turn(&table.state))
            {
                hall.play(table, seat, mv);
            }
            hall.go_on(number, table, true, row)
        })
    }

    fn sample(&mut self, actions: &mut [i64]) {
        let words = self.hall.facts.words();
        let draw = |table: &mut Table<G>, legal: &[u64], action: &mut i64| {
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

/// How many tables a thread takes at a time.
fn few(tables: usize, threads: usize) -> usize {
    (tables / (4 * threads)).max(32)
}

/// A table's row of the outcome.
struct Row<'a> {
    rewards: &'a mut [f32],
    done: &'a mut u8,
}

impl<G: Strategic + Encoded> Hall<G> {
    fn table(&self, number: u64) -> Table<G> {
        let mut chance = deal_seed(self.seed, number).stream();
        let known = self.known.as_ref().unwrap_or(&self.game);
        let others = if self.opponents.is_empty() { 0 } else { self.facts.seats - 1 };
        let specs = self.opponents.iter().cycle().take(others);
        Table {
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

    /// Deals a table's next hand: the tables share the deals out among them.
    fn deal(&self, number: u64, table: &mut Table<G>) {
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
    fn play(&self, table: &mut Table<G>, seat: Seat, mv: G::Move) {
        if !table.bots.is_empty() {
            table.history.record(&self.game, &table.state, seat, mv);
        }
        self.game.apply(&mut table.state, mv, &mut table.chance);
    }

    /// Plays and deals until the learner has a choice; `chose` says whether it had one in this hand.
    fn go_on(
        &self,
        number: u64,
        table: &mut Table<G>,
        mut chose: bool,
        row: &mut Row<'_>,
    ) -> Result<()> {
        row.rewards.fill(0.0);
        *row.done = 0;
        let failed = |error: BotError| {
            let what = format!("an opponent failed: {error}");
            Error::failed(what).in_part(format!("table {number}"))
        };
        for _ in 0..IDLE {
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
        let what = format!("in {IDLE} hands the learner's seat had no choice; give it another");
        Err(Error::failed(what).in_part(format!("table {number}")))
    }

    fn opponent(
        &self,
        table: &mut Table<G>,
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

    fn pay(&self, table: &Table<G>, row: &mut Row<'_>) {
        let (scores, reward) = (self.game.scores(&table.state), self.facts.reward);
        let first = table.learner.map_or(0, Seat::index);
        for (column, paid) in row.rewards.iter_mut().enumerate() {
            *paid = reward.of(&scores, first + column);
        }
        *row.done = 1;
    }
}

/// Some of the tables, and where their outcome is written.
struct Part<'a, G: Strategic> {
    first: usize,
    tables: &'a mut [Table<G>],
    legal: &'a mut [u64],
    actions: &'a [i64],
    out: Out<'a>,
}

/// Takes the first `count` of so many rows.
fn cut<'a, T>(rows: &mut &'a mut [T], count: usize, of: usize) -> &'a mut [T] {
    let all = take(rows);
    let (head, rest) = all.split_at_mut(all.len() / of * count);
    *rows = rest;
    head
}

impl<'a, G: Strategic + Encoded> Part<'a, G> {
    /// Takes the first tables; the rest stays.
    fn cut(&mut self, count: usize) -> Part<'a, G> {
        let (of, first) = (self.tables.len(), self.first);
        self.first += count;
        let (head, rest) = self.actions.split_at(self.actions.len() / of * count);
        self.actions = rest;
        let out = &mut self.out;
        Part {
            first,
            legal: cut(&mut self.legal, count, of),
            actions: head,
            out: Out {
                observations: cut(&mut out.observations, count, of),
                masks: cut(&mut out.masks, count, of),
                rewards: cut(&mut out.rewards, count, of),
                dones: cut(&mut out.dones, count, of),
                seats: cut(&mut out.seats, count, of),
            },
            tables: cut(&mut self.tables, count, of),
        }
    }

    /// Shares the tables out until a part has few of them.
    fn go(mut self, few: usize, work: &(impl Fn(Part<'a, G>) -> Result<()> + Sync)) -> Result<()> {
        let tables = self.tables.len();
        if tables <= few {
            return work(self);
        }
        let head = self.cut(tables / 2);
        let (one, two) = rayon::join(|| head.go(few, work), || self.go(few, work));
        one.and(two)
    }

    /// Does the work at each table, and writes what its learner then knows and may do.
    fn each(
        mut self,
        hall: &Hall<G>,
        work: &impl Fn(&Hall<G>, u64, &mut Table<G>, i64, &mut Row<'_>) -> Result<()>,
    ) -> Result<()> {
        for left in (1..=self.tables.len()).rev() {
            debug_assert_eq!(left, self.tables.len());
            let part = self.cut(1);
            let [table] = part.tables else { continue };
            let [done] = part.out.dones else { continue };
            let action = part.actions.first().copied().unwrap_or(-1);
            let mut row = Row { rewards: part.out.rewards, done };
            work(hall, part.first as u64, table, action, &mut row)?;
            let Turn::Seat(seat) = hall.game.turn(&table.state) else { continue };
            let view = hall.game.view(&table.state, seat);
            hall.game.legal(&view, part.legal);
            mask::write(part.legal, part.out.masks);
            if !part.out.observations.is_empty() {
                hall.game.observe(&view, part.out.observations);
            }
            part.out.seats.fill(seat.0);
        }
        Ok(())
    }
}
