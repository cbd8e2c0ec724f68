//! The contract of a game with strategies, and the players of its kinds of strategy.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::external::{External, ExternalBot, ProcessPool};
use crate::rulebook::section;
use crate::search::{Comparison, Search, SearchConfig, StaticPolicy};
use crate::{Bot, Measured, Policy, Recorded, Uniform};
use parlour_base::cards::CardStyle;
use parlour_base::chance::Stream;
use parlour_base::error::{Error, Result};

/// A game with strategies: everything that the arena and the command line need.
pub trait Strategic: Measured + Recorded + 'static {
    /// The kinds of strategy: an enum with one variant per kind, which holds its options. The name
    /// of the variant is the `kind` of a file. Names, schema, checks and messages follow from the
    /// enum.
    type Kind: Clone
        + Debug
        + PartialEq
        + Send
        + Sync
        + Serialize
        + DeserializeOwned
        + JsonSchema
        + 'static;

    /// The default adviser.
    const ADVISER: &'static str = "champion";

    /// Returns `true` if nothing is hidden and there is no chance after the deal: then a person at a
    /// table may try out a move.
    fn is_open(&self) -> bool {
        false
    }

    /// The strategy that estimates the luck of hands, if the game has one.
    const JUDGE: Option<&'static str> = None;

    /// The default search: the base of search files that name no base.
    const DEFAULT_SEARCH: Option<&'static str> = None;

    /// The strategy by which hands are reviewed by default.
    const REVIEWER: &'static str = Self::ADVISER;

    /// Returns the kind of a move, by which a review groups mistakes.
    fn move_kind(&self, _mv: Self::Move) -> &'static str {
        "move"
    }

    /// Solves a position exactly, if that is cheap: returns the best turn and its comparison with the
    /// turn played, both as in a record.
    fn solve_turn(&self, _view: &Self::View, _played: &str) -> Option<(String, Comparison)> {
        None
    }

    /// The data that a thread reuses from hand to hand in [`duel`](Strategic::duel); `()` if there
    /// are none.
    type Scratch: Default;

    /// Draws a view for a terminal of 80 columns.
    fn picture(&self, view: &Self::View, _letters: CardStyle) -> String {
        parlour_base::files::pretty(view)
    }

    /// Returns the facts of a view that [`what_to_do`](Strategic::what_to_do) needs: the fields of `now`.
    fn situation(&self, view: &Self::View) -> Value {
        json!(view)
    }

    /// Returns a sentence for people: what the seat to move can do now. It stands in the section
    /// `# Now` of the [rules text](crate::Ruled::RULES_TEXT).
    fn what_to_do(&self, view: &Self::View) -> String {
        let mut values = json!(self.rules());
        values["now"] = self.situation(view);
        section(Self::RULES_TEXT, "Now", &values).concat().join(" ")
    }

    /// Returns the notation of moves, for people: the section `# Moves` of the rules text.
    fn how_to_write(&self) -> String {
        section(Self::RULES_TEXT, "Moves", &json!(self.rules())).concat().join(" ")
    }

    /// Parses the moves that a person writes in a line: one, or several with commas. Words and
    /// cards may have letters of either case.
    ///
    /// # Errors
    /// If the text is wrong; the message says what would be right.
    fn read_moves(&self, text: &str) -> Result<Vec<Self::Move>> {
        let one = |text: &str| {
            let (first, rest) = text.split_once(' ').unwrap_or((text, ""));
            let upper = first.to_uppercase();
            let forms = [
                text.to_lowercase(),
                format!("{upper} {}", rest.to_lowercase()),
                format!("{} {}", first.to_lowercase(), rest.to_uppercase()),
            ];
            let form = forms.iter().find_map(|form| self.parse_move(form.trim_end()).ok());
            self.parse_move(text).or_else(|error| form.ok_or(error))
        };
        let whole = one(text);
        if whole.is_err() && text.contains(',') {
            return text.split(',').map(|part| one(part.trim())).collect();
        }
        whole.map(|mv| vec![mv])
    }

    /// The extension for strategies that can explain themselves.
    fn explainer(&self) -> Option<&dyn Explainer<Self>> {
        None
    }

    /// Returns the player of a kind of strategy.
    ///
    /// # Errors
    /// The faults of its options, a sentence each.
    fn player(kind: &Self::Kind) -> std::result::Result<Player<'_, Self>, Vec<String>>;

    /// Checks that a strategy, and the policies that it names, can play under these rules.
    ///
    /// # Errors
    /// Bad input if not: a network that was trained for other rules.
    fn check(&self, spec: &Spec<Self::Kind>) -> Result<()> {
        std::iter::once(&spec.kind).chain(spec.named.values()).try_for_each(|kind| {
            match Self::player(kind) {
                Ok(Player::Static(policy)) => policy.check(self).map_err(Error::input),
                _ => Ok(()),
            }
        })
    }

    /// Creates a bot with this strategy, which passes the [check](Strategic::check).
    fn bot(&self, spec: &Spec<Self::Kind>) -> Box<dyn Bot<Self>> {
        match spec.player::<Self>() {
            Player::Static(policy) => policy.bot(),
            Player::Search(search, build) => Box::new(build(&search, &spec.finder())),
            Player::Bot(make) => make(),
            Player::External(external) => {
                let players = ProcessPool::new(external.clone(), Self::NAME);
                Box::new(ExternalBot::new(players.into(), None))
            }
        }
    }

    /// Plays a whole hand of strategies, by seat, if the game has a faster way than through bots;
    /// otherwise returns `None`. `start` is the stream before the deal, `choices` has one stream
    /// per seat. No moves are recorded; the statistics are overwritten with those of this hand.
    ///
    /// The final state and the statistics must equal those of the bots with the same streams.
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

    /// Returns the configuration of the search, if the strategy is one.
    fn search_config(spec: &Spec<Self::Kind>) -> Option<SearchConfig<'_>> {
        let Player::Search(search, _) = spec.player::<Self>() else { return None };
        Some(search)
    }

    /// Returns the options of the external program, if the strategy is one.
    fn external(spec: &Spec<Self::Kind>) -> Option<&External> {
        let Player::External(external) = spec.player::<Self>() else { return None };
        Some(external)
    }

    /// Builds the search of the strategy, if it is one.
    fn build_search(spec: &Spec<Self::Kind>) -> Option<Search<Self>> {
        let Player::Search(search, build) = spec.player::<Self>() else { return None };
        Some(build(&search, &spec.finder()))
    }

    /// Returns the data files that these strategies use, each by name with its digest.
    fn knowledge(_kinds: &[&Self::Kind]) -> Vec<(&'static str, String)> {
        Vec::new()
    }

    /// Returns `true` if its hands are fast: `bench` and the signature play it, and a run stops and
    /// saves only between its deals.
    fn is_cheap(kind: &Self::Kind) -> bool {
        matches!(Self::player(kind), Ok(Player::Static(_)))
    }
}

/// A game whose strategies can explain what they believe and do.
pub trait Explainer<G: Strategic> {
    /// Returns the belief of a strategy about what is hidden, as the end of a sentence, if it has
    /// one.
    fn belief(&self, spec: &Spec<G::Kind>, view: &G::View) -> Option<String>;

    /// Returns the reasons of a strategy for a move, if it has any.
    fn explain(&self, spec: &Spec<G::Kind>, view: &G::View, mv: G::Move) -> Option<Opinion>;
}

/// Something hidden, as a strategy believes it to be.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Belief {
    /// The hypothesis.
    pub what: String,
    /// Its share of the belief.
    pub share: f64,
}

/// A strategy's reasons for a move.
#[derive(Clone, PartialEq, Debug)]
pub struct Opinion {
    /// Beliefs about what is hidden, the strongest first.
    pub beliefs: Vec<Belief>,
    /// The share of the belief in none of the known hypotheses, if it matters.
    pub unknown: Option<f64>,
    /// The action and its reason: `lays 9S because …`.
    pub because: String,
}

impl Opinion {
    /// Returns the opinion as a sentence.
    pub fn in_words(&self) -> String {
        let known = self.beliefs.iter();
        let known = known.map(|belief| format!("`{}` {:.0} %", belief.what, 100.0 * belief.share));
        let unknown =
            self.unknown.map(|share| format!("a rule it does not know {:.0} %", 100.0 * share));
        let beliefs = known.chain(unknown).collect::<Vec<_>>().join(", ");
        match beliefs.is_empty() {
            true => format!("It {}.", self.because),
            false => format!("It believes {beliefs}; it {}.", self.because),
        }
    }
}

/// The player of a strategy.
pub enum Player<'a, G: Strategic> {
    /// A memoryless policy, which searches may use in playouts.
    Static(Arc<dyn StaticPolicy<G>>),
    /// A search with the function that builds it. The function is compiled with the game, not with
    /// every program that plays it.
    Search(SearchConfig<'a>, BuildSearch<G>),
    /// A bot with state. It is created only when needed, since some are expensive.
    Bot(Box<dyn FnOnce() -> Box<dyn Bot<G>>>),
    /// An external program.
    External(&'a External),
}

/// A function that builds a search. Its last argument finds the policies that the search names.
pub type BuildSearch<G> =
    fn(&SearchConfig<'_>, &dyn Fn(&str) -> Arc<dyn StaticPolicy<G>>) -> Search<G>;

impl<'a, G: Strategic> Player<'a, G> {
    /// Creates a player of uniformly random moves.
    pub fn random() -> Player<'a, G> {
        Player::policy(Uniform)
    }

    /// Creates a player from a function of the view.
    pub fn policy(policy: impl Policy<G> + Clone + 'static) -> Player<'a, G> {
        Player::Static(Arc::new(policy))
    }

    /// Creates a search.
    pub fn search(options: impl Into<SearchConfig<'a>>) -> Player<'a, G> {
        Player::Search(options.into(), |search, find| search.build(find))
    }

    /// Creates a bot from its constructor.
    pub fn bot<B: Bot<G> + 'static>(make: impl FnOnce() -> B + 'static) -> Player<'a, G> {
        Player::Bot(Box::new(|| Box::new(make())))
    }
}

/// A resolved strategy: its kind with all options, and the policies that it names.
#[derive(Clone, PartialEq, Debug)]
pub struct Spec<K> {
    /// The kind with all options.
    pub kind: K,
    /// The memoryless policies that a search names.
    pub named: BTreeMap<String, K>,
}

impl<K> From<K> for Spec<K> {
    fn from(kind: K) -> Spec<K> {
        Spec { kind, named: BTreeMap::new() }
    }
}

impl<K> Spec<K> {
    /// Returns the player of the strategy, whose options were checked when it was read.
    #[expect(clippy::panic, reason = "a strategy is made by reading it")]
    pub fn player<G: Strategic<Kind = K>>(&self) -> Player<'_, G> {
        match G::player(&self.kind) {
            Ok(player) => player,
            Err(faults) => panic!("a strategy that was never read: {}", faults.join("; ")),
        }
    }

    /// Returns a function that finds the policies that a search names.
    #[expect(clippy::panic, reason = "a strategy is made by reading it")]
    fn finder<G: Strategic<Kind = K>>(&self) -> impl Fn(&str) -> Arc<dyn StaticPolicy<G>> {
        |name| match self.named.get(name).map(G::player) {
            Some(Ok(Player::Static(policy))) => policy,
            _ => panic!("a strategy that was never read: it names `{name}`"),
        }
    }
}

/// Writes a complete strategy file, with the policies that it names.
impl<K: Serialize> Serialize for Spec<K> {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        let mut file = file_fields(&self.kind);
        if !self.named.is_empty() {
            let named = self.named.iter().map(|(name, kind)| (name.clone(), file_fields(kind)));
            file["named"] = named.collect();
        }
        file.serialize(serializer)
    }
}

/// Returns the fields of a kind as in a strategy file.
fn file_fields<K: Serialize>(kind: &K) -> Value {
    let mut file = Map::new();
    if let Value::Object(only) = json!(kind) {
        for (kind, fields) in only {
            file.insert("kind".to_owned(), kind.into());
            file.extend(fields.as_object().cloned().unwrap_or_default());
        }
    }
    file.into()
}
