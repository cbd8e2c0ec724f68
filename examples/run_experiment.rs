//! An experiment in Rust: which strategy is stronger, and is moving first an advantage?
//! `cargo run --release --example run_experiment`.

use parlour::arena::{Experiment, Plan};
use parlour::error::Result;
use parlour::games::leopard::Leopard;
use parlour::results::Run;

/// Plays the experiment and prints the results.
pub fn main() -> Result<()> {
    let strategies = vec!["greedy".into(), "random".into(), "random-knocker".into()];
    let experiment = Experiment { strategies, deals: 100, ..Experiment::new("leopard") };
    let plan = Plan::<Leopard>::resolve("three-players", &experiment)?;
    let summary = Run::of(&plan, parlour::PROGRAM).go()?;
    for variant in &summary.variants {
        let first = variant.first_seat().map_or("?".to_owned(), |score| score.to_string());
        let best = &variant.standings[0].strategy;
        println!("{}: {best} is the best; the first seat scores {first}", variant.variant);
        assert_eq!(best, "greedy");
    }
    assert_eq!(summary.variants.len(), plan.variants.len());
    Ok(())
}
