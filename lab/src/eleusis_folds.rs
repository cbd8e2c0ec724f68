//! Measures `bayes` on rules that its prior was not trained on, by cross-validation on the training half
//! of the rule corpus: `cargo run --release -p parlour-lab -- eleusis-folds > folds.csv`.
//!
//! The rules are divided into [`FOLDS`] folds by a hash of their names. Each fold is played with a prior
//! trained on the others, so choices can be made without the test half. `--left-out` also removes the
//! idea of each case's rule from the grammar. Writes a row for each case with the surprise of the secret
//! rule: minus the binary logarithm of its prior, empty outside the grammar. Means and the calibration
//! of stated probabilities go to standard error.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fs, io};

use anyhow::Context;
use clap::Args;
use parlour::chance::Seed;
use parlour::games::eleusis::bots::{BayesParams, Kind, rule_learner};
use parlour::games::eleusis::infer::{Grammar, Prior};
use parlour::games::eleusis::rule::Rule;
use parlour::games::eleusis::science::{CaseResult, corpus_cases, means, play_case};
use parlour::games::eleusis::{CorpusRule, Split, Vocabulary, playable_rules};
use rayon::prelude::*;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::eleusis_prior::{Learning, learn_from};

const FOLDS: u64 = 4;
const PLAY_SEED: u64 = 1;
/// Number of calibration bins.
const BINS: usize = 10;

fn fold(name: &str) -> u64 {
    Seed::new(5).named(name).number() % FOLDS
}

#[derive(Args)]
pub struct Folds {
    #[command(flatten)]
    learning: Learning,
    /// Assumed cost of a wrong commitment, in turns
    #[arg(long, default_value_t = BayesParams::default().caution)]
    caution: f64,
    /// Remove the idea of each case's rule from the grammar
    #[arg(long)]
    left_out: bool,
    /// Decks for each rule
    #[arg(long, default_value_t = 3)]
    decks: u64,
    /// Minimum belief for a commitment
    #[arg(long, default_value_t = BayesParams::default().commit)]
    commit: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Cache folder for priors and removed ideas; existing files are used unchanged
    #[arg(long)]
    kept: Option<PathBuf>,
    /// Play one case in N
    #[arg(long, default_value = "1")]
    every: NonZeroUsize,
    /// Only print the surprise of each rule
    #[arg(long)]
    prior_only: bool,
}

impl Folds {
    pub fn run(&self) -> anyhow::Result<()> {
        folds(self)
    }
}

fn folds(options: &Folds) -> anyhow::Result<()> {
    let start = std::time::Instant::now();
    let training: Vec<&CorpusRule> = playable_rules(Split::Training).collect();
    let grammars: Vec<Arc<Grammar>> = (0..FOLDS)
        .map(|held_out| {
            let others = training.iter().filter(|entry| fold(&entry.name) != held_out);
            let rules: Vec<&CorpusRule> = others.copied().collect();
            let name = format!("fold-{held_out}.json");
            let learn = || learn_from(&rules, &options.learning);
            let prior: Prior = kept(options.kept.as_deref(), &name, learn)?;
            Ok(Arc::new(Grammar::new(&Prior {
                misspecification: options.learning.misspecification,
                ..prior
            })))
        })
        .collect::<anyhow::Result<_>>()?;
    let of = |name: &str| &grammars[fold(name) as usize];
    let surprises: Vec<Option<f64>> =
        training.par_iter().map(|entry| surprise(of(&entry.name), &entry.rule)).collect();
    let inside = surprises.iter().flatten().count();
    let bits: f64 = surprises.iter().flatten().sum();
    eprintln!(
        "{} rules, {inside} in the grammar, mean surprise of those {:.3} bits; {:?}",
        training.len(),
        bits / inside.max(1) as f64,
        start.elapsed(),
    );
    if options.prior_only {
        for (entry, surprise) in training.iter().zip(&surprises) {
            let bits = surprise.map_or(String::new(), |x| format!("{x:.2}"));
            println!("{},{bits},{}", entry.name, entry.rule);
        }
        return Ok(());
    }
    let params =
        BayesParams { commit: options.commit, caution: options.caution, ..BayesParams::default() };
    let kind = Kind::Bayes(params);
    let cases = corpus_cases(Split::Training, options.decks, options.seed);
    let cases: Vec<_> = cases.into_iter().step_by(options.every.get()).collect();
    let played: Vec<CaseResult> = cases
        .par_iter()
        .map(|case| {
            let mut grammar = of(&case.name).clone();
            if options.left_out {
                let name = format!("without-{}.json", case.name);
                let left_out = || missing_ideas(&grammar.without_idea_of(&case.rule), &grammar);
                let ideas: Vec<u16> = kept(options.kept.as_deref(), &name, left_out)?;
                grammar = Arc::new(grammar.without_ideas(&ideas));
            }
            let mut learner = rule_learner(&kind, Some(grammar));
            Ok(play_case(case, learner.as_mut(), &mut Seed::new(PLAY_SEED).stream()))
        })
        .collect::<anyhow::Result<_>>()?;
    let mut out = csv::Writer::from_writer(io::stdout());
    out.write_record([
        "name",
        "deal",
        "rule",
        "surprise",
        "score",
        "turn",
        "wrong_commitments",
        "known",
    ])?;
    for (case, played) in cases.iter().zip(&played) {
        let place = training.iter().position(|entry| entry.name == case.name);
        let surprise = place.and_then(|place| surprises[place]);
        // First turn from which every guess is right.
        let known = played.turns.iter().rev().take_while(|row| row.guess_right).last();
        out.write_record([
            case.name.clone(),
            case.deal.to_string(),
            case.rule.to_string(),
            surprise.map_or_else(String::new, |x| format!("{x:.3}")),
            played.score().to_string(),
            played.solved.map_or_else(String::new, |turn| turn.to_string()),
            played.wrong_commitments.to_string(),
            known.map_or_else(String::new, |row| row.turn.to_string()),
        ])?;
    }
    out.flush()?;
    let means = means(played.iter());
    eprintln!(
        "{} cases, {:.1} % solved, mean score {:.3}, turn {:.2}, {:.3} wrong commitments a case, Brier {:.3}, \
         wrong guess {:.3}",
        means.cases,
        100.0 * means.solved,
        means.score,
        means.turn.unwrap_or(0.0),
        means.wrong_commitments,
        means.brier.unwrap_or(0.0),
        means.wrong_guess.unwrap_or(0.0)
    );
    let guesses = || {
        let turns = played.iter().flat_map(|case| &case.turns);
        turns.filter_map(|row| row.probability.map(|p| (p, row.guess_right)))
    };
    for bin in 0..BINS {
        let of_bin = |p: f64| ((p * BINS as f64) as usize).min(BINS - 1) == bin;
        let (mut count, mut stated, mut right) = (0, 0.0, 0);
        for (p, is_right) in guesses().filter(|(p, _)| of_bin(*p)) {
            count += 1;
            stated += p;
            right += u32::from(is_right);
        }
        let all = f64::from(count).max(1.0);
        eprintln!("{count:6} stated {:.3} right {:.3}", stated / all, f64::from(right) / all);
    }
    Ok(())
}

/// Returns the ideas of a grammar that a smaller one lacks.
fn missing_ideas(smaller: &Grammar, grammar: &Grammar) -> Vec<u16> {
    let tests = &Vocabulary::shared().tests;
    let has = |grammar: &Grammar, idea: u16| {
        let mut of_idea = (0..tests.len()).filter(|&test| tests[test].idea == idea);
        of_idea.any(|test| grammar.weights.iter().any(|weights| weights[test] > 0.0))
    };
    let ideas = 0..Vocabulary::shared().ideas.len() as u16;
    ideas.filter(|&idea| has(grammar, idea) && !has(smaller, idea)).collect()
}

/// Loads a cached value, or creates it.
fn kept<T: Serialize + DeserializeOwned>(
    folder: Option<&Path>,
    name: &str,
    make: impl FnOnce() -> T,
) -> anyhow::Result<T> {
    let Some(folder) = folder else { return Ok(make()) };
    let file = folder.join(name.replace(['/', ' '], "-"));
    if let Ok(text) = fs::read_to_string(&file) {
        return serde_json::from_str(&text).with_context(|| file.display().to_string());
    }
    let made = make();
    fs::create_dir_all(folder)?;
    fs::write(file, serde_json::to_string(&made)?)?;
    Ok(made)
}

/// Minus the binary logarithm of the prior of rules equivalent to this one. `None` if there are none.
pub fn surprise(grammar: &Arc<Grammar>, rule: &Rule) -> Option<f64> {
    Some(-grammar.equivalents(rule)?.mass.log2())
}
