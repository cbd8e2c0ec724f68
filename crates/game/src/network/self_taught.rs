//! Networks that `parlour learn` wrote: one hidden layer, seen through all symmetries of a game.
//!
//! The first layer sums integers, so a sum that is updated by what a move changes equals a fresh one
//! (as in the networks of chess programs, NNUE: Nasu 2018). The last layer has a fixed order of sums.

use std::sync::Arc;

use safetensors::{Dtype, SafeTensors};

use super::function::{Function, Functions, Memory, Slot};
use parlour_base::error::ensure;
use parlour_base::simd::{dispatch, product};

/// The largest number of hidden units.
const MAX_UNITS: usize = 1 << 16;

/// The number of observations whose sums a thread keeps.
const SLOTS: usize = 8;

/// A network with one hidden layer of rectified units.
#[derive(Debug)]
struct Integers {
    units: usize,
    /// A row of units for each input, times a power of 2.
    first: Vec<i16>,
    first_bias: Vec<i32>,
    /// A row of units for each output, divided by this power.
    last: Vec<f32>,
    last_bias: Vec<f32>,
    /// Tells networks apart.
    identity: Arc<()>,
}

/// Some outputs of a network, from `start` on.
#[derive(Debug)]
struct Outputs {
    network: Arc<Integers>,
    start: u16,
    count: usize,
}

/// Reads a file with tables of symmetries, which say for each the place before it of every input and
/// output. The policy's last output is its value.
///
/// # Errors
/// A sentence that follows the file's name.
pub(super) fn read(file: &SafeTensors<'_>) -> Result<Functions, String> {
    let [inputs, outputs] = ["inputs", "outputs"].map(|name| places(file, name));
    let (inputs, outputs) = (inputs?, outputs?);
    ensure(file.len() == 10, || "it is not a network of `parlour learn`".to_owned())?;
    let policy = Arc::new(Integers::read(file, "", &inputs, &outputs)?);
    let (count, numbers) = (policy.last_bias.len(), inputs[0].len());
    ensure(count > 1, || "it has no actions".to_owned())?;
    let width = |name| Some(*file.tensor(name).ok()?.shape().last()?);
    let sizes = width("critic.0.weight").zip(width("critic.2.bias"));
    let (all, seats) = sizes.filter(|(_, seats)| *seats > 0).ok_or("its critic is damaged")?;
    // The observation of each seat, then the rules.
    let own = if seats == 1 { numbers } else { all.saturating_sub(numbers) / (seats - 1) };
    let fits = own <= numbers && seats * own + (numbers - own) == all;
    ensure(fits, || "its critic does not fit its policy".to_owned())?;
    let of_all = |before: &Vec<usize>| -> Vec<usize> {
        let block = |seat: usize| before[..own].iter().map(move |at| seat * own + at);
        let rules = before[own..].iter().map(|at| (seats - 1) * own + at);
        (0..seats).flat_map(block).chain(rules).collect()
    };
    let inputs: Vec<Vec<usize>> = inputs.iter().map(of_all).collect();
    let outputs = vec![(0..seats).collect(); inputs.len()];
    let critic = Arc::new(Integers::read(file, "critic.", &inputs, &outputs)?);
    let part = |network: &Arc<Integers>, start: usize, count: usize| {
        Arc::new(Outputs { network: network.clone(), start: start as u16, count }) as Arc<_>
    };
    Ok(Functions {
        policy: part(&policy, 0, count - 1),
        value: Some(part(&policy, count - 1, 1)),
        critic: Some(part(&critic, 0, seats)),
        reads_rules: true,
    })
}

/// Returns a table of places: a row for each symmetry.
fn places(file: &SafeTensors<'_>, name: &str) -> Result<Vec<Vec<usize>>, String> {
    let tensor = file.tensor(name).ok().filter(|tensor| tensor.dtype() == Dtype::U16);
    let tensor = tensor.filter(|it| it.shape().len() == 2 && it.shape().iter().all(|it| *it > 0));
    let tensor = tensor.ok_or_else(|| format!("it has no table `{name}`"))?;
    let numbers = tensor.data().as_chunks::<2>().0.iter().map(|it| u16::from_le_bytes(*it).into());
    let numbers: Vec<usize> = numbers.collect();
    Ok(numbers.chunks(tensor.shape()[1]).map(<[usize]>::to_vec).collect())
}

/// Returns the shape and the numbers of a tensor.
pub(super) fn tensor(file: &SafeTensors<'_>, name: &str) -> Result<(Vec<usize>, Vec<f32>), String> {
    let tensor = file.tensor(name).map_err(|_| format!("it has no tensor `{name}`"))?;
    let dtype = tensor.dtype();
    ensure(dtype == Dtype::F32, || format!("`{name}` has the type {dtype}; save it as F32"))?;
    let numbers = tensor.data().as_chunks::<4>().0.iter();
    let numbers: Vec<f32> = numbers.map(|bytes| f32::from_le_bytes(*bytes)).collect();
    ensure(numbers.iter().all(|number| number.is_finite()), || {
        format!("`{name}` has numbers that are infinite or not a number")
    })?;
    Ok((tensor.shape().to_vec(), numbers))
}

impl Integers {
    /// Reads the filters, and makes a unit of each for each symmetry.
    fn read(
        file: &SafeTensors<'_>,
        prefix: &str,
        inputs: &[Vec<usize>],
        outputs: &[Vec<usize>],
    ) -> Result<Integers, String> {
        let read = |name: &str| tensor(file, &format!("{prefix}{name}"));
        let [first, first_bias] = [read("0.weight")?, read("0.bias")?];
        let [last, last_bias] = [read("2.weight")?, read("2.bias")?];
        let filters = first_bias.1.len();
        let counts = [inputs[0].len(), outputs[0].len()];
        let units = (filters * inputs.len()).next_multiple_of(32);
        let fits = first.0 == [filters, counts[0]]
            && last.0 == [counts[1], filters]
            && last_bias.1.len() == counts[1]
            && inputs.len() == outputs.len()
            && (1..=MAX_UNITS).contains(&units)
            && [(inputs, counts[0]), (outputs, counts[1])].iter().all(|(table, count)| {
                table.iter().all(|row| row.len() == *count && row.iter().all(|at| at < count))
            });
        ensure(fits, || {
            format!("the tables of symmetries do not fit `{prefix}0` and `{prefix}2`")
        })?;
        let all = [&first.1, &first_bias.1, &last.1, &last_bias.1];
        ensure(all.iter().all(|part| part.iter().all(|it| it.abs() < 1e6)), || {
            "its numbers are too large, or damaged".to_owned()
        })?;
        // The largest power of 2 that keeps all weights in range.
        let largest = first.1.iter().fold(1e-3f32, |most, it| most.max(it.abs()));
        let fits = |power: &f32| largest * power < f32::from(i16::MAX);
        let power = (0..31).map(|bits| (1u32 << bits) as f32).take_while(fits).last();
        let power = power.unwrap_or(1.0);
        let mut network = Integers {
            units,
            first: vec![0; counts[0] * units],
            first_bias: vec![0; units],
            last: vec![0.0; counts[1] * units],
            last_bias: last_bias.1,
            identity: Arc::new(()),
        };
        for (element, (inputs, outputs)) in inputs.iter().zip(outputs).enumerate() {
            for filter in 0..filters {
                let unit = element * filters + filter;
                network.first_bias[unit] = (first_bias.1[filter] * power).round() as i32;
                for (input, before) in inputs.iter().enumerate() {
                    let weight = first.1[filter * counts[0] + before] * power;
                    network.first[input * units + unit] = weight.round() as i16;
                }
                for (output, before) in outputs.iter().enumerate() {
                    network.last[output * units + unit] = last.1[before * filters + filter] / power;
                }
            }
        }
        Ok(network)
    }

    /// Computes these outputs.
    #[inline(always)]
    fn run(&self, observation: &[u8], wanted: impl Iterator<Item = usize>, memory: &mut Memory) {
        let Memory { outputs, units: hidden, slots, .. } = memory;
        let distance = |seen: &[u8]| seen.iter().zip(observation).filter(|(a, b)| a != b).count();
        let nearest = slots
            .iter()
            .enumerate()
            .filter(|(_, slot)| Arc::ptr_eq(&slot.identity, &self.identity))
            .map(|(at, slot)| (distance(&slot.seen), at))
            .min()
            .filter(|(count, _)| *count < observation.iter().filter(|it| **it != 0).count());
        // The slot used last is the last one.
        let mut slot = match nearest {
            Some((_, at)) => slots.remove(at),
            None => {
                let oldest = (slots.len() == SLOTS).then(|| slots.remove(0));
                let (mut seen, mut sums) =
                    oldest.map_or_else(Default::default, |slot| (slot.seen, slot.sums));
                seen.clear();
                seen.resize(observation.len(), 0);
                sums.clone_from(&self.first_bias);
                Slot { identity: self.identity.clone(), seen, sums }
            }
        };
        for (input, (before, after)) in slot.seen.iter_mut().zip(observation).enumerate() {
            if before != after {
                let change = i32::from(*after) - i32::from(*before);
                *before = *after;
                let row = &self.first[input * self.units..][..self.units];
                slot.sums.iter_mut().zip(row).for_each(|(sum, weight)| {
                    *sum = sum.wrapping_add(change.wrapping_mul(i32::from(*weight)));
                });
            }
        }
        hidden.resize(self.units, 0.0);
        hidden.iter_mut().zip(&slot.sums).for_each(|(unit, sum)| *unit = (*sum).max(0) as f32);
        slots.push(slot);
        outputs.clear();
        outputs.reserve(self.last_bias.len());
        // `extend` would not be inlined, and so not be compiled for the processor at hand.
        for output in wanted {
            let row = &self.last[output * self.units..][..self.units];
            outputs.push(product(hidden, row) + self.last_bias[output]);
        }
    }
}

impl Function for Outputs {
    fn sizes(&self) -> [usize; 2] {
        [self.network.first.len() / self.network.units, self.count]
    }

    fn run(&self, observation: &[u8], wanted: &[u16], memory: &mut Memory) {
        let wanted = wanted.iter().map(|output| usize::from(self.start + output));
        dispatch(
            #[inline(always)]
            || self.network.run(observation, wanted, memory),
        );
    }
}
