//! The judge's network, of whole numbers, and the file that it stands in.

use serde::{Deserialize, Serialize};

use super::rows::{ROWS, rows};
use crate::games::leopard::{Rules, State};
use crate::maths::exp;

/// How wide the hidden layer is.
pub const HIDDEN: usize = 64;

/// The output has weights of its own for each so many cards of the stock.
const CARDS: usize = 12;

/// How many such outputs there are.
pub const STAGES: usize = 8;

/// So many parts make 1.
pub const PARTS: f32 = 256.0;

/// No hidden unit counts for more than this.
pub const MOST: f32 = 4.0;

/// An estimate of 1, as [`Net::share`] gives it.
pub(super) const WHOLE: i64 = 1 << 32;

/// One number for each hidden unit.
pub type Layer<T = i16> = [T; HIDDEN];

/// The weights; in a file whole numbers in parts of [`PARTS`], while they are taught floats.
#[derive(Clone, PartialEq, Debug)]
pub struct Net<T = i16> {
    /// What each row adds to the hidden units.
    pub rows: Vec<Layer<T>>,
    /// What the hidden units start from.
    pub bias: Layer<T>,
    /// What each unit between 0 and [`MOST`] says at each stage.
    pub out: [Layer<T>; STAGES],
    /// What is added to that.
    pub out_bias: [T; STAGES],
}

impl<T: Copy + Default> Net<T> {
    /// All numbers 0.
    pub fn zero() -> Net<T> {
        let layer = [T::default(); HIDDEN];
        let out_bias = [T::default(); STAGES];
        Net { rows: vec![layer; ROWS], bias: layer, out: [layer; STAGES], out_bias }
    }

    /// All layers, and the numbers that are in none, in the order of the file.
    pub fn layers(&mut self) -> (impl Iterator<Item = &mut Layer<T>>, &mut [T; STAGES]) {
        let Net { rows, bias, out, out_bias } = self;
        (rows.iter_mut().chain([bias]).chain(out), out_bias)
    }

    /// All numbers in the order of the file.
    fn numbers(&mut self) -> impl Iterator<Item = &mut T> {
        let (layers, rest) = self.layers();
        layers.flatten().chain(rest)
    }
}

/// The stage of a position by the cards in its stock.
pub fn stage(state: &State) -> usize {
    (usize::from(state.stock_len) / CARDS).min(STAGES - 1)
}

impl Net {
    /// The share of the win that the seat whose turn it is is thought to get, in parts of [`WHOLE`].
    pub(super) fn share(&self, rules: &Rules, state: &State) -> i64 {
        let mut hidden = self.bias;
        rows(rules, state, &mut |row| {
            for (sum, weight) in hidden.iter_mut().zip(&self.rows[row]) {
                *sum = sum.wrapping_add(*weight);
            }
        });
        let stage = stage(state);
        let most = (MOST * PARTS) as i16;
        let products = hidden.iter().zip(&self.out[stage]);
        let sum: i32 = products.map(|(h, w)| i32::from((*h).clamp(0, most)) * i32::from(*w)).sum();
        let parts = f64::from(PARTS);
        let logit = f64::from(sum) / (parts * parts) + f64::from(self.out_bias[stage]) / parts;
        (WHOLE as f64 / (1.0 + exp(-logit))).round() as i64
    }
}

/// The version of the file and of the rows: a change of either needs a judge taught anew.
const FORMAT: u64 = 1;

/// The first line of a judge file; the numbers follow as bytes.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    format: u64,
    game: String,
    rows: usize,
    hidden: usize,
    /// The rules that it was taught under alone; none where it was taught under many.
    rules: Option<Rules>,
    /// The command that taught it.
    taught: String,
}

impl Net {
    /// The bytes of a judge file, with the rules that the judge is for, if it is for one set alone,
    /// and the command that taught it.
    pub fn file(&self, rules: Option<&Rules>, taught: &str) -> Vec<u8> {
        let head = Head {
            format: FORMAT,
            game: "leopard".to_owned(),
            rows: ROWS,
            hidden: HIDDEN,
            rules: rules.cloned(),
            taught: taught.to_owned(),
        };
        let mut bytes = crate::files::compact(&head).into_bytes();
        bytes.push(b'\n');
        for number in self.clone().numbers() {
            // Most are small: seven bits a byte, the sign in the lowest.
            let mut word = ((*number << 1) ^ (*number >> 15)) as u16;
            while word >= 128 {
                bytes.push(word as u8 | 128);
                word >>= 7;
            }
            bytes.push(word as u8);
        }
        bytes
    }

    /// Reads a judge file: the network, and the rules that it is for, if it is for one set alone.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence that follows its name.
    pub fn read(file: &[u8]) -> Result<(Net, Option<Rules>), String> {
        let not = || "it is no judge file: `lab teach-judge` writes one".to_owned();
        let end = file.iter().take(10_000).position(|byte| *byte == b'\n').ok_or_else(not)?;
        let peek: serde_json::Value = serde_json::from_slice(&file[..end]).map_err(|_| not())?;
        let game = peek["game"].as_str().ok_or_else(not)?;
        if game != "leopard" {
            return Err(format!("it judges `{game}`, not `leopard`"));
        }
        let version = |what: &str, is: &serde_json::Value, known: u64| match is.as_u64() {
            Some(number) if number == known => Ok(()),
            _ => Err(format!(
                "its {what} is {is}, this program's is {known}: teach the judge again with this \
                 program's `lab teach-judge`"
            )),
        };
        version("format", &peek["format"], FORMAT)?;
        version("number of rows", &peek["rows"], ROWS as u64)?;
        version("number of hidden units", &peek["hidden"], HIDDEN as u64)?;
        let head: Head = serde_json::from_value(peek).map_err(|error| error.to_string())?;
        let mut net = Net::zero();
        let mut bytes = file[end + 1..].iter();
        let mut next = || {
            let (mut word, mut shift) = (0u32, 0);
            loop {
                let byte = *bytes.next()?;
                word |= u32::from(byte & 127) << shift;
                shift += 7;
                if byte < 128 || shift > 14 {
                    break;
                }
            }
            let word = u16::try_from(word).ok()?;
            Some((word >> 1) as i16 ^ -((word & 1) as i16))
        };
        for number in net.numbers() {
            *number = next().ok_or("its numbers are cut off or damaged")?;
        }
        match next() {
            None => Ok((net, head.rules)),
            Some(_) => Err("there are more numbers in it than a judge has".to_owned()),
        }
    }
}
