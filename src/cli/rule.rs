//! `parlour rule`.

use clap::{Args, Subcommand};

use super::output::print;
use crate::cards::{Card, CardSet, Suit, spaced};
use crate::error::{Error, Result};
use crate::games::eleusis::rule::{Exploration, Rule, Validity, compare, validate};
use crate::games::eleusis::{corpus_rule, read_rule};

#[derive(Args, Debug)]
pub(super) struct RuleCommand {
    #[command(subcommand)]
    what: RuleAction,
}

#[derive(Subcommand, Debug)]
enum RuleAction {
    /// Show a rule's canonical text, and which of the 52 cards it accepts
    Show {
        /// Name of a corpus rule, or a rule's text
        #[arg(allow_hyphen_values = true)]
        rule: String,
        /// The accepted cards so far, the starter first
        #[arg(long, value_name = "CARDS", default_value = "")]
        after: String,
    },
    /// Compare two rules: equivalent, or the shortest line of cards on which they differ
    Compare {
        /// Name of a corpus rule, or a rule's text
        #[arg(allow_hyphen_values = true)]
        first: String,
        /// The other rule
        #[arg(allow_hyphen_values = true)]
        second: String,
    },
}

pub(super) fn run(args: &RuleCommand) -> Result<()> {
    print(match &args.what {
        RuleAction::Show { rule, after } => show(rule, after)?,
        RuleAction::Compare { first, second } => compared(&read_rule(first)?, &read_rule(second)?),
    })
}

fn show(text: &str, after: &str) -> Result<String> {
    let rule = read_rule(text)?;
    let card = |word: &str| word.parse().map_err(|e| Error::input(format!("`--after`: {e}")));
    let words = after.split([' ', ',', '-']).filter(|word| !word.is_empty());
    let line: Vec<Card> = words.map(card).collect::<Result<_>>()?;
    let mut out = format!("{rule}\n");
    if let Some(entry) = corpus_rule(text.trim()) {
        out += &format!("{}: {}\n", entry.name, entry.words);
    }
    let mut memory = Default::default();
    for (place, &card) in (1..).zip(&line) {
        if place > 1 && !rule.right(&memory).has(card) {
            out += &format!("card {place}, {card}, would have been rejected\n");
        }
        memory = rule.step(&memory, card);
    }
    let when = match line.is_empty() {
        true => "as the starter".to_owned(),
        false => format!("after {}", spaced(&line)),
    };
    let playable = match validate(&rule) {
        Ok(Validity { share, situations, is_exact }) => {
            let (share, more) = (100.0 * share, if is_exact { "" } else { " or more" });
            format!(
                "playable: {share:.0} % of the cards right on average, {situations} situations{more}"
            )
        }
        Err(fault) => format!("not playable: {fault}"),
    };
    Ok(out + &format!("right {when}:\n{}{playable}\n", grid(rule.right(&memory))))
}

/// One row per suit, with a dot for each wrong card.
fn grid(right: CardSet) -> String {
    let cell = |card| if right.has(card) { card.to_string() } else { " .".to_owned() };
    let row = |suit| (1..=13).map(|rank| cell(Card::new(rank, suit))).collect::<Vec<_>>();
    Suit::ALL.map(|suit| format!("  {}\n", row(suit).join(" "))).concat()
}

fn compared(first: &Rule, second: &Rule) -> String {
    match compare(first, second) {
        Exploration::Exhaustive(situations) => format!(
            "equivalent: the same verdicts in all {situations} reachable situations, for every starter"
        ),
        Exploration::Partial(situations) => format!(
            "no difference found in {situations} situations and along long random lines; there \
             are more situations than can be enumerated"
        ),
        Exploration::Found(line, [in_first, in_second]) => {
            let differ = CardSet(in_first.0 ^ in_second.0).next();
            let card = differ.map_or_else(String::new, |card| card.to_string());
            let (right, wrong) = match differ.is_some_and(|card| in_first.has(card)) {
                true => ("first", "second"),
                false => ("second", "first"),
            };
            let line = if line.is_empty() { "nothing".into() } else { spaced(&line) };
            let (grid_1, grid_2) = (grid(in_first), grid(in_second));
            format!(
                "different: after {line}, the {right} rule accepts {card} and the {wrong} rejects it\n\
                 first rule, {first}:\n{grid_1}second rule, {second}:\n{grid_2}"
            )
        }
    }
}
