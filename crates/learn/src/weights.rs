//! The free numbers of a network, and their updates.

use std::sync::Arc;

use safetensors::tensor::TensorView;
use safetensors::{Dtype, SafeTensorError, SafeTensors, serialize};
use serde::{Deserialize, Serialize};

use crate::group::Group;
use crate::network::Network;
use parlour_base::chance::Stream;
use parlour_base::error::{Error, Result, ensure};

/// The length to which longer gradients are cut.
const MAX_SLOPE: f32 = 5.0;

/// The numbers of a file are averaged over about this part of all updates, the last ones.
const AVERAGED: f32 = 1.0 / 20.0;

/// The free numbers of a network with one hidden layer.
///
/// A filter stands for as many hidden units as there are symmetries: each unit is the filter seen
/// through one of them. The network then gives the same answer in symmetric positions, and learns
/// from one what holds for all (Cohen and Welling 2016).
#[derive(Clone, Debug)]
pub(crate) struct Weights {
    group: Arc<Group>,
    filters: usize,
    inputs: usize,
    outputs: usize,
    pub(crate) state: WeightState,
}

/// The part that changes in training.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct WeightState {
    /// Filters by input, biases of filters, filters by output, biases of outputs.
    numbers: Vec<f32>,
    /// Their mean over the last updates, which varies less than they do (Polyak and Juditsky 1992).
    average: Vec<f32>,
    /// Means of gradients and of their squares.
    means: [Vec<f32>; 2],
    /// The number of updates.
    updates: u32,
}

impl Weights {
    /// Creates random numbers.
    pub(crate) fn new(
        group: Arc<Group>,
        filters: usize,
        [inputs, outputs]: [usize; 2],
        chance: &mut Stream,
    ) -> Weights {
        let units = group.len() * filters;
        // The sum of 3 uniform numbers is nearly normal.
        let mut normal = |scale: f64| {
            let sum: f64 = (0..3).map(|_| 2.0 * chance.unit() - 1.0).sum();
            (scale * sum) as f32
        };
        // About a third of the inputs is not 0.
        let (first, last) = ((6.0 / inputs as f64).sqrt(), 0.1 * (1.0 / units as f64).sqrt());
        let mut numbers: Vec<f32> = (0..inputs * filters).map(|_| normal(first)).collect();
        numbers.resize(numbers.len() + filters, 0.0);
        numbers.extend((0..outputs * filters).map(|_| normal(last)));
        numbers.resize(numbers.len() + outputs, 0.0);
        let means = [vec![0.0; numbers.len()], vec![0.0; numbers.len()]];
        let state = WeightState { average: numbers.clone(), numbers, means, updates: 0 };
        Weights { group, filters, inputs, outputs, state }
    }

    /// Returns the tensors of the network. `scales` are those of the inputs; the rest has scale 1.
    fn tensors(&self, prefix: &str, scales: &[f32]) -> Vec<Tensor> {
        let Weights { group, filters, inputs, outputs, state } = self;
        let (first, rest) = state.average.split_at(inputs * filters);
        let (first_bias, rest) = rest.split_at(*filters);
        let (last, last_bias) = rest.split_at(outputs * filters);
        let scale = |input: usize| scales.get(input).copied().unwrap_or(1.0);
        let rows = |at: usize| first[at % inputs * filters + at / inputs] * scale(at % inputs);
        let first: Vec<f32> = (0..first.len()).map(rows).collect();
        let last_bias: Vec<f32> =
            (0..*outputs).map(|output| last_bias[group.first_output(output)]).collect();
        let tensor = |name: &str, shape: Vec<usize>, row: &[f32]| Tensor {
            name: format!("{prefix}{name}"),
            dtype: Dtype::F32,
            shape,
            bytes: row.iter().flat_map(|it| it.to_le_bytes()).collect(),
        };
        vec![
            tensor("0.weight", vec![*filters, *inputs], &first),
            tensor("0.bias", vec![*filters], first_bias),
            tensor("2.weight", vec![*outputs, *filters], last),
            tensor("2.bias", vec![*outputs], &last_bias),
        ]
    }

    /// Returns the tables of symmetries.
    fn tables(&self) -> [Tensor; 2] {
        let Weights { group, inputs, outputs, .. } = self;
        let table = |name: &str, count: usize, before: &dyn Fn(usize, usize) -> usize| {
            let one = |at: usize| (before(at / count, at % count) as u16).to_le_bytes();
            let bytes = (0..group.len() * count).flat_map(one).collect();
            Tensor {
                name: name.to_owned(),
                dtype: Dtype::U16,
                shape: vec![group.len(), count],
                bytes,
            }
        };
        [
            table("inputs", *inputs, &|element, input| group.input_before(element, input)),
            table("outputs", *outputs, &|element, output| group.output_before(element, output)),
        ]
    }

    /// Returns the weights of the same shape with another state.
    pub(crate) fn with(&self, state: WeightState) -> Weights {
        Weights { state, ..self.clone() }
    }

    /// Replaces the numbers by those of a [`file`]. Filters that it lacks stay random, and change no output
    /// at first.
    ///
    /// # Errors
    /// A sentence that follows the file's name, if it has another shape.
    pub(crate) fn read(
        &mut self,
        tensors: &SafeTensors<'_>,
        prefix: &str,
        scales: &[f32],
    ) -> std::result::Result<(), String> {
        let Weights { filters, inputs, outputs, .. } = *self;
        let tensor = |name: &str| {
            let tensor = tensors.tensor(&format!("{prefix}{name}")).map_err(damaged)?;
            let numbers = tensor.data().as_chunks().0.iter().map(|it| f32::from_le_bytes(*it));
            Ok::<_, String>((tensor.shape().to_vec(), numbers.collect::<Vec<f32>>()))
        };
        let [first, first_bias] = [tensor("0.weight")?, tensor("0.bias")?];
        let [last, last_bias] = [tensor("2.weight")?, tensor("2.bias")?];
        let known = first_bias.1.len();
        let fits = first.0 == [known, inputs] && last.0 == [outputs, known];
        ensure(fits && last_bias.1.len() == outputs, || {
            format!(
                "`{prefix}0.weight` and `{prefix}2.weight` have the shapes {:?} and {:?}; learning \
                 under these rules needs [n, {inputs}] and [{outputs}, n]",
                first.0, last.0
            )
        })?;
        ensure(known <= filters, || {
            let units = known * self.group.len();
            format!("it has {units} hidden units; give at least as many `--units`")
        })?;
        let (biases, lasts) = (inputs * filters, (inputs + 1) * filters);
        let numbers = &mut self.state.numbers;
        numbers[lasts..].fill(0.0);
        for filter in 0..known {
            for input in 0..inputs {
                let scale = scales.get(input).copied().unwrap_or(1.0);
                numbers[input * filters + filter] = first.1[filter * inputs + input] / scale;
            }
            numbers[biases + filter] = first_bias.1[filter];
            for output in 0..outputs {
                numbers[lasts + output * filters + filter] = last.1[output * known + filter];
            }
        }
        numbers[lasts + outputs * filters..].copy_from_slice(&last_bias.1);
        self.state.average.clone_from(numbers);
        Ok(())
    }

    /// The number of hidden units, a multiple of 32.
    fn units(&self) -> usize {
        (self.group.len() * self.filters).next_multiple_of(32)
    }

    /// Calls a function with each number of the network, by its place, and the free number that it equals.
    fn each(&self, mut tie: impl FnMut(Part, usize, usize)) {
        let Weights { group, filters, inputs, outputs, .. } = self;
        let (units, biases) = (self.units(), inputs * filters);
        let (last, last_biases) = (biases + filters, biases + filters + outputs * filters);
        for element in 0..group.len() {
            for input in 0..*inputs {
                let from = group.input_before(element, input) * filters;
                for filter in 0..*filters {
                    tie(Part::First, input * units + element * filters + filter, from + filter);
                }
            }
            for filter in 0..*filters {
                tie(Part::FirstBias, element * filters + filter, biases + filter);
            }
            for output in 0..*outputs {
                let from = last + group.output_before(element, output) * filters;
                for filter in 0..*filters {
                    tie(Part::Last, output * units + element * filters + filter, from + filter);
                }
            }
        }
        for output in 0..*outputs {
            tie(Part::LastBias, output, last_biases + group.first_output(output));
        }
    }

    /// Writes the numbers into a network.
    pub(crate) fn write(&self, network: &mut Network) {
        self.each(|part, place, number| part.of(network)[place] = self.state.numbers[number]);
    }

    /// Creates the network.
    pub(crate) fn network(&self) -> Network {
        let mut network = Network::new([self.inputs, self.units(), self.outputs]);
        self.write(&mut network);
        network
    }

    /// Makes a step against the gradient (Adam: Kingma and Ba 2015).
    pub(crate) fn step(&mut self, gradient: &mut Network, rate: f32) {
        let mut slope = vec![0.0; self.state.numbers.len()];
        self.each(|part, place, number| slope[number] += part.of(gradient)[place]);
        let length = slope.iter().map(|it| it * it).sum::<f32>().sqrt();
        let scale = if length > MAX_SLOPE { MAX_SLOPE / length } else { 1.0 };
        let state = &mut self.state;
        state.updates += 1;
        let unbiased = |decay: f32| 1.0 - decay.powi(state.updates.min(100_000) as i32);
        let rate = rate * unbiased(0.999).sqrt() / unbiased(0.9);
        let WeightState { numbers, average, means: [means, squares], updates } = state;
        let share = 1.0 / (1.0 + AVERAGED * *updates as f32);
        let all = numbers.iter_mut().zip(average).zip(&slope).zip(means).zip(squares);
        for ((((number, average), slope), mean), square) in all {
            let slope = slope * scale;
            *mean += 0.1 * (slope - *mean);
            *square += 0.001 * (slope * slope - *square);
            *number -= rate * *mean / (square.sqrt() + 1e-8);
            *average += share * (*number - *average);
        }
    }
}

/// A tensor of a file.
struct Tensor {
    name: String,
    dtype: Dtype,
    shape: Vec<usize>,
    bytes: Vec<u8>,
}

/// Returns a policy and its critic as a file. `scales` are those of an observation's numbers.
///
/// # Errors
/// If it cannot be encoded.
pub(crate) fn file(
    [policy, critic]: &[Weights; 2],
    seats: usize,
    scales: &[f32],
) -> Result<Vec<u8>> {
    let mut tensors = policy.tensors("", scales);
    tensors.extend(critic.tensors("critic.", &scales.repeat(seats)));
    tensors.extend(policy.tables());
    let broken = |error| Error::failed(format!("the network cannot be written: {error}"));
    let views = tensors.iter().map(|Tensor { name, dtype, shape, bytes }| {
        Ok((name, TensorView::new(*dtype, shape.clone(), bytes).map_err(broken)?))
    });
    let views = views.collect::<Result<Vec<_>>>()?;
    // One entry: more would stand in any order.
    let metadata = [("activation".to_owned(), "relu".to_owned())].into();
    serialize(views, Some(metadata)).map_err(broken)
}

/// Says that a file is no network of `learn`.
pub(crate) fn damaged(error: SafeTensorError) -> String {
    format!("it is not a network that `learn` wrote: {error}")
}

/// One of the arrays of a network.
#[derive(Clone, Copy)]
enum Part {
    First,
    FirstBias,
    Last,
    LastBias,
}

impl Part {
    fn of(self, network: &mut Network) -> &mut [f32] {
        match self {
            Part::First => &mut network.first,
            Part::FirstBias => &mut network.first_bias,
            Part::Last => &mut network.last,
            Part::LastBias => &mut network.last_bias,
        }
    }
}
