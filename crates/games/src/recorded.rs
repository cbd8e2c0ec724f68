//! Records and replayed hands without their game's types.

use serde_json::{Value, json};

use parlour_base::chance::Seed;
use parlour_base::error::{self, Error, Fault};
use parlour_base::files::Library;
use parlour_board::{Adviser, Note};
use parlour_game::PositionFile;
use parlour_game::search::{MoveEstimate, SearchResult};
use parlour_game::strategy::{Strategic, Strategy, ask};
use parlour_game::{
    BotError, BotFailure, Choice, Game, Observation, Recorded, Replay, ReplayView, Seat,
};

/// The record of a hand of some game.
pub trait AnyRecord {
    /// Replays the record under its rules.
    ///
    /// # Errors
    /// The first difference from the rules.
    fn verify(&self) -> Result<(), Fault>;

    /// The hand as a text, move by move.
    ///
    /// # Errors
    /// As [`verify`](AnyRecord::verify), at the first move that cannot be shown.
    fn show(&self) -> Result<String, Fault>;

    /// The hand as every seat saw it, for a page.
    ///
    /// # Errors
    /// As [`verify`](AnyRecord::verify).
    fn retold(&self) -> Result<ReplayView, Fault>;

    /// The choices of the hand.
    ///
    /// # Errors
    /// As [`verify`](AnyRecord::verify), at the first move that cannot be made.
    fn replay(&self) -> Result<Box<dyn AnyReplay>, Fault>;
}

/// A record that was replayed.
pub trait AnyReplay {
    /// The moves that were made, with their seats.
    fn moves(&self) -> Vec<(Seat, String)>;

    /// The position before a choice, counted from 0, as the seat to move saw it; `None` beyond the
    /// last choice.
    fn position(&self, choice: usize) -> Option<Value>;

    /// The evaluation of each choice between several moves by a strategy, which knows only what the
    /// seat knew.
    ///
    /// # Errors
    /// Bad input if there is no such strategy; a failure of an external player.
    fn evaluate(&self, strategy: &str, seed: Seed) -> error::Result<Adviser>;
}

/// The one implementation of [`AnyRecord`].
pub(super) struct ErasedRecord<G: Recorded>(pub G::Record);

impl<G: Strategic> AnyRecord for ErasedRecord<G> {
    fn verify(&self) -> Result<(), Fault> {
        G::verify(&self.0)
    }

    fn show(&self) -> Result<String, Fault> {
        G::show(&self.0)
    }

    fn retold(&self) -> Result<ReplayView, Fault> {
        ReplayView::of::<G>(&self.0)
    }

    fn replay(&self) -> Result<Box<dyn AnyReplay>, Fault> {
        Ok(Box::new(G::replay(&self.0)?))
    }
}

impl<G: Strategic> AnyReplay for Replay<G> {
    fn moves(&self) -> Vec<(Seat, String)> {
        self.each_choice().map(|choice| (choice.seat, self.game.notation(choice.mv))).collect()
    }

    fn position(&self, choice: usize) -> Option<Value> {
        let Choice { view, past, .. } = self.each_choice().nth(choice)?;
        Some(json!(PositionFile::of(&self.game, &view, &past)))
    }

    fn evaluate(&self, strategy: &str, seed: Seed) -> error::Result<Adviser> {
        let game = &self.game;
        let strategy = Strategy::<G>::load(&Library::strategies(G::NAME), strategy)?;
        let (mut notes, mut options) = (Vec::new(), Vec::new());
        for (at, Choice { seat, view, past, mv }) in self.each_choice().enumerate() {
            game.legal_moves_in_view(&view, &mut options);
            if options.len() < 2 {
                continue;
            }
            let observation = Observation { view: &view, past: &past };
            let result = ask(game, &strategy, seat, observation, seed.child(at as u64))
                .map_err(|error| failed(&strategy.name, error))?;
            let best = result.best().filter(|_| result.iterations == 0);
            let opinion =
                best.and_then(|best| game.explainer()?.explain(&strategy.spec, &view, best));
            let why = opinion.map(|opinion| opinion.in_words());
            notes.extend(note(game, at, mv, &result).map(|note| Note { why, ..note }));
        }
        let search = G::search_config(&strategy.spec);
        let is_chance = search.is_some_and(|search| search.counts_wins_alone());
        Ok(Adviser { name: strategy.name.clone(), is_chance, notes })
    }
}

/// The comment on a move; none if nothing is known about any move.
fn note<G: Game>(
    game: &G,
    at: usize,
    made: G::Move,
    findings: &SearchResult<G::Move>,
) -> Option<Note> {
    let best = findings.moves.first()?;
    let did = findings.moves.iter().find(|finding| finding.mv == made);
    let value = |finding: &MoveEstimate<G::Move>| (finding.visits > 0).then(|| finding.value());
    let mark = match did {
        Some(did) if did.mv == best.mv => "",
        Some(did) if did.visits > 0 && best.visits > 0 => {
            mark(best.value() - did.value(), best.half_width() + did.half_width())
        }
        _ => "other",
    };
    let (value, best_value) = (did.and_then(value), value(best));
    Some(Note { at, best: game.notation(best.mv), value, best_value, mark, why: None })
}

/// The mark of a move that costs this much, in the style of chess; `doubt` is the sum of both
/// half-widths.
fn mark(cost: f64, doubt: f64) -> &'static str {
    match cost {
        _ if cost <= doubt => "",
        _ if cost <= 0.05 => "?",
        _ => "??",
    }
}

/// The error of a strategy that failed, as an external program may.
pub(super) fn failed(name: &str, error: BotError) -> Error {
    let BotFailure { fault, message } = error.into();
    Error::failed(format!("`{name}` failed ({}): {message}", fault.name()))
}
