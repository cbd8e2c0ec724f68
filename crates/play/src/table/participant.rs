//! The participants of a table: people, and bots with their thoughts.

use std::sync::Arc;

use serde::Serialize;

use parlour_base::chance::Stream;
use parlour_base::error::Result;
use parlour_base::files::Library;
use parlour_game::search::Search;
use parlour_game::strategy::{Advice, BotFactory, Candidate, Strategic, Strategy};
use parlour_game::{Bot, BotError, Game, Observation, PolicyBot, Seat, Uniform};

/// The name of a person in lists of strategies.
pub const PERSON: &str = "person";

/// The number of candidate moves in a [`Thought`].
const CANDIDATES: usize = 3;

/// A person or a strategy.
pub struct Participant<G: Strategic> {
    /// The name or path that [`load`](Participant::load) read.
    pub reference: String,
    /// The strategy and the factory of its bots; `None` for a person.
    bot: Option<(Arc<Strategy<G>>, BotFactory<G>)>,
}

impl<G: Strategic> Participant<G> {
    /// Loads a participant: `person`, or a strategy by name or path. Starts external programs.
    ///
    /// # Errors
    /// If there is no such strategy, or its program does not start.
    pub fn load(name: &str) -> Result<Participant<G>> {
        let reference = name.to_owned();
        if name == PERSON {
            return Ok(Participant { reference, bot: None });
        }
        let strategy = Strategy::<G>::load(&Library::strategies(G::NAME), name)?;
        let factory = BotFactory::from_spec(strategy.spec.clone());
        factory.prepare(&strategy.name, None, None)?;
        Ok(Participant { reference, bot: Some((strategy.into(), factory)) })
    }

    /// Returns the displayed name.
    pub fn name(&self) -> &str {
        self.strategy().map_or(PERSON, |strategy| &strategy.name)
    }

    /// Returns the strategy; `None` for a person.
    pub fn strategy(&self) -> Option<&Arc<Strategy<G>>> {
        self.bot.as_ref().map(|(strategy, _)| strategy)
    }

    /// Returns `true` for a person.
    pub fn is_person(&self) -> bool {
        self.bot.is_none()
    }

    /// Starts the participant's bot for a hand; `None` for a person.
    pub(super) fn start_bot(&self, game: &G, seat: Seat) -> Option<TableBot<G>> {
        let (strategy, factory) = self.bot.as_ref()?;
        Some(match (factory, G::build_search(&strategy.spec)) {
            (BotFactory::Strategy(_), Some(search)) => {
                TableBot::Search(strategy.clone(), Box::new(search))
            }
            _ => {
                let mut bot = factory.bot(game);
                bot.start(seat);
                TableBot::Other(bot)
            }
        })
    }
}

/// A bot's evaluation of one of its moves.
#[derive(Clone, Serialize)]
pub struct Thought {
    /// The number of moves that the bot had seen.
    pub after: usize,
    /// The bot's seat.
    pub seat: Seat,
    /// The chosen move.
    #[serde(rename = "move")]
    pub mv: String,
    /// `true` if values are winning chances; otherwise they are mean rewards.
    pub is_chance: bool,
    /// The best candidate moves, best first.
    pub liked: Vec<Candidate>,
}

/// A move with the evaluation of its bot.
pub(super) type ChosenMove<G> = std::result::Result<(<G as Game>::Move, Option<Thought>), BotError>;

/// A bot that plays one hand at a table.
pub(super) enum TableBot<G: Strategic> {
    /// A search, which reports its evaluation.
    Search(Arc<Strategy<G>>, Box<Search<G>>),
    /// Any other bot.
    Other(Box<dyn Bot<G>>),
}

impl<G: Strategic> TableBot<G> {
    /// Creates a bot that makes random moves.
    pub fn random() -> TableBot<G> {
        TableBot::Other(Box::new(PolicyBot(Uniform)))
    }

    /// Returns the bot itself, for everything but its moves.
    pub fn as_bot(&mut self) -> &mut dyn Bot<G> {
        match self {
            TableBot::Search(_, search) => &mut **search,
            TableBot::Other(bot) => &mut **bot,
        }
    }

    /// Chooses a move, which may take long. Searches explain it.
    ///
    /// # Errors
    /// If the bot failed; it cannot continue this hand.
    pub fn choose(
        &mut self,
        game: &G,
        seat: Seat,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> ChosenMove<G> {
        let (strategy, search) = match self {
            TableBot::Other(bot) => return Ok((bot.choose(game, observation, chance)?, None)),
            TableBot::Search(strategy, search) => (strategy, search),
        };
        let findings = search.analyze(game, observation, chance);
        let best = findings.best().unwrap_or_else(|| game.sample_view(observation.view, chance));
        let advice = Advice::from_findings(game, strategy, observation.view, &findings);
        let thought = (advice.iterations > 0).then(|| Thought {
            after: observation.past.len(),
            seat,
            mv: game.notation(best),
            is_chance: advice.is_chance,
            liked: advice.moves.into_iter().take(CANDIDATES).collect(),
        });
        Ok((best, thought))
    }
}
