//! Prints the prior over Eleusis rules: its size, the mass of each kind and group, and the likeliest rules:
//! `cargo run --release -p parlour-lab -- eleusis-likeliest`.

use std::io::Write;

use clap::Args;
use parlour::games::eleusis::infer::{Grammar, Pairs};
use parlour::games::eleusis::{Combination, Vocabulary};

#[derive(Args)]
pub struct Likeliest {
    /// Number of rules to show
    #[arg(long, default_value_t = 50)]
    rules: usize,
}

impl Likeliest {
    pub fn run(&self) -> anyhow::Result<()> {
        let mut out = std::io::stdout().lock();
        let grammar = Grammar::shared();
        let prior = &grammar.prior;
        let flat = |pairs: &Pairs| pairs.iter().flatten().sum::<f64>();
        let vocabulary = Vocabulary::shared();
        writeln!(out, "ideas,tests\n{},{}\n", vocabulary.ideas.len(), vocabulary.tests.len())?;
        writeln!(out, "kind,mass")?;
        for (kind, mass) in [
            ("a test alone", prior.single.iter().sum()),
            ("both", flat(&prior.both)),
            ("either", flat(&prior.either)),
            ("exactly one", prior.exactly_one.iter().sum()),
            ("if", flat(&prior.choice)),
            ("if, of common tests", prior.common),
        ] {
            let mass: f64 = mass;
            writeln!(out, "{kind},{mass:.4}")?;
        }
        writeln!(out, "\ngroup,alone,condition")?;
        for (group, (alone, condition)) in
            ('A'..='F').zip(prior.single.iter().zip(&prior.conditions))
        {
            writeln!(out, "{group},{alone:.4},{condition:.4}")?;
        }
        writeln!(out, "\nprior,rule")?;
        for (rule, mass) in most_likely(&grammar, self.rules) {
            writeln!(out, "{mass:.5},{}", rule.rule()?)?;
        }
        Ok(())
    }
}

/// Returns the most likely rules before anything is observed, with their priors.
fn most_likely(grammar: &Grammar, most: usize) -> Vec<(Combination, f64)> {
    let mut all = grammar.heaviest(30 * most);
    all.retain(|(rule, _)| rule.is_playable());
    for (rule, mass) in &mut all {
        *mass /= grammar.starter_factor(rule.join, rule.tests());
    }
    all.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    all.truncate(most);
    all
}
