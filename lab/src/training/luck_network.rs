//! Trains the network that measures luck in Leopard: it sees both hands and the stock, and learns how
//! hands end.
//!
//! Hands of `steady`, a third of them against `brisk`, are played under all variants, on seeds that
//! nothing else uses. In a quarter of them one move is random, and only what follows it counts. The
//! examples are positions in which a card has just come, the cards dealt included, each with the
//! hand's result. The outcome depends on the options alone, on one kind of machine.
//!
//! `--players` trains a network for hands between two players: all hands are theirs, and it knows who
//! sits where. `--detailed` adds features of every card by itself. In the last `--bootstrapped` hands
//! the target is not the result but the network's own estimate after the following cards.

use clap::Args;
use parlour::chance::Seed;
use parlour::game::Ruled;
use parlour::games::leopard::Leopard;
use parlour::games::leopard::network::{Features, LUCK_HIDDEN, NetworkFile, WIDEST, WIDTH_STEP};
use rayon::prelude::*;

use super::luck_hands::Hands;
use super::{Example, Trainer, random_net, to_floats, to_whole_numbers};
use crate::table::variant;

/// Hands in a batch.
const BATCH: u64 = 512;

// Default options.
const RATE: f32 = 2e-3;
const LAST_RATE: f32 = 2e-5;
const BOOTSTRAPPED_RATE: f32 = 1e-3;
const EVERY: u32 = 2;
const EXAMPLES: u32 = 512;

/// Trains the luck network
#[derive(Args)]
pub struct TrainLuckNetwork {
    /// Network file to write
    #[arg(long)]
    out: String,
    /// Number of hands
    #[arg(long, default_value_t = 400_000)]
    hands: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Learning rate at the start
    #[arg(long, default_value_t = RATE)]
    rate: f32,
    /// Learning rate at the end
    #[arg(long, default_value_t = LAST_RATE)]
    last_rate: f32,
    /// Variants; with only one, the network is for its rules alone
    #[arg(long, value_delimiter = ',')]
    variants: Vec<String>,
    /// Two players whose hands are the only examples
    #[arg(long, value_delimiter = ',')]
    players: Vec<String>,
    /// Add features of every cell, line and card by itself
    #[arg(long)]
    detailed: bool,
    /// Width of the hidden layer
    #[arg(long, default_value_t = LUCK_HIDDEN)]
    hidden: usize,
    /// One in this many drawn cards makes an example
    #[arg(long, default_value_t = EVERY, value_parser = clap::value_parser!(u32).range(1..))]
    every: u32,
    /// Examples in a step
    #[arg(long, default_value_t = EXAMPLES, value_parser = clap::value_parser!(u32).range(1..))]
    examples: u32,
    /// Number of last hands with the network's own estimates as targets
    #[arg(long, default_value_t = 0)]
    bootstrapped: u64,
    /// Learning rate at the start of these hands
    #[arg(long, default_value_t = BOOTSTRAPPED_RATE)]
    bootstrapped_rate: f32,
    /// Network file to start from
    #[arg(long)]
    from: Option<String>,
    /// Hands between two reports
    #[arg(long, default_value_t = 100_000)]
    report: u64,
}

impl TrainLuckNetwork {
    pub fn run(&self) -> anyhow::Result<()> {
        let games = match self.variants.as_slice() {
            // The default rules come up as often as all others together.
            [] => {
                let all = Leopard::presets().into_iter().map(|preset| preset.name);
                let usual = std::iter::repeat_n("revised", 4);
                all.chain(usual).map(variant).collect::<anyhow::Result<Vec<_>>>()?
            }
            names => names.iter().map(|name| variant(name)).collect::<anyhow::Result<Vec<_>>>()?,
        };
        if self.hidden == 0 || self.hidden > WIDEST || !self.hidden.is_multiple_of(WIDTH_STEP) {
            let hidden = self.hidden;
            anyhow::bail!(
                "--hidden {hidden}: it must be a multiple of {WIDTH_STEP} up to {WIDEST}"
            );
        }
        if self.bootstrapped > self.hands {
            anyhow::bail!("--bootstrapped must be at most --hands, {}", self.hands);
        }
        let source = Hands::new(games, &self.players, self.every)?;
        let root = Seed::new(self.seed).named("judge");
        let features = match self.detailed || !self.players.is_empty() {
            true => Features::DetailedState,
            false => Features::State,
        };
        let start = match &self.from {
            Some(path) => {
                let all = [Features::State, Features::DetailedState];
                let file = NetworkFile::read(&std::fs::read(path)?, &all);
                to_floats(&file.map_err(anyhow::Error::msg)?.net)
            }
            None => random_net(features, self.hidden, &mut root.named("start").stream()),
        };
        if !self.players.is_empty() && start.features != Features::DetailedState {
            anyhow::bail!("--from: the features of this network cannot tell players apart");
        }
        let mut trainer = Trainer::new(start);
        let mut order = root.named("order").stream();
        let (mut error, mut steps) = (0.0, 0);
        let by_results = self.hands.saturating_sub(self.bootstrapped);
        for first in (0..self.hands).step_by(BATCH as usize) {
            let bootstrapped = first >= by_results;
            let (rate, from, to) = match bootstrapped {
                false => (self.rate, 0, by_results),
                true => (self.bootstrapped_rate, by_results, self.hands),
            };
            let part = (first - from) as f32 / (to - from) as f32;
            let rate = rate * (self.last_rate / rate).powf(part);
            let (net, hands) = (&trainer.net, (first..first + BATCH).into_par_iter());
            let examples = hands.map(|n| match bootstrapped {
                false => source.with_results(root.child(n), net),
                true => source.with_estimates(root.child(n), net),
            });
            let examples: Vec<Vec<Example>> = examples.collect();
            let mut examples: Vec<Example> = examples.into_iter().flatten().collect();
            order.shuffle(&mut examples);
            for examples in examples.chunks(self.examples as usize) {
                error += trainer.train(examples, rate);
                steps += 1;
            }
            let done = first + BATCH;
            if done / self.report > first / self.report || done >= self.hands {
                let of = if bootstrapped { "of estimates" } else { "of results" };
                println!("{done} hands: mean squared error {of} {:.5}", error / steps as f32);
                (error, steps) = (0.0, 0);
                self.write(&trainer, &source)?;
            }
        }
        Ok(())
    }

    fn write(&self, trainer: &Trainer, source: &Hands) -> anyhow::Result<()> {
        let rules = source.games.first().filter(|_| self.variants.len() == 1);
        let rules = rules.map(Leopard::rules).cloned();
        let mut command =
            format!("lab train-luck-network --hands {} --seed {}", self.hands, self.seed);
        fn unless_default<T: PartialEq + ToString>(number: T, default: T) -> String {
            if number == default { String::new() } else { number.to_string() }
        }
        for (option, value) in [
            ("--variants", self.variants.join(",")),
            ("--players", self.players.join(",")),
            ("--hidden", unless_default(self.hidden, LUCK_HIDDEN)),
            ("--rate", unless_default(self.rate, RATE)),
            ("--last-rate", unless_default(self.last_rate, LAST_RATE)),
            ("--every", unless_default(self.every, EVERY)),
            ("--examples", unless_default(self.examples, EXAMPLES)),
            ("--bootstrapped", unless_default(self.bootstrapped, 0)),
            ("--bootstrapped-rate", unless_default(self.bootstrapped_rate, BOOTSTRAPPED_RATE)),
            ("--from", self.from.clone().unwrap_or_default()),
        ] {
            if !value.is_empty() {
                command += &format!(" {option} {value}");
            }
        }
        if self.detailed {
            command += " --detailed";
        }
        let net = to_whole_numbers(&trainer.net);
        let file = NetworkFile { net, rules, players: self.players.clone() };
        Ok(std::fs::write(&self.out, file.to_bytes(&command))?)
    }
}
