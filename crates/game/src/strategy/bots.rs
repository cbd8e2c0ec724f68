//! The bots of a strategy: what a file describes, an external program, or a caller's own.

use std::any::Any;
use std::sync::Arc;

use super::strategic::{Spec, Strategic};
use crate::error::{Error, Result};
use crate::external::{ExternalBot, ProcessPool};
use crate::{Bot, GuardedBot};

/// Who plays for a strategy.
pub enum Bots<G: Strategic> {
    /// Bots of the game, as a strategy file says.
    Read(Spec<G::Kind>),
    /// A program of its own, as a strategy file says.
    External(Spec<G::Kind>, Arc<ProcessPool>),
    /// Bots that the calling program brings along.
    Own(Box<MakeBot<G>>),
}

/// Bots that a calling program adds to an experiment, whatever the game.
pub trait CustomBots {
    /// Returns the bots by the names that the experiment gives them. Each value is a `Bots<G>`, where
    /// `G` is the game of this name.
    fn bots(&self, game: &str) -> Vec<(&str, Box<dyn Any>)>;
}

/// No bots.
impl CustomBots for () {
    fn bots(&self, _: &str) -> Vec<(&str, Box<dyn Any>)> {
        Vec::new()
    }
}

/// The custom bots for the game `G`.
///
/// # Errors
/// Failed if a bot is of another game.
pub fn custom_bots<G: Strategic>(bots: &dyn CustomBots) -> Result<Vec<(&str, Bots<G>)>> {
    let typed = |(name, bots): (_, Box<dyn Any>)| match bots.downcast::<Bots<G>>() {
        Ok(bots) => Ok((name, *bots)),
        Err(_) => Err(Error::failed(format!("the bot `{name}` does not play {}", G::NAME))),
    };
    bots.bots(G::NAME).into_iter().map(typed).collect()
}

/// Makes a bot for a game under its rules.
pub type MakeBot<G> = dyn Fn(&G) -> Box<dyn Bot<G>> + Send + Sync;

impl<G: Strategic> Bots<G> {
    /// Bots that are made by a function, afresh for every hand: the same cards come again in the
    /// next rotation, and a bot that remembers would know what the others hold.
    pub fn own(make: impl Fn(&G) -> Box<dyn Bot<G>> + Send + Sync + 'static) -> Bots<G> {
        Bots::Own(Box::new(make))
    }

    /// Those of a strategy file.
    pub fn read(spec: Spec<G::Kind>) -> Bots<G> {
        match G::external(&spec) {
            Some(external) => {
                let players = ProcessPool::new(external.clone(), G::NAME);
                Bots::External(spec, players.into())
            }
            None => Bots::Read(spec),
        }
    }

    /// Makes a bot for a game under its rules.
    pub fn bot(&self, game: &G) -> Box<dyn Bot<G>> {
        match self {
            Bots::Read(spec) => game.bot(spec),
            Bots::External(_, players) => Box::new(ExternalBot::new(players.clone())),
            Bots::Own(make) => Box::new(GuardedBot::new(|| make(game))),
        }
    }

    /// What their strategy says, where they have a file.
    pub fn spec(&self) -> Option<&Spec<G::Kind>> {
        match self {
            Bots::Read(spec) | Bots::External(spec, _) => Some(spec),
            Bots::Own(_) => None,
        }
    }
}
