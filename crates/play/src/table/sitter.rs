//! Who sits at a seat.

use std::sync::Arc;

use super::mind::Mind;
use crate::error::{Error, Result};
use crate::files::Library;
use crate::game::Seat;
use crate::strategy::BotFactory;
use crate::strategy::{Strategic, Strategy};

/// What a person is called where strategies are named.
pub const PERSON: &str = "person";

/// A person, or a strategy.
pub enum Sitter<G: Strategic> {
    /// A person.
    Person,
    /// A strategy.
    Bot {
        /// As it was asked for: a name or path.
        asked: String,
        /// The strategy.
        strategy: Arc<Strategy<G>>,
        /// Who plays for it.
        bots: Arc<BotFactory<G>>,
    },
}

impl<G: Strategic> Clone for Sitter<G> {
    fn clone(&self) -> Self {
        match self {
            Sitter::Person => Sitter::Person,
            Sitter::Bot { asked, strategy, bots } => {
                let (asked, strategy) = (asked.clone(), strategy.clone());
                Sitter::Bot { asked, strategy, bots: bots.clone() }
            }
        }
    }
}

impl<G: Strategic> Sitter<G> {
    /// Who is named: `person`, or a strategy by name or path. A program of its own is started.
    ///
    /// # Errors
    /// When there is no such strategy, or its program does not start.
    pub fn named(name: &str) -> Result<Sitter<G>> {
        if name == PERSON {
            return Ok(Sitter::Person);
        }
        let strategy = Strategy::<G>::load(&Library::strategies(G::NAME), name)?;
        let bots = BotFactory::from_spec(strategy.spec.clone());
        if let BotFactory::External(_, players) = &bots {
            let of_it = |error: Error| error.in_part(format!("strategy `{}`", strategy.name));
            players.prepare(&strategy.name, None).map_err(of_it)?;
        }
        let asked = name.to_owned();
        Ok(Sitter::Bot { asked, strategy: strategy.into(), bots: bots.into() })
    }

    /// What it is called.
    pub fn name(&self) -> &str {
        match self {
            Sitter::Person => PERSON,
            Sitter::Bot { strategy, .. } => &strategy.name,
        }
    }

    /// The name by which it is found again.
    pub fn asked(&self) -> &str {
        match self {
            Sitter::Person => PERSON,
            Sitter::Bot { asked, .. } => asked,
        }
    }

    /// Its strategy.
    pub fn strategy(&self) -> Option<&Arc<Strategy<G>>> {
        match self {
            Sitter::Person => None,
            Sitter::Bot { strategy, .. } => Some(strategy),
        }
    }

    /// Whether it is a person.
    pub fn is_person(&self) -> bool {
        matches!(self, Sitter::Person)
    }

    /// Its mind for a hand, where it is a strategy. `known` is the game as bots know it.
    pub(super) fn mind(&self, known: &G, seat: Seat) -> Option<Mind<G>> {
        match self {
            Sitter::Person => None,
            Sitter::Bot { strategy, bots, .. } => Some(Mind::new(known, strategy, bots, seat)),
        }
    }
}
