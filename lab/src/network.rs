//! The network in numbers that can be taught, and Adam (Kingma and Ba 2015) to teach it.

use parlour::chance::Stream;
use parlour::games::leopard::bots::{HIDDEN, Net, PARTS, ROWS};

use crate::lessons::{Lesson, sigmoid};

type Layer = [f32; HIDDEN];

/// A network before it is rounded.
#[derive(Clone)]
pub struct Floats {
    bias: Layer,
    rows: Vec<Layer>,
    out: Layer,
    out_bias: f32,
}

impl Floats {
    fn zero() -> Floats {
        let layer = [0.0; HIDDEN];
        Floats { bias: layer, rows: vec![layer; ROWS], out: layer, out_bias: 0.0 }
    }

    /// Small random numbers.
    pub fn fresh(chance: &mut Stream) -> Floats {
        let mut fresh = Floats::zero();
        let mut small = |scale: f32| scale * (2.0 * chance.unit() as f32 - 1.0);
        fresh.rows.iter_mut().flatten().for_each(|w| *w = small(0.1));
        fresh.bias.iter_mut().for_each(|w| *w = small(0.1));
        fresh.out.iter_mut().for_each(|w| *w = small(0.3));
        fresh
    }

    pub fn of(net: &Net) -> Floats {
        let layer = |layer: &[i16; HIDDEN]| layer.map(|w| f32::from(w) / PARTS);
        Floats {
            bias: layer(&net.bias),
            rows: net.rows.iter().map(layer).collect(),
            out: layer(&net.out),
            out_bias: net.out_bias as f32 / (PARTS * PARTS),
        }
    }

    /// Rounded to what a strategy file holds.
    pub fn net(&self) -> Net {
        let layer = |layer: &Layer| layer.map(|w| (w * PARTS).round().clamp(-2e3, 2e3) as i16);
        Net {
            bias: layer(&self.bias),
            rows: self.rows.iter().map(layer).collect(),
            out: layer(&self.out),
            out_bias: (self.out_bias * PARTS * PARTS).round() as i32,
        }
    }

    fn hidden(&self, rows: &[u16]) -> Layer {
        let mut sum = self.bias;
        for &row in rows {
            for (sum, w) in sum.iter_mut().zip(&self.rows[usize::from(row)]) {
                *sum += w;
            }
        }
        sum
    }

    fn logit(&self, hidden: &Layer) -> f32 {
        hidden.iter().zip(&self.out).fold(self.out_bias, |sum, (h, w)| sum + h.max(0.0) * w)
    }

    /// All numbers, in an order that is the same for all networks.
    fn all(&mut self) -> impl Iterator<Item = &mut f32> {
        let rows = self.rows.iter_mut().flatten();
        rows.chain(&mut self.bias).chain(&mut self.out).chain(std::iter::once(&mut self.out_bias))
    }
}

/// A network with the sums that Adam keeps.
pub struct Teacher {
    pub floats: Floats,
    slope: Floats,
    mean: Floats,
    square: Floats,
    steps: i32,
}

impl Teacher {
    pub fn new(floats: Floats) -> Teacher {
        let zero = Floats::zero();
        Teacher { floats, slope: zero.clone(), mean: zero.clone(), square: zero, steps: 0 }
    }

    /// One step on these lessons, by the slope of the cross entropy; returns the mean squared
    /// error before it.
    pub fn teach(&mut self, lessons: &[Lesson], rate: f32) -> f32 {
        let mut loss = 0.0;
        for Lesson { rows, target } in lessons {
            let hidden = self.floats.hidden(rows);
            let error = sigmoid(self.floats.logit(&hidden)) - target;
            loss += error * error;
            self.slope.out_bias += error;
            let mut back = [0.0; HIDDEN];
            for (unit, &height) in hidden.iter().enumerate() {
                if height > 0.0 {
                    self.slope.out[unit] += error * height;
                    back[unit] = error * self.floats.out[unit];
                    self.slope.bias[unit] += back[unit];
                }
            }
            for &row in rows {
                for (slope, back) in self.slope.rows[usize::from(row)].iter_mut().zip(&back) {
                    *slope += back;
                }
            }
        }
        self.step(1.0 / lessons.len() as f32, rate);
        loss / lessons.len() as f32
    }

    fn step(&mut self, share: f32, rate: f32) {
        self.steps += 1;
        let (keep_mean, keep_square) = (0.9f32, 0.999f32);
        let mean_part = 1.0 / (1.0 - keep_mean.powi(self.steps));
        let square_part = 1.0 / (1.0 - keep_square.powi(self.steps));
        let slopes = self.slope.all().zip(self.mean.all()).zip(self.square.all());
        for (w, ((slope, mean), square)) in self.floats.all().zip(slopes) {
            let g = *slope * share;
            *slope = 0.0;
            *mean = keep_mean * *mean + (1.0 - keep_mean) * g;
            *square = keep_square * *square + (1.0 - keep_square) * g * g;
            *w -= rate * *mean * mean_part / ((*square * square_part).sqrt() + 1e-8);
        }
    }
}
