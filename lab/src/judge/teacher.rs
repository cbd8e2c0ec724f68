//! The judge's network in floats, and Adam (Kingma and Ba 2015) to teach it.

use parlour::chance::Stream;
use parlour::games::leopard::judge::{MOST, Net, PARTS, STAGES};
use rayon::prelude::*;

use super::lessons::Lesson;
use crate::lessons::sigmoid;

/// A network before it is rounded.
pub type Floats = Net<f32>;

/// So many numbers are changed by one thread at a time.
const SHARE: usize = 1 << 14;

/// Small random numbers.
pub fn fresh(hidden: usize, detailed: bool, chance: &mut Stream) -> Floats {
    let mut small = |scale: f32| scale * (2.0 * chance.unit() as f32 - 1.0);
    let mut net = Floats::zero(hidden, detailed);
    net.rows.iter_mut().for_each(|w| *w = small(0.08));
    net.bias.iter_mut().for_each(|w| *w = 0.1 + small(0.1));
    let first: Vec<f32> = (0..hidden).map(|_| small(0.3)).collect();
    net.out = first.repeat(STAGES);
    net
}

fn changed<A: Copy, B: Copy>(net: &Net<A>, change: impl Fn(A) -> B) -> Net<B> {
    let all = |numbers: &[A]| numbers.iter().map(|number| change(*number)).collect();
    Net {
        hidden: net.hidden,
        detailed: net.detailed,
        rows: all(&net.rows),
        bias: all(&net.bias),
        out: all(&net.out),
        out_bias: all(&net.out_bias),
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

/// What the hidden units come to.
fn hidden(net: &Floats, rows: &[u16]) -> Vec<f32> {
    let mut sums = net.bias.clone();
    for &row in rows {
        for (sum, w) in sums.iter_mut().zip(net.row(row.into())) {
            *sum += w;
        }
    }
    sums
}

/// What they say, as a share of the win.
fn share(net: &Floats, hidden: &[f32], stage: usize) -> f32 {
    let said = hidden.iter().zip(net.at_stage(stage)).map(|(h, w)| h.clamp(0.0, MOST) * w);
    sigmoid(said.fold(net.out_bias[stage], |sum, x| sum + x))
}

/// What a network says of a position that is told by these rows.
pub fn said(net: &Floats, rows: &[u16], stage: usize) -> f32 {
    share(net, &hidden(net, rows), stage)
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
        let zero = Floats::zero(net.hidden, net.detailed);
        Teacher { net, slope: zero.clone(), mean: zero.clone(), square: zero, steps: 0 }
    }

    /// One step on these lessons, by the slope of the cross entropy; returns the mean squared
    /// error before it.
    pub fn teach(&mut self, lessons: &[Lesson], rate: f32) -> f32 {
        let (width, mut loss) = (self.net.hidden, 0.0);
        let mut back = vec![0.0; width];
        for Lesson { rows, stage, target } in lessons {
            let (hidden, out) = (hidden(&self.net, rows), self.net.at_stage(*stage));
            let error = share(&self.net, &hidden, *stage) - target;
            loss += error * error;
            let slopes = &mut self.slope.out[stage * width..][..width];
            let units = hidden.iter().zip(out).zip(slopes).zip(&mut back);
            for (((&height, weight), slope), back) in units {
                *slope += error * height.clamp(0.0, MOST);
                *back = if height > 0.0 && height < MOST { error * weight } else { 0.0 };
            }
            self.slope.out_bias[*stage] += error;
            let add = |slope: &mut [f32]| slope.iter_mut().zip(&back).for_each(|(s, b)| *s += b);
            for row in rows {
                add(&mut self.slope.rows[usize::from(*row) * width..][..width]);
            }
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
        let sums = self.slope.parts().into_iter().zip(self.mean.parts()).zip(self.square.parts());
        for (net, ((slope, mean), square)) in self.net.parts().into_iter().zip(sums) {
            let sums = slope.par_chunks_mut(SHARE).zip(mean.par_chunks_mut(SHARE));
            let sums = sums.zip(square.par_chunks_mut(SHARE));
            let all = net.par_chunks_mut(SHARE).zip(sums);
            all.for_each(|(net, ((slope, mean), square))| step(net, slope, mean, square));
        }
    }
}
