//! A network of whole numbers with one hidden layer, its file, and its evaluation.
//!
//! A position is a set of active features. Each adds its row of weights to the hidden units; sums of
//! whole numbers are exact in any order, so only changed features need work (as in Nasu 2018,
//! *Efficiently updatable neural-network-based evaluation functions for computer shogi*).

use serde::{Deserialize, Serialize};

use super::detailed_features::{DETAILED_FEATURES, KNOWN_PLAYERS, SeatPlayers, detailed_features};
use super::state_features::{STATE_FEATURES, state_features};
use super::view_features::VIEW_FEATURES;
use crate::{Rules, State};
use parlour_base::error::ensure;
use parlour_base::files::digest;
use parlour_base::maths::exp;

/// Default width of the hidden layer of a network that measures luck.
pub const LUCK_HIDDEN: usize = 64;

/// The width of a hidden layer is a multiple of this number.
pub const WIDTH_STEP: usize = 16;

/// Largest width of a hidden layer.
pub const WIDEST: usize = 256;

/// Number of stages of a hand, each with output weights of its own, in networks that read the state.
pub const STAGES: usize = 8;

/// Cards of the stock in a stage.
const CARDS_PER_STAGE: usize = 12;

/// Parts that make 1 in a weight.
pub const PARTS: f32 = 256.0;

/// Upper limit of a hidden unit in networks that read the state.
pub const CLIP: f32 = 4.0;

/// A share of 1 as [`Evaluator::share`] returns it.
pub const ONE: i64 = 1 << 32;

/// The features that a network reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Features {
    /// The view of a seat after its move.
    View,
    /// Both hands and the stock.
    State,
    /// [`State`](Features::State), and every cell, line and card by itself.
    DetailedState,
}

impl Features {
    /// Number of features.
    pub const fn count(self) -> usize {
        match self {
            Features::View => VIEW_FEATURES,
            Features::State => STATE_FEATURES,
            Features::DetailedState => DETAILED_FEATURES,
        }
    }

    /// Number of stages with output weights of their own.
    pub const fn stages(self) -> usize {
        if matches!(self, Features::View) { 1 } else { STAGES }
    }

    /// Upper limit of a hidden unit.
    pub const fn clip(self) -> f32 {
        if matches!(self, Features::View) { f32::INFINITY } else { CLIP }
    }

    /// Parts that make 1 in the bias of the output.
    pub const fn out_bias_parts(self) -> f32 {
        if matches!(self, Features::View) { PARTS * PARTS } else { PARTS }
    }
}

/// The weights: whole numbers in parts of [`PARTS`], or floats while they are trained.
#[derive(Clone, PartialEq, Debug)]
pub struct Net<T = i16> {
    /// The features that it reads.
    pub features: Features,
    /// Width of the hidden layer.
    pub hidden: usize,
    /// Weights of each feature, one row of `hidden` numbers after the other.
    pub rows: Vec<T>,
    /// Start of the hidden units.
    pub bias: Vec<T>,
    /// Output weights, stage after stage.
    pub out: Vec<T>,
    /// Bias of the output, by stage.
    pub out_bias: Vec<T>,
}

impl<T: Copy + Default> Net<T> {
    /// Creates a network of zeros. `hidden` is a multiple of [`WIDTH_STEP`].
    pub fn zero(features: Features, hidden: usize) -> Net<T> {
        let zeros = |count: usize| vec![T::default(); count];
        Net {
            features,
            hidden,
            rows: zeros(features.count() * hidden),
            bias: zeros(hidden),
            out: zeros(features.stages() * hidden),
            out_bias: zeros(features.stages()),
        }
    }

    /// All weights, in the order of the file.
    pub fn weights(&mut self) -> [&mut Vec<T>; 4] {
        [&mut self.rows, &mut self.bias, &mut self.out, &mut self.out_bias]
    }

    /// The weights of a feature.
    #[inline]
    pub fn row(&self, feature: usize) -> &[T] {
        &self.rows[feature * self.hidden..][..self.hidden]
    }

    /// The output weights of a stage.
    #[inline]
    pub fn at_stage(&self, stage: usize) -> &[T] {
        &self.out[stage * self.hidden..][..self.hidden]
    }

    /// Calls `add` with each active feature of a state, for a network that reads states.
    pub fn for_each_feature(
        &self,
        rules: &Rules,
        state: &State,
        players: SeatPlayers,
        add: &mut impl FnMut(usize),
    ) {
        state_features(rules, state, add);
        if self.features == Features::DetailedState {
            detailed_features(state, players, add);
        }
    }
}

impl Net {
    /// SHA-256 of the weights.
    pub fn digest(&self) -> String {
        let weights = self.rows.iter().chain(&self.bias).chain(&self.out);
        let bytes = weights.flat_map(|weight| weight.to_le_bytes());
        let biases = self.out_bias.iter().flat_map(|bias| i32::from(*bias).to_le_bytes());
        digest(bytes.chain(biases).collect::<Vec<u8>>())
    }

    /// The logit of the chance to win, from the sums of the hidden units.
    #[inline(always)]
    pub fn logit(&self, hidden: &[i16], stage: usize) -> f64 {
        let most = (self.features.clip() * PARTS).min(i16::MAX.into()) as i16;
        let sum = hidden.iter().zip(self.at_stage(stage)).fold(0i32, |sum, (unit, weight)| {
            sum.wrapping_add(i32::from((*unit).clamp(0, most)) * i32::from(*weight))
        });
        let parts = f64::from(PARTS);
        let bias = f64::from(self.out_bias[stage]) / f64::from(self.features.out_bias_parts());
        f64::from(sum) / (parts * parts) + bias
    }

    /// Creates an evaluator, for a network that reads states.
    pub fn evaluator(&self) -> Evaluator<'_> {
        let (change, hidden) = (vec![0; self.features.count()], self.bias.clone());
        Evaluator { net: self, active: Vec::new(), next: Vec::new(), change, hidden }
    }
}

/// The stage of a hand, by the number of cards in the stock.
pub fn stage(state: &State) -> usize {
    (usize::from(state.stock_len) / CARDS_PER_STAGE).min(STAGES - 1)
}

/// Evaluates one state after another; only features that differ are added up.
pub struct Evaluator<'a> {
    net: &'a Net,
    /// Active features of the last state.
    active: Vec<u16>,
    /// Active features of the next state.
    next: Vec<u16>,
    /// By feature: how much more often it is active in the next state.
    change: Vec<i16>,
    /// Sums of the hidden units.
    hidden: Vec<i16>,
}

impl Evaluator<'_> {
    /// Returns the expected share of the win for the seat to move, in parts of [`ONE`].
    pub fn share(&mut self, rules: &Rules, state: &State, players: SeatPlayers) -> i64 {
        let Evaluator { net, active, next, change, hidden } = self;
        next.clear();
        let add = &mut |feature| next.push(feature as u16);
        net.for_each_feature(rules, state, players, add);
        next.iter().for_each(|feature| change[usize::from(*feature)] += 1);
        active.iter().for_each(|feature| change[usize::from(*feature)] -= 1);
        for feature in next.iter().chain(active.iter()) {
            let times = std::mem::take(&mut change[usize::from(*feature)]);
            if times == 0 {
                continue;
            }
            let steps = net.row(usize::from(*feature)).chunks_exact(WIDTH_STEP);
            for (sums, weights) in hidden.chunks_exact_mut(WIDTH_STEP).zip(steps) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = sum.wrapping_add(weight.wrapping_mul(times));
                }
            }
        }
        std::mem::swap(active, next);
        let logit = net.logit(hidden, stage(state));
        (ONE as f64 / (1.0 + exp(-logit))).round() as i64
    }
}

/// Version of the file and of the features: a change of either needs a newly trained network.
const FORMAT: u64 = 1;

/// The first line of a network file; the weights follow as bytes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    format: u64,
    game: String,
    rows: usize,
    hidden: usize,
    /// The only rules that it was trained under; none if it was trained under many.
    rules: Option<Rules>,
    /// The players that it was trained on, if it tells them apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    players: Vec<String>,
    /// The command that trained it.
    taught: String,
}

/// A network with the data of its file.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkFile {
    /// The network.
    pub net: Net,
    /// The only rules that it is for, if any.
    pub rules: Option<Rules>,
    /// Names of the players that it tells apart, at most [`KNOWN_PLAYERS`].
    pub players: Vec<String>,
}

impl NetworkFile {
    /// Returns the bytes of the file. `trained_by` is the command that trained the network.
    pub fn to_bytes(&self, trained_by: &str) -> Vec<u8> {
        let mut net = self.net.clone();
        let header = Header {
            format: FORMAT,
            game: "leopard".to_owned(),
            rows: net.features.count(),
            hidden: net.hidden,
            rules: self.rules.clone(),
            players: self.players.clone(),
            taught: trained_by.to_owned(),
        };
        let mut bytes = parlour_base::files::compact(&header).into_bytes();
        bytes.push(b'\n');
        for weight in net.weights().into_iter().flatten() {
            // Most are small: seven bits a byte, the sign in the lowest.
            let mut word = ((*weight << 1) ^ (*weight >> 15)) as u16;
            while word >= 128 {
                bytes.push(word as u8 | 128);
                word >>= 7;
            }
            bytes.push(word as u8);
        }
        bytes
    }

    /// Reads a network that has one of these sets of features.
    ///
    /// # Errors
    /// A sentence about the file that follows its name.
    pub fn read(file: &[u8], allowed: &[Features]) -> Result<NetworkFile, String> {
        let not = || "it is not a network file; `lab` writes one".to_owned();
        let end = file.iter().take(10_000).position(|byte| *byte == b'\n').ok_or_else(not)?;
        let json: serde_json::Value = serde_json::from_slice(&file[..end]).map_err(|_| not())?;
        let game = json["game"].as_str().filter(|_| !json["format"].is_null()).ok_or_else(not)?;
        ensure(game == "leopard", || format!("it is a network for `{game}`, not for `leopard`"))?;
        let number = |what: &str, key: &str, fits: &dyn Fn(usize) -> bool, known: &str| {
            let found = json[key].as_u64().and_then(|number| usize::try_from(number).ok());
            found.filter(|number| fits(*number)).ok_or_else(|| {
                format!(
                    "its {what} is {}, but this program needs {known}; train the network again with \
                     the `lab` of this program",
                    json[key]
                )
            })
        };
        number("format", "format", &|it| it as u64 == FORMAT, &FORMAT.to_string())?;
        let known: Vec<String> = allowed.iter().map(|it| it.count().to_string()).collect();
        let fits = |count| allowed.iter().find(|features| features.count() == count);
        let rows =
            number("number of features", "rows", &|it| fits(it).is_some(), &known.join(" or "))?;
        let features = *fits(rows).ok_or_else(not)?;
        let known = format!("a multiple of {WIDTH_STEP} up to {WIDEST}");
        let is_width = |it: usize| it > 0 && it <= WIDEST && it.is_multiple_of(WIDTH_STEP);
        let hidden = number("number of hidden units", "hidden", &is_width, &known)?;
        let header: Header = serde_json::from_value(json).map_err(|error| error.to_string())?;
        let count = header.players.len();
        ensure(count <= KNOWN_PLAYERS, || {
            format!("it names {count} players; at most {KNOWN_PLAYERS} are allowed")
        })?;
        ensure(
            count == 0 || features == Features::DetailedState,
            || "it names players, but its features cannot tell them apart",
        )?;
        let mut net = Net::zero(features, hidden);
        let mut bytes = file[end + 1..].iter();
        let mut next = || {
            let mut word = 0;
            for shift in [0, 7, 14] {
                let byte = *bytes.next()?;
                word |= u32::from(byte & 127) << shift;
                if byte < 128 {
                    break;
                }
            }
            let word = u16::try_from(word).ok()?;
            Some((word >> 1) as i16 ^ -((word & 1) as i16))
        };
        for weight in net.weights().into_iter().flatten() {
            *weight = next().ok_or("its weights are cut off or damaged")?;
        }
        ensure(next().is_none(), || "it has more weights than the network needs")?;
        Ok(NetworkFile { net, rules: header.rules, players: header.players })
    }
}
