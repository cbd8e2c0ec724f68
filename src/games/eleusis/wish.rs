//! A rule that a person lays down.

use super::rule::{Rule, validate};
use super::{Eleusis, Rules, View, bank, named};
use crate::error::{Error, Result, unknown};
use crate::game::Ruled;
use crate::strategy::Laid;

/// A rule of the bank by name, or a rule's text.
///
/// # Errors
/// What would be right.
pub fn read_rule(text: &str) -> Result<Rule> {
    if let Some(entry) = named(text.trim()) {
        return Ok(entry.rule.clone());
    }
    text.parse().map_err(|fault| match text.trim() {
        // A word or two with dashes is meant for a name.
        name if name.chars().all(|c| c.is_ascii_lowercase() || c == '-') => {
            let known = bank().iter().map(|entry| entry.name.as_str());
            let unknown = Error::input(unknown("rule of the bank", name, known));
            unknown.adding("; `parlour list rules` tells them in words")
        }
        _ => Error::input(format!("not a rule: {fault}")),
    })
}

/// A rule that can be played.
fn playable(text: &str) -> Result<Rule> {
    let rule = read_rule(text)?;
    let fault = |fault| Error::input(format!("it cannot be played: {fault}"));
    validate(&rule).map_err(fault)?;
    Ok(rule)
}

/// The game under this rule.
pub(super) fn under(game: &Eleusis, text: &str) -> Result<Eleusis> {
    let secret = Some(playable(text)?.to_string());
    Eleusis::new(&Rules { secret, ..game.rules().clone() })
}

/// What a text means, and the cards that are right now.
pub(super) fn laid(text: &str, view: Option<&View>) -> Result<Laid> {
    let rule = playable(text)?;
    let line = view.map_or(&[][..], |view| view.public.mainline.as_slice());
    let right = rule.right(&rule.after(line));
    let words = named(text.trim()).map(|entry| entry.words.clone());
    Ok(Laid { text: rule.to_string(), words, right: right.map(|card| card.to_string()).collect() })
}
