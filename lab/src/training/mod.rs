//! Training of Leopard's networks: examples of positions, and Adam (Kingma and Ba 2015).

pub mod luck_hands;
pub mod luck_network;
mod symmetry;
pub mod value_network;

use parlour::chance::Stream;
use parlour::games::leopard::network::{Features, Net, PARTS};
use rayon::prelude::*;

/// A network before it is rounded.
pub type FloatNet = Net<f32>;

/// A position by its active features and its stage, and the share of the win that it led to.
pub struct Example {
    pub features: Vec<u16>,
    pub stage: usize,
    pub target: f32,
}

/// Weights that one thread changes at a time.
const CHUNK: usize = 1 << 14;

pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Creates a network of small random weights.
pub fn random_net(features: Features, hidden: usize, chance: &mut Stream) -> FloatNet {
    let mut small = |scale: f32| scale * (2.0 * chance.unit() as f32 - 1.0);
    let (row, bias) = if features == Features::View { (0.1, 0.0) } else { (0.08, 0.1) };
    let mut net = FloatNet::zero(features, hidden);
    net.rows.iter_mut().for_each(|w| *w = small(row));
    net.bias.iter_mut().for_each(|w| *w = bias + small(0.1));
    let first: Vec<f32> = (0..hidden).map(|_| small(0.3)).collect();
    net.out = first.repeat(features.stages());
    net
}

fn converted<A: Copy, B: Copy>(
    net: &Net<A>,
    weight: impl Fn(A) -> B,
    out_bias: impl Fn(A) -> B,
) -> Net<B> {
    let all = |weights: &[A]| weights.iter().map(|it| weight(*it)).collect();
    Net {
        features: net.features,
        hidden: net.hidden,
        rows: all(&net.rows),
        bias: all(&net.bias),
        out: all(&net.out),
        out_bias: net.out_bias.iter().map(|it| out_bias(*it)).collect(),
    }
}

/// Converts a network to floats.
pub fn to_floats(net: &Net) -> FloatNet {
    let bias_parts = net.features.out_bias_parts();
    converted(net, |w| f32::from(w) / PARTS, |w| f32::from(w) / bias_parts)
}

/// Rounds a network to the whole numbers of its file.
pub fn to_whole_numbers(net: &FloatNet) -> Net {
    let most = if net.features == Features::View { 2000.0 } else { 8000.0 };
    let bias_parts = net.features.out_bias_parts();
    let weight = |w: f32| (w * PARTS).round().clamp(-most, most) as i16;
    converted(net, weight, |w| (w * bias_parts).round().clamp(-32000.0, 32000.0) as i16)
}

/// The sums of the hidden units.
fn hidden(net: &FloatNet, features: &[u16]) -> Vec<f32> {
    let mut sums = net.bias.clone();
    for &feature in features {
        for (sum, w) in sums.iter_mut().zip(net.row(feature.into())) {
            *sum += w;
        }
    }
    sums
}

/// The share of the win, from the hidden units.
fn output(net: &FloatNet, hidden: &[f32], stage: usize) -> f32 {
    let clip = net.features.clip();
    let products = hidden.iter().zip(net.at_stage(stage)).map(|(h, w)| h.clamp(0.0, clip) * w);
    sigmoid(products.fold(net.out_bias[stage], |sum, x| sum + x))
}

/// The share of the win in a position.
pub fn estimate(net: &FloatNet, features: &[u16], stage: usize) -> f32 {
    output(net, &hidden(net, features), stage)
}

/// A network and the moments that Adam keeps.
pub struct Trainer {
    pub net: FloatNet,
    gradient: FloatNet,
    mean: FloatNet,
    square: FloatNet,
    steps: i32,
}

impl Trainer {
    pub fn new(net: FloatNet) -> Trainer {
        let zero = FloatNet::zero(net.features, net.hidden);
        Trainer { net, gradient: zero.clone(), mean: zero.clone(), square: zero, steps: 0 }
    }

    /// Takes one step on these examples, by the gradient of the cross entropy. Returns the mean
    /// squared error before the step.
    pub fn train(&mut self, examples: &[Example], rate: f32) -> f32 {
        let (width, mut loss) = (self.net.hidden, 0.0);
        let clip = self.net.features.clip();
        let mut back = vec![0.0; width];
        for Example { features, stage, target } in examples {
            let (hidden, out) = (hidden(&self.net, features), self.net.at_stage(*stage));
            let error = output(&self.net, &hidden, *stage) - target;
            loss += error * error;
            let gradients = &mut self.gradient.out[stage * width..][..width];
            let units = hidden.iter().zip(out).zip(gradients).zip(&mut back);
            for (((&height, weight), gradient), back) in units {
                *gradient += error * height.clamp(0.0, clip);
                *back = if height > 0.0 && height < clip { error * weight } else { 0.0 };
            }
            self.gradient.out_bias[*stage] += error;
            let add = |sum: &mut [f32]| sum.iter_mut().zip(&back).for_each(|(s, b)| *s += b);
            for feature in features {
                add(&mut self.gradient.rows[usize::from(*feature) * width..][..width]);
            }
            add(&mut self.gradient.bias);
        }
        self.step(1.0 / examples.len() as f32, rate);
        loss / examples.len() as f32
    }

    fn step(&mut self, share: f32, rate: f32) {
        self.steps += 1;
        let (keep_mean, keep_square) = (0.9f32, 0.999f32);
        let mean_part = rate / (1.0 - keep_mean.powi(self.steps));
        let square_part = 1.0 / (1.0 - keep_square.powi(self.steps));
        let step = |w: &mut [f32], gradient: &mut [f32], mean: &mut [f32], square: &mut [f32]| {
            for (((w, gradient), mean), square) in w.iter_mut().zip(gradient).zip(mean).zip(square)
            {
                let g = *gradient * share;
                *gradient = 0.0;
                *mean = keep_mean * *mean + (1.0 - keep_mean) * g;
                *square = keep_square * *square + (1.0 - keep_square) * g * g;
                *w -= mean_part * *mean / ((*square * square_part).sqrt() + 1e-8);
            }
        };
        let (gradient, mean) = (self.gradient.weights(), self.mean.weights());
        let sums = gradient.into_iter().zip(mean).zip(self.square.weights());
        for (net, ((gradient, mean), square)) in self.net.weights().into_iter().zip(sums) {
            let sums = gradient.par_chunks_mut(CHUNK).zip(mean.par_chunks_mut(CHUNK));
            let sums = sums.zip(square.par_chunks_mut(CHUNK));
            let all = net.par_chunks_mut(CHUNK).zip(sums);
            all.for_each(|(net, ((gradient, mean), square))| step(net, gradient, mean, square));
        }
    }
}
