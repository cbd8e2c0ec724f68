//! The cases: a rule and a deck each.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use super::study::MEAN;
use crate::cards::Card;
use crate::chance::Seed;
use crate::error::{Error, Fault, Faults, Result};
use crate::files::parse_json_line;
use crate::rule::validate;
use crate::{CardMultiset, Half, InWords, Memory, Rule, playable, read_rule};

/// How many cards the hand is kept at.
pub(super) const HAND: usize = 12;

/// How many cards the deck has.
const DECK: usize = 104;

/// A rule to be found, and the deck it is found with: a line of a case file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name; not `mean`, which names the row of the means.
    #[schemars(regex(pattern = "^(?!mean$)"))]
    pub name: String,
    /// The deal's number.
    #[serde(default)]
    pub deal: u64,
    /// The secret rule: in a file its name in the bank, or its text.
    #[serde(deserialize_with = "rule")]
    #[schemars(with = "Rule")]
    pub rule: Rule,
    /// The 104 cards in draw order.
    #[schemars(length(equal = 104))]
    pub deck: Vec<Card>,
}

impl Case {
    /// The place of the starter in the deck: the first card after the hand that the rule accepts
    /// on an empty mainline.
    pub(super) fn starter(&self) -> Option<usize> {
        let right = self.rule.right(&Memory::default());
        (HAND..self.deck.len()).find(|&at| right.has(self.deck[at]))
    }

    /// Everything that is wrong with it.
    fn faults(&self) -> Faults {
        let mut faults = Faults::default();
        if self.name == MEAN {
            let what = format!("`{MEAN}` names the row of the means; give the case another name");
            faults.push(Fault::field("name", what));
        }
        if self.deck.len() != DECK {
            let count = self.deck.len();
            let cards = if count == 1 { "card" } else { "cards" };
            faults.push(format!("field `deck` has {count} {cards}; it must hold two decks, 104"));
        } else if let Some(card) = wrong_count(&self.deck) {
            faults.push(format!("field `deck` must hold every card twice; {card} is not"));
        }
        match validate(&self.rule) {
            Err(fault) => faults.push(Fault::field("rule", fault.to_string())),
            Ok(_) if faults.is_empty() && self.starter().is_none() => {
                let what = "the rule accepts no card of it as the starter";
                faults.push(Fault::field("deck", what));
            }
            Ok(_) => {}
        }
        faults
    }

    /// The case as a line of a file.
    pub fn line(&self) -> String {
        crate::files::compact(self)
    }
}

fn rule<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Rule, D::Error> {
    let text = String::deserialize(from)?;
    read_rule(&text).map_err(D::Error::custom)
}

fn wrong_count(deck: &[Card]) -> Option<Card> {
    let counts: CardMultiset = deck.iter().copied().collect();
    Card::all().find(|&card| counts.count(card) != 2)
}

/// Reads cases, a line each; empty lines are passed over. `place` is the file's name.
///
/// # Errors
/// The first line that is wrong, and all that is wrong with it.
pub fn read_cases(place: &str, text: &str) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let case: Case = parse_json_line(place, number, line)?;
        case.faults().into_result().map_err(|error| error.on_line(place, number))?;
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(Error::input("there is no case in it").in_file(place));
    }
    Ok(cases)
}

/// The playable rules of a half of the bank, or of all of it, each with so many shuffled decks.
pub fn bank_cases(half: Option<Half>, deals: u64, seed: u64) -> Vec<Case> {
    cases_of(playable(half).map(|entry| (entry.name.clone(), &entry.rule)), deals, seed)
}

/// Those of these rules in words that can be played, likewise; each has its number as its name.
pub fn cases_in_words(rules: &[InWords], deals: u64, seed: u64) -> Vec<Case> {
    let playable = rules.iter().filter(|one| one.why_not.is_none());
    let named = playable.filter_map(|one| Some((format!("{:03}", one.number), one.rule.as_ref()?)));
    cases_of(named, deals, seed)
}

fn cases_of<'a>(
    rules: impl Iterator<Item = (String, &'a Rule)>,
    deals: u64,
    seed: u64,
) -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, rule) in rules {
        for deal in 0..deals {
            let chance = Seed::new(seed).named("science").named(&name).child(deal);
            let mut deck: Vec<Card> = Card::all().chain(Card::all()).collect();
            chance.stream().shuffle(&mut deck);
            let case = Case { name: name.clone(), deal, rule: rule.clone(), deck };
            if case.starter().is_some() {
                cases.push(case);
            }
        }
    }
    cases
}
