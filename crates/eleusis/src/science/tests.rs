//! The protocol on cases small enough to see.

use super::*;
use crate::rule::Rule;
use crate::{CardMultiset, Split};
use parlour_base::cards::Card;
use parlour_base::chance::{Seed, Stream};
use parlour_game::{BotFailure, BotFault};

/// A learner that states rules from a list, one per turn, and lays its lowest card. It keeps its last
/// view.
struct Script(Vec<(&'static str, bool)>, Option<CaseView>);

impl RuleLearner for Script {
    fn state(&mut self, view: &CaseView, _: &mut Stream) -> Result<Statement, BotFailure> {
        self.1 = Some(view.clone());
        let (text, commit) = self.0[(view.turn as usize - 1).min(self.0.len() - 1)];
        assert_eq!(view.hand.len(), 12);
        let guess = Some((Guess::Rule(text.parse().unwrap()), 0.5));
        Ok(Statement { guess, commit, ..Statement::of(view.hand.distinct().next().unwrap()) })
    }
}

fn case(rule: &str) -> Case {
    // Aces to threes first, then kings down.
    let mut deck: Vec<Card> = Card::all().collect();
    deck.extend(Card::all().collect::<Vec<_>>().into_iter().rev());
    Case { name: "x".to_owned(), deal: 0, rule: rule.parse::<Rule>().unwrap(), deck }
}

fn play(rule: &str, script: &[(&'static str, bool)]) -> (CaseResult, CaseView) {
    let mut scientist = Script(script.to_vec(), None);
    let played = play_case(&case(rule), &mut scientist, &mut Seed::new(1).stream());
    (played, scientist.1.unwrap())
}

#[test]
fn science_the_starter_is_the_first_card_that_the_rule_accepts() {
    let (_, view) = play("rank > 6", &[("red", false)]);
    assert_eq!(view.mainline[0].to_string(), "7S");
    // The rejected cards are dropped, and the hand is filled with the next ones.
    let Verdict { card, right } = view.verdicts[0];
    assert_eq!((card.to_string().as_str(), right), ("AS", false));
}

#[test]
fn science_a_guess_is_judged_after_the_card_and_the_score_falls_by_turns_and_wrong_commitments() {
    let (played, view) = play("red", &[("black", true), ("face", false), ("red", true)]);
    assert_eq!(played.solved, Some(3));
    assert_eq!((played.wrong_commitments, played.score()), (1, 31 - 3 - 2));
    assert_eq!(view.refuted, ["black"]);
    assert_eq!(played.turns.len(), 3);
}

#[test]
fn science_there_are_at_most_30_turns_and_an_unsolved_case_scores_0() {
    let (played, _) = play("red", &[("black", false)]);
    assert_eq!((played.turns.len(), played.score(), played.solved), (30, 0, None));
    let (played, _) = play("red", &[("black", true)]);
    assert_eq!((played.score(), played.wrong_commitments), (0, 30));
    let m = means(std::iter::once(&played));
    assert_eq!((m.brier, m.wrong_guess), (Some(0.25), Some(0.5)));
}

#[test]
fn science_cases_read_back_and_wrong_ones_are_refused() {
    let cases = corpus_cases(Split::Training, 1, 3);
    assert!(cases.len() > 150, "{}", cases.len());
    let text: String = cases.iter().take(3).map(|case| case.line() + "\n").collect();
    let back = read_cases("c.jsonl", &text).unwrap();
    assert_eq!(back.len(), 3);
    assert_eq!(back[2].deck, cases[2].deck);
    let refused = |text: &str, words: &[&str]| {
        let said = read_cases("c.jsonl", text).unwrap_err().to_string();
        words.iter().for_each(|word| assert!(said.contains(word), "`{word}` is not in: {said}"));
    };
    let good = case("red").line();
    refused(&good.replacen("\"AS\",", "", 1), &["line 1", "103 cards", "104"]);
    refused(&good.replacen("\"AS\"", "\"AX\"", 1), &["line 1", "deck", "AX"]);
    refused(&good.replacen("\"AS\"", "\"AH\"", 1), &["every card twice", "AS"]);
    refused(&good.replacen("\"red\"", "\"red and black\"", 1), &["rule", "must accept from"]);
    refused(&good.replacen("\"red\"", "\"red red\"", 1), &["line 1", "rule"]);
    let stuck = ["line 1", "field `rule`", "leaves no card right after K", "must always be right"];
    refused(&good.replacen("\"red\"", "\"rank > last.rank\"", 1), &stuck);
    refused(
        &good.replacen("\"red\"", "\"not red and n == 0 and red or n > 0 and red\"", 1),
        &["at the start"],
    );
    refused(&good.replacen("\"rule\"", "\"rules\"", 1), &["line 1", "rules"]);
    refused(&good.replacen("\"deal\":0", "\"deal\":-1", 1), &["line 1", "deal"]);
    refused(&format!("{good}\n\n{}", &good[..good.len() / 2]), &["line 3"]);
    refused("[1]", &["line 1"]);
    refused("", &["no case"]);
}

#[test]
fn science_a_score_is_never_below_0() {
    let wrong = ("rank > 6", true);
    let mut script = vec![wrong; 15];
    script.push(("red", true));
    let (played, _) = play("red", &script);
    assert_eq!((played.solved, played.wrong_commitments), (Some(16), 15));
    assert_eq!(played.score(), 0, "31 - 16 - 2 * 15");
}

#[test]
fn science_an_external_answer_is_parsed_or_is_one_fault() {
    let hand: CardMultiset = ["7H", "8S"].map(|card| card.parse().unwrap()).into_iter().collect();
    let read = |said: &str| parse_statement(&hand, said.as_bytes());
    let good = read(r#"{"card":"7H","guess":"red","probability":0.7,"commit":true,"comment":"x"}"#);
    let good = good.unwrap();
    assert_eq!((good.card.to_string().as_str(), good.commit), ("7H", true));
    let (Guess::Rule(rule), 0.7) = good.guess.unwrap() else { panic!("another guess") };
    assert_eq!(rule.to_string(), "red");
    let table = read(r#"{"card":"8S","right":["AS","KC"],"probability":1}"#).unwrap();
    assert_eq!(table.guess.unwrap().0.to_string(), "right: AS KC");
    assert!(read(r#"{"card":"8S"}"#).unwrap().guess.is_none());
    for (said, fault, word) in [
        ("rubbish", BotFault::Garbled, "rubbish"),
        (r#"{"card":"9H"}"#, BotFault::Illegal, "9H, which is not in its hand"),
        (r#"{"card":"9X"}"#, BotFault::Garbled, "9X"),
        (r#"{"guess":"red"}"#, BotFault::Garbled, "`card`"),
        (r#"{"card":"7H","guess":"red red","probability":0}"#, BotFault::Illegal, "is not a rule"),
        (r#"{"card":"7H","guess":"red"}"#, BotFault::Garbled, "`probability`"),
        (r#"{"card":"7H","guess":"red","probability":1.5}"#, BotFault::Illegal, "from 0 to 1"),
        (
            r#"{"card":"7H","guess":"red","right":[]}"#,
            BotFault::Garbled,
            "both `guess` and `right`",
        ),
    ] {
        let failure = read(said).unwrap_err();
        assert_eq!(failure.fault, fault, "{said}: {}", failure.message);
        assert!(failure.message.contains(word), "{said}: {}", failure.message);
    }
}

#[test]
fn science_the_interval_of_a_mean_treats_rules_as_clusters() {
    let study = |names: &[&str]| {
        let cases = names.iter().zip(0..).map(|(name, deal)| Case {
            name: (*name).to_owned(),
            deal,
            ..case("red")
        });
        let random = |_: &Case| -> Option<Box<dyn RuleLearner>> { Some(Box::new(Tables)) };
        Study::of(&cases.collect::<Vec<_>>(), 1, random, || true)
    };
    // One rule gives no interval, for any number of its cases.
    let [score, solved] = study(&["a", "a", "a"]).intervals().map(Option::unwrap);
    assert_eq!((score.interval, solved.interval), (None, None));
    let [score, solved] = study(&["a", "b", "b"]).intervals().map(Option::unwrap);
    assert_eq!((score.value, solved.value), (18.0, 1.0));
    assert!(solved.interval.is_some_and(|(low, high)| low < 0.5 && high == 1.0), "{solved}");
}

/// A learner that commits to tables of the red cards, but in turns 1 and 4 to empty tables.
struct Tables;

impl RuleLearner for Tables {
    fn state(&mut self, view: &CaseView, _: &mut Stream) -> Result<Statement, BotFailure> {
        let red = |card: &Card| "HD".contains(&card.to_string()[1..]);
        let cards = Card::all().filter(|card| ![1, 4].contains(&view.turn) && red(card));
        let guess = Some((Guess::Table(cards.collect()), 0.5));
        let card = view.hand.distinct().next().unwrap();
        Ok(Statement { guess, commit: true, ..Statement::of(card) })
    }
}

/// A learner that reports beliefs: 0.5 for the rule and for its first card, 1 for the other cards.
struct Open(u32);

impl RuleLearner for Open {
    fn state(&mut self, view: &CaseView, _: &mut Stream) -> Result<Statement, BotFailure> {
        let turn = view.turn;
        self.0 = turn;
        let card = view.hand.distinct().next().unwrap();
        let text = if turn < 3 { "black" } else { "red" };
        let guess = Some((Guess::Rule(text.parse().unwrap()), if turn < 3 { 0.35 } else { 0.95 }));
        let probabilities = Some([if turn == 1 { 0.5 } else { 1.0 }; 52]);
        Ok(Statement { card, guess, commit: turn == 4, probabilities })
    }

    fn belief_in(&self, rule: &crate::Rule) -> Option<f64> {
        (rule.to_string() == "red").then_some(f64::from(self.0) / 10.0)
    }
}

#[test]
fn science_beliefs_are_binned_by_cards_and_stated_probabilities_by_tenths() {
    let cases = ["a", "b"].map(|name| Case { name: name.to_owned(), ..case("red") });
    let open = |_: &Case| -> Option<Box<dyn RuleLearner>> { Some(Box::new(Open(0))) };
    let study = Study::of(&cases, 1, open, || true);
    let curve = study.learning_curve();
    assert_eq!(curve.len(), 31);
    let value = |e: Option<parlour_stats::Estimate>| e.map(|e| e.value);
    let rows = |at: usize| (value(curve[at].found), value(curve[at].truth));
    assert_eq!(rows(0), (Some(0.0), Some(0.1)), "before the first card");
    assert_eq!(rows(3), (Some(0.0), Some(0.4)));
    assert_eq!([rows(4), rows(30)], [(Some(1.0), Some(1.0)); 2], "found with the fourth card");
    assert_eq!(value(curve[0].expected), Some(1.0), "an even chance is a bit");
    assert_eq!((value(curve[0].gained), value(curve[4].gained)), (Some(1.0), None));
    assert_eq!((value(curve[1].expected), value(curve[1].best)), (Some(0.0), Some(0.0)));
    assert_eq!(value(curve[4].expected), None, "no case goes on");
    let first = &study.results[0].turns[0];
    assert_eq!(first.gained_bits, Some(1.0));
    let bins = study.calibration();
    let told: Vec<_> = bins.iter().map(|bin| (bin.guesses, bin.rules, value(bin.right))).collect();
    assert_eq!(told, [(4, 2, Some(0.0)), (4, 2, Some(1.0))]);
    assert!((bins[0].stated - 0.35).abs() < 1e-12 && (bins[0].low, bins[1].high) == (0.3, 1.0));
    let rules = study.by_rule();
    assert_eq!((rules.len(), rules[0].0.score, rules[0].0.turn), (2, 27.0, Some(4.0)));
}

#[test]
fn science_beliefs_are_empty_for_a_learner_without_beliefs() {
    let study = Study::of(&[case("red")], 1, |_| Some(Box::new(Tables)), || true);
    let told = study.learning_curve();
    assert!(told.iter().all(|after| after.truth.is_none() && after.expected.is_none()));
    assert!(study.turn_rows().all(|row| row.gained_bits.is_none() && row.truth.is_none()));
}

#[test]
fn science_five_right_tables_in_a_row_find_a_rule() {
    let played = play_case(&case("red"), &mut Tables, &mut Seed::new(1).stream());
    // The tables of turns 1 and 4 are wrong.
    assert_eq!((played.solved, played.wrong_commitments), (Some(4 + TABLES_TO_SOLVE), 2));
}
