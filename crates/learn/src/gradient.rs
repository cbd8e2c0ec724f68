//! The gradient of a step of training.

use crate::hand::{Decisions, Hand, probabilities};
use crate::network::Network;
use parlour_base::maths::ln;

/// The relative change of a move's probability beyond which the move stops counting.
const CLIP: f32 = 0.2;

/// The weight of the error of the policy's value.
const VALUE: f32 = 0.5;

/// The weight of the divergence from the magnet (Sokota et al. 2023).
const MAGNET: f32 = 0.1;

/// Slopes of outputs that are too small to matter, and would take most of the time.
const NEGLIGIBLE: f32 = 1e-3;

/// Settings that change from step to step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StepSettings {
    /// The weight of the entropy.
    pub(crate) entropy: f32,
}

/// The gradient of a part of the hands of a step.
pub(crate) struct Gradient {
    /// The slopes of the policy and of the critic.
    pub(crate) networks: [Network; 2],
    /// The sum of the entropies of decisions, and their number.
    pub(crate) entropy: f64,
    pub(crate) decisions: u64,
    /// Memory.
    scratch: Vec<f32>,
    scores: Vec<f32>,
}

impl Gradient {
    /// Creates the gradient of networks of this shape.
    pub(crate) fn new(networks: &[Network; 2]) -> Gradient {
        let networks = networks.clone();
        Gradient { networks, entropy: 0.0, decisions: 0, scratch: Vec::new(), scores: Vec::new() }
    }

    /// Returns the weight of each decision and of each position.
    pub(crate) fn shares(hands: &[Hand]) -> [f32; 2] {
        let decisions = hands.iter().flat_map(|hand| &hand.decisions);
        let decisions: usize = decisions.map(|it| it.chosen.len()).sum();
        let positions: usize = hands.iter().map(|hand| hand.positions.len()).sum();
        [decisions, positions].map(|count| (count.max(1) as f32).recip())
    }

    /// Adds another gradient.
    pub(crate) fn add(&mut self, other: &Gradient) {
        self.networks.iter_mut().zip(&other.networks).for_each(|(sum, it)| sum.add(it));
        self.entropy += other.entropy;
        self.decisions += other.decisions;
    }

    /// Replaces the gradient by that of these hands.
    #[inline(always)]
    pub(crate) fn collect(
        &mut self,
        [policy, critic]: &[Network; 2],
        hands: &[Hand],
        settings: StepSettings,
        [decision_share, position_share]: [f32; 2],
    ) {
        self.networks.iter_mut().for_each(Network::clear);
        (self.entropy, self.decisions) = (0.0, 0);
        for hand in hands {
            let seats = hand.targets.len() / hand.positions.len().max(1);
            let [_, slope_of_critic] = &mut self.networks;
            critic.add_gradient(
                &hand.positions,
                &mut self.scratch,
                slope_of_critic,
                #[inline(always)]
                |step, hidden, slopes| {
                    for seat in 0..seats {
                        let error = critic.output(hidden, seat) - hand.targets[step * seats + seat];
                        slopes.push((seat, error * position_share));
                    }
                },
            );
            for own in &hand.decisions {
                self.collect_decisions(policy, own, settings, decision_share);
            }
        }
    }

    /// Adds the gradient of the decisions of one seat. It is that of PPO's clipped objective, the
    /// entropy, the divergence from the magnet, and the squared error of the value.
    #[inline(always)]
    fn collect_decisions(
        &mut self,
        policy: &Network,
        own: &Decisions,
        settings: StepSettings,
        share: f32,
    ) {
        let Gradient { networks: [slope_of_policy, _], entropy, decisions, scratch, scores } = self;
        let value = policy.last_bias.len() - 1;
        policy.add_gradient(
            &own.steps,
            scratch,
            slope_of_policy,
            #[inline(always)]
            |step, hidden, slopes| {
                let start = if step == 0 { 0 } else { own.legal_ends[step - 1] };
                let legal = &own.legal[start..own.legal_ends[step]];
                let error = policy.output(hidden, value) - own.values[step];
                slopes.push((value, VALUE * error * share));
                if legal.len() < 2 {
                    return;
                }
                scores.resize(legal.len(), 0.0);
                policy.outputs(hidden, legal, scores);
                probabilities(scores);
                let (chosen, old) = own.chosen[step];
                let (ratio, advantage) = (scores[chosen] / old, own.advantages[step]);
                let is_clipped =
                    if advantage > 0.0 { ratio > 1.0 + CLIP } else { ratio < 1.0 - CLIP };
                let pull = if is_clipped { 0.0 } else { ratio * advantage };
                let log = |share: f32| ln(f64::from(share.max(1e-9))) as f32;
                let mean: f32 = scores.iter().map(|share| share * log(*share)).sum();
                *entropy -= f64::from(mean);
                *decisions += 1;
                let apart = |(share, other): (&f32, &f32)| log(*share) - log(*other);
                let magnet = &own.magnet[start..];
                let divergence: f32 = scores.iter().zip(magnet).map(|it| it.0 * apart(it)).sum();
                for (at, (action, probability)) in legal.iter().zip(&*scores).enumerate() {
                    let was_chosen = if at == chosen { 1.0 } else { 0.0 };
                    let pull_back = settings.entropy * (log(*probability) - mean)
                        + MAGNET * (apart((probability, &magnet[at])) - divergence);
                    let slope = probability * pull_back - pull * (was_chosen - probability);
                    if slope.abs() > NEGLIGIBLE {
                        slopes.push((usize::from(*action), slope * share));
                    }
                }
            },
        );
    }
}
