//! Cases: a rule and a deck each.

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::rule::validate;
use crate::{CardMultiset, Memory, PlainTextRule, Rule, Split, playable_rules, read_rule};
use parlour_base::cards::Card;
use parlour_base::chance::Seed;
use parlour_base::error::{Error, Fault, Faults, Result};
use parlour_base::files::parse_json_line;

/// The number of cards in the hand.
pub(super) const HAND: usize = 12;

/// The number of cards in the deck.
const DECK: usize = 104;

/// The name of the last row of `science_summary.csv`, which no case may have.
pub(super) const MEAN: &str = "mean";

/// A rule to discover, and the deck for it: a line of a case file.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// Its name; not `mean`, the name of the row of means.
    #[schemars(regex(pattern = "^(?!mean$)"))]
    pub name: String,
    /// The deal's number.
    #[serde(default)]
    pub deal: u64,
    /// The secret rule: its name in the corpus, or its text.
    #[serde(deserialize_with = "rule")]
    #[schemars(with = "Rule")]
    pub rule: Rule,
    /// The 104 cards, in draw order.
    #[schemars(length(equal = 104))]
    pub deck: Vec<Card>,
}

impl Case {
    /// The index of the starter in the deck: the first card after the hand that the rule accepts on
    /// an empty mainline.
    pub(super) fn starter(&self) -> Option<usize> {
        let right = self.rule.right(&Memory::default());
        (HAND..self.deck.len()).find(|&at| right.has(self.deck[at]))
    }

    /// All faults of the case.
    fn faults(&self) -> Faults {
        let mut faults = Faults::default();
        if self.name == MEAN {
            let what = format!("`{MEAN}` is the name of the row of means; use another name");
            faults.push(Fault::field("name", what));
        }
        let (count, cards) = (self.deck.len(), self.deck.iter().copied().collect::<CardMultiset>());
        if count != DECK {
            let cards = if count == 1 { "card" } else { "cards" };
            faults.push(format!(
                "field `deck` has {count} {cards}; it must have two decks, 104 cards"
            ));
        } else if let Some(card) = Card::all().find(|&card| cards.count(card) != 2) {
            faults.push(format!("field `deck` must have every card twice; {card} is not"));
        }
        match validate(&self.rule) {
            Err(fault) => faults.push(Fault::field("rule", fault.to_string())),
            Ok(_) if faults.is_empty() && self.starter().is_none() => {
                let what = "the rule accepts none of its cards as the starter";
                faults.push(Fault::field("deck", what));
            }
            Ok(_) => {}
        }
        faults
    }

    /// The case as a line of a file.
    pub fn line(&self) -> String {
        parlour_base::files::compact(self)
    }
}

fn rule<'de, D: Deserializer<'de>>(from: D) -> std::result::Result<Rule, D::Error> {
    let text = String::deserialize(from)?;
    read_rule(&text).map_err(D::Error::custom)
}

/// Reads cases, one per line; empty lines are skipped. `place` is the file's name.
///
/// # Errors
/// The first invalid line with all its faults.
pub fn read_cases(place: &str, text: &str) -> Result<Vec<Case>> {
    let mut cases = Vec::new();
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        let case: Case = parse_json_line(place, number, line)?;
        case.faults().into_result().map_err(|error| error.on_line(place, number))?;
        cases.push(case);
    }
    if cases.is_empty() {
        return Err(Error::input("the file has no cases").in_file(place));
    }
    Ok(cases)
}

/// Cases of the playable rules of a split, with `deals` shuffled decks each.
pub fn corpus_cases(split: Split, deals: u64, seed: u64) -> Vec<Case> {
    cases(playable_rules(split).map(|entry| (entry.name.clone(), &entry.rule)), deals, seed)
}

/// Cases of the playable rules among these, with `deals` shuffled decks each. A case is named after
/// the number of its rule.
pub fn plain_text_cases(rules: &[PlainTextRule], deals: u64, seed: u64) -> Vec<Case> {
    let playable = rules.iter().filter(|one| one.why_not.is_none());
    let named = playable.filter_map(|one| Some((format!("{:03}", one.number), one.rule.as_ref()?)));
    cases(named, deals, seed)
}

fn cases<'a>(rules: impl Iterator<Item = (String, &'a Rule)>, deals: u64, seed: u64) -> Vec<Case> {
    let cases = rules.flat_map(|(name, rule)| {
        (0..deals).map(move |deal| {
            let chance = Seed::new(seed).named("science").named(&name).child(deal);
            let mut deck: Vec<Card> = Card::all().chain(Card::all()).collect();
            chance.stream().shuffle(&mut deck);
            Case { name: name.clone(), deal, rule: rule.clone(), deck }
        })
    });
    cases.filter(|case| case.starter().is_some()).collect()
}
