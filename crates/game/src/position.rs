//! Position files: positions for people and for bots in other languages.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Game, Observation, Ruled, Seat, Turn};
use crate::variant::Variant;
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Fault, Result};
use parlour_base::files::{object, parse_json, some_object};

/// A position as the seat to move sees it; contains nothing hidden.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[serde(bound(deserialize = "P: Deserialize<'de>, V: Deserialize<'de>"))]
pub struct PositionFile<P, V> {
    /// Name of the game.
    pub game: String,
    /// Name of the variant, or the path of its file; by default the game's first one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// Rules that differ from the variant.
    #[serde(default, skip_serializing_if = "Option::is_none", deserialize_with = "some_object")]
    pub rules: Option<P>,
    /// View of the seat.
    #[serde(deserialize_with = "object")]
    pub view: V,
    /// Moves so far as the seat saw them, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub past: Vec<PastMove>,
}

/// A move of the past.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PastMove {
    /// Seat that moved.
    pub seat: Seat,
    /// Move in the game's notation.
    #[serde(rename = "move")]
    pub mv: String,
}

impl PastMove {
    /// Writes moves in the notation of a game.
    pub fn list<G: Game>(game: &G, moves: &[(Seat, G::Move)]) -> Vec<PastMove> {
        moves.iter().map(|&(seat, mv)| PastMove { seat, mv: game.notation(mv) }).collect()
    }
}

/// A position that was read and checked: everything a bot needs to choose.
#[derive(Debug)]
pub struct Position<G: Game> {
    /// The game under its rules.
    pub game: G,
    /// The seat to move.
    pub seat: Seat,
    /// Its view.
    pub view: G::View,
    /// The moves so far as it saw them.
    pub past: Vec<(Seat, G::Move)>,
}

impl<G: Game> Position<G> {
    /// Checks a view from any source.
    ///
    /// # Errors
    /// If a value is out of range, the seat has no choice, or no hand of the game can look like
    /// this.
    pub fn checked(game: G, view: G::View, past: Vec<(Seat, G::Move)>) -> Result<Position<G>> {
        game.check_view(&view)?;
        let mut options = Vec::new();
        game.legal_moves_in_view(&view, &mut options);
        let world = game.determinize(&view, &mut Seed::new(0).stream());
        match game.turn(&world) {
            Turn::Seat(_) if options.is_empty() => {
                Err(Error::input("it is not the turn of this view's seat"))
            }
            Turn::Seat(seat) if game.view(&world, seat) == view => {
                Ok(Position { game, seat, view, past })
            }
            Turn::Seat(_) => Err(Error::input("no hand of this game can look like this")),
            Turn::Over => Err(Error::input("the hand is over; there is nothing to choose")),
        }
    }

    /// The observation for a bot.
    pub fn observation(&self) -> Observation<'_, G> {
        Observation { view: &self.view, past: &self.past }
    }
}

impl<P, V> PositionFile<P, V> {
    /// The position file of a view.
    pub fn of<G: Ruled<Patch = P, View = V>>(
        game: &G,
        view: &V,
        past: &[(Seat, G::Move)],
    ) -> PositionFile<P, V>
    where
        V: Clone,
    {
        let known = G::presets().into_iter().find(|preset| preset.rules == *game.rules());
        PositionFile {
            game: G::NAME.to_owned(),
            rules: known.is_none().then(|| G::patch_of(game.rules())),
            variant: known.map(|preset| preset.name.to_owned()),
            view: view.clone(),
            past: PastMove::list(game, past),
        }
    }
}

/// Reads and checks a [`PositionFile`].
///
/// # Errors
/// The faults of the file with their places.
pub fn read_position<G: Ruled>(file: &str, text: &str) -> Result<Position<G>> {
    let read = || {
        let position: PositionFile<G::Patch, G::View> = parse_json(file, text)?;
        if position.game != G::NAME {
            let what = format!("it is `{}`, not `{}`", position.game, G::NAME);
            return Err(Error::input(Fault::field("game", what)));
        }
        let default = || G::presets().into_iter().next().map(|preset| preset.name.to_owned());
        let variant = position.variant.or_else(default).unwrap_or_default();
        let variant = Variant::<G>::named(&variant).map_err(|error| error.in_field("variant"))?;
        let rules = variant.game.rules();
        let rules = position.rules.map_or(rules.clone(), |patch| G::patched(rules, &patch));
        let game = G::new(&rules).map_err(|error| error.in_field("rules"))?;
        let past = position.past.iter().enumerate().map(|(index, made)| {
            let mv = game.parse_move(&made.mv);
            let mv = mv.map_err(|error| error.in_field(&format!("past[{index}].move")))?;
            Ok((made.seat, mv))
        });
        let past = past.collect::<Result<Vec<_>>>()?;
        Position::checked(game, position.view, past).map_err(|error| error.in_field("view"))
    };
    read().map_err(|error| match error.faults() {
        // JSON errors have their place already.
        [fault] if fault.place.file.is_some() => error,
        _ => error.in_file(file),
    })
}
