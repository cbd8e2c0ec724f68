//! The truth of one hand, and how it goes on.

use std::sync::Arc;

use super::public::{Act, End, Event, Pool, Public, Stage};
use super::rule::{Memory, Rule, alike_from};
use super::{Counts, Eleusis, Move, Rules};
use crate::cards::{Card, CardSet};
use crate::chance::Stream;
use crate::game::{MAX_SEATS, Ruled, Seat};

/// The whole truth of one hand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct State {
    pub(super) public: Public,
    pub(super) hands: [Counts; MAX_SEATS],
    /// The undrawn part of each pool.
    pub(super) undrawn: Vec<Counts>,
    pub(super) rule: Rule,
    /// What the rule remembers of the mainline.
    pub(super) memory: Memory,
}

/// Where drawn cards come from.
pub(super) trait Deck {
    /// Takes one card out of a set that is not empty, for a seat; none for the starter.
    fn draw(&mut self, seat: Option<Seat>, from: &mut Counts) -> Option<Card>;
}

impl Deck for Stream {
    fn draw(&mut self, _: Option<Seat>, from: &mut Counts) -> Option<Card> {
        from.draw(self)
    }
}

impl State {
    /// A new hand under a secret rule: hands and starter dealt, the first player's turn.
    pub(super) fn dealt(rules: &Rules, rule: Rule, deck: &mut impl Deck) -> State {
        let two_decks = Counts::decks(2);
        let pool = Pool { cards: two_decks, stock: 104, held: [0; MAX_SEATS] };
        let public = Public {
            player: Seat(1),
            stage: Stage::Play,
            string: Vec::new(),
            shown: None,
            said: None,
            expelling: false,
            pools: vec![pool],
            known: [Counts::EMPTY; MAX_SEATS],
            held: [0; MAX_SEATS],
            decks_added: 0,
            mainline: Arc::new(Vec::new()),
            history: Arc::new(Vec::new()),
            played: 0,
            prophet: None,
            prophets: 0,
            expelled: 0,
            marker: 0,
            after_marker: [0, 0],
            end: End::Open,
        };
        let mut state = State {
            public,
            hands: [Counts::EMPTY; MAX_SEATS],
            undrawn: vec![two_decks],
            rule,
            memory: Memory::default(),
        };
        for seat in 1..rules.seats {
            for _ in 0..rules.hand_size {
                state.draw_one(Seat(seat), deck);
            }
        }
        if let Some(starter) = deck.draw(None, &mut state.undrawn[0]) {
            let pool = &mut state.public.pools[0];
            pool.stock -= 1;
            pool.cards.remove(starter);
            state.accept(starter);
        }
        state.public.expelling = state.public.expels(rules);
        state
    }

    /// What everyone sees.
    pub fn public(&self) -> &Public {
        &self.public
    }

    /// The secret rule.
    pub fn rule(&self) -> &Rule {
        &self.rule
    }

    /// The cards of a seat.
    pub fn hand(&self, seat: Seat) -> &Counts {
        &self.hands[seat.index()]
    }

    /// The cards that are right now.
    pub fn verdicts(&self) -> CardSet {
        self.rule.verdicts(&self.memory)
    }

    fn accept(&mut self, card: Card) {
        self.memory = self.rule.step(&self.memory, card);
        Arc::make_mut(&mut self.public.mainline).push(card);
    }

    fn draw_one(&mut self, seat: Seat, deck: &mut impl Deck) -> bool {
        let Some(index) = self.public.pools.iter().position(|pool| pool.stock > 0) else {
            return false;
        };
        let Some(card) = deck.draw(Some(seat), &mut self.undrawn[index]) else { return false };
        let pool = &mut self.public.pools[index];
        pool.stock -= 1;
        pool.held[seat.index()] += 1;
        self.public.held[seat.index()] += 1;
        self.hands[seat.index()].add(card);
        true
    }

    fn add_deck(&mut self, rules: &Rules) -> bool {
        if self.public.decks_added >= rules.decks_added_max {
            return false;
        }
        self.public.decks_added += 1;
        let cards = Counts::decks(1);
        self.public.pools.push(Pool { cards, stock: 52, held: [0; MAX_SEATS] });
        self.undrawn.push(cards);
        true
    }

    /// Deals cards to a seat; ends the hand when the stock cannot be refilled.
    fn deal(&mut self, rules: &Rules, seat: Seat, cards: usize, deck: &mut impl Deck) {
        if cards == 0 || self.public.end != End::Open {
            return;
        }
        if self.public.stock() <= rules.refill_at.into() && !self.add_deck(rules) {
            self.public.end = End::StockOut;
            return;
        }
        for _ in 0..cards {
            if (self.public.stock() == 0 && !self.add_deck(rules)) || !self.draw_one(seat, deck) {
                self.public.end = End::StockOut;
                return;
            }
        }
    }

    /// A card leaves a hand (or its account, when it is only shown) and is seen by all.
    fn reveal(&mut self, seat: Seat, card: Card) {
        let mut gone = Vec::new();
        self.public.reveal(seat, card, &mut gone);
        for index in gone {
            // An earlier pool has been drawn to its end.
            self.undrawn.remove(index);
        }
    }

    pub(super) fn play(&mut self, game: &Eleusis, mv: Move, deck: &mut impl Deck) {
        let rules = game.rules();
        let player = self.public.player;
        match mv {
            Move::Lay(card) => {
                self.reveal(player, card);
                if self.hands[player.index()].remove(card) {
                    self.public.held[player.index()] -= 1;
                }
                self.public.string.push(card);
                if rules.longest_string() == 1 {
                    self.submit(game, deck);
                }
            }
            Move::Submit => self.submit(game, deck),
            Move::NoPlay => {
                let hand = self.hands[player.index()];
                for card in hand.minus(&self.public.known[player.index()]).cards() {
                    self.reveal(player, card);
                }
                self.public.known[player.index()] = hand;
                self.public.shown = Some(hand);
                self.submit(game, deck);
            }
            Move::Judge(said) => {
                let by = self.public.prophet.map(|prophet| (prophet, said));
                self.settle(game, by, deck);
            }
            Move::Force(card) => self.force(game, card, deck),
            Move::Pass => self.next_turn(rules),
            Move::Prophesy => {
                self.public.prophet = Some(player);
                self.public.prophets |= 1 << player.0;
                self.public.marker = self.public.played;
                self.public.after_marker = [0, 0];
                if let Some(event) = Arc::make_mut(&mut self.public.history).last_mut() {
                    event.becomes_prophet = true;
                }
                self.next_turn(rules);
            }
            Move::Guess(index) => self.guess(game, index, deck),
        }
    }

    fn submit(&mut self, game: &Eleusis, deck: &mut impl Deck) {
        if self.public.prophet.is_some() {
            self.public.stage = Stage::Judge;
        } else {
            self.settle(game, None, deck);
        }
    }

    /// Whether every card of the string is right in turn.
    fn string_is_right(&self) -> bool {
        let mut memory = self.memory;
        self.public.string.iter().all(|&card| {
            let right = self.rule.verdicts(&memory).has(card);
            memory = self.rule.step(&memory, card);
            right
        })
    }

    /// Whether what is to be judged is right: the string, or the claim that no shown card is.
    pub fn on_the_table_is_right(&self) -> bool {
        match self.public.shown {
            Some(hand) => self.verdicts().0 & hand.distinct().0 == 0,
            None => self.string_is_right(),
        }
    }

    /// The dealer's verdict, after the prophet's if there is one.
    fn settle(&mut self, game: &Eleusis, said: Option<(Seat, bool)>, deck: &mut impl Deck) {
        let rules = game.rules();
        let player = self.public.player;
        let right = self.on_the_table_is_right();
        let overthrown = said.filter(|(_, verdict)| *verdict != right).map(|(seat, _)| seat);
        if let Some(prophet) = overthrown {
            self.public.prophet = None;
            self.deal(rules, prophet, rules.overthrow_penalty.into(), deck);
        }
        if let Some(hand) = self.public.shown {
            if !right && self.public.end == End::Open {
                let mut cards = CardSet(self.verdicts().0 & hand.distinct().0);
                self.public.stage = Stage::Force;
                self.public.said = said;
                if cards.len() == 1
                    && let Some(card) = cards.next()
                {
                    self.force(game, card, deck);
                }
                return;
            }
            self.public.shown = None;
            self.record(Act::NoPlay { hand, forced: None }, right, said);
            if self.public.end == End::Open {
                self.true_no_play(rules, hand, deck);
            }
            return self.finish(rules, false);
        }
        let string = std::mem::take(&mut self.public.string);
        let cards = string.len() as u16;
        self.count(cards, right);
        if right {
            string.iter().for_each(|&card| self.accept(card));
        }
        let penalty = string.len() * usize::from(rules.wrong_card_penalty);
        self.record(Act::Play(string), right, said);
        if !right && overthrown.is_none() {
            self.mistake(rules, player, penalty, deck);
        }
        self.finish(rules, right);
    }

    fn count(&mut self, cards: u16, right: bool) {
        self.public.played += cards;
        if self.public.prophet.is_some() {
            self.public.after_marker[usize::from(!right)] += cards;
        }
    }

    fn record(&mut self, act: Act, right: bool, prophet_said: Option<(Seat, bool)>) {
        Arc::make_mut(&mut self.public.history).push(Event {
            seat: self.public.player,
            act,
            right,
            prophet_said,
            expelled: false,
            becomes_prophet: false,
            guess: None,
        });
    }

    /// Penalty cards, and expulsion if it is time for it.
    fn mistake(&mut self, rules: &Rules, player: Seat, cards: usize, deck: &mut impl Deck) {
        self.deal(rules, player, cards, deck);
        if self.public.expelling {
            self.public.expelled |= 1 << player.0;
            if let Some(event) = Arc::make_mut(&mut self.public.history).last_mut() {
                event.expelled = true;
            }
        }
    }

    /// A true claim: the hand goes under the stock for a smaller one, or the hand of play ends.
    fn true_no_play(&mut self, rules: &Rules, hand: Counts, deck: &mut impl Deck) {
        let player = self.public.player;
        let fewer = usize::from(rules.no_play_fewer);
        if hand.len() <= fewer {
            self.public.end = End::NoPlay(player);
            return;
        }
        self.hands[player.index()] = Counts::EMPTY;
        self.public.known[player.index()] = Counts::EMPTY;
        self.public.held[player.index()] = 0;
        let stock = hand.len() as u16;
        self.public.pools.push(Pool { cards: hand, stock, held: [0; MAX_SEATS] });
        self.undrawn.push(hand);
        self.deal(rules, player, hand.len() - fewer, deck);
    }

    /// A false claim: this card of the hand goes on the mainline.
    fn force(&mut self, game: &Eleusis, card: Card, deck: &mut impl Deck) {
        let rules = game.rules();
        let player = self.public.player;
        let Some(hand) = self.public.shown.take() else { return };
        let said = self.public.said.take();
        self.public.known[player.index()].remove(card);
        if self.hands[player.index()].remove(card) {
            self.public.held[player.index()] -= 1;
        }
        self.accept(card);
        self.count(1, true);
        self.record(Act::NoPlay { hand, forced: Some(card) }, false, said);
        // The claim was false: a prophet that called it true is overthrown, and the player safe.
        if !said.is_some_and(|(_, verdict)| verdict) {
            self.mistake(rules, player, rules.false_no_play_penalty.into(), deck);
        }
        self.finish(rules, false);
    }

    /// After a turn is settled: the end, a question to the player, or the next turn.
    fn finish(&mut self, rules: &Rules, played_right: bool) {
        let player = self.public.player;
        if self.public.end != End::Open {
            return;
        }
        if self.public.held[player.index()] == 0 {
            self.public.end = End::Out(player);
        } else if self.public.active(rules.seats).next().is_none() {
            self.public.end = End::Expelled;
        } else if self.public.may_prophesy(rules) || (rules.express && played_right) {
            self.public.stage = Stage::After;
        } else {
            self.next_turn(rules);
        }
    }

    fn next_turn(&mut self, rules: &Rules) {
        let players = rules.seats - 1;
        let after = (0..players).map(|step| Seat((self.public.player.0 + step) % players + 1));
        let next = after
            .into_iter()
            .find(|seat| !self.public.is_expelled(*seat) && self.public.prophet != Some(*seat));
        match next {
            Some(seat) => {
                self.public.player = seat;
                self.public.stage = Stage::Play;
                self.public.expelling = self.public.expels(rules);
            }
            None => self.public.end = End::Expelled,
        }
    }

    fn guess(&mut self, game: &Eleusis, index: u32, deck: &mut impl Deck) {
        let rules = game.rules();
        let player = self.public.player;
        let right = game.stated(index).is_some_and(|stated| {
            let of_stated = stated.after(&self.public.mainline);
            alike_from(&self.rule, &stated, &self.memory, &of_stated)
        });
        if let Some(event) = Arc::make_mut(&mut self.public.history).last_mut() {
            event.guess = Some((index, right));
        }
        if right {
            self.public.end = End::Guessed(player);
            return;
        }
        self.deal(rules, player, rules.wrong_guess_penalty.into(), deck);
        if self.public.end == End::Open {
            self.next_turn(rules);
        }
    }
}
