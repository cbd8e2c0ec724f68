//! What a table tells: what each seat is shown, and the record at the end.

use super::hand::Dealt;
use super::play::{Table, is_manual};
use super::seen::{End, Event, Seen, Sitting};
use super::sitter::Sitter;
use crate::files::compact;
use crate::game::{Label, Seat, Turn};
use crate::strategy::Strategic;

/// What follows the variant's name where a person laid down what it leaves open.
const OWN: &str = "-own";

impl<G: Strategic> Table<G> {
    /// What stands around the hand in its record.
    pub(super) fn label(&self) -> Label {
        let names = self.sitters.iter().map(|who| who.name().to_owned());
        let own = if self.game.rules() == self.base.rules() { "" } else { OWN };
        let (variant, seats) = (format!("{}{own}", self.variant), names.collect());
        let Dealt { seed, deal, .. } = self.hand.dealt;
        Label { variant, deal, hand: 0, rotation: 0, seed, seats }
    }

    /// The record of the hand, a line of JSON, once it is over by the rules.
    pub fn record(&self) -> Option<String> {
        let is_told = self.is_finished() && !is_manual(&*self.game);
        is_told.then(|| compact(&self.hand.play.record(&self.game, &self.label())))
    }

    /// What is told when the hand is over.
    pub fn end(&self) -> Option<End<G::View>> {
        if self.turn() != Turn::Over {
            return None;
        }
        let scores = self.game.scores(&self.hand.play.state);
        Some(End {
            resigned: self.resigned,
            winner: scores.winner().filter(|_| !self.resigned),
            scores: scores.0.to_vec(),
            views: self.seats().map(|seat| self.view(seat)).collect(),
            thoughts: self.thoughts.clone(),
            beliefs: self.beliefs.clone(),
            seed: self.hand.dealt.seed,
            recorded: self.is_finished() && !self.asks_rule(),
            asks_rule: self.asks_rule(),
        })
    }

    /// What a seat is shown; nobody's view where no seat is named.
    pub fn seen<'a>(&'a self, seat: Option<Seat>, mine: &'a [Seat]) -> Seen<'a, G::View, G::Rules> {
        let sitting = |who: &'a Sitter<G>| Sitting { name: who.name(), person: who.is_person() };
        let told =
            |(seat, mv): &(Seat, G::Move)| Event { seat: *seat, mv: self.known.notation(*mv) };
        let options = seat.map_or_else(Vec::new, |seat| self.options(seat));
        let (deal, after) = self.place();
        Seen {
            version: self.version,
            game: G::NAME,
            variant: &self.variant,
            rules: self.known.rules(),
            deal,
            after,
            seat,
            mine,
            seats: self.sitters.iter().map(sitting).collect(),
            turn: match self.turn() {
                Turn::Seat(seat) => Some(seat),
                Turn::Over => None,
            },
            asks_dealer: self.asks_dealer,
            view: seat.filter(|_| !self.asks_dealer).map(|seat| self.view(seat)),
            legal: options.into_iter().map(|mv| self.known.notation(mv)).collect(),
            past: seat.map_or_else(Vec::new, |seat| self.past(seat).iter().map(told).collect()),
            open: G::OPEN,
            may_take_back: seat.is_some_and(|seat| self.back_to(seat).is_some()),
            asks_back: self.asks_back,
            advising: self.wants_advice.is_some_and(|(wants, _)| Some(wants) == seat),
            advice: seat.and_then(|seat| self.advice(seat)),
            notice: self.notice(),
            end: self.end(),
        }
    }
}
