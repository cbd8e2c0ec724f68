//! Measures how many of the 200 rules in words can be expressed, played, known and found:
//! `cargo run --release -p parlour-lab -- eleusis-words > strategies/eleusis/rules/in-words-measured.csv`.
//!
//! Writes a row for each rule. `said` tells if the language can express it, `why_not` why it cannot be
//! expressed or played. `right_share` is the mean share of right cards. `bits` is minus the binary
//! logarithm of the prior of equivalent rules (empty outside the grammar of `bayes`). `solved`, `turn`
//! and `score` come from decks of the one-player protocol, as in `parlour science --corpus words`. Sums go
//! to standard error.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use clap::Args;
use parlour::chance::Seed;
use parlour::games::eleusis::bots::{BayesParams, Kind, rule_learner};
use parlour::games::eleusis::infer::Grammar;
use parlour::games::eleusis::rule::{right_share, validate};
use parlour::games::eleusis::science::{CaseResult, means, plain_text_cases, play_case};
use parlour::games::eleusis::{PlainTextRule, plain_text_rules};
use rayon::prelude::*;

use crate::eleusis_folds::surprise;
use crate::eleusis_prior::Learning;

const SEED: u64 = 1;

#[derive(Args)]
pub struct Words {
    /// Decks for each rule; 0 only tells which rules are known
    #[arg(long, default_value_t = 3)]
    decks: u64,
    /// Train the prior instead of using the built-in one
    #[arg(long)]
    learn: bool,
    /// Table of other rules in words, with the columns of `plain-text.csv`
    #[arg(long)]
    list: Option<PathBuf>,
    #[command(flatten)]
    learning: Learning,
}

impl Words {
    pub fn run(&self) -> anyhow::Result<()> {
        measure(self)
    }
}

/// Reads a table of rules; rules that the game does not allow have a reason.
fn read(path: &Path) -> anyhow::Result<Vec<PlainTextRule>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let mut rules = PlainTextRule::list(&text).with_context(|| path.display().to_string())?;
    for one in rules.iter_mut().filter(|one| one.why_not.is_none()) {
        one.why_not = match &one.rule {
            Some(rule) => validate(rule).err().map(|fault| fault.to_string()),
            None => Some("not said".to_owned()),
        };
    }
    Ok(rules)
}

fn measure(options: &Words) -> anyhow::Result<()> {
    let grammar = match options.learn {
        true => Arc::new(Grammar::new(&options.learning.prior())),
        false => Grammar::shared(),
    };
    let kind = Kind::Bayes(BayesParams::default());
    let own = options.list.as_deref().map(read).transpose()?;
    let rules = own.as_deref().unwrap_or(plain_text_rules());
    let cases = plain_text_cases(rules, options.decks, SEED);
    let play = |case| {
        let mut chance = Seed::new(SEED).stream();
        play_case(case, rule_learner(&kind, Some(grammar.clone())).as_mut(), &mut chance)
    };
    let played: Vec<CaseResult> = cases.par_iter().map(play).collect();
    let bits = |one: &PlainTextRule| {
        surprise(&grammar, one.rule.as_ref().filter(|_| one.why_not.is_none())?)
    };
    let bits: Vec<Option<f64>> = rules.par_iter().map(bits).collect();
    let mut out = csv::Writer::from_writer(io::stdout());
    out.write_record([
        "number",
        "who",
        "said",
        "why_not",
        "right_share",
        "bits",
        "solved",
        "turn",
        "score",
    ])?;
    for (one, bits) in rules.iter().zip(&bits) {
        let name = format!("{:03}", one.number);
        let own = || cases.iter().zip(&played).filter(|(case, _)| case.name == name);
        let found = means(own().map(|(_, played)| played));
        let solved = own().filter(|(_, played)| played.solved.is_some()).count();
        let is_played = found.cases > 0;
        let number =
            |x: Option<f64>, decimals| x.map_or(String::new(), |x| format!("{x:.decimals$}"));
        out.write_record([
            one.number.to_string(),
            one.who.clone(),
            one.rule.is_some().to_string(),
            one.why_not.clone().unwrap_or_default(),
            number(one.rule.as_ref().map(right_share), 3),
            number(*bits, 1),
            if is_played { solved.to_string() } else { String::new() },
            number(found.turn, 1),
            number(is_played.then_some(found.score), 1),
        ])?;
    }
    out.flush()?;
    let said = rules.iter().filter(|one| one.rule.is_some()).count();
    let playable: Vec<&PlainTextRule> = rules.iter().filter(|one| one.why_not.is_none()).collect();
    let inside: Vec<f64> = bits.into_iter().flatten().collect();
    let found = means(played.iter());
    eprintln!(
        "{} rules, {said} said, {} playable, {} of those in the space with {:.1} bits on average; {} cases: \
         {:.1} % solved, score {:.2}, {:.2} wrong commitments",
        rules.len(),
        playable.len(),
        inside.len(),
        inside.iter().sum::<f64>() / inside.len().max(1) as f64,
        found.cases,
        100.0 * found.solved,
        found.score,
        found.wrong_commitments,
    );
    Ok(())
}
