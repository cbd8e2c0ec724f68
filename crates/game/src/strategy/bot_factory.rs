//! Factories of bots: from a strategy file, an external program, or a caller's own bots.

use std::any::Any;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::strategic::{Spec, Strategic};
use crate::external::{External, ExternalBot, ProcessPool};
use crate::{Bot, GuardedBot};
use parlour_base::error::{Error, Result};

/// Creates the bots of a strategy.
pub enum BotFactory<G: Strategic> {
    /// Bots of a strategy file.
    Strategy(Spec<G::Kind>),
    /// An external program that a strategy file names.
    External(Spec<G::Kind>, Arc<ProcessPool>),
    /// Bots of the calling program.
    Custom(Box<MakeBot<G>>),
}

/// Bots that a calling program adds to an experiment, for any game.
pub trait CustomBots {
    /// Returns the bots by their names in the experiment. Each value is a `BotFactory<G>`, where
    /// `G` is the game of this name.
    fn bots(&self, game: &str) -> Vec<(&str, Box<dyn Any>)>;
}

/// No bots.
impl CustomBots for () {
    fn bots(&self, _: &str) -> Vec<(&str, Box<dyn Any>)> {
        Vec::new()
    }
}

/// Returns the custom bots for the game `G`.
///
/// # Errors
/// Failed if a bot is of another game.
pub fn custom_bots<G: Strategic>(bots: &dyn CustomBots) -> Result<Vec<(&str, BotFactory<G>)>> {
    let typed = |(name, bots): (_, Box<dyn Any>)| match bots.downcast::<BotFactory<G>>() {
        Ok(bots) => Ok((name, *bots)),
        Err(_) => Err(Error::failed(format!("the bot `{name}` does not play {}", G::NAME))),
    };
    bots.bots(G::NAME).into_iter().map(typed).collect()
}

/// Creates a bot for a game under its rules.
pub type MakeBot<G> = dyn Fn(&G) -> Box<dyn Bot<G>> + Send + Sync;

impl<G: Strategic> BotFactory<G> {
    /// Creates a factory from a function that makes a new bot for every hand. The next rotation has
    /// the same cards, so a bot with memory would know the hands of the others.
    pub fn custom(make: impl Fn(&G) -> Box<dyn Bot<G>> + Send + Sync + 'static) -> BotFactory<G> {
        BotFactory::Custom(Box::new(make))
    }

    /// Creates the factory of a strategy file.
    pub fn from_spec(spec: Spec<G::Kind>) -> BotFactory<G> {
        match G::external(&spec) {
            Some(external) => {
                let players = ProcessPool::new(external.clone(), G::NAME);
                BotFactory::External(spec, players.into())
            }
            None => BotFactory::Strategy(spec),
        }
    }

    /// Creates a bot for a game under its rules.
    pub fn bot(&self, game: &G) -> Box<dyn Bot<G>> {
        match self {
            BotFactory::Strategy(spec) => game.bot(spec),
            BotFactory::External(_, players) => Box::new(ExternalBot::new(players.clone(), None)),
            BotFactory::Custom(make) => Box::new(GuardedBot::new(|| make(game))),
        }
    }

    /// Starts the process of an external program, if it is one, and returns its version if it reports
    /// one. The flag cancels its questions, and its standard error goes into `folder`.
    ///
    /// # Errors
    /// Bad input if it does not start or does not speak the protocol; a failure of the machine.
    pub fn prepare(
        &self,
        name: &str,
        folder: Option<&Path>,
        stop: Option<&Arc<AtomicBool>>,
    ) -> Result<Option<String>> {
        let BotFactory::External(_, players) = self else { return Ok(None) };
        stop.into_iter().for_each(|stop| players.cancel_on(stop));
        let in_strategy = |error: Error| error.in_part(format!("strategy `{name}`"));
        players.prepare(name, folder).map_err(in_strategy)?;
        Ok(players.version().cloned())
    }

    /// Returns the digests of the files of an external program.
    pub fn files(&self) -> BTreeMap<String, String> {
        let external = self.spec().and_then(G::external);
        external.map_or_else(BTreeMap::new, External::files)
    }

    /// Returns the resolved strategy, if there is a file.
    pub fn spec(&self) -> Option<&Spec<G::Kind>> {
        match self {
            BotFactory::Strategy(spec) | BotFactory::External(spec, _) => Some(spec),
            BotFactory::Custom(_) => None,
        }
    }
}
