//! The judge's network, of whole numbers, and the file that it stands in.

use serde::{Deserialize, Serialize};

use super::detail::{DETAILED, PLAYERS, Sitting, Symmetry, detail};
use super::rows::{ROWS, rows};
use crate::maths::exp;
use crate::{Rules, State};

/// How wide the hidden layer is where nothing else is said.
pub const HIDDEN: usize = 64;

/// The width of a hidden layer is a multiple of this many units, and at most [`WIDEST`].
pub const STEP: usize = 16;

/// The widest hidden layer.
pub const WIDEST: usize = 256;

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

/// The weights; in a file whole numbers in parts of [`PARTS`], while they are taught floats.
#[derive(Clone, PartialEq, Debug)]
pub struct Net<T = i16> {
    /// How wide the hidden layer is.
    pub hidden: usize,
    /// Whether it is told every cell, line and card by itself, too.
    pub detailed: bool,
    /// What each row adds to the hidden units, row after row.
    pub rows: Vec<T>,
    /// What the hidden units start from.
    pub bias: Vec<T>,
    /// What each unit between 0 and [`MOST`] says, stage after stage.
    pub out: Vec<T>,
    /// What is added to that.
    pub out_bias: Vec<T>,
}

impl<T: Copy + Default> Net<T> {
    /// All numbers 0. `hidden` is a multiple of [`STEP`].
    pub fn zero(hidden: usize, detailed: bool) -> Net<T> {
        let rows = if detailed { DETAILED } else { ROWS };
        let zeros = |count: usize| vec![T::default(); count];
        Net {
            hidden,
            detailed,
            rows: zeros(rows * hidden),
            bias: zeros(hidden),
            out: zeros(STAGES * hidden),
            out_bias: zeros(STAGES),
        }
    }

    /// All numbers in the order of the file: those of the rows, where the hidden units start, what
    /// they say, and what is added to that.
    pub fn parts(&mut self) -> [&mut Vec<T>; 4] {
        [&mut self.rows, &mut self.bias, &mut self.out, &mut self.out_bias]
    }

    /// What a row adds to the hidden units.
    #[inline]
    pub fn row(&self, row: usize) -> &[T] {
        &self.rows[row * self.hidden..][..self.hidden]
    }

    /// What the hidden units say at a stage.
    #[inline]
    pub fn at_stage(&self, stage: usize) -> &[T] {
        &self.out[stage * self.hidden..][..self.hidden]
    }

    /// Tells the rows of a position that this network knows.
    pub fn tell(
        &self,
        rules: &Rules,
        state: &State,
        sitting: Sitting,
        symmetry: &Symmetry,
        tell: &mut impl FnMut(usize),
    ) {
        rows(rules, state, tell);
        if self.detailed {
            detail(state, sitting, symmetry, tell);
        }
    }
}

/// The stage of a position by the cards in its stock.
pub fn stage(state: &State) -> usize {
    (usize::from(state.stock_len) / CARDS).min(STAGES - 1)
}

/// A network that looks at one position after another, and adds up what differs between them.
pub(super) struct Looking<'a> {
    net: &'a Net,
    /// The rows of the last position.
    told: Vec<u16>,
    /// Those of the next.
    next: Vec<u16>,
    /// How much more often each row is told of the next than of the last.
    more: Vec<i16>,
    /// What the hidden units came to.
    hidden: Vec<i16>,
}

impl Net {
    /// Ready for the first position.
    pub(super) fn looking(&self) -> Looking<'_> {
        let (more, hidden) = (vec![0; self.rows.len() / self.hidden], self.bias.clone());
        Looking { net: self, told: Vec::new(), next: Vec::new(), more, hidden }
    }
}

impl Looking<'_> {
    /// The share of the win that the seat whose turn it is is thought to get, in parts of [`WHOLE`].
    pub fn share(&mut self, rules: &Rules, state: &State, sitting: Sitting) -> i64 {
        let Looking { net, told, next, more, hidden } = self;
        next.clear();
        net.tell(rules, state, sitting, &Symmetry::SAME, &mut |row| next.push(row as u16));
        next.iter().for_each(|row| more[usize::from(*row)] += 1);
        told.iter().for_each(|row| more[usize::from(*row)] -= 1);
        for row in next.iter().chain(told.iter()) {
            let times = std::mem::take(&mut more[usize::from(*row)]);
            if times == 0 {
                continue;
            }
            let steps = net.row(usize::from(*row)).chunks_exact(STEP);
            for (sums, weights) in hidden.chunks_exact_mut(STEP).zip(steps) {
                for (sum, weight) in sums.iter_mut().zip(weights) {
                    *sum = sum.wrapping_add(weight.wrapping_mul(times));
                }
            }
        }
        std::mem::swap(told, next);
        let stage = stage(state);
        let most = (MOST * PARTS) as i16;
        let products = hidden.iter().zip(net.at_stage(stage));
        let sum: i32 = products.map(|(h, w)| i32::from((*h).clamp(0, most)) * i32::from(*w)).sum();
        let parts = f64::from(PARTS);
        let logit = f64::from(sum) / (parts * parts) + f64::from(net.out_bias[stage]) / parts;
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
    /// The players between whom it was taught; none where it knows nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    players: Vec<String>,
    /// The command that taught it.
    taught: String,
}

/// A judge as it stands in a file.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    /// Its network.
    pub net: Net,
    /// The rules that it is for, if it is for one set alone.
    pub rules: Option<Rules>,
    /// The names of the players whom it tells apart, at most [`PLAYERS`].
    pub players: Vec<String>,
}

impl Written {
    /// The bytes of its file, with the command that taught it.
    pub fn file(&self, taught: &str) -> Vec<u8> {
        let mut net = self.net.clone();
        let head = Head {
            format: FORMAT,
            game: "leopard".to_owned(),
            rows: net.rows.len() / net.hidden,
            hidden: net.hidden,
            rules: self.rules.clone(),
            players: self.players.clone(),
            taught: taught.to_owned(),
        };
        let mut bytes = crate::files::compact(&head).into_bytes();
        bytes.push(b'\n');
        for number in net.parts().into_iter().flatten() {
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

    /// Reads a judge file.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence that follows its name.
    pub fn read(file: &[u8]) -> Result<Written, String> {
        let not = || "it is no judge file: `lab teach-judge` writes one".to_owned();
        let end = file.iter().take(10_000).position(|byte| *byte == b'\n').ok_or_else(not)?;
        let peek: serde_json::Value = serde_json::from_slice(&file[..end]).map_err(|_| not())?;
        let game = peek["game"].as_str().ok_or_else(not)?;
        if peek["format"].is_null() {
            return Err(not());
        }
        if game != "leopard" {
            return Err(format!("it judges `{game}`, not `leopard`"));
        }
        let number = |what: &str, key: &str, fits: &dyn Fn(usize) -> bool, known: &str| {
            let found = peek[key].as_u64().and_then(|number| usize::try_from(number).ok());
            found.filter(|number| fits(*number)).ok_or_else(|| {
                format!(
                    "its {what} is {}, this program's is {known}: teach the judge again with this \
                     program's `lab teach-judge`",
                    peek[key]
                )
            })
        };
        number("format", "format", &|it| it as u64 == FORMAT, &FORMAT.to_string())?;
        let known = format!("{ROWS} or {DETAILED}");
        let rows = number("number of rows", "rows", &|it| [ROWS, DETAILED].contains(&it), &known)?;
        let known = format!("a multiple of {STEP} up to {WIDEST}");
        let fits = |it: usize| it > 0 && it <= WIDEST && it.is_multiple_of(STEP);
        let hidden = number("number of hidden units", "hidden", &fits, &known)?;
        let head: Head = serde_json::from_value(peek).map_err(|error| error.to_string())?;
        if head.players.len() > PLAYERS {
            return Err(format!(
                "it names {} players, a judge knows {PLAYERS}",
                head.players.len()
            ));
        }
        if rows == ROWS && !head.players.is_empty() {
            return Err("it names players, whom its rows do not tell apart".to_owned());
        }
        let mut net = Net::zero(hidden, rows == DETAILED);
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
        for number in net.parts().into_iter().flatten() {
            *number = next().ok_or("its numbers are cut off or damaged")?;
        }
        match next() {
            None => Ok(Written { net, rules: head.rules, players: head.players }),
            Some(_) => Err("there are more numbers in it than a judge has".to_owned()),
        }
    }
}
