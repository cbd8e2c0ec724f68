//! The whole state of a hand: dealing, moves, verdicts, penalties, expulsion and the end.

use std::iter::once;
use std::sync::Arc;

use super::{
    Act, CapCounts, End, Event, ForcedBy, GuessAfter, Memory, Move, NoPlayEnd, Pool, Public, Rule,
    Rules, Stage, Statements, are_equivalent_from,
};
use parlour_base::cards::{Card, CardMultiset, CardSet};
use parlour_base::chance::Stream;
use parlour_game::{MAX_SEATS, Seat};

/// The whole state of one hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    /// The public part.
    pub public: Public,
    pub(super) hands: [CardMultiset; MAX_SEATS],
    /// The undrawn part of each pool.
    pub(super) undrawn: Vec<CardMultiset>,
    /// The secret rule.
    pub rule: Rule,
    /// The rule's memory of the mainline.
    pub(super) memory: Memory,
    pub(super) judge: Judge,
}

/// The judge of plays, claims and guesses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Judge {
    /// The secret rule.
    Rule,
    /// A person who alone knows the rule, with the move that waits for a verdict.
    Person(Option<Move>),
}

impl State {
    /// Returns the cards of a seat.
    pub fn hand(&self, seat: Seat) -> &CardMultiset {
        &self.hands[seat.index()]
    }

    /// Returns the cards that are right now; all cards if a person judges.
    pub fn right(&self) -> CardSet {
        match self.judge {
            Judge::Rule => self.rule.right(&self.memory),
            Judge::Person(_) => Card::all().collect(),
        }
    }

    pub(super) fn accept(&mut self, card: Card) {
        self.memory = self.rule.step(&self.memory, card);
        Arc::make_mut(&mut self.public.mainline).push(card);
    }

    /// Returns `true` if the string on the table is right, or the claim that no shown card is right.
    pub fn on_the_table_is_right(&self) -> bool {
        match self.public.shown {
            Some(hand) => (self.right() & hand.distinct()).is_empty(),
            None => self.rule.accepts(&self.memory, &self.public.string).is_some(),
        }
    }

    /// Counts the wrong cards of the string on the table. The right cards before each are taken as
    /// part of the mainline.
    pub(super) fn wrong_cards(&self) -> usize {
        let mut memory = self.memory;
        let is_wrong = |card: &&Card| {
            let right = self.rule.right(&memory).has(**card);
            if right {
                memory = self.rule.step(&memory, **card);
            }
            !right
        };
        self.public.string.iter().filter(is_wrong).count()
    }
}

/// A source of drawn cards.
pub(super) trait Deck {
    /// Removes one card from a set that is not empty, for a seat or, with `None`, for the starter.
    fn draw(&mut self, seat: Option<Seat>, from: &mut CardMultiset) -> Option<Card>;
}

impl Deck for Stream {
    fn draw(&mut self, _: Option<Seat>, from: &mut CardMultiset) -> Option<Card> {
        from.draw(self)
    }
}

impl State {
    /// Deals hands and starter under a secret rule, and returns the cards dealt by seat. The first
    /// player is to move.
    pub(super) fn deal(rules: &Rules, rule: Rule, deck: &mut impl Deck) -> (State, Vec<Vec<Card>>) {
        let (hands, memory, judge) = (Default::default(), Memory::default(), Judge::Rule);
        let public = Public { player: Seat(1), ..Public::default() };
        let mut state = State { public, hands, undrawn: Vec::new(), rule, memory, judge };
        state.add_pool(CardMultiset::decks(2));
        let deal = |seat| (0..rules.hand_size).filter_map(|_| state.draw_one(seat, deck)).collect();
        let dealt = once(Vec::new()).chain((1..rules.seats).map(Seat).map(deal)).collect();
        if let Some(starter) = deck.draw(None, &mut state.undrawn[0]) {
            let pool = &mut state.public.pools[0];
            pool.stock -= 1;
            pool.cards.remove(starter);
            state.accept(starter);
        }
        state.public.expelling = state.public.expels(rules);
        (state, dealt)
    }

    /// Draws a card for a seat from the first pool with any.
    pub(super) fn draw_one(&mut self, seat: Seat, deck: &mut impl Deck) -> Option<Card> {
        let index = self.public.pools.iter().position(|pool| pool.stock > 0)?;
        let card = deck.draw(Some(seat), &mut self.undrawn[index])?;
        let pool = &mut self.public.pools[index];
        pool.stock -= 1;
        pool.held[seat.index()] += 1;
        self.public.held[seat.index()] += 1;
        self.hands[seat.index()].add(card);
        Some(card)
    }

    /// Puts cards under the stock.
    pub(super) fn add_pool(&mut self, cards: CardMultiset) {
        let stock = cards.len() as u16;
        self.public.pools.push(Pool { cards, stock, held: [0; MAX_SEATS] });
        self.undrawn.push(cards);
    }

    /// Makes a card of a hand public: removes it from the known cards or from a pool. All pools that it
    /// may come from are merged into the last of them.
    pub(super) fn reveal(&mut self, seat: Seat, card: Card) {
        if self.public.known[seat.index()].remove(card) {
            return;
        }
        let may = |pool: &Pool| pool.held[seat.index()] > 0 && pool.cards.count(card) > 0;
        let Some(mut last) = self.public.pools.iter().rposition(may) else { return };
        for index in (0..last).rev() {
            if may(&self.public.pools[index]) {
                let pool = self.public.pools.remove(index);
                // All cards of an earlier pool have been drawn.
                self.undrawn.remove(index);
                last -= 1;
                let into = &mut self.public.pools[last];
                into.cards.add_all(&pool.cards);
                into.stock += pool.stock;
                into.held.iter_mut().zip(pool.held).for_each(|(sum, held)| *sum += held);
            }
        }
        let pool = &mut self.public.pools[last];
        pool.cards.remove(card);
        pool.held[seat.index()] -= 1;
    }
}

/// A hand in play: its state, with the rules and the source of cards.
pub(super) struct Hand<'a, D> {
    pub rules: &'a Rules,
    pub statements: &'a Statements,
    pub state: &'a mut State,
    pub deck: &'a mut D,
    /// The cards drawn, with their seats.
    pub drawn: Vec<(Seat, Card)>,
}

impl<D: Deck> Hand<'_, D> {
    /// Applies a legal move.
    pub fn play(&mut self, mv: Move) {
        let public = &mut self.state.public;
        let player = public.player;
        match mv {
            Move::Lay(card) => {
                self.state.reveal(player, card);
                self.lose(card);
                self.state.public.string.push(card);
                if self.rules.longest_string() == 1 {
                    self.submit();
                }
            }
            Move::Submit => self.submit(),
            Move::NoPlay => {
                let hand = self.state.hands[player.index()];
                // If one of two copies of a card was known, the other is seen now.
                let known = std::mem::take(&mut public.known[player.index()]);
                hand.minus(&known).cards().for_each(|card| self.state.reveal(player, card));
                self.state.public.known[player.index()] = hand;
                self.state.public.shown = Some(hand);
                self.submit();
            }
            Move::Judge(said) if public.stage == Stage::Verdict => {
                if let Judge::Person(judged) = &mut self.state.judge
                    && let Some(judged) = judged.take()
                {
                    self.apply_verdict(judged, said);
                }
            }
            Move::Judge(_) | Move::Guess(_) => self.ask(mv),
            Move::Force(_) if public.stage == Stage::Pick => self.ask(mv),
            Move::Force(card) => self.force(card),
            Move::Pass => self.after_statement(),
            Move::Prophesy => {
                public.prophet = Some(player);
                public.prophets.insert(player);
                public.marker = match self.rules.cap_counts {
                    CapCounts::Played => public.played,
                    CapCounts::Mainline => public.mainline.len() as u16 - 1,
                };
                public.after_marker = [0, 0];
                self.amend(|event| event.becomes_prophet = true);
                self.next_turn();
            }
        }
    }

    /// Asks the judge whether a move is right, or what it submits. The rule answers at once.
    fn ask(&mut self, mv: Move) {
        match &mut self.state.judge {
            Judge::Rule => self.apply_verdict(mv, self.is_right(mv)),
            Judge::Person(judged) => {
                *judged = Some(mv);
                self.state.public.stage = Stage::Verdict;
            }
        }
    }

    /// Returns the verdict of the secret rule.
    fn is_right(&self, mv: Move) -> bool {
        let state = &*self.state;
        match mv {
            Move::Force(card) => state.right().has(card),
            Move::Guess(number) => self.statements.rule(number).is_some_and(|stated| {
                let of_stated = stated.after(&state.public.mainline);
                are_equivalent_from(&state.rule, &stated, &state.memory, &of_stated)
            }),
            _ => state.on_the_table_is_right(),
        }
    }

    fn apply_verdict(&mut self, mv: Move, right: bool) {
        let Public { player, prophet, guesser, .. } = self.state.public;
        match mv {
            Move::Force(card) if right => self.force(card),
            Move::Force(card) => {
                // A wrong pick overthrows the prophet, and the dealer picks.
                self.state.public.picked = Some(card);
                self.overthrow();
                self.ask_for_a_card(Stage::Force);
            }
            Move::Guess(number) => {
                self.amend(|event| match guesser {
                    Some(other) => event.other_guesses.push((other, number, right)),
                    None => event.guess = Some((number, right)),
                });
                let by = guesser.unwrap_or(player);
                if right {
                    self.state.public.end = End::Guessed(by);
                } else {
                    self.deal(by, self.rules.wrong_guess_penalty);
                    self.state.public.stage = Stage::After;
                    self.after_statement();
                }
            }
            Move::Judge(said) => self.settle(prophet.map(|prophet| (prophet, said)), right),
            _ => self.settle(None, right),
        }
    }

    /// Removes a card from the player's hand.
    fn lose(&mut self, card: Card) {
        let player = self.state.public.player.index();
        self.state.public.held[player] -= u16::from(self.state.hands[player].remove(card));
    }

    /// Deals cards to a seat. Ends the hand if the stock cannot be refilled.
    fn deal(&mut self, seat: Seat, cards: impl Into<usize>) {
        let cards = cards.into();
        if cards > 0 && self.state.public.end == End::Open && self.draw(seat, cards).is_none() {
            self.state.public.end = End::StockOut;
        }
    }

    /// Draws cards for a seat. `None` if the stock cannot be refilled.
    fn draw(&mut self, seat: Seat, cards: usize) -> Option<()> {
        let mut refill_at = usize::from(self.rules.refill_at);
        for _ in 0..cards {
            let public = &mut self.state.public;
            if public.stock() <= std::mem::take(&mut refill_at) {
                if public.decks_added >= self.rules.decks_added_max {
                    return None;
                }
                public.decks_added += 1;
                self.state.add_pool(CardMultiset::decks(1));
            }
            self.drawn.push((seat, self.state.draw_one(seat, self.deck)?));
        }
        Some(())
    }

    /// Requests the dealer's verdict, after the prophet's if there is one.
    fn submit(&mut self) {
        if self.state.public.prophet.is_some() {
            self.state.public.stage = Stage::Judge;
        } else {
            self.ask(Move::Submit);
        }
    }

    fn settle(&mut self, said: Option<(Seat, bool)>, right: bool) {
        if said.is_some_and(|(_, verdict)| verdict != right) {
            self.overthrow();
        }
        let public = &mut self.state.public;
        public.said = said;
        let (string, shown) = (public.string.clone(), public.shown);
        if shown.is_some() && !right {
            let picks = public.prophet.is_some() && self.rules.forced_by == ForcedBy::Prophet;
            return self.ask_for_a_card(if picks { Stage::Pick } else { Stage::Force });
        }
        self.count(string.len() as u16, right);
        if right {
            string.iter().for_each(|&card| self.state.accept(card));
        }
        self.record(None, right);
        match shown {
            Some(hand) => self.true_no_play(hand),
            None if right => {}
            None => self.mistake(string.len() * usize::from(self.rules.wrong_card_penalty)),
        }
        self.finish(right && shown.is_none());
    }

    /// Removes the prophet and the marker. The former prophet draws its penalty.
    fn overthrow(&mut self) {
        if let Some(prophet) = self.state.public.prophet.take() {
            self.deal(prophet, self.rules.overthrow_penalty);
        }
    }

    fn count(&mut self, cards: u16, right: bool) {
        let public = &mut self.state.public;
        public.played += cards;
        if public.prophet.is_some() {
            public.after_marker[usize::from(!right)] += cards;
        }
    }

    /// Records the settled play or claim and removes it from the table.
    fn record(&mut self, forced: Option<Card>, right: bool) {
        let public = &mut self.state.public;
        let act = match public.shown.take() {
            Some(hand) => Act::NoPlay { hand, forced },
            None => Act::Play(std::mem::take(&mut public.string)),
        };
        Arc::make_mut(&mut public.history).push(Event {
            seat: public.player,
            act,
            right,
            prophet_said: public.said.take(),
            prophet_picked: public.picked.take(),
            expelled: false,
            becomes_prophet: false,
            guess: None,
            other_guesses: Vec::new(),
        });
    }

    /// Changes the event of the last turn.
    fn amend(&mut self, change: impl FnMut(&mut Event)) {
        Arc::make_mut(&mut self.state.public.history).last_mut().into_iter().for_each(change);
    }

    /// Deals penalty cards, and expels the player if a mistake expels now. An overthrown prophet spares
    /// the player.
    fn mistake(&mut self, cards: impl Into<usize>) {
        if self.state.public.history.last().is_some_and(Event::overthrows) {
            return;
        }
        let player = self.state.public.player;
        self.deal(player, cards);
        if self.state.public.expelling {
            self.state.public.expelled.insert(player);
            self.amend(|event| event.expelled = true);
        }
    }

    /// Settles a true claim. The hand goes under the stock, and the player draws a smaller one. If the
    /// claim ends the hand of play, the rules may leave the cards to the player.
    fn true_no_play(&mut self, hand: CardMultiset) {
        let public = &mut self.state.public;
        let player = public.player;
        let fewer = usize::from(self.rules.no_play_fewer);
        if public.end != End::Open {
            return;
        }
        if hand.len() <= fewer {
            public.end = End::NoPlay(player);
            if self.rules.no_play_end == NoPlayEnd::Kept {
                return;
            }
        }
        public.known[player.index()] = CardMultiset::EMPTY;
        public.held[player.index()] = 0;
        self.state.hands[player.index()] = CardMultiset::EMPTY;
        self.state.add_pool(hand);
        self.deal(player, hand.len().saturating_sub(fewer));
    }

    /// Requests the card of a falsely claimed hand that goes on the mainline. The prophet may pick any
    /// card, the dealer any right one. An only card is a move too: everybody would otherwise learn
    /// how many cards are right.
    fn ask_for_a_card(&mut self, stage: Stage) {
        if self.state.public.end != End::Open {
            return self.record(None, false);
        }
        self.state.public.stage = stage;
    }

    /// Puts a card of a falsely claimed hand on the mainline.
    fn force(&mut self, card: Card) {
        let player = self.state.public.player;
        self.state.public.known[player.index()].remove(card);
        self.lose(card);
        self.state.accept(card);
        self.count(1, true);
        self.record(Some(card), false);
        self.mistake(self.rules.false_no_play_penalty);
        self.finish(false);
    }

    /// Offers the player a move after the turn, or starts the next turn.
    fn finish(&mut self, played_right: bool) {
        let (rules, public) = (self.rules, &mut self.state.public);
        let out = public.held[public.player.index()] == 0;
        let may_state = rules.express && played_right && (!out || rules.guess_with_last_card);
        if public.end == End::Open && (may_state || !out && public.may_prophesy(rules)) {
            public.stage = Stage::After;
        } else {
            self.next_turn();
        }
    }

    /// Asks the next player for the rule, if the rules let all players state it, or starts the next
    /// turn.
    fn after_statement(&mut self) {
        let (rules, public) = (self.rules, &mut self.state.public);
        if rules.express && rules.guess_after == GuessAfter::Any && public.end == End::Open {
            let last = public.guesser.unwrap_or(public.player);
            let next = Seat(last.0 % (rules.seats - 1) + 1);
            public.guesser = Some(next).filter(|next| *next != public.player);
            if public.guesser.is_some() {
                return;
            }
        }
        self.next_turn();
    }

    /// Starts the turn of the next player, unless the hand is over. Ends the hand if the player is out,
    /// or nobody takes turns.
    fn next_turn(&mut self) {
        let public = &mut self.state.public;
        let players = self.rules.seats - 1;
        let mut after = (0..players).map(|step| Seat((public.player.0 + step) % players + 1));
        match after.find(|seat| public.takes_turns(*seat)) {
            _ if public.end != End::Open => {}
            _ if public.held[public.player.index()] == 0 => public.end = End::Out(public.player),
            Some(seat) => {
                public.player = seat;
                public.stage = Stage::Play;
                public.expelling = public.expels(self.rules);
            }
            None => public.end = End::Expelled,
        }
    }
}
