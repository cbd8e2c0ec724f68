//! The contract of a game with strategies, and the players that its kinds of strategy become.

use std::collections::BTreeMap;
use std::fmt::Debug;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value};

use super::opinion::Opinion;
use crate::cards::CardStyle;
use crate::chance::Stream;
use crate::error::{Error, Result};
use crate::external::{External, ExternalBot, ProcessPool};
use crate::search::{Decide, Search, SearchBot, SearchConfig, StaticPolicy};
use crate::{Bot, Measured, Policy, Recorded, Ruled, Seat, Uniform};

/// Laid down in place of what a person at a table keeps secret: the person says what follows from it.
pub const BY_HAND: &str = "by hand";

/// A game with strategies: all that the arena and the command line need of it.
pub trait Strategic: Ruled + Measured + Recorded + Sized + 'static {
    /// The kinds of strategy: an enum with a variant for each, which holds its options. The
    /// variant's name is the `kind` of a file; names, schema, checks and messages follow from it.
    type Kind: Clone
        + Debug
        + PartialEq
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + JsonSchema
        + 'static;

    /// The strategy that is asked for advice where no other is named.
    const ADVISER: &'static str = "champion";

    /// The seat of a person at a table who does not say which.
    const PERSON_SEAT: u8 = 0;

    /// Whether nothing is hidden and chance does nothing after the deal: then a person at a table may
    /// try a move out before making it.
    const OPEN: bool = false;

    /// The strategy whose options a search has that its file does not say, where it names no base.
    const USUAL_SEARCH: Option<&'static str> = None;

    /// What a thread keeps from hand to hand for [`duel`](Strategic::duel); `()` without one.
    type Scratch: Default;

    /// What a seat knows, drawn for a terminal of 80 columns.
    fn picture(&self, view: &Self::View, _letters: CardStyle) -> String {
        crate::files::pretty(view)
    }

    /// How moves are written, in a sentence for people.
    fn how_to_write(&self) -> String {
        "as the list of legal moves shows them.".to_owned()
    }

    /// The moves that a person writes in a line: one, or several with commas between them.
    ///
    /// # Errors
    /// What would be right.
    fn read_moves(&self, text: &str) -> Result<Vec<Self::Move>> {
        let whole = self.parse_move(text);
        if whole.is_err() && text.contains(',') {
            return text.split(',').map(|part| self.parse_move(part.trim())).collect();
        }
        whole.map(|mv| vec![mv])
    }

    /// Whether the person at seat 0 lays something down before the cards are dealt (in Eleusis the
    /// secret rule).
    fn asks_dealer(&self) -> bool {
        false
    }

    /// The game with what that person lays down.
    ///
    /// # Errors
    /// What would be right.
    fn laid_down(&self, _text: &str) -> Result<Self> {
        Err(Error::input("nothing is laid down in this game"))
    }

    /// Whether that person keeps it secret to the end, and says of each move what follows from it.
    fn judged_by_hand(&self) -> bool {
        false
    }

    /// The game of such a hand, now that it is told what was laid down, and the numbers of the moves
    /// that are moves of this game too; `chance` is that before the deal.
    ///
    /// # Errors
    /// What in the hand does not agree with it.
    fn disclosed(
        &self,
        text: &str,
        _chance: Stream,
        _moves: &[(Seat, Self::Move)],
    ) -> Result<(Self, Vec<usize>)> {
        Ok((self.laid_down(text)?, Vec::new()))
    }

    /// What a text that may be laid down means: at the start, or after what a view has of the hand.
    ///
    /// # Errors
    /// What would be right.
    fn laid(&self, _text: &str, _view: Option<&Self::View>) -> Result<Laid> {
        Err(Error::input("nothing is laid down in this game"))
    }

    /// What a strategy believes of what is hidden, in a sentence, where it can say so.
    fn belief(&self, _spec: &Spec<Self::Kind>, _view: &Self::View) -> Option<String> {
        None
    }

    /// Why a strategy makes this move, where it can say so.
    fn explain(
        &self,
        _spec: &Spec<Self::Kind>,
        _view: &Self::View,
        _mv: Self::Move,
    ) -> Option<Opinion> {
        None
    }

    /// What a strategy that does not search thinks each of these moves is worth, in a measure of its own:
    /// only differences mean anything. None where it has no such opinion.
    fn score_moves(
        &self,
        spec: &Spec<Self::Kind>,
        view: &Self::View,
        moves: &[Self::Move],
    ) -> Option<Vec<f32>> {
        let Player::Static(policy) = checked::<Self>(&spec.kind) else { return None };
        let mut worth = Vec::new();
        policy.policy().score_moves(self, view, moves, &mut worth).then_some(worth)
    }

    /// Who plays a strategy of this kind.
    ///
    /// # Errors
    /// What is wrong with its options, a sentence each.
    fn player(kind: &Self::Kind) -> std::result::Result<Player<'_, Self>, Vec<String>>;

    /// A bot with this strategy.
    fn bot(&self, spec: &Spec<Self::Kind>) -> Box<dyn Bot<Self>> {
        match checked::<Self>(&spec.kind) {
            Player::Static(policy) => policy.bot(),
            Player::Search(search, make) => {
                Box::new(SearchBot(make(&search, self, &spec.finder())))
            }
            Player::Bot(make) => make(),
            Player::External(external) => {
                let players = ProcessPool::new(external.clone(), Self::NAME);
                Box::new(ExternalBot::new(players.into()))
            }
        }
    }

    /// Plays a whole hand of strategies, by seat, where the game has a quicker way than through
    /// bots; otherwise does nothing. `start` is the chance before the deal, `choices` each seat's
    /// own. No moves are written down; `watch`, whatever it held, is that of this hand.
    ///
    /// End and watch must be those that the bots would come to with the same streams.
    fn duel(
        &self,
        _specs: &[&Spec<Self::Kind>],
        _scratch: &mut Self::Scratch,
        _start: &Stream,
        _choices: &mut [Stream],
        _watch: &mut Self::HandStats,
    ) -> Option<Self::State> {
        None
    }

    /// The search that the strategy is, where it is one.
    fn search_config(spec: &Spec<Self::Kind>) -> Option<SearchConfig<'_>> {
        match checked::<Self>(&spec.kind) {
            Player::Search(search, _) => Some(search),
            _ => None,
        }
    }

    /// Whether the strategy goes by what it sees alone, so that a search may ask it in its playouts.
    fn is_static(spec: &Spec<Self::Kind>) -> bool {
        matches!(checked::<Self>(&spec.kind), Player::Static(_))
    }

    /// How the program is called that plays the strategy, where that is one of its own.
    fn external(spec: &Spec<Self::Kind>) -> Option<&External> {
        match checked::<Self>(&spec.kind) {
            Player::External(external) => Some(external),
            _ => None,
        }
    }

    /// Whether the strategy goes by the clock, so that its play cannot be repeated.
    fn uses_clock(spec: &Spec<Self::Kind>) -> bool {
        Self::search_config(spec).is_some_and(|search| search.uses_clock())
    }

    /// The search behind the strategy, where it is one: it can say what it found out.
    fn build_search(&self, spec: &Spec<Self::Kind>) -> Option<Box<dyn Search<Self>>> {
        match checked::<Self>(&spec.kind) {
            Player::Search(search, make) => Some(make(&search, self, &spec.finder())),
            _ => None,
        }
    }

    /// How findings of several such searches are ranked together: `None` by votes.
    fn decide(&self, spec: &Spec<Self::Kind>) -> Option<Decide> {
        Self::search_config(spec)?.decide()
    }

    /// What these strategies know beside their files, each by name with its digest.
    fn knowledge(_kinds: &[&Self::Kind]) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Whether a hand of it is cheap enough to be timed by `bench` and signed.
    fn is_cheap(kind: &Self::Kind) -> bool {
        matches!(checked::<Self>(kind), Player::Static(_))
    }
}

/// What a person lays down before a deal.
#[derive(Clone, Debug, Serialize)]
pub struct Laid {
    /// Its canonical text.
    pub text: String,
    /// It in words, where somebody has found some.
    pub words: Option<String>,
    /// The cards that are right now.
    pub right: Vec<String>,
}

/// Who plays a strategy.
pub enum Player<'a, G: Strategic> {
    /// One that does not search: searches may name it for their playouts.
    Static(Box<dyn StaticPolicy<G>>),
    /// A search that this describes, and how it is made: here, so that it is compiled with the game
    /// and not with every program that plays it.
    Search(SearchConfig<'a>, BuildSearch<G>),
    /// A bot that keeps plans of its own; it is made when it is needed, since some know much.
    Bot(Box<dyn FnOnce() -> Box<dyn Bot<G>>>),
    /// A program of its own.
    External(&'a External),
}

/// Makes the search that is described; the last argument finds the strategies that it names.
pub type BuildSearch<G> =
    fn(&SearchConfig<'_>, &G, &dyn Fn(&str) -> Box<dyn StaticPolicy<G>>) -> Box<dyn Search<G>>;

impl<'a, G: Strategic> Player<'a, G> {
    /// Uniformly random moves.
    pub fn random() -> Player<'a, G> {
        Player::policy(Uniform)
    }

    /// A function of the view.
    pub fn policy(policy: impl Policy<G> + Clone + 'static) -> Player<'a, G> {
        Player::Static(Box::new(policy))
    }

    /// A search.
    pub fn search(options: impl Into<SearchConfig<'a>>) -> Player<'a, G> {
        Player::Search(options.into(), |search, game, find| search.build(game, find))
    }

    /// A program of its own.
    ///
    /// # Errors
    /// What is wrong with its options.
    pub fn external(external: &'a External) -> std::result::Result<Player<'a, G>, Vec<String>> {
        match external.fault() {
            Some(fault) => Err(vec![fault.to_owned()]),
            None => Ok(Player::External(external)),
        }
    }

    /// A bot, and how it is made.
    pub fn bot<B: Bot<G> + 'static>(make: impl FnOnce() -> B + 'static) -> Player<'a, G> {
        Player::Bot(Box::new(|| Box::new(make())))
    }
}

/// The player of a kind whose options were checked when it was read.
#[expect(clippy::panic, reason = "a strategy is made by reading it")]
fn checked<G: Strategic>(kind: &G::Kind) -> Player<'_, G> {
    match G::player(kind) {
        Ok(player) => player,
        Err(faults) => panic!("a strategy that was never read: {}", faults.join("; ")),
    }
}

/// A strategy resolved in full: its kind with all options, and the strategies that it names.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec<K> {
    /// Its kind with all options.
    pub kind: K,
    /// The strategies that a search names, none of which searches.
    pub named: BTreeMap<String, K>,
}

impl<K> From<K> for Spec<K> {
    fn from(kind: K) -> Spec<K> {
        Spec { kind, named: BTreeMap::new() }
    }
}

impl<K> Spec<K> {
    /// Finds the strategies that a search names.
    #[expect(clippy::panic, reason = "a strategy is made by reading it")]
    fn finder<G: Strategic<Kind = K>>(&self) -> impl Fn(&str) -> Box<dyn StaticPolicy<G>> {
        |name| match self.named.get(name).map(checked::<G>) {
            Some(Player::Static(policy)) => policy,
            _ => panic!("a strategy that was never read: it names `{name}`"),
        }
    }
}

/// As a strategy file that says everything, with the strategies that it names beside it.
impl<K: Serialize> Serialize for Spec<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut file = spelled(&self.kind).map_err(S::Error::custom)?;
        if !self.named.is_empty() {
            let each = self.named.iter().map(|(name, kind)| Ok((name.clone(), spelled(kind)?)));
            let named: serde_json::Result<Map<String, Value>> = each.collect();
            file["named"] = named.map_err(S::Error::custom)?.into();
        }
        file.serialize(serializer)
    }
}

/// A kind as a strategy file says it.
fn spelled<K: Serialize>(kind: &K) -> serde_json::Result<Value> {
    let mut file = Map::new();
    if let Value::Object(only) = serde_json::to_value(kind)? {
        for (kind, fields) in only {
            file.insert("kind".to_owned(), kind.into());
            file.extend(fields.as_object().cloned().unwrap_or_default());
        }
    }
    Ok(file.into())
}
