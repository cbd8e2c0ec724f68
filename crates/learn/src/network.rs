//! A network with one hidden layer, and its gradient over the decisions of a hand.
//!
//! From one decision to the next few inputs change. So the sums of the first layer are updated, as in
//! the networks of chess programs (NNUE), and its gradient is collected the same way backwards. Sums
//! have a fixed order and are never fused with products: equal bits on every machine.

use parlour_base::simd::product;

/// A network with one hidden layer of rectified units.
#[derive(Clone, Debug)]
pub(crate) struct Network {
    pub(crate) units: usize,
    /// A row of units for each input.
    pub(crate) first: Vec<f32>,
    pub(crate) first_bias: Vec<f32>,
    /// A row of units for each output.
    pub(crate) last: Vec<f32>,
    pub(crate) last_bias: Vec<f32>,
}

/// Inputs that change, each with its difference.
pub(crate) type Change = (u32, f32);

/// The inputs of a sequence of positions: what changes from each to the next, the first one from zeros.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    pub(crate) changes: Vec<Change>,
    /// The number of changes up to each position.
    pub(crate) ends: Vec<usize>,
}

impl Steps {
    /// The number of positions.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The changes before a position.
    pub(crate) fn at(&self, step: usize) -> &[Change] {
        let start = if step == 0 { 0 } else { self.ends[step - 1] };
        &self.changes[start..self.ends[step]]
    }
}

/// Adds `scale * row` to `sums`.
#[inline(always)]
pub(crate) fn add_row(sums: &mut [f32], scale: f32, row: &[f32]) {
    sums.iter_mut().zip(row).for_each(|(sum, it)| *sum += scale * it);
}

impl Network {
    /// Creates a network of zeros.
    pub(crate) fn new([inputs, units, outputs]: [usize; 3]) -> Network {
        Network {
            units,
            first: vec![0.0; inputs * units],
            first_bias: vec![0.0; units],
            last: vec![0.0; outputs * units],
            last_bias: vec![0.0; outputs],
        }
    }

    /// Adds the numbers of another network.
    pub(crate) fn add(&mut self, other: &Network) {
        for (sums, row) in [
            (&mut self.first, &other.first),
            (&mut self.first_bias, &other.first_bias),
            (&mut self.last, &other.last),
            (&mut self.last_bias, &other.last_bias),
        ] {
            sums.iter_mut().zip(row).for_each(|(sum, it)| *sum += it);
        }
    }

    /// Sets all numbers to 0.
    pub(crate) fn clear(&mut self) {
        let parts = [&mut self.first, &mut self.first_bias, &mut self.last, &mut self.last_bias];
        parts.into_iter().for_each(|part| part.fill(0.0));
    }

    /// Updates the sums of the first layer.
    #[inline(always)]
    pub(crate) fn update(&self, sums: &mut [f32], changes: &[Change]) {
        for &(input, difference) in changes {
            add_row(sums, difference, &self.first[input as usize * self.units..][..self.units]);
        }
    }

    /// Replaces `hidden` by the units for these sums.
    #[inline(always)]
    pub(crate) fn rectify(sums: &[f32], hidden: &mut [f32]) {
        hidden.iter_mut().zip(sums).for_each(|(unit, sum)| *unit = sum.max(0.0));
    }

    /// An output.
    #[inline(always)]
    pub(crate) fn output(&self, hidden: &[f32], output: usize) -> f32 {
        let row = &self.last[output * self.units..][..self.units];
        product(hidden, row) + self.last_bias[output]
    }

    /// Computes all outputs.
    #[inline(always)]
    pub(crate) fn all_outputs(&self, hidden: &[f32], out: &mut [f32]) {
        for (output, out) in out.iter_mut().enumerate() {
            *out = self.output(hidden, output);
        }
    }

    /// Computes these outputs.
    #[inline(always)]
    pub(crate) fn outputs(&self, hidden: &[f32], wanted: &[u16], out: &mut [f32]) {
        for (output, out) in wanted.iter().zip(out) {
            *out = self.output(hidden, usize::from(*output));
        }
    }

    /// Adds the gradient of a sequence of positions to `gradient`.
    ///
    /// `slopes(step, hidden, list)` gets the hidden units of a position and lists the outputs whose
    /// slope is not 0.
    #[inline(always)]
    pub(crate) fn add_gradient(
        &self,
        steps: &Steps,
        scratch: &mut Vec<f32>,
        gradient: &mut Network,
        mut slopes: impl FnMut(usize, &[f32], &mut Vec<(usize, f32)>),
    ) {
        let units = self.units;
        scratch.clear();
        scratch.resize(units * (steps.len() + 2), 0.0);
        let (sums, rest) = scratch.split_at_mut(units);
        let (back, hidden) = rest.split_at_mut(units);
        sums.copy_from_slice(&self.first_bias);
        for step in 0..steps.len() {
            self.update(sums, steps.at(step));
            Network::rectify(sums, &mut hidden[step * units..][..units]);
        }
        // `back` is the gradient of the sums at this position and all later ones.
        let (slope_of_sums, mut list) = (sums, Vec::new());
        for step in (0..steps.len()).rev() {
            let hidden = &hidden[step * units..][..units];
            list.clear();
            slopes(step, hidden, &mut list);
            if !list.is_empty() {
                slope_of_sums.fill(0.0);
                for &(output, slope) in &list {
                    add_row(slope_of_sums, slope, &self.last[output * units..][..units]);
                    add_row(&mut gradient.last[output * units..][..units], slope, hidden);
                    gradient.last_bias[output] += slope;
                }
                for at in 0..units {
                    back[at] += if hidden[at] > 0.0 { slope_of_sums[at] } else { 0.0 };
                }
            }
            for &(input, difference) in steps.at(step) {
                add_row(&mut gradient.first[input as usize * units..][..units], difference, back);
            }
        }
        add_row(&mut gradient.first_bias, 1.0, back);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    /// A random network, and random steps for it.
    fn example() -> (Network, Steps) {
        let mut chance = Seed::new(3).stream();
        let mut network = Network::new([6, 32, 4]);
        for part in [&mut network.first, &mut network.first_bias, &mut network.last] {
            part.iter_mut().for_each(|it| *it = chance.unit() as f32 - 0.5);
        }
        let mut steps = Steps::default();
        for step in 0..5 {
            let changes = (0..6).filter(|input| (step + input) % 3 == 0);
            steps.changes.extend(changes.map(|input| (input, chance.unit() as f32 - 0.3)));
            steps.ends.push(steps.changes.len());
        }
        (network, steps)
    }

    /// The sum of half the squares of all outputs, with inputs computed afresh for each step.
    fn loss(network: &Network, steps: &Steps) -> f64 {
        let (mut inputs, mut sum) = ([0.0f32; 6], 0.0);
        for step in 0..steps.len() {
            steps.at(step).iter().for_each(|(input, it)| inputs[*input as usize] += it);
            let mut sums = network.first_bias.clone();
            for (input, value) in inputs.iter().enumerate() {
                add_row(
                    &mut sums,
                    *value,
                    &network.first[input * network.units..][..network.units],
                );
            }
            let mut hidden = sums.clone();
            Network::rectify(&sums, &mut hidden);
            sum +=
                (0..4).map(|it| f64::from(network.output(&hidden, it)).powi(2) / 2.0).sum::<f64>();
        }
        sum
    }

    #[test]
    fn the_gradient_agrees_with_differences() {
        let (network, steps) = example();
        let mut gradient = Network::new([6, 32, 4]);
        network.add_gradient(&steps, &mut Vec::new(), &mut gradient, |_, hidden, slopes| {
            slopes.extend((0..4).map(|output| (output, network.output(hidden, output))));
        });
        let mut checked = 0;
        let parts: [fn(&mut Network) -> &mut Vec<f32>; 4] = [
            |it| &mut it.first,
            |it| &mut it.first_bias,
            |it| &mut it.last,
            |it| &mut it.last_bias,
        ];
        for part in parts {
            for at in (0..part(&mut gradient).len()).step_by(5) {
                let moved = |by: f32| {
                    let mut moved = network.clone();
                    part(&mut moved)[at] += by;
                    loss(&moved, &steps)
                };
                let difference = (moved(1e-3) - moved(-1e-3)) / 2e-3;
                let slope = f64::from(part(&mut gradient)[at]);
                assert!(
                    (slope - difference).abs() < 0.02 * (1.0 + slope.abs()),
                    "{slope} {difference}"
                );
                checked += 1;
            }
        }
        assert!(checked > 60, "{checked}");
    }
}
