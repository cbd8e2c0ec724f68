//! Trained networks as strategies: their files, and their play.
//!
//! A network reads the [encoded](Encoded) observation of the seat to move and gives a score to each
//! action. It may also estimate the result, for searches and to judge luck.

mod function;
#[cfg(feature = "onnx")]
mod onnx;
mod perceptron;
mod self_taught;

use std::borrow::Borrow;
use std::cell::RefCell;
use std::iter::once;
use std::path::Path;
use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use self::function::{Function, Functions, Memory};
use crate::encoded::actions_in;
use crate::{Encoded, Plane, Policy, Seat, Turn};
use parlour_base::chance::Stream;
use parlour_base::error::{Error, ensure};
use parlour_base::files::{Library, digest, read_bytes};
use parlour_base::maths::ln;

/// The fields of a strategy file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct NetworkFields {
    /// Path of the network (`.safetensors` or `.onnx`), relative to this file or to the current folder.
    file: String,
    /// The expected SHA-256 of the network; manifests have it.
    sha256: Option<String>,
    /// Draws each action by its probability, as in learning. So it cannot be foreseen.
    #[serde(default, skip_serializing_if = "is_false")]
    mixed: bool,
}

fn is_false(mixed: &bool) -> bool {
    !mixed
}

/// A strategy that plays the legal action with the highest score of a network, ties to the lowest
/// action, or draws it.
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
    memory: Memory,
}

thread_local! {
    /// Memory that a thread uses again for each move.
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

impl Network {
    /// Runs a function on encoded views, one after another. `want` lists the wanted outputs and gets
    /// memory for a mask; `read` gets the outputs with their numbers.
    fn run<G: Encoded, T>(
        &self,
        function: &dyn Function,
        game: &G,
        views: impl ExactSizeIterator<Item = impl Borrow<G::View>>,
        want: impl FnOnce(&mut Vec<u16>, &mut Vec<u64>),
        read: impl FnOnce(&[u16], &[f32]) -> T,
    ) -> T {
        BUFFERS.with_borrow_mut(|Buffers { observation, mask, wanted, memory }| {
            observation.clear();
            observation.resize(function.sizes()[0], 0);
            let rules = if self.functions.reads_rules { G::RULE_NUMBERS } else { 0 };
            let numbers = observation.len().saturating_sub(rules);
            let (numbers, rules) = observation.split_at_mut(numbers);
            let own = (numbers.len() / views.len().max(1)).max(1);
            for (view, numbers) in views.zip(numbers.chunks_mut(own)) {
                game.observe(view.borrow(), numbers);
            }
            if !rules.is_empty() {
                game.observe_rules(rules);
            }
            wanted.clear();
            want(wanted, mask);
            function.run(observation, wanted, memory);
            read(wanted, &memory.outputs)
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
        let bytes = read_network(path).map_err(|error| format!("{error}{known}"))?;
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

/// Reads the file of a network, or one that is built in.
///
/// # Errors
/// If there is none, or it cannot be read.
pub fn read_network(path: &str) -> Result<Vec<u8>, Error> {
    match Library::network(path) {
        Some(bytes) if !Path::new(path).exists() => Ok(bytes.to_vec()),
        _ => read_bytes(path.as_ref()),
    }
}

/// Returns the path of the copy of a network in the bundle of a run.
pub fn network_copy(file: &str, sha256: &str) -> String {
    let ending = if file.ends_with(".onnx") { "onnx" } else { "safetensors" };
    format!("inputs/{sha256}.{ending}")
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
        let [numbers, actions, rules] = if self.functions.reads_rules {
            let [numbers, actions] = game.full_sizes();
            [numbers, actions, G::RULE_NUMBERS]
        } else {
            let actions = game.actions().iter().map(|group| group.count).sum();
            [game.planes().iter().map(Plane::count).sum(), actions, 0]
        };
        ensure([inputs, outputs] == [numbers + rules, actions], || {
            format!(
                "{}: the network has {inputs} inputs and {outputs} actions; under these rules an \
                 observation has {numbers} numbers, and there are {actions} actions",
                self.fields.file
            )
        })?;
        let (seats, critic) = (game.seats(), self.functions.critic.as_ref());
        let fits = |it: &Arc<dyn Function>| it.sizes() == [seats * numbers + rules, seats];
        ensure(critic.is_none_or(fits), || {
            format!("{}: the network judges hands of other seats than {seats}", self.fields.file)
        })
    }

    fn pick(&self, game: &G, view: &G::View, rng: &mut Stream) -> G::Move {
        let policy = &*self.functions.policy;
        let legal = |out: &mut Vec<u16>, mask: &mut Vec<u64>| {
            mask.resize(policy.sizes()[1].div_ceil(64), 0);
            game.legal(view, mask);
            out.extend(actions_in(mask));
        };
        let best = self.run(policy, game, once(view), legal, |actions, scores| {
            // The highest sum of a score and Gumbel noise is drawn by the scores' probabilities.
            let mut noise = || if self.fields.mixed { -ln(-ln(rng.unit().max(1e-9))) } else { 0.0 };
            let noisy = scores.iter().map(|score| f64::from(*score) + noise()).zip(actions);
            let best = noisy.reduce(|best, other| if other.0 > best.0 { other } else { best });
            best.map(|(_, action)| usize::from(*action))
        });
        let mv = best.and_then(|action| game.move_of(action));
        mv.unwrap_or_else(|| game.sample_view(view, rng))
    }

    fn score_moves(&self, game: &G, view: &G::View, moves: &[G::Move], out: &mut Vec<f32>) -> bool {
        out.clear();
        let policy = &*self.functions.policy;
        let action = |mv: &G::Move| Some(game.action_of(*mv)? as u16);
        let want = |out: &mut Vec<u16>, _: &mut _| out.extend(moves.iter().filter_map(action));
        self.run(policy, game, once(view), want, |_, scores| out.extend_from_slice(scores));
        out.len() == moves.len()
    }

    fn estimates_wins(&self) -> bool {
        self.functions.value.is_some()
    }

    fn win_share(&self, game: &G, state: &G::State, seat: Seat) -> Option<f32> {
        let (seats, Turn::Seat(to_move)) = (game.seats(), game.turn(state)) else { return None };
        let only = |_: &[u16], outputs: &[f32]| outputs.first().copied();
        let result = if let Some(critic) = &self.functions.critic {
            let views = (0..seats as u8).map(|seat| game.view(state, Seat(seat)));
            self.run(&**critic, game, views, |out, _| out.push(seat.0.into()), only)?
        } else {
            let value = self.functions.value.as_ref().filter(|_| seats == 2 || seat == to_move)?;
            let view = game.view(state, to_move);
            let result = self.run(&**value, game, once(view), |out, _| out.push(0), only)?;
            if seat == to_move { result } else { -result }
        };
        // The only winner has 1; the mean over the seats is 0.
        let share = (result * (seats as f32 - 1.0) + 1.0) / seats as f32;
        Some(share.clamp(0.0, 1.0)).filter(|share| !share.is_nan())
    }
}
