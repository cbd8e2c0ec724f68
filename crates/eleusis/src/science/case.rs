//! Cases: a rule and a deck each, and how a rule learner plays them.

use std::fmt;
use std::time::{Duration, Instant};

use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};

use crate::rule::validate;
use crate::{CardMultiset, Memory, PlainTextRule, Rule, Split};
use crate::{are_equivalent_from, playable_rules, read_rule};
use parlour_base::cards::{Card, CardSet};
use parlour_base::chance::{Seed, Stream};
use parlour_base::error::{Error, Fault, Faults, Result};
use parlour_base::files::parse_json_line;
use parlour_base::maths::exact::ln;
use parlour_game::BotFailure;

/// The number of cards in the hand.
const HAND: usize = 12;

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
    fn starter(&self) -> Option<usize> {
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

/// The number of turns.
pub const TURNS: u32 = 30;

/// The number of consecutive right tables, each committed to, that solve a case. One table is not
/// enough: every card may happen to be right now.
pub const TABLES_TO_SOLVE: u32 = 5;

/// The part of a case that its learner sees. It is also the `state` message to an external learner.
#[derive(Clone, Debug, Serialize)]
pub struct CaseView {
    /// The turn, from 1.
    pub turn: u32,
    /// The hand.
    pub hand: CardMultiset,
    /// The accepted cards, the starter first.
    pub mainline: Vec<Card>,
    /// The cards laid so far.
    pub verdicts: Vec<Verdict>,
    /// The guesses with a commitment that were wrong.
    pub refuted: Vec<String>,
}

/// A card that was laid, with its verdict.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Verdict {
    /// The card.
    pub card: Card,
    /// `true` if it was right.
    pub right: bool,
}

/// The statement of a learner in a turn, before the verdict.
#[derive(Clone, Debug)]
pub struct Statement {
    /// The card to lay.
    pub card: Card,
    /// The best guess of the rule, with its probability.
    pub guess: Option<(Guess, f64)>,
    /// Commits to the guess.
    pub commit: bool,
    /// The probability of each card to be right; `None` if unknown. For reports only.
    pub probabilities: Option<[f64; 52]>,
}

impl Statement {
    /// Creates a statement without a guess.
    pub fn of(card: Card) -> Statement {
        Statement { card, guess: None, commit: false, probabilities: None }
    }
}

/// A guess of the rule.
#[derive(Clone, Debug)]
pub enum Guess {
    /// A rule; right if it judges as the secret rule from here on.
    Rule(Rule),
    /// The cards that are right before the card is laid, for learners without a rule language; right
    /// if all 52 verdicts are. [`TABLES_TO_SOLVE`] of them in a row solve the case.
    Table(CardSet),
}

impl fmt::Display for Guess {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Guess::Rule(rule) => rule.fmt(f),
            Guess::Table(cards) => {
                f.write_str("right:")?;
                cards.into_iter().try_for_each(|card| write!(f, " {card}"))
            }
        }
    }
}

/// A player that looks for the rule.
pub trait RuleLearner {
    /// Returns the statement for the next turn. A commitment was wrong if the case continues after it.
    ///
    /// # Errors
    /// The failure of an external program, which loses the case.
    fn state(&mut self, view: &CaseView, chance: &mut Stream) -> Result<Statement, BotFailure>;

    /// The belief in rules that judge as this one from here on; `None` if unknown. For reports only:
    /// the question reveals nothing to the learner.
    fn belief_in(&self, _rule: &Rule) -> Option<f64> {
        None
    }
}

/// The information of an event of this probability, in bits.
fn surprise(chance: f64) -> f64 {
    -ln(chance.max(1e-9)) / std::f64::consts::LN_2
}

/// The entropy of a verdict that is *right* with this probability, in bits.
fn entropy(chance: f64) -> f64 {
    chance * surprise(chance) + (1.0 - chance) * surprise(1.0 - chance)
}

/// The result of a case.
#[derive(Clone, Debug)]
pub struct CaseResult {
    /// The case.
    pub case: Case,
    /// The turns, one row each.
    pub turns: Vec<ScienceTurn>,
    /// The turn in which the rule was found, if it was.
    pub solved: Option<u32>,
    /// The number of commitments to wrong rules.
    pub wrong_commitments: u32,
    /// The failure of an external learner, which ended the case.
    pub forfeit: Option<BotFailure>,
    /// The time that the learner used.
    pub thought: Duration,
}

impl CaseResult {
    /// The score: `31 − t − 2 ×` wrong commitments for a rule found in turn `t`, at least 0; otherwise 0.
    pub fn score(&self) -> u32 {
        let found = self.solved.map_or(0, |turn| TURNS + 1 - turn);
        found.saturating_sub(2 * self.wrong_commitments)
    }

    /// The last guess, if it was wrong.
    pub fn wrong_guess(&self) -> Option<&str> {
        self.turns.last().filter(|row| !row.guess_right)?.guess.as_deref()
    }

    /// Iterates over the stated probabilities; `true` if the guess was right.
    pub(super) fn guesses(&self) -> impl Iterator<Item = (f64, bool)> + Clone + '_ {
        self.turns.iter().filter_map(|row| Some((row.probability?, row.guess_right)))
    }
}

/// A row of `science.csv`: one turn of a case. The comments are the column descriptions.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct ScienceTurn {
    /// The case.
    pub name: String,
    /// The deck of the case, from 0. Unit: number.
    pub deal: u64,
    /// The turn, from 1. Unit: number.
    pub turn: u32,
    /// The card laid.
    pub card: String,
    /// The verdict on the card. Unit: true or false.
    pub right: bool,
    /// The best guess of the rule before the verdict; empty if there is none.
    pub guess: Option<String>,
    /// The probability that the strategy gives to its guess. Unit: probability.
    pub probability: Option<f64>,
    /// True if the strategy committed to its guess. Unit: true or false.
    pub committed: bool,
    /// True if the guess judges as the rule does from here on. Unit: true or false.
    pub guess_right: bool,
    /// The belief in rules that judge as the secret one, before the verdict; empty if unknown. Unit:
    /// probability.
    pub truth: Option<f64>,
    /// The expected information of the card's verdict: its entropy under the player's beliefs. Unit:
    /// bits.
    pub expected_bits: Option<f64>,
    /// The expected information of the most informative card of the hand. Unit: bits.
    pub best_bits: Option<f64>,
    /// The information of the verdict: minus the binary logarithm of its probability under the
    /// player's beliefs. Unit: bits.
    pub gained_bits: Option<f64>,
}

/// Plays a case whose deck has a starter.
pub fn play_case(case: &Case, learner: &mut dyn RuleLearner, chance: &mut Stream) -> CaseResult {
    let (turns, solved, forfeit, thought) = (Vec::new(), None, None, Duration::ZERO);
    let mut played =
        CaseResult { case: case.clone(), turns, solved, wrong_commitments: 0, forfeit, thought };
    let Some(at) = case.starter() else { return played };
    let hand = case.deck[..HAND].iter().copied().collect();
    let (mainline, verdicts, refuted) = (vec![case.deck[at]], Vec::new(), Vec::new());
    let mut view = CaseView { turn: 0, hand, mainline, verdicts, refuted };
    let mut stock = case.deck[at + 1..].iter();
    let mut memory = case.rule.after(&view.mainline);
    // A rule that was right once stays right.
    let mut known: Option<String> = None;
    let mut tables = 0;
    while played.solved.is_none() && view.turn < TURNS && !view.hand.is_empty() {
        view.turn += 1;
        let start = Instant::now();
        let stated = learner.state(&view, chance);
        played.thought += start.elapsed();
        let Statement { card, guess, commit, probabilities } = match stated {
            Ok(statement) => statement,
            Err(forfeit) => return CaseResult { forfeit: Some(forfeit), ..played },
        };
        let right_now = case.rule.right(&memory);
        let right = right_now.has(card);
        let truth = learner.belief_in(&case.rule);
        let chances = probabilities.map(|all| all.map(|chance| chance.clamp(0.0, 1.0)));
        let chance_of = |card: Card| chances.map(|all| all[usize::from(card.index())]);
        let bits = |card| chance_of(card).map(entropy);
        let best_bits = view.hand.distinct().filter_map(bits).reduce(f64::max);
        if !view.hand.remove(card) {
            debug_assert!(false, "{card} is not in the hand");
            break;
        }
        stock.next().into_iter().for_each(|&card| _ = view.hand.add(card));
        view.verdicts.push(Verdict { card, right });
        if right {
            memory = case.rule.step(&memory, card);
            view.mainline.push(card);
        }
        let guess_right = guess.as_ref().is_some_and(|(guess, _)| match guess {
            Guess::Rule(rule) => {
                known.as_deref() == Some(&rule.to_string())
                    || are_equivalent_from(&case.rule, rule, &memory, &rule.after(&view.mainline))
            }
            Guess::Table(cards) => *cards == right_now,
        });
        let is_rule = matches!(guess, Some((Guess::Rule(_), _)));
        let (guess, probability) = guess.map(|(guess, p)| (guess.to_string(), p)).unzip();
        if guess_right && is_rule {
            known.clone_from(&guess);
        }
        let committed = commit && guess.is_some();
        tables = if committed && guess_right && !is_rule { tables + 1 } else { 0 };
        if committed && guess_right && (is_rule || tables == TABLES_TO_SOLVE) {
            played.solved = Some(view.turn);
        } else if committed && !guess_right {
            played.wrong_commitments += 1;
            view.refuted.extend(guess.clone());
        }
        played.turns.push(ScienceTurn {
            name: case.name.clone(),
            deal: case.deal,
            turn: view.turn,
            card: card.to_string(),
            right,
            guess,
            probability,
            committed,
            guess_right,
            truth,
            expected_bits: bits(card),
            best_bits,
            gained_bits: chance_of(card).map(|p| surprise(if right { p } else { 1.0 - p })),
        });
    }
    played
}
