//! Fits how likely a guess of `bayes` is to be right, alone with a rule:
//! `cargo run --release -p parlour-lab -- eleusis-honesty > lab/eleusis-honesty.json`.
//!
//! The rules of the training half are played in two ways, each with the prior of its fold: as they are,
//! mostly in the space, and with their idea left out. Each turn gives a row: the signs of the guess and
//! whether it was right. In the first round the posterior says how likely a guess is; in each after it the
//! weights that were fitted to the round before, without the rule's own group of the bank, so that every
//! figure that is printed is of rules that the weights were not fitted to. The last round is what the
//! file is fitted to. A case that is known and one that is not count as `--known` says, whatever the number of their
//! turns. With `--list` a list of rules is played with the weights that stand in the file and nothing is fitted.
//! The file is a function of the program alone, on one kind of machine, as the prior is.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use parlour::cards::Card;
use parlour::chance::{Seed, Stream};
use parlour::game::Forfeit;
use parlour::games::eleusis::bots::{self, Params, Seeker, Sign, Signs};
use parlour::games::eleusis::infer::Grammar;
use parlour::games::eleusis::science::{
    Case, Played, Scientist, Statement, bank_cases, cases_in_words, means, play_case,
};
use parlour::games::eleusis::{Counts, Entry, Half, playable};
use rayon::prelude::*;

use crate::eleusis_folds::{fold, fold_grammars, kept, reliability};
use crate::eleusis_prior::Learning;
use crate::eleusis_words::read;
use crate::logistic::{Seen, fit};

const SEED: u64 = 1;

/// What it wrote last.
const FITTED: &str = include_str!("../eleusis-honesty.json");

/// The signs that are weighed; others were tried and left out (`docs/eleusis.md`).
const SIGNS: [Sign; 6] =
    [Sign::Belief, Sign::None, Sign::Bits, Sign::Verdicts, Sign::Grown, Sign::GrownBits];

#[derive(Args)]
pub struct Honesty {
    #[command(flatten)]
    learning: Learning,
    /// Decks a rule
    #[arg(long, default_value_t = 1)]
    decks: u64,
    /// Where the priors of the folds and the ideas left out are kept from one run to the next
    #[arg(long)]
    kept: Option<PathBuf>,
    /// How often the rules are played
    #[arg(long, default_value_t = 3)]
    rounds: u32,
    /// The share of cases whose rule is in the space, in the mixture that is fitted
    #[arg(long, default_value_t = 2.0 / 3.0)]
    known: f64,
    /// One sign more that is weighed, by its name in the file
    #[arg(long)]
    also: Option<String>,
    /// How sure the player must be before it commits itself
    #[arg(long, default_value_t = Params::default().commit)]
    commit: f64,
    /// What a wrong commitment is taken to cost, in turns
    #[arg(long, default_value_t = 3.0)]
    caution: f64,
    /// Rules in words, a table with the columns of `in-words.csv`, played with the weights that stand in the file
    #[arg(long)]
    list: Option<PathBuf>,
    /// With `--list`: go by the posterior alone
    #[arg(long)]
    posterior: bool,
}

/// A case to be played.
struct Task {
    case: Case,
    group: char,
    known: bool,
    grammar: Arc<Grammar>,
}

/// How it went.
struct Done {
    group: char,
    known: bool,
    played: Played,
    rows: Vec<(Signs, bool)>,
}

impl Honesty {
    pub fn run(&self) -> anyhow::Result<()> {
        if let Some(list) = &self.list {
            return self.check(list);
        }
        let tasks = self.tasks()?;
        let mut done = self.play(&tasks, |_| None);
        print("by the posterior alone", &done);
        for round in 1..self.rounds.max(1) {
            let weights: Vec<(char, bots::Honesty)> = ('A'..='F')
                .map(|group| Ok((group, self.fitted(&done, |one| one.group != group)?)))
                .collect::<anyhow::Result<_>>()?;
            let of = |group: char| weights.iter().find(|(of, _)| *of == group);
            done = self.play(&tasks, |task| of(task.group).map(|(_, weights)| weights.clone()));
            print(&format!("round {}, weights of the other groups", round + 1), &done);
        }
        let fitted = serde_json::to_string_pretty(&self.fitted(&done, |_| true)?)?;
        Ok(writeln!(std::io::stdout(), "{fitted}")?)
    }

    fn params(&self) -> Params {
        Params { commit: self.commit, caution: self.caution, ..Params::default() }
    }

    /// The cases of the training half, as they are and with their ideas left out.
    fn tasks(&self) -> anyhow::Result<Vec<Task>> {
        let training: Vec<&Entry> = playable(Some(Half::Training)).collect();
        let folder = self.kept.as_deref();
        let grammars = fold_grammars(&training, &self.learning, folder)?;
        let cases = bank_cases(Some(Half::Training), self.decks, SEED);
        let both = cases.into_par_iter().map(|case| {
            let entry = training.iter().find(|entry| entry.name == case.name);
            let group = entry.context("a rule of the bank")?.group;
            let grammar = grammars[fold(&case.name) as usize].clone();
            let name = format!("without-{}.json", case.name);
            let left_out = || grammar.without_idea_of(&case.rule).ideas_left_out(&grammar);
            let ideas: Vec<u16> = kept(folder, &name, left_out)?;
            let without = Arc::new(grammar.without_ideas(&ideas));
            let known = Task { case: case.clone(), group, known: true, grammar };
            Ok([known, Task { case, group, known: false, grammar: without }])
        });
        let both: Vec<[Task; 2]> = both.collect::<anyhow::Result<_>>()?;
        Ok(both.into_iter().flatten().collect())
    }

    fn play(
        &self,
        tasks: &[Task],
        weights: impl Fn(&Task) -> Option<bots::Honesty> + Sync,
    ) -> Vec<Done> {
        let play = |task: &Task| {
            let grammar = task.grammar.clone();
            let seeker = Seeker::new(grammar, true, self.params(), weights(task));
            let (played, rows) = watched(&task.case, seeker);
            Done { group: task.group, known: task.known, played, rows }
        };
        tasks.par_iter().map(play).collect()
    }

    /// The weights that make what was seen likeliest.
    fn fitted(
        &self,
        done: &[Done],
        takes: impl Fn(&Done) -> bool,
    ) -> anyhow::Result<bots::Honesty> {
        let taken: Vec<&Done> = done.iter().filter(|one| takes(one)).collect();
        let also = self.also.as_ref().map(|name| format!("\"{name}\""));
        let also: Option<Sign> = also.map(|name| serde_json::from_str(&name)).transpose()?;
        // What counts for a case: half of them are known.
        let counts = |one: &Done| 2.0 * if one.known { self.known } else { 1.0 - self.known };
        let seen: Vec<Seen<7>> = taken
            .iter()
            .flat_map(|one| one.rows.iter().map(move |row| (one, row)))
            .map(|(one, (signs, was))| {
                let number = |at: usize| match SIGNS.get(at) {
                    Some(sign) => signs.of(*sign),
                    None => also.map_or(0.0, |sign| signs.of(sign)),
                };
                Seen { numbers: std::array::from_fn(number), was: *was, counts: counts(one) }
            })
            .collect();
        let (base, weights) = fit(&seen, bots::Honesty::of_odds);
        let round = |x: f64| (x * 1e4).round() / 1e4;
        let signs = SIGNS.into_iter().chain(also);
        let cases = taken.len();
        Ok(bots::Honesty {
            fitted_to: format!(
                "{} turns of {cases} cases of the training half, {:.0} % of them in the space",
                seen.len(),
                100.0 * self.known
            ),
            base: round(base),
            weights: signs.zip(weights).map(|(sign, weight)| (sign, round(weight))).collect(),
        })
    }

    /// Rules in words, by the weights that stand in the file.
    fn check(&self, list: &Path) -> anyhow::Result<()> {
        let cases = cases_in_words(&read(list)?, self.decks, SEED);
        let fitted: bots::Honesty = serde_json::from_str(FITTED)?;
        let weights = (!self.posterior).then_some(fitted);
        let play = |case: &Case| {
            let seeker = Seeker::new(Grammar::shared(), true, self.params(), weights.clone());
            watched(case, seeker).0
        };
        let played: Vec<Played> = cases.par_iter().map(play).collect();
        print_one("", &played.iter().collect::<Vec<_>>());
        Ok(())
    }
}

fn print(what: &str, done: &[Done]) {
    for known in [true, false] {
        let played: Vec<&Played> =
            done.iter().filter(|one| one.known == known).map(|one| &one.played).collect();
        print_one(&format!("{what}; {}", if known { "known" } else { "left out" }), &played);
    }
}

/// How these cases went and how far what was stated can be trusted.
fn print_one(what: &str, played: &[&Played]) {
    let found = means(played.iter().copied());
    let guesses = || {
        let turns = played.iter().flat_map(|case| &case.turns);
        turns.filter_map(|row| row.probability.map(|p| (p, row.guess_right)))
    };
    let loss = |(p, right): (f64, bool)| -if right { p } else { 1.0 - p }.max(1e-9).log2();
    let count = guesses().count().max(1) as f64;
    let sure = guesses().filter(|(p, _)| *p >= 0.5);
    let right = sure.clone().filter(|(_, right)| *right).count();
    eprintln!(
        "{what}: score {:.3}, solved {:.1} %, {:.3} wrong a case; {:.4} bits and Brier {:.4} a guess; of guesses \
         stated at one half or more {right} of {} right",
        found.score,
        100.0 * found.solved,
        found.wrong_commitments,
        guesses().map(loss).sum::<f64>() / count,
        found.brier.unwrap_or(0.0),
        sure.count(),
    );
    reliability(played.iter().copied());
}

/// A case as it is played, with the signs of each guess and whether it was right.
fn watched(case: &Case, seeker: Seeker) -> (Played, Vec<(Signs, bool)>) {
    let mut watched = Watched { seeker, signs: Vec::new() };
    let played = play_case(case, &mut watched, &mut Seed::new(SEED).stream());
    let rows = played.turns.iter().zip(watched.signs);
    let rows = rows.filter_map(|(turn, signs)| Some((signs?, turn.guess_right)));
    let rows = rows.collect();
    (played, rows)
}

/// A scientist that is watched.
struct Watched {
    seeker: Seeker,
    signs: Vec<Option<Signs>>,
}

impl Scientist for Watched {
    fn start(&mut self, starter: Card) {
        self.seeker.start(starter);
    }

    fn state(
        &mut self,
        hand: &Counts,
        turn: u32,
        chance: &mut Stream,
    ) -> Result<Statement, Forfeit> {
        let said = self.seeker.state(hand, turn, chance);
        self.signs.push(self.seeker.signs());
        said
    }

    fn told(&mut self, card: Card, right: bool) {
        self.seeker.told(card, right);
    }

    fn refuted(&mut self) {
        self.seeker.refuted();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Where it fails: `cargo run --release -p parlour-lab -- eleusis-honesty`.
    #[test]
    fn more_belief_and_more_verdicts_make_a_guess_likelier() {
        let fitted: bots::Honesty = serde_json::from_str(FITTED).expect("the file");
        let signs: Vec<Sign> = fitted.weights.iter().map(|(sign, _)| *sign).collect();
        assert_eq!(signs, SIGNS);
        let chance = |belief, verdicts, is_grown| {
            let (none, surprise) = (0.2, 14.0);
            fitted.chance(&Signs { belief, none, surprise, verdicts, is_grown, ..Signs::default() })
        };
        for grown in [false, true] {
            assert!(chance(0.3, 10, grown) < chance(0.6, 10, grown));
            assert!(chance(0.3, 10, grown) < chance(0.3, 20, grown));
        }
        assert!((0.0..0.2).contains(&chance(0.02, 3, false)));
        assert!((0.6..1.0).contains(&chance(0.9, 10, false)));
    }
}
