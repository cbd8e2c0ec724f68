//! A vector environment: many tables stepped at once by several threads. The events at a table
//! depend on its number and the seed, not on threads.

use itertools::izip;
use rayon::ThreadPool;
use rayon::prelude::*;

use super::interface::{Facts, Setup, StepBuffers, VectorEnv, VectorOptions, deal_seed, strategy};
use super::{mask, memory};
use parlour_base::cards::CardStyle;
use parlour_base::chance::{Seed, Stream};
use parlour_base::error::{Error, Faults, Result};
use parlour_game::strategy::{Spec, Strategic};
use parlour_game::variant::Variant;
use parlour_game::{Bot, BotError, Encoded, Playthrough, Seat, Turn};

/// A table.
struct VectorTable<G: Strategic> {
    number: u64,
    /// The mask of legal actions.
    legal: Vec<u64>,
    hand: Playthrough<G>,
    /// The random stream of sampled actions.
    lot: Stream,
    /// Number of hands dealt before this one.
    hands: u64,
    /// The learner's seat, if there are opponents.
    learner: Option<Seat>,
    /// The opponents, from the seat after the learner's.
    bots: Vec<Box<dyn Bot<G>>>,
    thoughts: Stream,
}

/// The data that all tables share.
struct VectorShared<G: Strategic> {
    setup: Setup<G>,
    seed: u64,
    tables: u64,
    opponents: Vec<Spec<G::Kind>>,
    seat: Option<Seat>,
    autoreset: bool,
}

/// A vector environment of one game.
pub(super) struct VectorTables<G: Strategic> {
    shared: VectorShared<G>,
    tables: Vec<VectorTable<G>>,
    pool: Option<ThreadPool>,
}

/// The action that leaves a table and its rows as they are.
const SKIP: i64 = -1;

/// The action that deals the next hand.
const DEAL: i64 = -2;

/// Maximum number of hands in a row without a choice of the learner.
const MAX_IDLE_HANDS: u32 = 1000;

/// Assumed heap memory of a table.
const HEAP_PER_TABLE: usize = 4096;

impl<G: Strategic + Encoded> VectorTables<G> {
    /// Creates the tables before their first deal.
    pub fn new(variant: Variant<G>, options: &VectorOptions) -> Result<VectorTables<G>> {
        let &VectorOptions { reward, tables, threads, seat, autoreset, .. } = options;
        let setup = Setup::new(variant, reward);
        let facts = &setup.facts;
        let mut faults = Faults::default();
        faults.range("n", tables, 1..=1 << 24);
        faults.range("threads", threads, 1..=1024);
        faults.range("seat", seat.unwrap_or(0), 0..=facts.seats - 1);
        if seat.is_some() && options.opponents.is_empty() {
            faults.push("`seat` is the learner's among `opponents`; there are none");
        }
        let (others, said) = (facts.seats - 1, options.opponents.len());
        if said > 1 && said != others {
            let there = match others {
                1 => "there is 1 other seat".to_owned(),
                _ => format!("there are {others} other seats: name one for all, or one for each"),
            };
            faults.push(format!("`opponents` are {said}; {there}"));
        }
        faults.into_result()?;
        let specs = options.opponents.iter().map(|name| Ok(strategy::<G>(name)?.spec));
        let opponents = specs.collect::<Result<Vec<_>>>()?;
        opponents.iter().try_for_each(|spec| setup.known().check(spec))?;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| Error::failed(format!("cannot start threads: {error}")))?;
        let wanted = |is_wanted: bool, bytes: usize| if is_wanted { bytes } else { 0 };
        let own = size_of::<VectorTable<G>>() + HEAP_PER_TABLE + facts.words() * size_of::<u64>();
        let rows = facts.seats * size_of::<f32>() + 2 + size_of::<i64>();
        let rows = rows + wanted(options.observations, facts.numbers);
        memory::check(tables, own + rows + wanted(options.masks, facts.count))?;
        let seat = seat.map(|seat| Seat(seat as u8));
        let shared =
            VectorShared { seed: 0, tables: tables as u64, opponents, seat, setup, autoreset };
        Ok(VectorTables {
            tables: (0..tables as u64).map(|number| shared.table(number)).collect(),
            pool: (threads > 1).then_some(pool),
            shared,
        })
    }

    /// Runs `work` at every table on all threads, and writes the learner's next observation and mask.
    fn each(
        &mut self,
        actions: &[i64],
        out: StepBuffers<'_>,
        work: impl Fn(&VectorShared<G>, &mut VectorTable<G>, i64, &mut StepBuffers<'_>) -> Result<()>
        + Sync,
    ) -> Result<()> {
        let (shared, count) = (&self.shared, self.tables.len());
        let actions = actions.iter().copied().chain(std::iter::repeat(DEAL));
        let mut all = izip!(&mut self.tables, actions, out.rows(count));
        let step = |(table, action, mut out): (&mut VectorTable<G>, i64, StepBuffers<'_>)| {
            if action == SKIP {
                out.rewards.fill(0.0);
                out.dones.fill(0);
                return Ok(());
            }
            work(shared, table, action, &mut out)?;
            shared.show(table, out);
            Ok(())
        };
        match &self.pool {
            None => all.try_for_each(step),
            Some(pool) => {
                let few = (count / (4 * pool.current_num_threads())).max(32);
                let all = all.collect::<Vec<_>>().into_par_iter().with_min_len(few);
                // The first error wins, for any number of threads.
                pool.install(|| all.map(step).reduce(|| Ok(()), Result::and))
            }
        }
    }
}

impl<G: Strategic + Encoded> VectorEnv for VectorTables<G> {
    fn facts(&self) -> &Facts {
        &self.shared.setup.facts
    }

    fn tables(&self) -> usize {
        self.tables.len()
    }

    fn columns(&self) -> usize {
        if self.shared.opponents.is_empty() { self.facts().seats } else { 1 }
    }

    fn reset(&mut self, seed: u64, out: StepBuffers<'_>) -> Result<()> {
        self.shared.seed = seed;
        self.each(&[], out, |shared, table, _, out| {
            table.hands = 0;
            table.lot = Seed::new(seed).named("lot").child(table.number).stream();
            shared.deal(table);
            shared.advance(table, out, false)
        })
    }

    fn step(&mut self, actions: &[i64], out: StepBuffers<'_>) -> Result<()> {
        if actions.len() != self.tables.len() {
            let (said, tables) = (actions.len(), self.tables.len());
            return Err(Error::input(format!("there are {tables} tables, but {said} actions")));
        }
        let mut pairs = self.tables.iter().zip(actions);
        if let Some((table, action)) =
            pairs.find(|(table, at)| !mask::has(&table.legal, **at) && ![SKIP, DEAL].contains(*at))
        {
            let error = match mask::count(&table.legal) {
                0 => Error::input(format!("the hand is over; action {DEAL} deals the next one")),
                _ => self.shared.setup.refusal(&table.legal, *action),
            };
            return Err(error.in_part(format!("table {}", table.number)));
        }
        self.each(actions, out, |shared, table, action, out| {
            let game = &shared.setup.game;
            if action == DEAL {
                table.hands += 1;
                shared.deal(table);
                return shared.advance(table, out, false);
            }
            // The action was checked before.
            if let (Some(mv), Turn::Seat(seat)) =
                (game.move_of(action as usize), table.hand.turn(game))
            {
                table.hand.apply(game, seat, mv);
            }
            shared.advance(table, out, true)
        })
    }

    fn sample(&mut self, actions: &mut [i64]) {
        for (table, action) in self.tables.iter_mut().zip(actions) {
            *action = mask::pick(&table.legal, &mut table.lot).unwrap_or(DEAL);
        }
    }

    fn picture(&self, table: usize) -> Result<String> {
        let tables = self.tables.len();
        let none = || Error::input(format!("there is no table {table}; there are {tables}"));
        let VectorTable { hand, learner, .. } = self.tables.get(table).ok_or_else(none)?;
        let game = &self.shared.setup.game;
        let view = hand.view(game, learner.unwrap_or_default());
        Ok(game.picture(&view, CardStyle::Ascii))
    }
}

impl<G: Strategic + Encoded> VectorShared<G> {
    fn table(&self, number: u64) -> VectorTable<G> {
        let start = deal_seed(self.seed, number).stream();
        let others = if self.opponents.is_empty() { 0 } else { self.setup.facts.seats - 1 };
        let specs = self.opponents.iter().cycle().take(others);
        VectorTable {
            number,
            legal: vec![0; self.setup.facts.words()],
            hand: Playthrough::new(&self.setup.game, start.clone()),
            lot: start.clone(),
            thoughts: start,
            hands: 0,
            learner: None,
            bots: specs.map(|spec| self.setup.known().bot(spec)).collect(),
        }
    }

    /// Deals the next hand of a table; the deals are distributed over the tables.
    fn deal(&self, table: &mut VectorTable<G>) {
        let deal = table.number + table.hands * self.tables;
        table.hand = Playthrough::new(&self.setup.game, deal_seed(self.seed, deal).stream());
        if table.bots.is_empty() {
            return;
        }
        let seats = self.setup.facts.seats;
        let turn = (table.number + table.hands) % seats as u64;
        let learner = self.seat.unwrap_or(Seat(turn as u8));
        table.learner = Some(learner);
        table.thoughts = Seed::new(self.seed).named("thoughts").child(deal).stream();
        for (after, bot) in table.bots.iter_mut().enumerate() {
            bot.start(Seat(((learner.index() + 1 + after) % seats) as u8));
        }
    }

    /// Plays and deals until the learner has a choice; `chose` says whether it had one in this
    /// hand.
    fn advance(
        &self,
        table: &mut VectorTable<G>,
        out: &mut StepBuffers<'_>,
        mut chose: bool,
    ) -> Result<()> {
        out.rewards.fill(0.0);
        out.dones.fill(0);
        let number = table.number;
        let failed = |what: String| Error::failed(what).in_part(format!("table {number}"));
        for _ in 0..MAX_IDLE_HANDS {
            while let Turn::Seat(seat) = table.hand.turn(&self.setup.game) {
                let Some(learner) = table.learner.filter(|learner| *learner != seat) else {
                    return Ok(());
                };
                self.opponent(table, learner, seat)
                    .map_err(|error| failed(format!("an opponent failed: {error}")))?;
            }
            if std::mem::take(&mut chose) {
                let scores = self.setup.game.scores(&table.hand.state);
                let first = table.learner.map_or(0, Seat::index);
                for (seat, paid) in (first..).zip(out.rewards.iter_mut()) {
                    *paid = self.setup.facts.reward.of(&scores, seat);
                }
                out.dones.fill(1);
                if !self.autoreset {
                    return Ok(());
                }
            }
            table.hands += 1;
            self.deal(table);
        }
        Err(failed(format!(
            "the learner's seat had no choice in {MAX_IDLE_HANDS} hands; use another `seat`"
        )))
    }

    fn opponent(
        &self,
        table: &mut VectorTable<G>,
        learner: Seat,
        seat: Seat,
    ) -> std::result::Result<(), BotError> {
        let seats = self.setup.facts.seats;
        let after = (seat.index() + seats - learner.index() - 1) % seats;
        let view = table.hand.view(&self.setup.game, seat);
        let Some(bot) = table.bots.get_mut(after) else { return Ok(()) };
        let observation = table.hand.observation(seat, &view);
        let mv = bot.choose(self.setup.known(), observation, &mut table.thoughts)?;
        table.hand.apply(&self.setup.game, seat, mv);
        Ok(())
    }

    /// Writes the observation and the mask of the seat to move, or of the learner after the end.
    fn show(&self, table: &mut VectorTable<G>, out: StepBuffers<'_>) {
        let game = &self.setup.game;
        let seat = match table.hand.turn(game) {
            Turn::Seat(seat) => seat,
            _ => table.learner.unwrap_or_default(),
        };
        let view = table.hand.view(game, seat);
        game.legal(&view, &mut table.legal);
        mask::write(&table.legal, out.masks);
        if !out.observations.is_empty() {
            game.observe(&view, out.observations);
        }
        out.seats.fill(seat.0);
    }
}
