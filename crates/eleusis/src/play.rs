//! The course of a hand: moves, verdicts, penalties, expulsion and the end.

use std::sync::Arc;

use super::state::{Deck, Judge, Question};
use super::{
    Act, End, Event, ForcedBy, Move, NoPlayEnd, Pool, Rules, Stage, State, Statements,
    are_equivalent_from,
};
use parlour_base::cards::{Card, CardMultiset, CardSet};
use parlour_game::{MAX_SEATS, Seat};

impl State {
    /// Applies a legal move.
    pub(super) fn play(
        &mut self,
        rules: &Rules,
        statements: &Statements,
        mv: Move,
        deck: &mut impl Deck,
    ) {
        let player = self.public.player;
        match mv {
            Move::Lay(card) => {
                self.reveal(player, card);
                self.lose(card);
                self.public.string.push(card);
                if rules.longest_string() == 1 {
                    self.submit(rules, deck);
                }
            }
            Move::Submit => self.submit(rules, deck),
            Move::NoPlay => {
                let hand = self.hands[player.index()];
                // If one of two copies of a card was known, the other is seen now.
                let known =
                    std::mem::replace(&mut self.public.known[player.index()], CardMultiset::EMPTY);
                for card in hand.minus(&known).cards() {
                    self.reveal(player, card);
                }
                self.public.known[player.index()] = hand;
                self.public.shown = Some(hand);
                self.submit(rules, deck);
            }
            Move::Judge(said) if self.public.stage == Stage::Verdict => {
                if let Judge::Person(question) = &mut self.judge
                    && let Some(question) = question.take()
                {
                    self.apply_verdict(rules, question, said, deck);
                }
            }
            Move::Judge(said) => {
                let by = self.public.prophet.map(|prophet| (prophet, said));
                self.ask_for_verdict(rules, by, deck);
            }
            Move::Force(card) if self.public.stage == Stage::Pick => {
                self.ask(rules, Question::Pick(card), |state| state.right().has(card), deck);
            }
            Move::Force(card) => self.force(rules, card, deck),
            Move::Pass => self.next_turn(rules),
            Move::Prophesy => {
                self.public.prophet = Some(player);
                self.public.prophets |= 1 << player.0;
                self.public.marker = self.public.played;
                self.public.after_marker = [0, 0];
                self.amend(|event| event.becomes_prophet = true);
                self.next_turn(rules);
            }
            Move::Guess(number) => {
                let right = |state: &State| {
                    statements.rule(number).is_some_and(|stated| {
                        let of_stated = stated.after(&state.public.mainline);
                        are_equivalent_from(&state.rule, &stated, &state.memory, &of_stated)
                    })
                };
                self.ask(rules, Question::Guess(number), right, deck);
            }
        }
    }

    /// Puts a question to the judge. The rule answers at once.
    fn ask(
        &mut self,
        rules: &Rules,
        question: Question,
        right: impl FnOnce(&State) -> bool,
        deck: &mut impl Deck,
    ) {
        match &mut self.judge {
            Judge::Rule => {
                let right = right(self);
                self.apply_verdict(rules, question, right, deck);
            }
            Judge::Person(asked) => {
                *asked = Some(question);
                self.public.stage = Stage::Verdict;
            }
        }
    }

    fn apply_verdict(
        &mut self,
        rules: &Rules,
        question: Question,
        right: bool,
        deck: &mut impl Deck,
    ) {
        match question {
            Question::Table(said) => self.settle(rules, said, right, deck),
            Question::Pick(card) => self.settle_pick(rules, card, right, deck),
            Question::Guess(number) => {
                self.amend(|event| event.guess = Some((number, right)));
                self.settle_guess(rules, right, deck);
            }
        }
    }

    /// Removes a card from the player's hand.
    fn lose(&mut self, card: Card) {
        let player = self.public.player.index();
        self.public.held[player] -= u16::from(self.hands[player].remove(card));
    }

    fn submit(&mut self, rules: &Rules, deck: &mut impl Deck) {
        if self.public.prophet.is_some() {
            self.public.stage = Stage::Judge;
        } else {
            self.ask_for_verdict(rules, None, deck);
        }
    }

    /// Requests the dealer's verdict, after the prophet's if there is one.
    fn ask_for_verdict(&mut self, rules: &Rules, said: Option<(Seat, bool)>, deck: &mut impl Deck) {
        self.ask(rules, Question::Table(said), State::on_the_table_is_right, deck);
    }

    fn settle(
        &mut self,
        rules: &Rules,
        said: Option<(Seat, bool)>,
        right: bool,
        deck: &mut impl Deck,
    ) {
        let player = self.public.player;
        let overthrown = said.is_some_and(|(_, verdict)| verdict != right);
        if overthrown {
            self.overthrow(rules, deck);
        }
        if let Some(hand) = self.public.shown {
            self.public.said = said;
            if !right {
                let picks = self.public.prophet.is_some() && rules.forced_by == ForcedBy::Prophet;
                let stage = if picks { Stage::Pick } else { Stage::Force };
                return self.ask_for_a_card(rules, stage, deck);
            }
            self.record_claim(None, true);
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
        if !right && !overthrown {
            self.mistake(rules, player, penalty, deck);
        }
        self.finish(rules, right);
    }

    /// Removes the prophet and the marker. The former prophet draws its penalty.
    fn overthrow(&mut self, rules: &Rules, deck: &mut impl Deck) {
        if let Some(prophet) = self.public.prophet.take() {
            self.deal(rules, prophet, rules.overthrow_penalty.into(), deck);
        }
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
            prophet_picked: self.public.picked.take(),
            expelled: false,
            becomes_prophet: false,
            guess: None,
        });
    }

    /// Records a settled claim and removes its hand from the table.
    fn record_claim(&mut self, forced: Option<Card>, right: bool) {
        let said = self.public.said.take();
        if let Some(hand) = self.public.shown.take() {
            self.record(Act::NoPlay { hand, forced }, right, said);
        }
    }

    /// Changes the event of the last turn.
    fn amend(&mut self, change: impl FnMut(&mut Event)) {
        Arc::make_mut(&mut self.public.history).last_mut().into_iter().for_each(change);
    }

    /// Deals penalty cards, and expels the player if a mistake expels now.
    fn mistake(&mut self, rules: &Rules, player: Seat, cards: usize, deck: &mut impl Deck) {
        self.deal(rules, player, cards, deck);
        if self.public.expelling {
            self.public.expelled |= 1 << player.0;
            self.amend(|event| event.expelled = true);
        }
    }

    /// Settles a true claim. The hand goes under the stock, and the player draws a smaller one. If the
    /// claim ends the hand of play, the rules may leave the cards to the player.
    fn true_no_play(&mut self, rules: &Rules, hand: CardMultiset, deck: &mut impl Deck) {
        let player = self.public.player;
        let fewer = usize::from(rules.no_play_fewer);
        if hand.len() <= fewer {
            self.public.end = End::NoPlay(player);
            if rules.no_play_end == NoPlayEnd::Kept {
                return;
            }
        }
        self.hands[player.index()] = CardMultiset::EMPTY;
        self.public.known[player.index()] = CardMultiset::EMPTY;
        self.public.held[player.index()] = 0;
        let stock = hand.len() as u16;
        self.public.pools.push(Pool { cards: hand, stock, held: [0; MAX_SEATS] });
        self.undrawn.push(hand);
        self.deal(rules, player, hand.len().saturating_sub(fewer), deck);
    }

    /// Requests the card of a falsely claimed hand that goes on the mainline. The prophet may pick any
    /// card, the dealer any right one. An only card is taken without a move.
    fn ask_for_a_card(&mut self, rules: &Rules, stage: Stage, deck: &mut impl Deck) {
        if self.public.end != End::Open {
            self.record_claim(None, false);
            return;
        }
        self.public.stage = stage;
        let shown = self.public.shown.map_or(CardSet::EMPTY, |hand| hand.distinct());
        let mut cards = if stage == Stage::Pick { shown } else { shown & self.right() };
        if cards.len() == 1
            && let Some(card) = cards.next()
        {
            self.force(rules, card, deck);
        }
    }

    /// Applies the prophet's pick. A wrong pick overthrows the prophet, and the dealer picks.
    fn settle_pick(&mut self, rules: &Rules, card: Card, right: bool, deck: &mut impl Deck) {
        if right {
            return self.force(rules, card, deck);
        }
        self.public.picked = Some(card);
        self.overthrow(rules, deck);
        self.ask_for_a_card(rules, Stage::Force, deck);
    }

    /// Puts a card of a falsely claimed hand on the mainline.
    fn force(&mut self, rules: &Rules, card: Card, deck: &mut impl Deck) {
        let player = self.public.player;
        self.public.known[player.index()].remove(card);
        self.lose(card);
        self.accept(card);
        self.count(1, true);
        self.record_claim(Some(card), false);
        // An overthrown prophet spares the player.
        if !self.public.history.last().is_some_and(Event::overthrows) {
            self.mistake(rules, player, rules.false_no_play_penalty.into(), deck);
        }
        self.finish(rules, false);
    }

    /// Ends the hand, offers the player a move after the turn, or starts the next turn.
    fn finish(&mut self, rules: &Rules, played_right: bool) {
        let player = self.public.player;
        if self.public.end != End::Open {
            return;
        }
        let out = self.public.held[player.index()] == 0;
        let may_state = rules.express && played_right && (!out || rules.guess_with_last_card);
        if out && !may_state {
            self.public.end = End::Out(player);
        } else if self.public.active(rules.seats).next().is_none() {
            self.public.end = End::Expelled;
        } else if self.public.may_prophesy(rules) || may_state {
            self.public.stage = Stage::After;
        } else {
            self.next_turn(rules);
        }
    }

    fn next_turn(&mut self, rules: &Rules) {
        if self.public.held[self.public.player.index()] == 0 {
            self.public.end = End::Out(self.public.player);
            return;
        }
        let players = rules.seats - 1;
        let after = (0..players).map(|step| Seat((self.public.player.0 + step) % players + 1));
        match after.into_iter().find(|seat| self.public.takes_turns(*seat)) {
            Some(seat) => {
                self.public.player = seat;
                self.public.stage = Stage::Play;
                self.public.expelling = self.public.expels(rules);
            }
            None => self.public.end = End::Expelled,
        }
    }

    fn settle_guess(&mut self, rules: &Rules, right: bool, deck: &mut impl Deck) {
        if right {
            self.public.end = End::Guessed(self.public.player);
            return;
        }
        self.deal(rules, self.public.player, rules.wrong_guess_penalty.into(), deck);
        if self.public.end == End::Open {
            self.next_turn(rules);
        }
    }
}
