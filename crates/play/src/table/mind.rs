//! A bot at the table: it chooses, and where it searches it remembers what it found out.

use std::sync::Arc;

use super::hand::Dealt;
use super::seen::Thought;
use crate::chance::Stream;
use crate::game::{Bot, BotError, Observation, PolicyBot, Seat, Uniform};
use crate::search::Search;
use crate::strategy::BotFactory;
use crate::strategy::{Advice, Strategic, Strategy};

/// A strategy that plays a hand.
pub(super) struct Mind<G: Strategic> {
    strategy: Arc<Strategy<G>>,
    seat: Seat,
    how: How<G>,
}

enum How<G: Strategic> {
    /// A search, which says what it found out.
    Search(Box<dyn Search<G>>),
    /// Any other bot.
    Bot(Box<dyn Bot<G>>),
}

impl<G: Strategic> Mind<G> {
    pub fn new(game: &G, strategy: &Arc<Strategy<G>>, bots: &BotFactory<G>, seat: Seat) -> Mind<G> {
        let how = match (bots, game.build_search(&strategy.spec)) {
            (BotFactory::Strategy(_), Some(search)) => How::Search(search),
            _ => How::Bot(bots.bot(game)),
        };
        let mut mind = Mind { strategy: strategy.clone(), seat, how };
        match &mut mind.how {
            How::Search(search) => search.start(),
            How::Bot(bot) => bot.start(seat),
        }
        mind
    }

    /// What it wants of the deal.
    pub fn choose_setup(&mut self, game: &G, dealt: &Dealt) -> Option<u32> {
        match &mut self.how {
            How::Search(_) => None,
            How::Bot(bot) => {
                bot.choose_setup(game, &mut dealt.choice(self.seat).named("wish").stream())
            }
        }
    }

    /// Its move, and what it thought of it. This may take long.
    ///
    /// # Errors
    /// How it failed: it can play no more in this hand.
    pub fn choose(
        &mut self,
        game: &G,
        observation: Observation<'_, G>,
        chance: &mut Stream,
    ) -> Result<(G::Move, Option<Thought>), BotError> {
        let (strategy, seat) = (&self.strategy, self.seat);
        match &mut self.how {
            How::Bot(bot) => Ok((bot.choose(game, observation, chance)?, None)),
            How::Search(search) => {
                let findings = search.analyze(game, observation, chance);
                let best =
                    findings.best().unwrap_or_else(|| game.sample_view(observation.view, chance));
                let advice = Advice::from_findings(game, strategy, observation.view, &findings);
                let thought =
                    Thought::of(observation.past.len(), seat, game.notation(best), &advice);
                Ok((best, (advice.iterations > 0).then_some(thought)))
            }
        }
    }

    /// The same seat from now on with random moves.
    pub fn at_random(self) -> Mind<G> {
        Mind { how: How::Bot(Box::new(PolicyBot(Uniform))), ..self }
    }

    /// The hand is over.
    pub fn end(&mut self, scores: &crate::Scores) {
        if let How::Bot(bot) = &mut self.how {
            _ = bot.end(scores);
        }
    }
}
