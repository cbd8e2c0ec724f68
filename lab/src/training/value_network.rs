//! Trains the network of Leopard's `value-network` player.
//!
//! `watch` learns how hands of `steady` end, to evaluate positions in its playouts. In each game one
//! move is random, for more variety, and only what follows it counts, with the result (as the value
//! network of Silver et al. 2016, *Mastering the game of Go*, was trained).
//!
//! `self-play` learns from games against itself. The method is TD(λ) on the positions after moves
//! (Sutton 1988; Tesauro 1995): the target is the value of the best move at the seat's next decision,
//! mixed by λ with later targets, and at the end the result. After a random move (`--random-moves`)
//! later targets do not count. The first `--steady` games are played by `steady`, and only their
//! results count. Every batch is played with the network before it. The outcome depends on the options
//! alone, on one kind of machine (training uses the platform's exponential).

use std::sync::Arc;

use clap::{Args, ValueEnum};
use parlour::chance::{Seed, Stream};
use parlour::game::{Game, Policy, Ruled, Seat};
use parlour::games::leopard::bots::{Steady, ValueNetwork};
use parlour::games::leopard::network::{Features, NetworkFile, VIEW_HIDDEN, view_features};
use parlour::games::leopard::{Leopard, Move, State};
use rayon::prelude::*;

use super::{Example, FloatNet, Trainer, random_net, sigmoid, to_floats, to_whole_numbers};
use crate::table::{Shared, different, result, score_of, steady, variant, walk};

/// Games in a batch.
const GAMES: u64 = 128;

/// Examples in a step.
const EXAMPLES: usize = 256;

/// The random move of a hand that is watched is one of the first moves, up to this number.
const RANDOM_MOVE_BEFORE: u32 = 48;

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Source {
    /// Hands of `steady`; the default options train the committed network
    Watch,
    /// Hands against itself
    SelfPlay,
}

/// Trains the value network
#[derive(Args)]
pub struct TrainValueNetwork {
    /// Source of the training positions
    source: Source,
    /// Network file to start from
    #[arg(long)]
    from: Option<String>,
    /// Network file to write
    #[arg(long)]
    out: String,
    /// Number of games
    #[arg(long, default_value_t = 600_000)]
    games: u64,
    /// Number of first games of `self-play` that `steady` plays, and of which only results count
    #[arg(long, default_value_t = 40_000)]
    steady: u64,
    /// Random seed
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Learning rate at the start
    #[arg(long, default_value_t = 2e-3)]
    rate: f32,
    /// Learning rate at the end
    #[arg(long, default_value_t = 1e-5)]
    last_rate: f32,
    /// Weight of later targets against the value of the next best move
    #[arg(long, default_value_t = 0.6)]
    lambda: f32,
    /// Probability of a random move
    #[arg(long, default_value_t = 0.05)]
    random_moves: f64,
    /// Games between two reports
    #[arg(long, default_value_t = 100_000)]
    report: u64,
    /// Deals against `steady` in each report
    #[arg(long, default_value_t = 300)]
    deals: u64,
}

/// A decision: the position after it (no features at the end of a hand), the value of the best move,
/// and whether a random move was made.
struct Decision {
    features: Vec<u16>,
    best: f32,
    is_random: bool,
}

/// A random move, of those that differ.
fn random_move(game: &Leopard, state: &State, choice: &mut Stream) -> Move {
    let moves = different(game, state);
    moves[choice.below(moves.len() as u32) as usize]
}

/// The features of the position after a move of this seat.
fn features(game: &Leopard, state: &State, seat: Seat) -> Vec<u16> {
    let mut all = Vec::new();
    let view = game.view(state, seat);
    view_features(game.rules(), &view, &mut |feature| all.push(feature as u16));
    all
}

impl TrainValueNetwork {
    /// A hand of the network against itself, or of steady players.
    fn self_play(
        &self,
        game: &Leopard,
        me: &ValueNetwork,
        by: Option<&Steady>,
        seed: Seed,
    ) -> Vec<Example> {
        let mut choice = seed.child(1).stream();
        let mut decisions: [Vec<Decision>; 2] = [Vec::new(), Vec::new()];
        let end = walk(game, seed.child(0).stream(), |state, past, seat| {
            if let Some((mover, _)) = past.last()
                && let Some(last) = decisions[mover.index()].last_mut()
            {
                last.features = features(game, state, *mover);
            }
            let view = game.view(state, seat);
            let is_random = choice.unit() < self.random_moves;
            let (mv, logit) = match by {
                Some(steady) => (steady.pick(game, &view, &mut choice), 0.0),
                None => me.best(game.rules(), &view),
            };
            let decision = Decision { features: Vec::new(), best: sigmoid(logit), is_random };
            decisions[seat.index()].push(decision);
            Some(if is_random { random_move(game, state, &mut choice) } else { mv })
        });
        let lambda = if by.is_some() { 1.0 } else { self.lambda };
        let mut examples = Vec::new();
        for (seat, decisions) in decisions.into_iter().enumerate() {
            let mut target = result(game, &end, seat) as f32;
            for Decision { features, best, is_random } in decisions.into_iter().rev() {
                if !features.is_empty() {
                    examples.push(Example { features, stage: 0, target });
                }
                if by.is_none() {
                    target = if is_random { best } else { best + lambda * (target - best) };
                }
            }
        }
        examples
    }

    fn read(path: &str) -> anyhow::Result<FloatNet> {
        let network = ValueNetwork::read(&std::fs::read(path)?).map_err(anyhow::Error::msg)?;
        Ok(to_floats(&network.0))
    }

    fn write(&self, net: &FloatNet) -> anyhow::Result<ValueNetwork> {
        let file = NetworkFile { net: to_whole_numbers(net), rules: None, players: Vec::new() };
        let source = if self.source == Source::Watch { "watch" } else { "self-play" };
        let command = format!("lab train-value-network {source} --seed {}", self.seed);
        let bytes = file.to_bytes(&command);
        std::fs::write(&self.out, &bytes)?;
        player(&bytes)
    }

    pub fn run(&self) -> anyhow::Result<()> {
        let (game, steady) = (variant("revised")?, steady()?);
        let against: Shared = Arc::new(steady.clone());
        let root = Seed::new(self.seed).named("learn");
        let start = match &self.from {
            Some(path) => TrainValueNetwork::read(path)?,
            None => random_net(Features::View, VIEW_HIDDEN, &mut root.named("start").stream()),
        };
        let mut trainer = Trainer::new(start);
        let mut order = root.named("order").stream();
        let (mut loss, mut steps, mut reported) = (0.0, 0, 0);
        for batch in 0..self.games.div_ceil(GAMES) {
            let first = batch * GAMES;
            let part = first as f32 / self.games as f32;
            let rate = self.rate * (self.last_rate / self.rate).powf(part);
            let net = to_whole_numbers(&trainer.net);
            let file = NetworkFile { net, rules: None, players: Vec::new() };
            let me = player(&file.to_bytes(""))?;
            let by = (self.from.is_none() && first < self.steady).then_some(&steady);
            let games = (first..first + GAMES).into_par_iter();
            let examples = games.map(|n| match self.source {
                Source::Watch => watch(&game, &steady, root.child(n)),
                Source::SelfPlay => self.self_play(&game, &me, by, root.child(n)),
            });
            let mut examples: Vec<_> = examples.collect::<Vec<_>>().into_iter().flatten().collect();
            order.shuffle(&mut examples);
            for examples in examples.chunks(EXAMPLES) {
                loss += trainer.train(examples, rate);
                steps += 1;
            }
            let done = first + GAMES;
            if done / self.report > reported || done >= self.games {
                reported = done / self.report;
                let me: Shared = Arc::new(self.write(&trainer.net)?);
                let seed = root.named("report").child(done);
                let score = score_of(&game, [&me, &against], seed, self.deals);
                let error = loss / steps as f32;
                println!("{done} games: mean squared error {error:.5}, against steady {score:.4}");
                (loss, steps) = (0.0, 0);
            }
        }
        Ok(())
    }
}

/// A player with the network of a file.
fn player(file: &[u8]) -> anyhow::Result<ValueNetwork> {
    ValueNetwork::read(file).map_err(anyhow::Error::msg)
}

/// The positions of a hand of steady players after one random move, each with the result.
fn watch(game: &Leopard, steady: &Steady, seed: Seed) -> Vec<Example> {
    let mut choice = seed.child(1).stream();
    let mut moves_left = choice.below(RANDOM_MOVE_BEFORE);
    let mut positions: Vec<(usize, Vec<u16>)> = Vec::new();
    let end = walk(game, seed.child(0).stream(), |state, past, seat| {
        if let Some((mover, _)) = past.last() {
            positions.push((mover.index(), features(game, state, *mover)));
        }
        let mut mv = steady.pick(game, &game.view(state, seat), &mut choice);
        if moves_left == 0 && mv != Move::Knock {
            mv = random_move(game, state, &mut choice);
            positions.clear();
        }
        moves_left = moves_left.wrapping_sub(1);
        Some(mv)
    });
    let target = |seat: usize| result(game, &end, seat) as f32;
    let example = |(seat, features)| Example { features, stage: 0, target: target(seat) };
    positions.into_iter().map(example).collect()
}
