//! Trained networks as strategies: their files, and their play.
//!
//! A network reads the [encoded](Encoded) observation of the seat to move and gives a score to each
//! action. It may also estimate the result, for searches.

mod function;
#[cfg(feature = "onnx")]
mod onnx;
mod perceptron;

use std::cell::RefCell;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::function::{Function, Units};
use crate::{Encoded, Plane, Policy};
use parlour_base::chance::Stream;
use parlour_base::error::ensure;
use parlour_base::files::{digest, read_bytes};

/// The fields of a strategy file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NetworkFields {
    /// Path of the network (`.safetensors` or `.onnx`), relative to this file or to the current folder.
    file: String,
    /// The expected SHA-256 of the network; manifests have it.
    sha256: Option<String>,
}

/// A strategy that plays the legal action with the highest score of a network, ties to the lowest
/// action.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(try_from = "NetworkFields")]
#[schemars(with = "NetworkFields")]
pub struct Network {
    #[serde(flatten)]
    fields: NetworkFields,
    #[serde(skip)]
    policy: Arc<dyn Function>,
    /// The expected result, from -1 to 1, of the seat to move.
    #[serde(skip)]
    value: Option<Arc<dyn Function>>,
}

thread_local! {
    /// Memory that a thread uses again for each move: an observation, a mask and units.
    static BUFFERS: RefCell<(Vec<u8>, Vec<u64>, Units)> = RefCell::default();
}

/// Runs a function on an encoded view. `read` gets its outputs and memory for a mask.
fn run<G: Encoded, T>(
    function: &dyn Function,
    game: &G,
    view: &G::View,
    read: impl FnOnce(&[f32], &mut Vec<u64>) -> T,
) -> T {
    BUFFERS.with_borrow_mut(|(observation, mask, units)| {
        observation.resize(function.sizes()[0], 0);
        game.observe(view, observation);
        function.run(observation, units);
        read(&units.0, mask)
    })
}

impl PartialEq for Network {
    fn eq(&self, other: &Network) -> bool {
        self.fields == other.fields
    }
}

impl TryFrom<NetworkFields> for Network {
    type Error = String;

    fn try_from(mut fields: NetworkFields) -> Result<Network, String> {
        let path = &fields.file;
        let known = fields.sha256.as_ref();
        let known = known.map_or_else(String::new, |known| format!("; its SHA-256 was {known}"));
        let bytes = read_bytes(path.as_ref()).map_err(|error| format!("{error}{known}"))?;
        let digest = digest(&bytes);
        ensure(fields.sha256.as_ref().is_none_or(|expected| *expected == digest), || {
            format!("{path} has changed: its SHA-256 is {digest}{known}")
        })?;
        let read = if path.ends_with(".onnx") { read_onnx } else { perceptron::read };
        let (policy, value) = read(&bytes).map_err(|fault| format!("{path}: {fault}"))?;
        let value_sizes = [policy.sizes()[0], 1];
        ensure(value.as_ref().is_none_or(|value| value.sizes() == value_sizes), || {
            format!("{path}: its value must have {} inputs and 1 output", value_sizes[0])
        })?;
        fields.sha256 = Some(digest);
        Ok(Network { fields, policy, value })
    }
}

#[cfg(feature = "onnx")]
use onnx::read as read_onnx;

#[cfg(not(feature = "onnx"))]
fn read_onnx(_: &[u8]) -> Result<function::Functions, String> {
    let other = "or save the network by `parlour.save_network`";
    Err(format!("this program cannot read ONNX; build it with `--features onnx`, {other}"))
}

impl<G: Encoded> Policy<G> for Network {
    fn check(&self, game: &G) -> Result<(), String> {
        let [inputs, outputs] = self.policy.sizes();
        let numbers: usize = game.planes().iter().map(Plane::count).sum();
        let actions: usize = game.actions().iter().map(|group| group.count).sum();
        ensure([inputs, outputs] == [numbers, actions], || {
            format!(
                "{}: the network has {inputs} inputs and {outputs} actions; under these rules an \
                 observation has {numbers} numbers, and there are {actions} actions",
                self.fields.file
            )
        })
    }

    fn pick(&self, game: &G, view: &G::View, rng: &mut Stream) -> G::Move {
        let best = run(&*self.policy, game, view, |scores, mask| {
            mask.resize(scores.len().div_ceil(64), 0);
            game.legal(view, mask);
            let legal = |action: &usize| mask[action / 64] >> (action % 64) & 1 == 1;
            let better = |best, action| if scores[action] > scores[best] { action } else { best };
            (0..scores.len()).filter(legal).reduce(better)
        });
        let mv = best.and_then(|action| game.move_of(action));
        mv.unwrap_or_else(|| game.sample_view(view, rng))
    }

    fn score_moves(&self, game: &G, view: &G::View, moves: &[G::Move], out: &mut Vec<f32>) -> bool {
        out.clear();
        run(&*self.policy, game, view, |scores, _| {
            let score = |mv: &G::Move| scores.get(game.action_of(*mv)?);
            out.extend(moves.iter().filter_map(score));
        });
        out.len() == moves.len()
    }

    fn estimates_wins(&self) -> bool {
        self.value.is_some()
    }

    fn judges_own_turn(&self) -> bool {
        true
    }

    fn win_probability(&self, game: &G, view: &G::View) -> Option<f32> {
        let value = run(&**self.value.as_ref()?, game, view, |outputs, _| outputs.first().copied());
        Some((0.5 + 0.5 * value?).clamp(0.0, 1.0)).filter(|chance| !chance.is_nan())
    }
}
