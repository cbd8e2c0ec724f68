//! Snapshots of a table for one seat, as JSON for pages, and the record at the end.
//!
//! A snapshot holds only what its seat may know. After the hand it shows everything.

use serde_json::{Value, json};

use super::participant::Participant;
use super::table::{DealId, Table, is_manual};
use parlour_base::files::compact;
use parlour_game::strategy::Strategic;
use parlour_game::{Label, PastMove, Seat, Turn};

/// The suffix of a variant's name if a person chose its secret.
const OWN: &str = "-own";

impl<G: Strategic> Table<G> {
    /// Returns the facts around the hand in its record.
    pub(super) fn label(&self) -> Label {
        let names = self.participants.iter().map(|who| who.name().to_owned());
        let own = if self.game.rules() == self.base.rules() { "" } else { OWN };
        let (variant, seats) = (format!("{}{own}", self.variant), names.collect());
        let DealId { seed, deal, .. } = self.deal_id;
        Label { variant, deal, hand: 0, rotation: 0, seed, seats }
    }

    /// Returns the record of the hand, a line of JSON, if the hand ended by the rules.
    pub fn record(&self) -> Option<String> {
        let is_recorded = self.is_finished() && !is_manual(&*self.game);
        is_recorded.then(|| compact(&self.hand.record(&self.game, &self.label())))
    }

    /// Returns the result of the hand, with everything that was hidden; `None` before its end.
    fn end(&self) -> Option<Value> {
        if self.turn() != Turn::Over {
            return None;
        }
        let scores = self.game.scores(&self.hand.state);
        let is_resigned = self.notes.resigned;
        Some(json!({
            // `true` if a person resigned.
            "resigned": is_resigned,
            "scores": scores.0.to_vec(),
            // The only seat with the most points.
            "winner": scores.winner().filter(|_| !is_resigned),
            "views": self.seats().map(|seat| self.view(seat)).collect::<Vec<_>>(),
            // The evaluations of the bots that search.
            "thoughts": self.notes.thoughts,
            // The beliefs of the strategies that have some, by seat.
            "beliefs": self.notes.beliefs,
            // The seed of the table; with the deal's number it repeats the deal.
            "seed": self.deal_id.seed,
            // `true` if there is a record of the hand.
            "recorded": self.is_finished() && !self.asks_rule(),
            // `true` if the person at seat 0 judged by hand and is asked for the rule.
            "asks_rule": self.asks_rule(),
        }))
    }

    /// Returns the snapshot for a seat at a screen of the people at `mine`. Without a seat it has no
    /// view.
    pub fn snapshot(&self, seat: Option<Seat>, mine: &[Seat]) -> Value {
        let info = |who: &Participant<G>| json!({ "name": who.name(), "person": who.is_person() });
        let event = |(seat, mv): &(Seat, G::Move)| {
            let mv = self.known.notation(*mv);
            PastMove { seat: *seat, mv }
        };
        let options = seat.map_or_else(Vec::new, |seat| self.options(seat));
        let past = seat.map_or(&[][..], |seat| self.past(seat));
        let (deal, after) = self.place();
        let turn = match self.turn() {
            Turn::Seat(seat) => Some(seat),
            Turn::Over => None,
        };
        json!({
            // A number that rises with every change.
            "version": self.version,
            "game": G::NAME,
            "variant": self.variant,
            // The rules without their secrets.
            "rules": self.known.rules(),
            // The number of the deal, from 0, and the number of moves made.
            "deal": deal,
            "after": after,
            // The seat of the view; null if nobody looks.
            "seat": seat,
            // The seats of the people at this screen.
            "mine": mine,
            "seats": self.participants.iter().map(info).collect::<Vec<_>>(),
            // The seat to move; null when the hand is over.
            "turn": turn,
            // `true` while the person at seat 0 chooses a secret before the deal.
            "asks_dealer": self.asks_dealer,
            "view": seat.filter(|_| !self.asks_dealer).map(|seat| self.view(seat)),
            // The seat's legal moves if it is to move.
            "legal": options.into_iter().map(|mv| self.known.notation(mv)).collect::<Vec<_>>(),
            // The moves as the seat saw them.
            "past": past.iter().map(event).collect::<Vec<_>>(),
            // `true` if moves can be previewed.
            "open": G::OPEN,
            "may_take_back": seat.is_some_and(|seat| self.last_move_of(seat).is_some()),
            // The person who asks the others for permission to take a move back.
            "asks_back": self.position.take_back_request,
            // `true` while the adviser thinks for the seat.
            "advising": self.position.advice_request.is_some_and(|(asker, _)| Some(asker) == seat),
            "advice": seat.and_then(|seat| self.advice(seat)),
            // A message to everybody, such as the failure of a bot.
            "notice": self.notes.notice,
            // The result; null before the end of the hand.
            "end": self.end(),
        })
    }
}
