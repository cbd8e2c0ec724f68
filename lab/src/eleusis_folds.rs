//! How well `bayes` finds rules alone that its prior was not learnt from, on the training half of
//! the rule bank only: `cargo run --release -p parlour-lab -- eleusis-folds > folds.csv`.
//!
//! The rules of the training half are dealt into [`FOLDS`] folds by a hash of their names; each
//! fold is played with a prior learnt from the other folds. What the test half would show can so be
//! estimated, and every choice made, without looking at it. A row for each case with the surprise
//! of the secret rule (minus the binary logarithm of its prior; empty where the grammar does not
//! hold it); the means go to standard error.

use std::io;
use std::sync::Arc;

use clap::Args;
use parlour::chance::Seed;
use parlour::games::eleusis::bots::{Kind, Params, scientist};
use parlour::games::eleusis::infer::{Classes, Grammar};
use parlour::games::eleusis::rule::Rule;
use parlour::games::eleusis::science::{Played, bank_cases, means, play_case};
use parlour::games::eleusis::{Half, playable};
use rayon::prelude::*;

use crate::eleusis_prior::{Learning, learn_from};

const FOLDS: u64 = 4;
const DECKS: u64 = 3;
const PLAY_SEED: u64 = 1;

fn fold(name: &str) -> u64 {
    Seed::new(5).named(name).number() % FOLDS
}

#[derive(Args)]
pub struct Folds {
    /// How far the prior may stray from even
    #[arg(long, default_value_t = Learning::default().spread)]
    spread: f64,
    /// Steps of learning the prior
    #[arg(long, default_value_t = Learning::default().steps)]
    steps: u32,
    /// How sure the player must be before it commits itself
    #[arg(long, default_value_t = Params::default().commit)]
    commit: f64,
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print each rule's surprise and play nothing
    #[arg(long)]
    prior_only: bool,
}

impl Folds {
    pub fn run(&self) -> anyhow::Result<()> {
        folds(self)
    }
}

fn folds(options: &Folds) -> anyhow::Result<()> {
    let learning = Learning { spread: options.spread, steps: options.steps };
    let start = std::time::Instant::now();
    let training: Vec<_> = playable(Some(Half::Training)).collect();
    let classes = Classes::default();
    let grammars: Vec<Arc<Grammar>> = (0..FOLDS)
        .into_par_iter()
        .map(|held_out| {
            let others = training.iter().filter(|entry| fold(&entry.name) != held_out);
            let rules: Vec<Rule> = others.map(|entry| entry.rule.clone()).collect();
            Arc::new(Grammar::new(&classes, &learn_from(&rules, &classes, &learning)))
        })
        .collect();
    let (mut inside, mut bits) = (0, 0.0);
    for entry in &training {
        let grammar = &grammars[fold(&entry.name) as usize];
        let surprise = surprise(grammar, &entry.rule);
        inside += u32::from(surprise.is_some());
        bits += surprise.unwrap_or(0.0);
    }
    eprintln!(
        "{} rules, {inside} in the grammar, mean surprise of those {:.3} bits; {} rules known; outside {:.3}; {:?}",
        training.len(),
        bits / f64::from(inside),
        grammars[0].hypotheses.len(),
        grammars[0].outside,
        start.elapsed(),
    );
    if options.prior_only {
        for entry in &training {
            let grammar = &grammars[fold(&entry.name) as usize];
            println!(
                "{},{},{}",
                entry.name,
                surprise(grammar, &entry.rule).map_or(String::new(), |x| format!("{x:.2}")),
                entry.rule
            );
        }
        return Ok(());
    }
    let params = Params { commit: options.commit, ..Params::default() };
    let kind = Kind::Bayes(params);
    let cases = bank_cases(Some(Half::Training), DECKS, options.seed);
    let played: Vec<Played> = cases
        .par_iter()
        .map(|case| {
            let grammar = grammars[fold(&case.name) as usize].clone();
            let mut scientist = scientist(&kind, Some(grammar));
            play_case(case, scientist.as_mut(), &mut Seed::new(PLAY_SEED).stream())
        })
        .collect();
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
        let surprise = surprise(&grammars[fold(&case.name) as usize], &case.rule);
        // The first turn from which on every guess is right.
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
    Ok(())
}

/// Minus the binary logarithm of the prior of a rule; none outside the grammar.
pub fn surprise(grammar: &Grammar, rule: &Rule) -> Option<f64> {
    grammar.class_of(rule).map(|index| -grammar.priors[index].log2())
}
