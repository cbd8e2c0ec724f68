//! Hands of self-play.

use parlour_base::chance::{Seed, Stream};
use parlour_base::maths::exp;
use parlour_base::simd::dispatch;
use parlour_game::encoded::{Encoded, actions_in};
use parlour_game::{Bot, Game, Playthrough, Seat, Turn};

use crate::network::{Change, Network, Steps};
use crate::variant::Variant;

/// Actions with a smaller probability are left out of learning, to save time.
const UNLIKELY: f32 = 1e-3;

/// The decisions of one seat in a hand.
#[derive(Default)]
pub(crate) struct Decisions {
    pub(crate) steps: Steps,
    /// The legal actions of all decisions, and their number up to each.
    pub(crate) legal: Vec<u16>,
    pub(crate) legal_ends: Vec<usize>,
    /// The place of the chosen action among the legal ones, and its probability.
    pub(crate) chosen: Vec<(usize, f32)>,
    /// The probabilities of these legal actions by the magnet, the last earlier self that was kept.
    pub(crate) magnet: Vec<f32>,
    /// The estimated gain of each action, and the expected result.
    pub(crate) advantages: Vec<f32>,
    pub(crate) values: Vec<f32>,
    /// The position of each decision in the hand.
    positions: Vec<usize>,
    /// The last observation, and the sums of the first layer for it.
    seen: Vec<u8>,
    sums: Vec<f32>,
}

/// A hand of self-play as training data.
#[derive(Default)]
pub(crate) struct Hand {
    /// By learning seat.
    pub(crate) decisions: Vec<Decisions>,
    /// The positions of the critic.
    pub(crate) positions: Steps,
    /// The values that the critic learns: by position, then seat.
    pub(crate) targets: Vec<f32>,
    /// Squared errors of the critic, and squares of results.
    pub(crate) errors: [f64; 2],
}

/// A player of a seat.
pub(crate) enum Player<'a, G: Game> {
    /// The network that learns, or one that does not.
    Network(&'a Network, bool),
    Bot(Box<dyn Bot<G>>),
}

/// The credit of moves for results.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Credit {
    /// The decay of credit from move to move for advantages and for the critic.
    pub(crate) lambdas: [f32; 2],
    /// The number of other outcomes of chance that are compared with each one.
    pub(crate) outcomes: u64,
}

/// The critic, which follows the complete states of a hand.
struct Critic<'a, G> {
    variant: &'a Variant<G>,
    network: &'a Network,
    /// The observations of all seats, and the sums of the first layer for them.
    seen: Vec<u8>,
    sums: Vec<f32>,
    steps: Steps,
    /// Memory: observations, sums and hidden units of a state.
    observed: Vec<u8>,
    other_sums: Vec<f32>,
    hidden: Vec<f32>,
    changes: Vec<Change>,
}

impl<'a, G: Encoded> Critic<'a, G> {
    fn new(variant: &'a Variant<G>, network: &'a Network) -> Critic<'a, G> {
        let numbers = variant.game.seats() * variant.scales.len();
        let mut critic = Critic {
            variant,
            network,
            seen: vec![0; numbers],
            sums: network.first_bias.clone(),
            steps: Steps::default(),
            observed: vec![0; numbers],
            other_sums: network.first_bias.clone(),
            hidden: vec![0.0; network.units],
            changes: Vec::new(),
        };
        variant.rule_changes(numbers, &mut critic.steps.changes);
        network.update(&mut critic.sums, &critic.steps.changes);
        critic
    }

    /// Observes a state: replaces `changes` by the differences from the state before.
    #[inline(always)]
    fn observe(&mut self, state: &G::State) {
        let (game, count) = (&self.variant.game, self.variant.scales.len());
        self.changes.clear();
        for (seat, after) in self.observed.chunks_mut(count).enumerate() {
            game.observe(&game.view(state, Seat(seat as u8)), after);
            let before = &self.seen[seat * count..][..count];
            self.variant.changes(before, after, seat * count, &mut self.changes);
        }
    }

    /// Moves to the next state of the hand, and replaces `values` by the expected results of all seats.
    #[inline(always)]
    fn follow(&mut self, state: &G::State, values: &mut Vec<f32>) {
        self.observe(state);
        self.network.update(&mut self.sums, &self.changes);
        std::mem::swap(&mut self.seen, &mut self.observed);
        if self.variant.game.turn(state) == Turn::Over {
            return self.variant.rewards(state, values);
        }
        self.steps.changes.extend_from_slice(&self.changes);
        self.steps.ends.push(self.steps.changes.len());
        Network::rectify(&self.sums, &mut self.hidden);
        self.network.all_outputs(&self.hidden, values);
    }

    /// Replaces `values` by the expected results after another outcome of chance.
    #[inline(always)]
    fn judge(&mut self, other: &G::State, values: &mut Vec<f32>) {
        if self.variant.game.turn(other) == Turn::Over {
            return self.variant.rewards(other, values);
        }
        self.observe(other);
        self.other_sums.copy_from_slice(&self.sums);
        self.network.update(&mut self.other_sums, &self.changes);
        Network::rectify(&self.other_sums, &mut self.hidden);
        self.network.all_outputs(&self.hidden, values);
    }
}

impl Decisions {
    /// Computes the probabilities by the magnet.
    #[inline(always)]
    pub(crate) fn ask_magnet(&mut self, magnet: &Network) {
        let (mut sums, mut hidden) = (magnet.first_bias.clone(), vec![0.0; magnet.units]);
        self.magnet.resize(self.legal.len(), 0.0);
        let mut start = 0;
        for (step, &end) in self.legal_ends.iter().enumerate() {
            magnet.update(&mut sums, self.steps.at(step));
            Network::rectify(&sums, &mut hidden);
            let shares = &mut self.magnet[start..end];
            magnet.outputs(&hidden, &self.legal[start..end], shares);
            probabilities(shares);
            start = end;
        }
    }

    fn new<G: Encoded>(variant: &Variant<G>, network: &Network) -> Decisions {
        let count = variant.scales.len();
        let mut own = Decisions {
            seen: vec![0; count],
            sums: network.first_bias.clone(),
            ..Decisions::default()
        };
        variant.rule_changes(count, &mut own.steps.changes);
        network.update(&mut own.sums, &own.steps.changes);
        own
    }

    /// Chooses an action at random by the network's probabilities, which replace `shares`. Keeps the
    /// decision if the network `learns`.
    #[inline(always)]
    fn choose<G: Encoded>(
        &mut self,
        variant: &Variant<G>,
        (network, learns): (&Network, bool),
        (view, seen): (&G::View, &[u8]),
        position: usize,
        memory: &mut Memory,
        chance: &mut Stream,
    ) -> Option<G::Move> {
        let Memory { mask, hidden, shares } = memory;
        let start = self.steps.changes.len();
        variant.changes(&self.seen, seen, 0, &mut self.steps.changes);
        network.update(&mut self.sums, &self.steps.changes[start..]);
        self.seen.copy_from_slice(seen);
        hidden.resize(network.units, 0.0);
        Network::rectify(&self.sums, hidden);
        mask.resize(variant.actions.div_ceil(64), 0);
        variant.game.legal(view, mask);
        let first = self.legal.len();
        self.legal.extend(actions_in(mask));
        let legal = &self.legal[first..];
        shares.clear();
        shares.resize(legal.len(), 0.0);
        network.outputs(hidden, legal, shares);
        probabilities(shares);
        let mut rest = chance.unit() as f32;
        let chosen = shares.iter().position(|share| {
            rest -= share;
            rest < 0.0
        });
        let chosen = chosen.unwrap_or(shares.len().saturating_sub(1));
        let mv = variant.game.move_of(usize::from(*legal.get(chosen)?));
        if learns {
            self.steps.ends.push(self.steps.changes.len());
            let chosen = keep_likely(&mut self.legal, first, shares, chosen);
            self.legal_ends.push(self.legal.len());
            self.chosen.push(chosen);
            self.positions.push(position);
        } else {
            self.steps.changes.clear();
            self.legal.clear();
        }
        mv
    }
}

/// Memory that all seats share.
#[derive(Default)]
struct Memory {
    mask: Vec<u64>,
    hidden: Vec<f32>,
    shares: Vec<f32>,
}

/// Plays a hand. `players` has a player for each seat.
pub(crate) fn play<G: Encoded>(
    variant: &Variant<G>,
    players: &mut [Player<'_, G>],
    critic: &Network,
    credit: Credit,
    seed: Seed,
) -> Hand {
    dispatch(
        #[inline(always)]
        || play_inline(variant, players, critic, credit, seed),
    )
}

#[inline(always)]
fn play_inline<G: Encoded>(
    variant: &Variant<G>,
    players: &mut [Player<'_, G>],
    critic: &Network,
    credit: Credit,
    seed: Seed,
) -> Hand {
    let (game, count) = (&variant.game, variant.scales.len());
    let seats = game.seats();
    let mut hand = Playthrough::new(game, seed.child(0).stream());
    let mut choices: Vec<Stream> = (1..=seats as u64).map(|it| seed.child(it).stream()).collect();
    let mut other_chance = seed.child(100).stream();
    let mut all_decisions: Vec<Decisions> = Vec::new();
    for (seat, player) in (0u8..).zip(players.iter_mut()) {
        all_decisions.push(match player {
            Player::Network(network, _) => Decisions::new(variant, network),
            Player::Bot(bot) => {
                bot.start(Seat(seat));
                Decisions::default()
            }
        });
    }
    let (mut critic, mut memory) = (Critic::new(variant, critic), Memory::default());
    // By position, then seat: the expected result, and the mean over what chance may bring next.
    let (mut values, mut expected): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
    let (mut result, mut other) = (vec![0.0; seats], vec![0.0; seats]);
    let mut before: Option<(G::State, G::Move)> = None;
    loop {
        critic.follow(&hand.state, &mut result);
        if let Some((state, mv)) = before.take() {
            let start = expected.len();
            expected.resize(start + seats, 0.0);
            for _ in 0..credit.outcomes {
                let mut after = state.clone();
                game.apply(&mut after, mv, &mut other_chance);
                critic.judge(&after, &mut other);
                let sums = expected[start..].iter_mut().zip(&other);
                sums.for_each(|(sum, value)| *sum += value / credit.outcomes as f32);
            }
        }
        let Turn::Seat(seat) = hand.turn(game) else { break };
        values.extend_from_slice(&result);
        let (view, chance) = (hand.view(game, seat), &mut choices[seat.index()]);
        let mv = match &mut players[seat.index()] {
            Player::Bot(bot) => bot.choose(game, hand.observation(seat, &view), chance).ok(),
            Player::Network(network, learns) => all_decisions[seat.index()].choose(
                variant,
                (network, *learns),
                (&view, &critic.seen[seat.index() * count..][..count]),
                critic.steps.len() - 1,
                &mut memory,
                chance,
            ),
        };
        let mv = mv.unwrap_or_else(|| game.sample_view(&view, chance));
        before = Some((hand.state.clone(), mv));
        hand.apply(game, seat, mv);
    }
    let learns = |it: &Player<'_, G>| matches!(it, Player::Network(_, true));
    let learners = players.iter().map(learns).zip(all_decisions).enumerate();
    let learners = learners.filter(|(_, (learns, _))| *learns);
    let decisions = learners.map(|(seat, (_, decisions))| (seat, decisions)).collect();
    credited(critic.steps, decisions, [&values, &expected, &result], credit)
}

/// Returns the hand with the advantage of each decision and the target of each value.
fn credited(
    positions: Steps,
    decisions: Vec<(usize, Decisions)>,
    [values, expected, result]: [&[f32]; 3],
    credit: Credit,
) -> Hand {
    let seats = result.len();
    // Sums of what each move changed, later ones with less weight (GAE: Schulman et al. 2016).
    let credit_of = |lambda: f32| {
        let mut sums = values.to_vec();
        for seat in 0..seats {
            let mut sum = 0.0;
            for at in (seat..values.len()).step_by(seats).rev() {
                sum = expected[at] - values[at] + lambda * sum;
                sums[at] = sum;
            }
        }
        sums
    };
    let advantages = credit_of(credit.lambdas[0]);
    let mut targets = credit_of(credit.lambdas[1]);
    let mut errors = [0.0; 2];
    for (at, (target, value)) in targets.iter_mut().zip(values).enumerate() {
        *target += value;
        let result = result[at % seats];
        errors[0] += f64::from((result - value) * (result - value));
        errors[1] += f64::from(result * result);
    }
    let of_seat = |(seat, mut own): (usize, Decisions)| {
        let of = |all: &[f32]| own.positions.iter().map(|it| all[it * seats + seat]).collect();
        (own.advantages, own.values) = (of(&advantages), of(&targets));
        own
    };
    let decisions = decisions.into_iter().map(of_seat).collect();
    Hand { decisions, positions, targets, errors }
}

/// Removes the actions from `first` on that are so unlikely that they hardly matter, except the chosen
/// one. Returns its place among the others, and its probability.
fn keep_likely(
    legal: &mut Vec<u16>,
    first: usize,
    shares: &mut [f32],
    chosen: usize,
) -> (usize, f32) {
    let (mut kept, mut place, mut sum) = (0, 0, 0.0);
    for at in 0..shares.len() {
        if shares[at] < UNLIKELY && at != chosen {
            continue;
        }
        if at == chosen {
            place = kept;
        }
        legal[first + kept] = legal[first + at];
        sum += shares[at];
        kept += 1;
    }
    legal.truncate(first + kept);
    (place, shares.get(chosen).map_or(1.0, |share| share / sum))
}

/// Turns scores into probabilities.
pub(crate) fn probabilities(scores: &mut [f32]) {
    let top = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = exp(f64::from(*score - top)) as f32;
        sum += *score;
    }
    scores.iter_mut().for_each(|score| *score /= sum);
}
