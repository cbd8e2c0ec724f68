//! One table.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::interface::{Environment, Facts, Outcomes, Setup, deal_seed, strategy};
use super::mask;
use parlour_base::cards::CardStyle;
use parlour_base::chance::{Seed, Stream};
use parlour_base::error::{Error, Result, ensure};
use parlour_base::files::compact;
use parlour_game::strategy::Strategic;
use parlour_game::{Bot, Encoded, Game, Label, PastMove, Playthrough, PositionFile, Seat, Turn};

/// The view and the moves that a seat saw.
type Origin<G> = (<G as Game>::View, Vec<(Seat, <G as Game>::Move)>);

/// A table with its hand.
pub(super) struct SingleTable<G: Strategic> {
    setup: Arc<Setup<G>>,
    seed: u64,
    deal: u64,
    /// The random stream of [`sample`](Environment::sample).
    lot: Stream,
    hand: Playthrough<G>,
    /// `true` if the caller chose an outcome of chance.
    is_chosen: bool,
    /// The view that the hand was sampled from; none for a deal.
    origin: Option<Origin<G>>,
    legal: Vec<u64>,
    /// The strategies that were asked.
    bots: BTreeMap<String, Box<dyn Bot<G>>>,
}

/// Deals a hand, or samples one from a view.
fn start<G: Game>(game: &G, origin: Option<&Origin<G>>, seed: u64, deal: u64) -> Playthrough<G> {
    match origin {
        None => Playthrough::new(game, deal_seed(seed, deal).stream()),
        Some((view, past)) => {
            let rng = Seed::new(seed).named("hidden").child(deal).stream();
            Playthrough::from_view(game, view, past, rng)
        }
    }
}

/// The random stream of [`sample`](Environment::sample).
fn lot(seed: u64, deal: u64) -> Stream {
    Seed::new(seed).named("lot").child(deal).stream()
}

impl<G: Strategic + Encoded> SingleTable<G> {
    /// Creates a table. With an origin the rules must not name a secret.
    pub fn new(setup: Arc<Setup<G>>, origin: Option<Origin<G>>, seed: u64) -> SingleTable<G> {
        let mut table = SingleTable {
            hand: start(&setup.game, origin.as_ref(), seed, 0),
            legal: vec![0; setup.facts.words()],
            lot: lot(seed, 0),
            setup,
            origin,
            is_chosen: false,
            bots: BTreeMap::new(),
            seed,
            deal: 0,
        };
        table.mark();
        table
    }

    fn game(&self) -> &G {
        &self.setup.game
    }

    fn mark(&mut self) {
        let game = &self.setup.game;
        match self.hand.turn(game) {
            Turn::Seat(seat) => game.legal(&self.hand.view(game, seat), &mut self.legal),
            Turn::Over => self.legal.fill(0),
        }
    }

    fn copied(&self) -> SingleTable<G> {
        SingleTable {
            setup: self.setup.clone(),
            seed: self.seed,
            deal: self.deal,
            lot: self.lot.clone(),
            hand: self.hand.clone(),
            origin: self.origin.clone(),
            is_chosen: self.is_chosen,
            legal: self.legal.clone(),
            bots: BTreeMap::new(),
        }
    }

    fn over(&self) -> Error {
        let (deal, seed) = (self.deal, self.seed);
        Error::input(format!("the hand (deal {deal}, seed {seed}) is over; `reset` deals another"))
    }

    /// Refuses what only a dealt hand has.
    fn check_deal(&self, what: &str) -> Result<()> {
        let none = |why| Error::input(format!("{why}: it {what}"));
        ensure(self.origin.is_none(), || none("a table from a position was not dealt"))?;
        ensure(!self.is_chosen, || none("outcomes of chance were chosen at this table"))
    }

    /// Returns the view of a seat, which may not exist.
    fn checked_view(&self, seat: Seat) -> Result<G::View> {
        let seats = self.setup.facts.seats;
        ensure(seat.index() < seats, || {
            Error::input(format!("there is no seat {}; seats are 0 to {}", seat.0, seats - 1))
        })?;
        Ok(self.hand.view(self.game(), seat))
    }
}

impl<G: Strategic + Encoded> Environment for SingleTable<G> {
    fn facts(&self) -> &Facts {
        &self.setup.facts
    }

    fn reset(&mut self, seed: u64, deal: u64) {
        (self.seed, self.deal) = (seed, deal);
        self.lot = lot(seed, deal);
        self.hand = start(self.game(), self.origin.as_ref(), seed, deal);
        self.is_chosen = false;
        self.mark();
    }

    fn determinize(&mut self, seat: Seat, seed: Option<u64>) -> Result<Box<dyn Environment>> {
        let origin = (self.checked_view(seat)?, self.hand.past(seat).to_vec());
        let seed = seed.unwrap_or_else(|| self.lot.bits());
        Ok(Box::new(SingleTable::new(Setup::without_secret(&self.setup), Some(origin), seed)))
    }

    fn dealt(&self) -> (u64, u64) {
        (self.seed, self.deal)
    }

    fn turn(&self) -> Option<Seat> {
        self.hand.turn(self.game()).seat()
    }

    fn legal(&self) -> &[u64] {
        &self.legal
    }

    fn step(&mut self, action: i64) -> Result<()> {
        let seat = self.turn().ok_or_else(|| self.over())?;
        let legal = mask::has(&self.legal, action);
        let Some(mv) = self.game().move_of(action as usize).filter(|_| legal) else {
            return Err(self.setup.refusal(&self.legal, action));
        };
        self.hand.apply(&self.setup.game, seat, mv);
        self.mark();
        Ok(())
    }

    fn outcomes(&self, action: Option<i64>) -> Result<Option<Outcomes>> {
        let mut after = self.copied();
        match action {
            None => {
                self.check_deal("has no outcomes of the deal")?;
                after.reset(self.seed, self.deal);
            }
            Some(action) => after.step(action)?,
        }
        let mv = action.and(after.hand.moves().last()).map(|(_, mv)| (&self.hand.state, *mv));
        let outcomes = self.game().chance_outcomes(mv);
        let table = |(state, weight)| {
            let mut table = after.copied();
            (table.hand.state, table.is_chosen) = (state, true);
            table.mark();
            (weight, Box::new(table) as Box<dyn Environment>)
        };
        Ok(outcomes.map(|all| all.into_iter().map(table).collect()))
    }

    fn make(&mut self, text: &str) -> Result<()> {
        self.turn().ok_or_else(|| self.over())?;
        let mv = self.game().parse_move(text)?;
        let made = self.hand.try_apply(&self.setup.game, mv);
        made.map_err(|_| Error::input(format!("`{text}` is not legal here")))?;
        self.mark();
        Ok(())
    }

    fn sample(&mut self) -> Option<i64> {
        mask::pick(&self.legal, &mut self.lot)
    }

    fn observe(&self, seat: Seat, out: &mut [u8]) {
        self.game().observe(&self.hand.view(self.game(), seat), out);
    }

    fn rewards(&self) -> Vec<f32> {
        let seats = self.setup.facts.seats;
        if self.turn().is_some() {
            return vec![0.0; seats];
        }
        let scores = self.game().scores(&self.hand.state);
        (0..seats).map(|seat| self.setup.facts.reward.of(&scores, seat)).collect()
    }

    fn points(&self) -> Vec<i32> {
        self.game().scores(&self.hand.state).0.to_vec()
    }

    fn view(&self, seat: Seat) -> Result<String> {
        self.checked_view(seat).map(|view| compact(&view))
    }

    fn position(&self, seat: Seat) -> Result<String> {
        let view = self.checked_view(seat)?;
        Ok(compact(&PositionFile::of(self.setup.known(), &view, self.hand.past(seat))))
    }

    fn moves(&self) -> Result<Vec<String>> {
        self.check_deal("cannot be pickled; pickle its `position()`")?;
        Ok(self.hand.moves().iter().map(|(_, mv)| self.game().notation(*mv)).collect())
    }

    fn past(&self, seat: Seat) -> Vec<PastMove> {
        PastMove::list(self.game(), self.hand.past(seat))
    }

    fn notation(&self, action: i64) -> Option<String> {
        let mv = self.game().move_of(usize::try_from(action).ok()?)?;
        Some(self.game().notation(mv))
    }

    fn action_of(&self, text: &str) -> Result<i64> {
        let action = self.game().action_of(self.game().parse_move(text)?);
        let none = || Error::input(format!("`{text}` has no action: these rules never list it"));
        action.map(|action| action as i64).ok_or_else(none)
    }

    fn choose(&mut self, name: &str) -> Result<i64> {
        let seat = self.turn().ok_or_else(|| self.over())?;
        let known = self.setup.known();
        if !self.bots.contains_key(name) {
            let spec = strategy::<G>(name)?.spec;
            known.check(&spec)?;
            self.bots.insert(name.to_owned(), known.bot(&spec));
        }
        let view = self.hand.view(self.game(), seat);
        let observation = self.hand.observation(seat, &view);
        let thoughts = Seed::new(self.seed).named("thoughts").child(self.deal);
        let mut thoughts = thoughts.child(self.hand.moves().len() as u64).stream();
        let Some(bot) = self.bots.get_mut(name) else { return Err(self.over()) };
        bot.start(seat);
        let mv = bot.choose(known, observation, &mut thoughts);
        let mv = mv.map_err(|error| Error::failed(format!("`{name}` failed: {error}")))?;
        let action = self.game().action_of(mv).map(|action| action as i64);
        action.filter(|action| mask::has(&self.legal, *action)).ok_or_else(|| {
            let said = self.game().notation(mv);
            Error::failed(format!("`{name}` would play `{said}`, for which there is no action"))
        })
    }

    fn picture(&self, seat: Seat) -> Result<String> {
        self.checked_view(seat).map(|view| self.game().picture(&view, CardStyle::Ascii))
    }

    fn record(&self) -> Result<String> {
        self.check_deal("has no record")?;
        if let Some(seat) = self.turn() {
            let what = format!("the hand is not over; seat {} is to move", seat.0);
            return Err(Error::input(what));
        }
        let label = Label {
            variant: self.setup.facts.variant.clone(),
            deal: self.deal,
            hand: 0,
            rotation: 0,
            seed: self.seed,
            seats: (0..self.setup.facts.seats).map(|seat| format!("seat-{seat}")).collect(),
        };
        Ok(compact(&self.hand.record(self.game(), &label)))
    }

    fn copy(&self) -> Box<dyn Environment> {
        Box::new(self.copied())
    }
}
