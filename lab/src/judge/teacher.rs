//! The judge's network in floats, and Adam (Kingma and Ba 2015) to teach it.

use parlour::chance::Stream;
use parlour::games::leopard::judge::{HIDDEN, Layer, MOST, Net, PARTS};

use super::lessons::Lesson;
use crate::lessons::sigmoid;

/// A network before it is rounded.
pub type Floats = Net<f32>;

/// Small random numbers.
pub fn fresh(chance: &mut Stream) -> Floats {
    let mut small = |scale: f32| scale * (2.0 * chance.unit() as f32 - 1.0);
    let mut net = Floats::zero();
    net.rows.iter_mut().flatten().for_each(|w| *w = small(0.08));
    net.bias.iter_mut().for_each(|w| *w = 0.1 + small(0.1));
    let first: Layer<f32> = std::array::from_fn(|_| small(0.3));
    net.out.fill(first);
    net
}

fn changed<A: Copy, B: Copy>(net: &Net<A>, change: impl Fn(A) -> B) -> Net<B> {
    let layer = |layer: &Layer<A>| layer.map(&change);
    Net {
        rows: net.rows.iter().map(layer).collect(),
        bias: layer(&net.bias),
        out: net.out.each_ref().map(layer),
        out_bias: net.out_bias.map(&change),
    }
}

/// A judge's network in floats.
pub fn of(net: &Net) -> Floats {
    changed(net, |w| f32::from(w) / PARTS)
}

/// Rounded to what a file holds.
pub fn rounded(net: &Floats) -> Net {
    changed(net, |w| (w * PARTS).round().clamp(-8000.0, 8000.0) as i16)
}

fn hidden(net: &Floats, rows: &[u16]) -> Layer<f32> {
    let mut sum = net.bias;
    for &row in rows {
        for (sum, w) in sum.iter_mut().zip(&net.rows[usize::from(row)]) {
            *sum += w;
        }
    }
    sum
}

/// A network with the sums that Adam keeps.
pub struct Teacher {
    pub net: Floats,
    slope: Floats,
    mean: Floats,
    square: Floats,
    steps: i32,
}

impl Teacher {
    pub fn new(net: Floats) -> Teacher {
        let zero = Floats::zero();
        Teacher { net, slope: zero.clone(), mean: zero.clone(), square: zero, steps: 0 }
    }

    /// One step on these lessons, by the slope of the cross entropy; returns the mean squared
    /// error before it.
    pub fn teach(&mut self, lessons: &[Lesson], rate: f32) -> f32 {
        let mut loss = 0.0;
        for Lesson { rows, stage, target } in lessons {
            let (hidden, out) = (hidden(&self.net, rows), &self.net.out[*stage]);
            let said = hidden.iter().zip(out).map(|(h, w)| h.clamp(0.0, MOST) * w);
            let error = sigmoid(said.fold(self.net.out_bias[*stage], |sum, x| sum + x)) - target;
            loss += error * error;
            let mut back = [0.0; HIDDEN];
            for (unit, &height) in hidden.iter().enumerate() {
                self.slope.out[*stage][unit] += error * height.clamp(0.0, MOST);
                if height > 0.0 && height < MOST {
                    back[unit] = error * out[unit];
                }
            }
            self.slope.out_bias[*stage] += error;
            let rows = rows.iter().map(|row| usize::from(*row));
            let add =
                |slope: &mut Layer<f32>| slope.iter_mut().zip(&back).for_each(|(s, b)| *s += b);
            rows.for_each(|row| add(&mut self.slope.rows[row]));
            add(&mut self.slope.bias);
        }
        self.step(1.0 / lessons.len() as f32, rate);
        loss / lessons.len() as f32
    }

    fn step(&mut self, share: f32, rate: f32) {
        self.steps += 1;
        let (keep_mean, keep_square) = (0.9f32, 0.999f32);
        let mean_part = rate / (1.0 - keep_mean.powi(self.steps));
        let square_part = 1.0 / (1.0 - keep_square.powi(self.steps));
        let step = |w: &mut [f32], slope: &mut [f32], mean: &mut [f32], square: &mut [f32]| {
            for (((w, slope), mean), square) in w.iter_mut().zip(slope).zip(mean).zip(square) {
                let g = *slope * share;
                *slope = 0.0;
                *mean = keep_mean * *mean + (1.0 - keep_mean) * g;
                *square = keep_square * *square + (1.0 - keep_square) * g * g;
                *w -= mean_part * *mean / ((*square * square_part).sqrt() + 1e-8);
            }
        };
        let (net, net_rest) = self.net.layers();
        let (slope, slope_rest) = self.slope.layers();
        let (mean, mean_rest) = self.mean.layers();
        let (square, square_rest) = self.square.layers();
        for (((net, slope), mean), square) in net.zip(slope).zip(mean).zip(square) {
            step(net, slope, mean, square);
        }
        step(net_rest, slope_rest, mean_rest, square_rest);
    }
}
