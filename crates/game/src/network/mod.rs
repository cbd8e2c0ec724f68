//! Trained networks as strategies: their files, and their play.
//!
//! A network reads the [encoded](Encoded) observation of the seat to move and gives a score to each
//! action. It may also estimate the result, for searches.

mod function;
#[cfg(feature = "onnx")]
mod onnx;
mod perceptron;

use std::cell::RefCell;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::function::{Function, Functions, Units};
use crate::encoded::actions_in;
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
    functions: Functions,
}

#[derive(Default)]
struct Buffers {
    observation: Vec<u8>,
    mask: Vec<u64>,
    wanted: Vec<u16>,
    units: Units,
}

thread_local! {
    /// Memory that a thread uses again for each move.
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

impl Network {
    /// Runs a function on an encoded view. `want` lists the wanted outputs and gets memory for a
    /// mask; `read` gets the outputs with their numbers.
    fn run<G: Encoded, T>(
        &self,
        function: &dyn Function,
        game: &G,
        view: &G::View,
        want: impl FnOnce(&mut Vec<u16>, &mut Vec<u64>),
        read: impl FnOnce(&[u16], &[f32]) -> T,
    ) -> T {
        BUFFERS.with_borrow_mut(|Buffers { observation, mask, wanted, units }| {
            observation.resize(function.sizes()[0], 0);
            let rules = if self.functions.reads_rules { G::RULE_NUMBERS } else { 0 };
            let numbers = observation.len().saturating_sub(rules);
            let (numbers, rules) = observation.split_at_mut(numbers);
            game.observe(view, numbers);
            if !rules.is_empty() {
                game.observe_rules(rules);
            }
            wanted.clear();
            want(wanted, mask);
            function.run(observation, wanted, units);
            read(wanted, &units.0)
        })
    }
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
        let functions = read(&bytes).map_err(|fault| format!("{path}: {fault}"))?;
        let value_sizes = [functions.policy.sizes()[0], 1];
        ensure(functions.value.as_ref().is_none_or(|value| value.sizes() == value_sizes), || {
            format!("{path}: its value must have {} inputs and 1 output", value_sizes[0])
        })?;
        fields.sha256 = Some(digest);
        Ok(Network { fields, functions })
    }
}

#[cfg(feature = "onnx")]
use onnx::read as read_onnx;

#[cfg(not(feature = "onnx"))]
fn read_onnx(_: &[u8]) -> Result<Functions, String> {
    let other = "or save the network by `parlour.save_network`";
    Err(format!("this program cannot read ONNX; build it with `--features onnx`, {other}"))
}

impl<G: Encoded> Policy<G> for Network {
    fn check(&self, game: &G) -> Result<(), String> {
        let [inputs, outputs] = self.functions.policy.sizes();
        let numbers: usize = game.planes().iter().map(Plane::count).sum();
        let rules = if self.functions.reads_rules { G::RULE_NUMBERS } else { 0 };
        let actions: usize = game.actions().iter().map(|group| group.count).sum();
        ensure([inputs, outputs] == [numbers + rules, actions], || {
            format!(
                "{}: the network has {inputs} inputs and {outputs} actions; under these rules an \
                 observation has {numbers} numbers, and there are {actions} actions",
                self.fields.file
            )
        })
    }

    fn pick(&self, game: &G, view: &G::View, rng: &mut Stream) -> G::Move {
        let policy = &*self.functions.policy;
        let legal = |out: &mut Vec<u16>, mask: &mut Vec<u64>| {
            mask.resize(policy.sizes()[1].div_ceil(64), 0);
            game.legal(view, mask);
            out.extend(actions_in(mask));
        };
        let best = self.run(policy, game, view, legal, |actions, scores| {
            let better = |best, at| if scores[at] > scores[best] { at } else { best };
            (0..scores.len()).reduce(better).map(|at| usize::from(actions[at]))
        });
        let mv = best.and_then(|action| game.move_of(action));
        mv.unwrap_or_else(|| game.sample_view(view, rng))
    }

    fn score_moves(&self, game: &G, view: &G::View, moves: &[G::Move], out: &mut Vec<f32>) -> bool {
        out.clear();
        let policy = &*self.functions.policy;
        let action = |mv: &G::Move| Some(game.action_of(*mv)? as u16);
        let want = |out: &mut Vec<u16>, _: &mut _| out.extend(moves.iter().filter_map(action));
        self.run(policy, game, view, want, |_, scores| out.extend_from_slice(scores));
        out.len() == moves.len()
    }

    fn estimates_wins(&self) -> bool {
        self.functions.value.is_some()
    }

    fn judges_own_turn(&self) -> bool {
        true
    }

    fn win_probability(&self, game: &G, view: &G::View) -> Option<f32> {
        let function = &**self.functions.value.as_ref()?;
        let value = self.run(
            function,
            game,
            view,
            |out, _| out.push(0),
            |_, outputs| outputs.first().copied(),
        );
        Some((0.5 + 0.5 * value?).clamp(0.0, 1.0)).filter(|chance| !chance.is_nan())
    }
}
