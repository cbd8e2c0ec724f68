//! Snapshots of a table for one seat, as JSON for pages, and the record at the end.
//!
//! A snapshot holds only what its seat may know. After the hand it shows everything.

use serde_json::{Value, json};

use super::participant::Participant;
use super::table::{HandPlace, Table, is_manual};
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
        let HandPlace { seed, deal, hand, .. } = self.place;
        Label { variant, deal, hand, rotation: 0, seed, seats }
    }

    /// Returns the record of the hand, a line of JSON, if the hand ended by the rules. It tells whether
    /// moves were taken back, and who got advice.
    pub fn record(&self) -> Option<String> {
        if !self.is_finished() || is_manual(&*self.game) {
            return None;
        }
        let mut record = serde_json::to_value(self.hand.record(&self.game, &self.label())).ok()?;
        if self.notes.taken_back > 0 {
            record["taken_back"] = json!(self.notes.taken_back);
        }
        if !self.notes.advised.is_empty() {
            record["advised"] = json!(self.notes.advised);
        }
        Some(compact(&record))
    }

    /// Returns `true` after the last hand of a match.
    pub(super) fn is_match_over(&self) -> bool {
        let hands = self.base.hands_per_match();
        self.is_finished() && hands > 1 && self.place.hand + 1 == hands
    }

    /// Returns the result of the hand, with everything that was hidden; `None` before its end.
    fn end(&self) -> Option<Value> {
        if self.turn() != Turn::Over {
            return None;
        }
        let scores = self.scores();
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
            // The seed of the hand: the first hand of a table with this seed has the same deal.
            "seed": self.place.seed,
            // `true` after the last hand of a match, with its only winner.
            "match_over": self.is_match_over(),
            "match_winner": self.totals().winner().filter(|_| self.is_match_over()),
            // `true` if there is a record of the hand.
            "recorded": self.is_finished() && !self.asks_rule(),
            // `true` if the person at seat 0 judged by hand and is asked for the rule.
            "asks_rule": self.asks_rule(),
        }))
    }

    /// Returns the messages to everybody.
    pub(super) fn notice(&self) -> Option<String> {
        let all = [&self.notes.notice, &self.unsaved].into_iter().flatten();
        Some(all.map(String::as_str).collect::<Vec<_>>().join(" ")).filter(|text| !text.is_empty())
    }

    /// Returns the snapshot for a seat at a screen of the people at `mine`. Without a seat it has no
    /// view.
    pub fn snapshot(&self, seat: Option<Seat>, mine: &[Seat]) -> Value {
        let info = |who: &Participant<G>| json!({ "name": who.name(), "person": who.is_person() });
        let options = seat.map_or_else(Vec::new, |seat| self.options(seat));
        let to_do = seat.filter(|_| !options.is_empty());
        let past = seat.map_or(&[][..], |seat| self.past(seat));
        let (deal, after) = self.place();
        let request = self.position.take_back_request.as_ref();
        let request = request.filter(|(asker, asked)| {
            mine.contains(asker) || asked.iter().any(|seat| mine.contains(seat))
        });
        let asks_back = request.map(|(asker, _)| asker);
        json!({
            // A number that rises with every change.
            "version": self.version,
            "game": G::NAME,
            "variant": self.variant,
            // The rules without their secrets.
            "rules": self.known.rules(),
            // The number of the hand at the table, from 0, and the number of moves made.
            "deal": deal,
            "after": after,
            // The number of the hand in its match, from 0, the number of hands of a match, and the points
            // of the match so far by seat.
            "hand": self.place.hand,
            "hands": self.base.hands_per_match(),
            "totals": self.totals().0.to_vec(),
            // The seat of the view; null if nobody looks.
            "seat": seat,
            // The seats of the people at this screen.
            "mine": mine,
            "seats": self.participants.iter().map(info).collect::<Vec<_>>(),
            // The seat to move; null when the hand is over.
            "turn": self.turn().seat(),
            // `true` while the person at seat 0 chooses a secret before the deal.
            "asks_dealer": self.asks_dealer,
            "view": seat.filter(|_| !self.asks_dealer).map(|seat| self.view(seat)),
            // The seat's legal moves if it is to move.
            "legal": options.into_iter().map(|mv| self.known.notation(mv)).collect::<Vec<_>>(),
            // A sentence on what to do now, for the seat to move only.
            "to_do": to_do.map(|seat| self.known.what_to_do(&self.view(seat))),
            // The moves as the seat saw them.
            "past": PastMove::list(&*self.known, past),
            // `true` if moves can be previewed.
            "open": self.known.is_open(),
            "may_take_back": seat.is_some_and(|seat| self.last_move_of(seat).is_some()),
            // The person who asks for permission to take a move back, for those whose answer is missing
            // and for that person.
            "asks_back": asks_back,
            // `true` while the adviser thinks for the seat.
            "advising": self.position.advice_request.is_some_and(|(asker, _)| Some(asker) == seat),
            "advice": seat.and_then(|seat| self.advice(seat)),
            // Messages to everybody: the failure of a bot, or of saving.
            "notice": self.notice(),
            // The result; null before the end of the hand.
            "end": self.end(),
        })
    }
}
