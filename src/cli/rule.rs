//! `parlour rule`.

use clap::Subcommand;

use super::{Args, Error, Result, say};
use crate::cards::{Card, CardSet, Suit};
use crate::games::eleusis::named;
use crate::games::eleusis::rule::{Comparison, Rule, compare, right_share, validate};

#[derive(Args, Debug)]
pub(super) struct RuleCommand {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand, Debug)]
enum What {
    /// A rule's canonical text, and the 52 cards right or wrong now
    Show {
        /// A rule of the bank by name, or a rule's text
        rule: String,
        /// The accepted cards, the starter first
        #[arg(long, value_name = "CARDS", default_value = "")]
        after: String,
    },
    /// Whether two rules are equivalent, or the shortest line of cards on which they differ
    Compare {
        /// A rule of the bank by name, or a rule's text
        first: String,
        /// Another
        second: String,
    },
}

pub(super) fn run(given: &RuleCommand) -> Result<()> {
    match &given.what {
        What::Show { rule, after } => show(rule, after),
        What::Compare { first, second } => say(compared(&read(first)?, &read(second)?)),
    }
}

fn read(text: &str) -> Result<Rule> {
    if let Some(entry) = named(text.trim()) {
        return Ok(entry.rule.clone());
    }
    text.parse().map_err(|fault| Error::input(format!("not a rule: {fault}")))
}

fn show(text: &str, after: &str) -> Result<()> {
    let rule = read(text)?;
    let card = |word: &str| word.parse().map_err(|e| Error::input(format!("`--after`: {e}")));
    let words = after.split([' ', ',', '-']).filter(|word| !word.is_empty());
    let line: Vec<Card> = words.map(card).collect::<Result<_>>()?;
    let mut out = format!("{rule}\n");
    if let Some(entry) = named(text.trim()) {
        out += &format!("{}: {}\n", entry.name, entry.words);
    }
    let mut memory = Default::default();
    for (place, &card) in (1..).zip(&line) {
        if place > 1 && !rule.right(&memory).has(card) {
            out +=
                &format!("card {place}, {card}, is wrong there: such a line cannot come about\n");
        }
        memory = rule.step(&memory, card);
    }
    let when =
        if line.is_empty() { "as the starter".into() } else { format!("after {}", cards(&line)) };
    out += &format!("right {when}:\n{}", grid(rule.right(&memory)));
    out += &match validate(&rule) {
        Ok(found) => format!(
            "can be played: {:.0} % of the cards right on average, {} situations{}\n",
            100.0 * found.share,
            found.situations,
            if found.exact { "" } else { " and more" },
        ),
        Err(fault) => format!("cannot be played: {fault} ({:.0} %)\n", 100.0 * right_share(&rule)),
    };
    say(out)
}

fn cards(cards: &[Card]) -> String {
    cards.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}

/// A row a suit; a dot for a wrong card.
fn grid(right: CardSet) -> String {
    let row = |suit: Suit| {
        let each = (1..=13).map(|rank| Card::new(rank, suit));
        let words: Vec<String> =
            each.map(|card| if right.has(card) { card.to_string() } else { " .".into() }).collect();
        format!("  {}\n", words.join(" "))
    };
    Suit::ALL.map(row).concat()
}

fn compared(first: &Rule, second: &Rule) -> String {
    match compare(first, second) {
        Comparison::Equivalent { situations } => {
            format!("equivalent: the same verdicts in all {situations} situations that can arise")
        }
        Comparison::Unsettled { situations } => format!(
            "no difference found in {situations} situations and along long random lines, but \
             there are more situations than can be walked"
        ),
        Comparison::Different(found) => {
            let card = found.card();
            let (right, wrong) =
                if found.first.has(card) { ("first", "second") } else { ("second", "first") };
            let line = if found.line.is_empty() { "nothing".into() } else { cards(&found.line) };
            let (grid_1, grid_2) = (grid(found.first), grid(found.second));
            format!(
                "different: after {line} the {right} rule has {card} right and the {wrong} wrong\n\
                 first rule, {first}:\n{grid_1}second rule, {second}:\n{grid_2}"
            )
        }
    }
}
