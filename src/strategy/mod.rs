//! Strategies: what a JSON file in `strategies/` becomes, a bot for one game.

mod playable;

use std::fmt::Debug;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::chance::Stream;
use crate::error::{Error, Result};
use crate::files::{Found, JsonFault, Origin, Shelf, parse_json, unknown};
use crate::game::{Bot, Measured, Recorded, Ruled};
use crate::search::{Decide, Thinker};

pub use playable::playable;

/// A game with strategies: all that the arena and the command line need of it.
pub trait Strategic: Ruled + Measured + Recorded + Sized + 'static {
    /// What a strategy file of this game can say, resolved in full.
    type Spec: Clone + Debug + PartialEq + Send + Sync + Serialize + 'static;

    /// A strategy file as it is written, for the schema.
    type SpecFile: JsonSchema;

    /// What a thread keeps from hand to hand for [`duel`](Strategic::duel); `()` without one.
    type Scratch: Default;

    /// The kinds of strategy; `kind` decides which other fields exist.
    const KINDS: &'static [&'static str];

    /// Reads a file whose `kind` is one of [`KINDS`](Strategic::KINDS).
    ///
    /// # Errors
    /// What is wrong with it, and where.
    fn spec(kind: &str, found: &Found) -> Result<Self::Spec>;

    /// A bot with this strategy.
    fn bot(&self, spec: &Self::Spec) -> Box<dyn Bot<Self>>;

    /// Plays a whole hand of strategies, by seat, where the game has a quicker way than through
    /// bots; otherwise does nothing. `start` is the chance before the deal, `choices` each seat's
    /// own. No moves are written down.
    ///
    /// End and watch must be those that the bots would come to with the same streams.
    fn duel(
        &self,
        _specs: &[&Self::Spec],
        _scratch: &mut Self::Scratch,
        _start: &Stream,
        _choices: &mut [Stream],
    ) -> Option<(Self::State, Self::Watch)> {
        None
    }

    /// Whether the strategy goes by the clock, so that its play cannot be repeated.
    fn uses_clock(_spec: &Self::Spec) -> bool {
        false
    }

    /// The search behind the strategy, where it is one: it can say what it found out.
    fn thinker(&self, _spec: &Self::Spec) -> Option<Box<dyn Thinker<Self>>> {
        None
    }

    /// How findings of several such searches are ranked together: `None` by votes.
    fn decide(&self, _spec: &Self::Spec) -> Option<Decide> {
        None
    }

    /// Reads a position as the seat to move sees it.
    ///
    /// # Errors
    /// Everything that is wrong with it, in one message.
    fn position(place: &str, _text: &str) -> Result<(Self, Self::View)> {
        let game = Self::NAME;
        Err(Error::input(format!("{place}: positions of {game} cannot be read yet")))
    }

    /// What these strategies know beside their files, each by name with its digest.
    fn knowledge(_specs: &[&Self::Spec]) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Whether a hand of it is cheap enough to be timed by `bench` and signed.
    fn is_cheap(_spec: &Self::Spec) -> bool {
        true
    }
}

/// A strategy with its name and where it came from.
#[derive(Clone, Debug)]
pub struct Strategy<G: Strategic> {
    /// The file's name without `.json`.
    pub name: String,
    /// One sentence for people.
    pub about: String,
    /// What it says.
    pub spec: G::Spec,
    /// Where the file was.
    pub origin: Origin,
    /// The file's digest.
    pub digest: String,
    /// The file's text.
    pub text: String,
}

/// The fields that every strategy file has.
#[derive(Deserialize)]
struct Common {
    #[serde(default)]
    about: String,
    #[serde(default)]
    game: Option<String>,
    kind: String,
}

impl<G: Strategic> Strategy<G> {
    /// Loads a strategy by name or path.
    ///
    /// # Errors
    /// Bad input when there is none, or its file is wrong.
    pub fn load(shelf: &Shelf, wanted: &str) -> Result<Strategy<G>> {
        Strategy::read(&shelf.find(wanted)?)
    }

    /// Reads a strategy file.
    ///
    /// # Errors
    /// Bad input when it is wrong, or of another game.
    pub fn read(found: &Found) -> Result<Strategy<G>> {
        let place = found.place();
        let common: Common = parse_json(&place, &found.text)?;
        if let Some(game) = common.game.or_else(|| folder_game(found)).filter(|g| *g != G::NAME) {
            return Err(Error::input(format!(
                "{place}: this is a strategy of {game}; a strategy of {} is needed",
                G::NAME
            )));
        }
        if !G::KINDS.contains(&common.kind.as_str()) {
            let what = format!("kind of {} strategy", G::NAME);
            let fault = unknown(&what, &common.kind, G::KINDS.iter().copied());
            return Err(Error::input(format!("{place}: field `kind`: {fault}")));
        }
        let spec = G::spec(&common.kind, found)?;
        Ok(Strategy {
            name: found.name.clone(),
            about: common.about,
            spec,
            origin: found.origin.clone(),
            digest: found.digest.clone(),
            text: found.text.clone(),
        })
    }
}

/// The game whose strategies the file's folder holds, where the folder has a game's name.
fn folder_game(found: &Found) -> Option<String> {
    let Origin::File(path) = &found.origin else { return None };
    let folder = path.parent()?.file_name()?.to_str()?;
    Shelf::has_strategies_of(folder).then(|| folder.to_owned())
}

/// Reads the fields of one kind; `T` denies unknown fields and holds `about`, `game` and `kind`
/// too.
///
/// # Errors
/// The first thing that is wrong, with its place.
pub fn read_kind<T: DeserializeOwned>(found: &Found) -> std::result::Result<T, JsonFault> {
    parse_json(&found.place(), &found.text)
}
