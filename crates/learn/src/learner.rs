//! Training: rounds of self-play, each followed by steps along its gradient.

use std::sync::Arc;

use rayon::prelude::*;
use safetensors::SafeTensors;
use serde::{Deserialize, Serialize};

use crate::gradient::{Gradient, StepSettings};
use crate::group::Group;
use crate::hand::{Credit, Hand, Player, play};
use crate::network::Network;
use crate::variant::Variant;
use crate::weights::{self, WeightState, Weights, damaged};
use parlour_base::chance::Seed;
use parlour_base::error::Result;
use parlour_base::simd::dispatch;
use parlour_game::Reward;
use parlour_game::encoded::{Encoded, Symmetry};
use parlour_game::strategy::{BotFactory, Strategic};

/// The hands of a round, which are played by the same network.
pub const ROUND: u64 = 512;

/// The hands of a step along the gradient. Larger steps learn less from as many hands.
const STEP: usize = 32;

/// The number of passes over the hands of a round.
const EPOCHS: usize = 3;

/// The parts of a step, whose gradients are summed one after another for any number of threads.
const PARTS: usize = 8;

/// The usual number of hidden units of the policy; the critic has a quarter.
pub const UNITS: usize = 1024;

/// The most filters: the units of a game without symmetries.
const MAX_FILTERS: [usize; 2] = [256, 128];

/// The learning rate at the beginning with the usual number of units, and of a network that has learnt
/// before. It falls in proportion to the hands left.
const RATE: f32 = 0.003;
const RATE_OF_LEARNT: f32 = 0.001;

/// The weight of the entropy at the beginning; it falls like the learning rate.
const ENTROPY: f32 = 0.004;

/// Mixed strategies need more entropy and smaller steps: each move's probability is an answer to those of
/// the others (magnetic mirror descent: Sokota et al. 2023).
const RATE_OF_MIXED: f32 = 0.00006;
const ENTROPY_OF_MIXED: f32 = 0.4;

/// The decays of credit from move to move are those of the policy and of the critic. Each outcome of
/// chance is compared with four others.
const CREDIT: Credit = Credit { lambdas: [0.9, 0.95], outcomes: 4 };

/// The share of hands against an earlier self, and the share against the given opponents.
const FROZEN: f64 = 0.2;
const AGAINST: f64 = 0.75;

/// The number of earlier selves, and the rounds between them.
const SELVES: usize = 8;
const SELF_INTERVAL: u64 = 16;

/// A training: everything that changes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct LearnerState {
    /// The hands played.
    pub hands: u64,
    /// The decisions learnt from.
    pub decisions: u64,
    /// The learning rate at the beginning.
    rate: f32,
    policy: WeightState,
    critic: WeightState,
    /// Earlier policies.
    selves: Vec<WeightState>,
}

/// Measurements of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RoundReport {
    /// The mean entropy of the decisions. Unit: nats.
    pub entropy: f64,
    /// The share of the results' variance that the critic explains, over all positions.
    pub explained: f64,
}

/// Options of a training.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct LearnerOptions {
    /// The number of hidden units of the policy.
    pub units: usize,
    /// The reward at the end of a hand.
    pub reward: Reward,
    /// Learns probabilities of moves that no opponent can exploit, instead of the best move.
    pub mixed: bool,
    /// Random seed.
    pub seed: u64,
}

impl Default for LearnerOptions {
    fn default() -> LearnerOptions {
        LearnerOptions { units: UNITS, reward: Reward::Win, mixed: false, seed: 1 }
    }
}

/// A training in progress.
pub struct Learner<G: Strategic + Encoded> {
    variants: Vec<Variant<G>>,
    opponents: Vec<BotFactory<G>>,
    seed: Seed,
    hands: u64,
    decisions: u64,
    /// The policy and the critic.
    weights: [Weights; 2],
    networks: [Network; 2],
    selves: Vec<(WeightState, Network)>,
    rate: f32,
    entropy: f32,
}

impl<G: Strategic + Encoded> Learner<G> {
    /// Begins a training under these variants, which are played in turn and have encodings of the
    /// same shape. In some hands an opponent sits at one of the seats.
    pub fn new(
        games: Vec<G>,
        opponents: Vec<BotFactory<G>>,
        options: LearnerOptions,
    ) -> Learner<G> {
        let LearnerOptions { units, reward, mixed, seed } = options;
        // The same for all variants: one network plays them.
        let scales = games.first().map_or_else(Vec::new, Variant::scales);
        let variant = |game| Variant::new(game, scales.clone(), reward);
        let variants: Vec<Variant<G>> = games.into_iter().map(variant).collect();
        let seed = Seed::new(seed).named("learn");
        let weights = random_weights(&variants[0], units, seed);
        let networks = weights.each_ref().map(Weights::network);
        Learner {
            variants,
            opponents,
            seed,
            hands: 0,
            decisions: 0,
            weights,
            networks,
            selves: Vec::new(),
            rate: if mixed { RATE_OF_MIXED } else { RATE } * (UNITS as f32 / units as f32).sqrt(),
            entropy: if mixed { ENTROPY_OF_MIXED } else { ENTROPY },
        }
    }

    /// The hands played.
    pub fn hands(&self) -> u64 {
        self.hands
    }

    /// The decisions that were learnt from.
    pub fn decisions(&self) -> u64 {
        self.decisions
    }

    /// Replaces policy and critic by those of a network file.
    ///
    /// # Errors
    /// A sentence that follows the file's name, if it has another shape.
    pub fn read_policy(&mut self, file: &[u8]) -> std::result::Result<(), String> {
        let file = SafeTensors::deserialize(file).map_err(damaged)?;
        let Variant { scales, game, .. } = &self.variants[0];
        let [policy, critic] = &mut self.weights;
        policy.read(&file, "", scales)?;
        critic.read(&file, "critic.", &scales.repeat(game.seats()))?;
        self.networks = self.weights.each_ref().map(Weights::network);
        self.rate *= RATE_OF_LEARNT / RATE;
        Ok(())
    }

    /// Returns policy and critic as a network file.
    ///
    /// # Errors
    /// If it cannot be encoded.
    pub fn file(&self) -> Result<Vec<u8>> {
        let Variant { scales, game, .. } = &self.variants[0];
        weights::file(&self.weights, game.seats(), scales)
    }

    /// Returns everything that changes in the training.
    pub fn state(&self) -> LearnerState {
        let [policy, critic] = self.weights.each_ref().map(|weights| weights.state.clone());
        let selves = self.selves.iter().map(|(state, _)| state.clone()).collect();
        let Learner { hands, decisions, rate, .. } = *self;
        LearnerState { hands, decisions, rate, policy, critic, selves }
    }

    /// Continues from a saved state of the same training.
    pub fn restore(&mut self, state: LearnerState) {
        let LearnerState { hands, decisions, rate, policy, critic, selves } = state;
        (self.hands, self.decisions, self.rate) = (hands, decisions, rate);
        for (weights, state) in self.weights.iter_mut().zip([policy, critic]) {
            weights.state = state;
        }
        self.networks = self.weights.each_ref().map(Weights::network);
        let network = |state: WeightState| {
            let network = self.weights[0].with(state.clone()).network();
            (state, network)
        };
        self.selves = selves.into_iter().map(network).collect();
    }

    /// Plays a round of hands and learns from it; `all` is the number of hands of the training.
    pub fn round(&mut self, all: u64) -> RoundReport {
        let progress = (self.hands as f32 / all as f32).min(1.0);
        self.keep_self();
        let mut hands: Vec<Hand> =
            (self.hands..self.hands + ROUND).into_par_iter().map(|it| self.play(it)).collect();
        let magnet = &self.selves[self.newest_self()].1;
        hands.par_iter_mut().for_each(|hand| {
            dispatch(
                #[inline(always)]
                || hand.decisions.iter_mut().for_each(|own| own.ask_magnet(magnet)),
            );
        });
        self.hands += ROUND;
        self.decisions += scale_advantages(&mut hands);
        let errors = [0, 1].map(|at| hands.iter().map(|hand| hand.errors[at]).sum::<f64>());
        let settings = StepSettings { entropy: self.entropy * (1.0 - progress).max(0.02) };
        let rate = self.rate * (1.0 - 0.95 * progress);
        let mut gradients: Vec<Gradient> =
            (0..PARTS).map(|_| Gradient::new(&self.networks)).collect();
        let (mut entropy, mut decisions) = (0.0, 0);
        for step in (0..EPOCHS).flat_map(|_| hands.chunks(STEP)) {
            let shares = Gradient::shares(step);
            gradients.par_iter_mut().zip(step.par_chunks(STEP / PARTS)).for_each(
                |(part, hands)| {
                    dispatch(
                        #[inline(always)]
                        || part.collect(&self.networks, hands, settings, shares),
                    );
                },
            );
            let (total, rest) = gradients.split_at_mut(1);
            rest.iter().for_each(|part| total[0].add(part));
            for (at, weights) in self.weights.iter_mut().enumerate() {
                weights.step(&mut total[0].networks[at], rate);
                weights.write(&mut self.networks[at]);
            }
            entropy += total[0].entropy;
            decisions += total[0].decisions;
        }
        RoundReport {
            entropy: entropy / decisions.max(1) as f64,
            explained: 1.0 - errors[0] / errors[1].max(f64::MIN_POSITIVE),
        }
    }

    /// Keeps the policy as an earlier self at intervals. The first ones stay longer.
    fn keep_self(&mut self) {
        if !(self.hands / ROUND).is_multiple_of(SELF_INTERVAL) {
            return;
        }
        let kept = (self.weights[0].state.clone(), self.networks[0].clone());
        match self.newest_self() {
            at if at < self.selves.len() => self.selves[at] = kept,
            _ => self.selves.push(kept),
        }
    }

    /// The place of the last self that was kept.
    fn newest_self(&self) -> usize {
        let number = (self.hands / ROUND / SELF_INTERVAL) as usize;
        match number {
            _ if number < SELVES => number,
            _ if number.is_power_of_two() => 0,
            _ => number % (SELVES - 1) + 1,
        }
    }

    /// Plays the hand with this number.
    fn play(&self, number: u64) -> Hand {
        let seed = self.seed.named("hand").child(number);
        let mut chance = seed.named("players").stream();
        let variant = &self.variants[(number % self.variants.len() as u64) as usize];
        let seats = variant.game.seats();
        let [policy, critic] = &self.networks;
        let mut players: Vec<Player<'_, G>> =
            (0..seats).map(|_| Player::Network(policy, true)).collect();
        let (kind, seat) = (chance.unit(), chance.below(seats as u32) as usize);
        let mut one_of = |count: usize| chance.below(count as u32) as usize;
        if kind < FROZEN {
            players[seat] = Player::Network(&self.selves[one_of(self.selves.len())].1, false);
        } else if kind < FROZEN + AGAINST && !self.opponents.is_empty() {
            let opponent = &self.opponents[one_of(self.opponents.len())];
            players[seat] = Player::Bot(opponent.bot(&variant.game));
        }
        play(variant, &mut players, critic, CREDIT, seed)
    }
}

/// Scales the advantages of a round to a mean square of 1, and returns their number.
fn scale_advantages(hands: &mut [Hand]) -> u64 {
    let all = || hands.iter().flat_map(|hand| &hand.decisions).flat_map(|it| &it.advantages);
    let count = all().count();
    let squares: f64 = all().map(|it| f64::from(it * it)).sum();
    let scale = (squares / count.max(1) as f64).sqrt().max(1e-6).recip() as f32;
    let decisions = hands.iter_mut().flat_map(|hand| &mut hand.decisions);
    decisions.flat_map(|it| &mut it.advantages).for_each(|advantage| *advantage *= scale);
    count as u64
}

/// Returns random weights of the policy and of the critic.
fn random_weights<G: Strategic + Encoded>(
    variant: &Variant<G>,
    units: usize,
    seed: Seed,
) -> [Weights; 2] {
    let (game, rules) = (&variant.game, variant.rules.len());
    let (numbers, actions, seats) = (variant.scales.len(), variant.actions, game.seats());
    // The numbers of the rules come after the observations; the policy's last output is its value.
    let seen_by = |seats: usize, places: &[u16]| -> Vec<u16> {
        let block = |seat: usize| places.iter().map(move |it| it + (seat * numbers) as u16);
        let rules = (seats * numbers) as u16..(seats * numbers + rules) as u16;
        (0..seats).flat_map(block).chain(rules).collect()
    };
    let symmetries = game.symmetries();
    let shapes = [(1, actions + 1), (seats, seats)];
    let mut chance = seed.named("weights").stream();
    [0, 1].map(|network| {
        let (seats, outputs) = shapes[network];
        let inputs = seats * numbers + rules;
        let moved = |it: &Symmetry| Symmetry {
            numbers: seen_by(seats, &it.numbers),
            actions: match network {
                0 => it.actions.iter().copied().chain([actions as u16]).collect(),
                _ => (0..outputs as u16).collect(),
            },
        };
        let moved: Vec<Symmetry> = symmetries.iter().map(moved).collect();
        let group = Arc::new(Group::new(&moved, inputs, outputs));
        let filters = (units >> (2 * network)).div_ceil(group.len());
        let filters = filters.min(MAX_FILTERS[network]);
        Weights::new(group, filters, [inputs, outputs], &mut chance)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_game::Ruled;
    use parlour_leopard::Leopard;
    use rayon::ThreadPoolBuilder;

    /// A learner of the game with five cards, whose hands are short.
    fn learner() -> Learner<Leopard> {
        let game = Leopard::new(&Leopard::preset("toy").unwrap()).unwrap();
        Learner::new(vec![game], Vec::new(), LearnerOptions::default())
    }

    #[test]
    fn threads_and_interruptions_change_nothing() {
        let run = |threads: usize, interrupted: bool| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut learner = learner();
                learner.round(4 * ROUND);
                if interrupted {
                    let text = serde_json::to_string(&learner.state()).unwrap();
                    learner = self::learner();
                    learner.restore(serde_json::from_str(&text).unwrap());
                }
                learner.round(4 * ROUND);
                learner.file().unwrap()
            })
        };
        let expected = run(1, false);
        assert!(run(2, false) == expected && run(3, true) == expected);
    }

    #[test]
    fn a_file_is_read_back() {
        let mut learner = learner();
        learner.round(ROUND);
        let file = learner.file().unwrap();
        // The file has the means of the weights.
        learner.read_policy(&file).unwrap();
        let mut other = self::learner();
        assert!(other.file().unwrap() != file);
        other.read_policy(&file).unwrap();
        let state = |learner: &Learner<Leopard>| learner.networks[0].clone();
        let (old, new) = (state(&learner), state(&other));
        let pairs = || old.first.iter().zip(&new.first).chain(old.last.iter().zip(&new.last));
        assert!(pairs().all(|(old, new)| (old - new).abs() < 1e-5));
        assert!(other.read_policy(&file[..100]).unwrap_err().contains("not a network"));
    }

    #[test]
    fn a_file_plays_as_it_learnt() {
        use parlour_game::{Game, Policy, Seat, Turn, kit};

        let mut learner = learner();
        learner.round(ROUND);
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.safetensors");
        let bytes = learner.file().unwrap();
        learner.read_policy(&bytes).unwrap();
        std::fs::write(&file, bytes).unwrap();
        let read = || -> parlour_game::network::Network {
            serde_json::from_value(serde_json::json!({ "file": file })).unwrap()
        };
        let (played, variant) = (read(), &learner.variants[0]);
        let [policy, critic] = &learner.networks;
        let outputs = |network: &Network, seen: &[u8], seats: usize, wanted: &[u16]| {
            let (mut sums, mut hidden) = (network.first_bias.clone(), vec![0.0; network.units]);
            let count = variant.scales.len();
            for (input, number) in seen.iter().enumerate() {
                let change = f32::from(*number) * variant.scales[input % count];
                network.update(&mut sums, &[(input as u32, change)]);
            }
            let rules = (seats * count) as u32..;
            let rules = rules.zip(variant.rules.iter().copied()).collect::<Vec<_>>();
            network.update(&mut sums, &rules);
            Network::rectify(&sums, &mut hidden);
            let mut out = vec![0.0; wanted.len()];
            network.outputs(&hidden, wanted, &mut out);
            out
        };
        let (mut positions, mut scores) = (0, Vec::new());
        let game = &variant.game;
        for hand in 0..40 {
            let tell = |state: &_, _| {
                let Turn::Seat(seat) = game.turn(state) else { return };
                let (view, mut moves) = (game.view(state, seat), Vec::new());
                let mut seen = vec![0; 2 * variant.scales.len()];
                for (at, block) in seen.chunks_mut(variant.scales.len()).enumerate() {
                    game.observe(&game.view(state, Seat(at as u8)), block);
                }
                game.legal_moves(state, &mut moves);
                moves.retain(|mv| game.action_of(*mv).is_some());
                let actions: Vec<u16> =
                    moves.iter().filter_map(|mv| Some(game.action_of(*mv)? as u16)).collect();
                assert!(played.score_moves(game, &view, &moves, &mut scores));
                let own = &seen[seat.index() * variant.scales.len()..][..variant.scales.len()];
                let expected = outputs(policy, own, 1, &actions);
                let close = |(a, b): (&f32, &f32)| (a - b).abs() < 0.02 * (1.0 + b.abs());
                assert!(scores.iter().zip(&expected).all(close), "{scores:?} {expected:?}");
                // Sums that were updated equal fresh ones to the bit.
                let before = scores.clone();
                assert!(read().score_moves(game, &view, &moves, &mut scores) && scores == before);
                let value = outputs(critic, &seen, 2, &[seat.0.into()])[0];
                let share = played.win_share(game, state, seat).unwrap();
                assert!((share - (0.5 + 0.5 * value).clamp(0.0, 1.0)).abs() < 0.01);
                positions += 1;
            };
            let seed = Seed::new(hand);
            kit::random_hand(game, &seed.child(0).stream(), seed.child(1), tell);
        }
        assert!(positions >= 200, "{positions}");
    }

    #[test]
    fn mutated_files_are_read_or_refused() {
        let good = learner().file().unwrap();
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.safetensors");
        let mut chance = Seed::new(2).stream();
        let mut taken = 0;
        for _ in 0..300 {
            let mut bytes = good.clone();
            // Most faults in the header.
            let end = if chance.below(4) == 0 { bytes.len() } else { 900 };
            let at = chance.below(end as u32) as usize;
            match chance.below(4) {
                0 => bytes.truncate(at),
                1 => bytes.insert(at, b'0' + chance.below(10) as u8),
                _ => bytes[at] = chance.below(256) as u8,
            }
            std::fs::write(&file, bytes).unwrap();
            let fields = serde_json::json!({ "file": file });
            taken +=
                u32::from(serde_json::from_value::<parlour_game::network::Network>(fields).is_ok());
        }
        assert!((10..250).contains(&taken), "{taken}");
    }

    #[test]
    fn decisions_become_better() {
        let mut learner = learner();
        let entropies: Vec<f64> = (0..12).map(|_| learner.round(12 * ROUND).entropy).collect();
        assert!(entropies[11] < 0.7 * entropies[0], "{entropies:?}");
    }
}
