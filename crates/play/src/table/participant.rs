//! The participants of a table: people, and bots with their thoughts.

use std::sync::Arc;

use serde::Serialize;

use parlour_base::chance::Stream;
use parlour_base::error::{Error, Result};
use parlour_base::files::Library;
use parlour_game::search::Search;
use parlour_game::strategy::{Advice, BotFactory, Candidate, Strategic, Strategy};
use parlour_game::{Bot, BotError, Observation, PolicyBot, Scores, Seat, Uniform};

/// The name of a person in lists of strategies.
pub const PERSON: &str = "person";

/// The number of candidate moves in a [`Thought`].
const CANDIDATES: usize = 3;

/// A person or a strategy.
pub enum Participant<G: Strategic> {
    /// A person.
    Person,
    /// A strategy.
    Bot {
        /// The name or path by which the strategy was loaded.
        reference: String,
        /// The strategy.
        strategy: Arc<Strategy<G>>,
        /// Makes the strategy's bots.
        factory: BotFactory<G>,
    },
}

impl<G: Strategic> Participant<G> {
    /// Loads a participant: `person`, or a strategy by name or path. Starts external programs.
    ///
    /// # Errors
    /// If there is no such strategy, or its program does not start.
    pub fn load(name: &str) -> Result<Participant<G>> {
        if name == PERSON {
            return Ok(Participant::Person);
        }
        let strategy = Strategy::<G>::load(&Library::strategies(G::NAME), name)?;
        let factory = BotFactory::from_spec(strategy.spec.clone());
        if let BotFactory::External(_, players) = &factory {
            let in_strategy = |error: Error| error.in_part(format!("strategy `{}`", strategy.name));
            players.prepare(&strategy.name, None).map_err(in_strategy)?;
        }
        let reference = name.to_owned();
        Ok(Participant::Bot { reference, strategy: strategy.into(), factory })
    }

    /// Returns the displayed name.
    pub fn name(&self) -> &str {
        self.strategy().map_or(PERSON, |strategy| &strategy.name)
    }

    /// Returns the name that [`load`](Participant::load) reads.
    pub fn reference(&self) -> &str {
        match self {
            Participant::Person => PERSON,
            Participant::Bot { reference, .. } => reference,
        }
    }

    /// Returns the strategy; `None` for a person.
    pub fn strategy(&self) -> Option<&Arc<Strategy<G>>> {
        match self {
            Participant::Person => None,
            Participant::Bot { strategy, .. } => Some(strategy),
        }
    }

    /// Returns `true` for a person.
    pub fn is_person(&self) -> bool {
        matches!(self, Participant::Person)
    }

    /// Starts the participant's bot for a hand; `None` for a person.
    pub(super) fn start_bot(&self, game: &G, seat: Seat) -> Option<TableBot<G>> {
        let Participant::Bot { strategy, factory, .. } = self else { return None };
        let decider = match (factory, game.build_search(&strategy.spec)) {
            (BotFactory::Strategy(_), Some(mut search)) => {
                search.start();
                Decider::Search(search)
            }
            _ => {
                let mut bot = factory.bot(game);
                bot.start(seat);
                Decider::Bot(bot)
            }
        };
        Some(TableBot { strategy: strategy.clone(), seat, decider })
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

/// A strategy that plays one hand at a table.
pub(super) struct TableBot<G: Strategic> {
    strategy: Arc<Strategy<G>>,
    seat: Seat,
    decider: Decider<G>,
}

enum Decider<G: Strategic> {
    /// A search, which reports its evaluation.
    Search(Box<dyn Search<G>>),
    /// Any other bot.
    Bot(Box<dyn Bot<G>>),
}

impl<G: Strategic> TableBot<G> {
    /// Chooses the setup of the deal, if the bot has a choice.
    pub fn choose_setup(&mut self, game: &G, chance: &mut Stream) -> Option<u32> {
        match &mut self.decider {
            Decider::Search(_) => None,
            Decider::Bot(bot) => bot.choose_setup(game, chance),
        }
    }

    /// Chooses a move, which may take long. Searches explain it.
    ///
    /// # Errors
    /// If the bot failed; it cannot continue this hand.
    pub fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> std::result::Result<(G::Move, Option<Thought>), BotError> {
        let search = match &mut self.decider {
            Decider::Bot(bot) => return Ok((bot.choose(game, observation, chance)?, None)),
            Decider::Search(search) => search,
        };
        let findings = search.analyze(game, observation, chance);
        let best = findings.best().unwrap_or_else(|| game.sample_view(observation.view, chance));
        let advice = Advice::from_findings(game, &self.strategy, observation.view, &findings);
        let thought = (advice.iterations > 0).then(|| Thought {
            after: observation.past.len(),
            seat: self.seat,
            mv: game.notation(best),
            is_chance: advice.is_chance,
            liked: advice.moves.into_iter().take(CANDIDATES).collect(),
        });
        Ok((best, thought))
    }

    /// Replaces the bot by one that makes random moves.
    pub fn into_random(self) -> TableBot<G> {
        TableBot { decider: Decider::Bot(Box::new(PolicyBot(Uniform))), ..self }
    }

    /// Tells the bot the result of the hand.
    pub fn end(&mut self, scores: &Scores) {
        if let Decider::Bot(bot) = &mut self.decider {
            _ = bot.end(scores);
        }
    }
}
