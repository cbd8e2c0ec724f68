//! Multilayer perceptrons of safetensors files, and their arithmetic.
//!
//! Sums have a fixed order and are never fused with products, so the outputs are equal to the bit on
//! every machine.

use std::sync::Arc;

use safetensors::SafeTensors;

use super::function::{Function, Functions, Memory};
use super::self_taught::{self, tensor};
use parlour_base::error::ensure;
use parlour_base::maths::exp;
use parlour_base::simd::{dispatch, product};

/// Layers with one activation between them.
#[derive(Debug)]
struct Perceptron {
    layers: Vec<LinearLayer>,
    /// `true` for tanh, `false` for ReLU.
    has_tanh: bool,
    ends_in_tanh: bool,
}

/// A fully connected layer.
#[derive(Clone, Debug)]
struct LinearLayer {
    inputs: usize,
    /// A row for each input; in the last layer, which computes only some outputs, for each output.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// Reads a file.
///
/// # Errors
/// A sentence that follows the file's name.
pub(super) fn read(bytes: &[u8]) -> Result<Functions, String> {
    let damaged = |error| format!("it is not a safetensors file, or it is damaged: {error}");
    let (_, header) = SafeTensors::read_metadata(bytes).map_err(damaged)?;
    let file = SafeTensors::deserialize(bytes).map_err(damaged)?;
    let word = |name| header.metadata().as_ref()?.get(name).map(String::as_str);
    let activation = word("activation").unwrap_or("missing");
    ensure(["relu", "tanh"].contains(&activation), || {
        format!("`activation` in its metadata is {activation}; use relu or tanh")
    })?;
    if file.tensor("inputs").is_ok() {
        return self_taught::read(&file);
    }
    let has_tanh = activation == "tanh";
    let network = |prefix: &str, ends_in_tanh| {
        let mut layers: Vec<LinearLayer> = Vec::new();
        for number in 0..1000 {
            let name = format!("{prefix}{number}");
            if file.tensor(&format!("{name}.weight")).is_ok() {
                layers.push(LinearLayer::read(&file, &name, layers.last())?);
            }
        }
        if let Some(last) = layers.last_mut() {
            last.weights = last.transposed();
        }
        Ok::<_, String>(Perceptron { layers, has_tanh, ends_in_tanh })
    };
    let policy = network("", false)?;
    let value = network("value.", word("value") == Some("tanh"))?;
    let layers = [policy.layers.len(), value.layers.len()];
    ensure(layers[0] > 0, || "it has no tensor `0.weight`".to_owned())?;
    ensure(2 * (layers[0] + layers[1]) == file.len(), || {
        "it has tensors beyond `0.weight`, `0.bias`, `value.0.weight` and so on".to_owned()
    })?;
    let value = (layers[1] > 0).then(|| Arc::new(value) as _);
    Ok(Functions { policy: Arc::new(policy), value, critic: None, reads_rules: false })
}

impl LinearLayer {
    /// Reads the tensors `NAME.weight` and `NAME.bias`.
    fn read(
        file: &SafeTensors<'_>,
        name: &str,
        before: Option<&LinearLayer>,
    ) -> Result<LinearLayer, String> {
        let (shape, rows) = tensor(file, &format!("{name}.weight"))?;
        let (bias_shape, bias) = tensor(file, &format!("{name}.bias"))?;
        let inputs = before.map(|before| before.bias.len()).or(shape.last().copied());
        let (inputs, outputs) = (inputs.unwrap_or(0), bias.len());
        ensure(!rows.is_empty() && shape == [outputs, inputs] && bias_shape == [outputs], || {
            let needed = format!("[outputs, {inputs}] and [outputs] are needed");
            format!(
                "`{name}` has weights of shape {shape:?}, a bias of shape {bias_shape:?}; {needed}"
            )
        })?;
        let transposed = |at| rows[at % outputs * inputs + at / outputs];
        Ok(LinearLayer { inputs, weights: (0..rows.len()).map(transposed).collect(), bias })
    }

    /// The weights in rows for each output.
    fn transposed(&self) -> Vec<f32> {
        let (inputs, outputs) = (self.inputs, self.bias.len());
        let weight = |at| self.weights[at % inputs * outputs + at / inputs];
        (0..self.weights.len()).map(weight).collect()
    }
}

impl Function for Perceptron {
    fn sizes(&self) -> [usize; 2] {
        let ends = self.layers.first().zip(self.layers.last());
        ends.map_or([0; 2], |(first, last)| [first.inputs, last.bias.len()])
    }

    fn run(&self, observation: &[u8], wanted: &[u16], memory: &mut Memory) {
        let Memory { outputs, units, active, .. } = memory;
        units.clear();
        units.extend(observation.iter().map(|byte| f32::from(*byte)));
        let Some((last, hidden)) = self.layers.split_last() else { return };
        for LinearLayer { weights, bias, .. } in hidden {
            active.clear();
            active.extend(units.iter().copied().enumerate().filter(|(_, unit)| *unit != 0.0));
            units.clear();
            units.extend_from_slice(bias);
            dispatch(
                #[inline(always)]
                || {
                    for &(input, x) in &*active {
                        let row = &weights[input * bias.len()..];
                        units.iter_mut().zip(row).for_each(|(unit, weight)| *unit += x * weight);
                    }
                    if !self.has_tanh {
                        units.iter_mut().for_each(|unit| *unit = unit.max(0.0));
                    }
                },
            );
            if self.has_tanh {
                units.iter_mut().for_each(|unit| *unit = tanh(*unit));
            }
        }
        outputs.clear();
        outputs.reserve(last.bias.len());
        dispatch(
            #[inline(always)]
            || {
                // `extend` would not be inlined, and so not be compiled for the processor at hand.
                for output in wanted {
                    let output = usize::from(*output);
                    let row = last.weights.get(output * last.inputs..(output + 1) * last.inputs);
                    let bias = last.bias.get(output).copied().unwrap_or(0.0);
                    outputs.push(product(units, row.unwrap_or_default()) + bias);
                }
            },
        );
        if self.ends_in_tanh {
            outputs.iter_mut().for_each(|unit| *unit = tanh(*unit));
        }
    }
}

fn tanh(x: f32) -> f32 {
    (1.0 - 2.0 / (exp(2.0 * f64::from(x)) + 1.0)) as f32
}

#[cfg(test)]
mod tests {
    use safetensors::tensor::TensorView;
    use safetensors::{Dtype, serialize};

    use super::*;
    use parlour_base::chance::{Seed, Stream};

    fn floats(count: usize, chance: &mut Stream) -> Vec<f32> {
        (0..count).map(|_| chance.unit() as f32 - 0.5).collect()
    }

    /// Writes a network with layers of these widths, and returns its numbers.
    fn file(widths: &[usize], activation: &str, chance: &mut Stream) -> (Vec<u8>, Vec<Vec<f32>>) {
        let (mut arrays, mut shapes) = (Vec::new(), Vec::new());
        for (number, pair) in widths.windows(2).enumerate() {
            arrays.extend([floats(pair[0] * pair[1], chance), floats(pair[1], chance)]);
            shapes.push((format!("{}.weight", 2 * number), vec![pair[1], pair[0]]));
            shapes.push((format!("{}.bias", 2 * number), vec![pair[1]]));
        }
        let bytes: Vec<Vec<u8>> = arrays
            .iter()
            .map(|it| it.iter().flat_map(|number| number.to_le_bytes()).collect())
            .collect();
        let tensors = shapes.into_iter().zip(&bytes).map(|((name, shape), bytes)| {
            (name, TensorView::new(Dtype::F32, shape, bytes).unwrap())
        });
        let metadata = [("activation".to_owned(), activation.to_owned())].into();
        (serialize(tensors, Some(metadata)).unwrap(), arrays)
    }

    #[test]
    fn outputs_agree_with_a_slow_reference() {
        let mut chance = Seed::new(1).stream();
        for (widths, activation) in [
            (&[5, 3][..], "relu"),
            (&[187, 256, 306], "relu"),
            (&[40, 33, 70, 9], "tanh"),
            (&[20, 64, 64, 64, 1], "relu"),
        ] {
            let (bytes, arrays) = file(widths, activation, &mut chance);
            let policy = read(&bytes).unwrap().policy;
            let observation: Vec<u8> =
                (0..widths[0]).map(|_| [0, 0, 1, 7][chance.below(4) as usize]).collect();
            let mut units: Vec<f64> = observation.iter().map(|byte| f64::from(*byte)).collect();
            for (number, layer) in arrays.chunks(2).enumerate() {
                if number > 0 {
                    let tanh = |x: f64| 1.0 - 2.0 / (exp(2.0 * x) + 1.0);
                    let apply = |x: f64| if activation == "tanh" { tanh(x) } else { x.max(0.0) };
                    units.iter_mut().for_each(|unit| *unit = apply(*unit));
                }
                let row = |(row, bias): (&[f32], &f32)| {
                    let products = row.iter().zip(&units).map(|(w, x)| f64::from(*w) * x);
                    products.sum::<f64>() + f64::from(*bias)
                };
                units = layer[0].chunks(units.len()).zip(&layer[1]).map(row).collect();
            }
            let mut memory = Memory::default();
            let all: Vec<u16> = (0..policy.sizes()[1] as u16).collect();
            policy.run(&observation, &all, &mut memory);
            assert_eq!(policy.sizes(), [widths[0], units.len()]);
            for (action, expected) in units.iter().enumerate() {
                let output = memory.outputs[action];
                let scale = 1.0 + expected.abs();
                assert!((f64::from(output) - expected).abs() < 1e-4 * scale, "{output} {expected}");
            }
        }
    }

    #[test]
    fn mutated_files_are_read_or_refused() {
        let mut chance = Seed::new(2).stream();
        let (good, _) = file(&[6, 5, 4], "tanh", &mut chance);
        let mut taken = 0;
        for _ in 0..20_000 {
            let mut bytes = good.clone();
            for _ in 0..=chance.below(3) {
                let at = chance.below(bytes.len() as u32) as usize;
                match chance.below(4) {
                    0 => bytes.truncate(at.max(1)),
                    1 => bytes.insert(at, b'0' + chance.below(10) as u8),
                    _ => bytes[at] = chance.below(256) as u8,
                }
            }
            if let Ok(Functions { policy, .. }) = read(&bytes) {
                let all: Vec<u16> = (0..policy.sizes()[1] as u16).collect();
                policy.run(&vec![3; policy.sizes()[0]], &all, &mut Memory::default());
                taken += 1;
            }
        }
        assert!((1000..15_000).contains(&taken), "{taken}");
    }
}
