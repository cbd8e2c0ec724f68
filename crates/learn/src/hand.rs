//! Hands of self-play.

use parlour_base::chance::{Seed, Stream};
use parlour_base::maths::exp;
use parlour_base::simd::dispatch;
use parlour_game::encoded::{Encoded, Plane, actions_in};
use parlour_game::{Bot, Game, Playthrough, Seat, Turn};

use crate::network::{Change, Network, Steps};

/// Actions with a smaller probability are left out of learning, which saves a third of its time.
const UNLIKELY: f32 = 1e-3;

/// A variant as the network sees it.
pub(crate) struct Variant<G> {
    pub(crate) game: G,
    /// The scale of each number of an observation.
    pub(crate) scales: Vec<f32>,
    /// The inputs after those of the observation: the rules.
    pub(crate) rules: Vec<f32>,
    /// The number of actions.
    pub(crate) actions: usize,
}

impl<G: Encoded> Variant<G> {
    pub(crate) fn new(game: G, scales: Vec<f32>) -> Variant<G> {
        let mut rules = vec![0; G::RULE_NUMBERS];
        game.observe_rules(&mut rules);
        let rules = rules.into_iter().map(f32::from).collect();
        let [_, actions] = game.full_sizes();
        Variant { game, scales, rules, actions }
    }

    /// Returns scales for observations of this game.
    pub(crate) fn scales(game: &G) -> Vec<f32> {
        let scale = |plane: &Plane| {
            let scale = if plane.most <= 1 { 1.0 } else { f64::from(plane.most).sqrt().recip() };
            std::iter::repeat_n((scale * 0.7) as f32, plane.count())
        };
        let mut scales: Vec<f32> = game.planes().iter().flat_map(scale).collect();
        scales.resize(game.full_sizes()[0], 0.7);
        scales
    }

    /// Appends the differences between two observations. `block` is the place of the first number.
    fn changes(&self, before: &[u8], after: &[u8], block: usize, out: &mut Vec<Change>) {
        let eights = before.chunks(16).zip(after.chunks(16)).enumerate();
        for (part, (before, after)) in eights.filter(|(_, (before, after))| before != after) {
            for (at, (before, after)) in before.iter().zip(after).enumerate() {
                if before != after {
                    let place = 16 * part + at;
                    let difference = f32::from(*after) - f32::from(*before);
                    out.push(((block + place) as u32, difference * self.scales[place]));
                }
            }
        }
    }

    /// Appends the inputs of the rules.
    fn rule_changes(&self, block: usize, out: &mut Vec<Change>) {
        let rules = (block as u32..).zip(&self.rules).filter(|(_, it)| **it != 0.0);
        out.extend(rules.map(|(input, it)| (input, *it)));
    }
}

/// The decisions of one seat in a hand.
#[derive(Default)]
pub(crate) struct Decisions {
    pub(crate) steps: Steps,
    /// The legal actions of all decisions, and their number up to each.
    pub(crate) legal: Vec<u16>,
    pub(crate) legal_ends: Vec<usize>,
    /// The place of the chosen action among the legal ones, and its probability.
    pub(crate) chosen: Vec<(usize, f32)>,
    /// The estimated gain of each action, and the expected result.
    pub(crate) advantages: Vec<f32>,
    pub(crate) values: Vec<f32>,
    /// The number of each decision in the hand.
    numbers: Vec<usize>,
    /// The last observation.
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

/// The results of a finished hand by seat, from -1 to 1: the share of the win.
fn results<G: Game>(game: &G, state: &G::State, out: &mut Vec<f32>) {
    let scores = game.scores(state).0;
    let top = scores.iter().copied().max().unwrap_or(0);
    let winners = scores.iter().filter(|points| **points == top).count() as f32;
    let seats = scores.len() as f32;
    let share = |points: &i32| if *points == top { 1.0 / winners } else { 0.0 };
    out.clear();
    // 1 for the only winner; the mean over all seats is 0 for two of them.
    out.extend(scores.iter().map(|points| (share(points) * seats - 1.0) / (seats - 1.0).max(1.0)));
}

/// The full-information position that the critic sees: the observations of all seats.
struct Critic<'a, G> {
    variant: &'a Variant<G>,
    seen: Vec<u8>,
    sums: Vec<f32>,
    hidden: Vec<f32>,
}

impl<G: Encoded> Critic<'_, G> {
    fn observe(&self, state: &G::State, out: &mut [u8]) {
        let game = &self.variant.game;
        for (seat, block) in (0u8..).zip(out.chunks_mut(self.variant.scales.len())) {
            game.observe(&game.view(state, Seat(seat)), block);
        }
    }

    fn changes(&self, before: &[u8], after: &[u8], out: &mut Vec<Change>) {
        let count = self.variant.scales.len();
        for (seat, (before, after)) in before.chunks(count).zip(after.chunks(count)).enumerate() {
            self.variant.changes(before, after, seat * count, out);
        }
    }
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
    let game = &variant.game;
    let (seats, count) = (game.seats(), variant.scales.len());
    let mut hand = Playthrough::new(game, seed.child(0).stream());
    let mut choices: Vec<Stream> = (1..=seats as u64).map(|it| seed.child(it).stream()).collect();
    let mut other_chance = seed.child(100).stream();
    let mut seats_decisions: Vec<Decisions> = players
        .iter()
        .map(|player| match player {
            Player::Network(network, _) => Decisions {
                seen: vec![0; count],
                sums: network.first_bias.clone(),
                ..Decisions::default()
            },
            Player::Bot(_) => Decisions::default(),
        })
        .collect();
    for (seat, player) in (0u8..).zip(players.iter_mut()) {
        if let Player::Bot(bot) = player {
            bot.start(Seat(seat));
        }
    }
    let mut judge = Critic {
        variant,
        seen: vec![0; seats * count],
        sums: critic.first_bias.clone(),
        hidden: vec![0.0; critic.units],
    };
    let mut positions = Steps::default();
    // By position, then seat: the critic's value, and the expected value after the move.
    let (mut values, mut expected): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
    let mut observed = vec![0; seats * count];
    let mut other_seen = vec![0; seats * count];
    let (mut changes, mut result, mut mask) = (Vec::new(), Vec::new(), vec![0u64; 0]);
    let (mut scores, mut value): (Vec<f32>, Vec<f32>) = (Vec::new(), Vec::new());
    let mut before: Option<(G::State, G::Move)> = None;
    let mut other_sums = vec![0.0; critic.units];
    let luck = credit.outcomes;
    mask.resize(variant.actions.div_ceil(64), 0);
    loop {
        // The value of this position, and the mean over what chance might have brought.
        let turn = hand.turn(game);
        judge.observe(&hand.state, &mut observed);
        let start = positions.changes.len();
        if positions.len() == 0 {
            variant.rule_changes(seats * count, &mut positions.changes);
        }
        let mut here = std::mem::take(&mut positions.changes);
        judge.changes(&judge.seen, &observed, &mut here);
        positions.changes = here;
        critic.update(&mut judge.sums, &positions.changes[start..]);
        judge.seen.copy_from_slice(&observed);
        if turn == Turn::Over {
            results(game, &hand.state, &mut result);
            positions.changes.truncate(start);
        } else {
            positions.ends.push(positions.changes.len());
            Network::rectify(&judge.sums, &mut judge.hidden);
            result.resize(seats, 0.0);
            critic.all_outputs(&judge.hidden, &mut result);
            values.extend_from_slice(&result);
        }
        if let Some((state, mv)) = before.take() {
            let mut mean = vec![0.0; seats];
            for _ in 0..luck {
                let mut other = state.clone();
                game.apply(&mut other, mv, &mut other_chance);
                if game.turn(&other) == Turn::Over {
                    results(game, &other, &mut value);
                } else {
                    judge.observe(&other, &mut other_seen);
                    changes.clear();
                    judge.changes(&judge.seen, &other_seen, &mut changes);
                    other_sums.copy_from_slice(&judge.sums);
                    critic.update(&mut other_sums, &changes);
                    Network::rectify(&other_sums, &mut judge.hidden);
                    value.resize(seats, 0.0);
                    critic.all_outputs(&judge.hidden, &mut value);
                }
                mean.iter_mut().zip(&value).for_each(|(mean, value)| *mean += value);
            }
            if luck == 0 {
                mean.copy_from_slice(&result);
            } else {
                mean.iter_mut().for_each(|mean| *mean /= luck as f32);
            }
            expected.extend_from_slice(&mean);
        }
        let Turn::Seat(seat) = turn else { break };
        let view = hand.view(game, seat);
        let rng = &mut choices[seat.index()];
        let mv = match &mut players[seat.index()] {
            Player::Bot(bot) => bot.choose(game, hand.observation(seat, &view), rng).ok(),
            Player::Network(network, learns) => {
                let own = &mut seats_decisions[seat.index()];
                let now = &observed[seat.index() * count..][..count];
                let start = own.steps.changes.len();
                if own.steps.len() == 0 {
                    variant.rule_changes(count, &mut own.steps.changes);
                }
                variant.changes(&own.seen, now, 0, &mut own.steps.changes);
                network.update(&mut own.sums, &own.steps.changes[start..]);
                own.seen.copy_from_slice(now);
                own.steps.ends.push(own.steps.changes.len());
                let hidden = &mut judge.hidden;
                hidden.resize(network.units, 0.0);
                Network::rectify(&own.sums, hidden);
                game.legal(&view, &mut mask);
                let first = own.legal.len();
                own.legal.extend(actions_in(&mask));
                let legal = &own.legal[first..];
                scores.clear();
                scores.resize(legal.len(), 0.0);
                network.outputs(hidden, legal, &mut scores);
                probabilities(&mut scores);
                let mut rest = rng.unit() as f32;
                let chosen = scores.iter().position(|share| {
                    rest -= share;
                    rest < 0.0
                });
                let chosen = chosen.unwrap_or(scores.len().saturating_sub(1));
                let mv = legal.get(chosen).and_then(|it| game.move_of(usize::from(*it)));
                if *learns {
                    let chosen = keep_likely(&mut own.legal, first, &mut scores, chosen);
                    own.legal_ends.push(own.legal.len());
                    own.chosen.push(chosen);
                    own.numbers.push(positions.len() - 1);
                } else {
                    own.steps = Steps { changes: Vec::new(), ends: vec![0] };
                    own.legal.clear();
                }
                hidden.resize(critic.units, 0.0);
                mv
            }
        };
        let mv = mv.unwrap_or_else(|| game.sample_view(&view, rng));
        before = Some((hand.state.clone(), mv));
        hand.apply(game, seat, mv);
    }
    let mut out = Hand { positions, ..Hand::default() };
    // Sums of what each move changed, later ones with less weight.
    let credit_of = |lambda: f32| {
        let mut sums = values.clone();
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
    out.targets = credit_of(credit.lambdas[1]);
    for (at, (target, value)) in out.targets.iter_mut().zip(&values).enumerate() {
        *target += value;
        let result = result[at % seats];
        out.errors[0] += f64::from((result - value) * (result - value));
        out.errors[1] += f64::from(result * result);
    }
    for (seat, (mut own, player)) in seats_decisions.into_iter().zip(players.iter()).enumerate() {
        if matches!(player, Player::Network(_, true)) {
            let at = |number: &usize| number * seats + seat;
            own.advantages = own.numbers.iter().map(|it| advantages[at(it)]).collect();
            own.values = own.numbers.iter().map(|it| out.targets[at(it)]).collect();
            out.decisions.push(own);
        }
    }
    out
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
