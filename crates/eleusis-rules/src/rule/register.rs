//! What a rule remembers of the accepted cards. It is made of registers, which change with each
//! accepted card.

use super::kind::bits_of_each;
use super::node::{Ctx, Node};
use super::{Expr, LINE_MAX, Over, SUM_MAX};

/// What a register keeps.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) enum What {
    /// How many cards, up to a cap.
    Length,
    /// The latest values, the last one lowest: 0 none, else the value's code.
    Shift,
    /// The value at a place of the line.
    At(u8),
    /// The value at the latest card that satisfied the second source.
    Latest,
    /// Something of all values, or of those since the second source last held: of `Count` and `Sum`
    /// perhaps the remainder only; for `Distinct` the set of them; for `Times` a count of each.
    Over(Over, Option<i32>),
    /// The places of the cycle that may come next; 0 for all.
    Cycle,
}

impl What {
    /// How its value is written.
    pub(super) const fn code(&self) -> Code {
        match self {
            What::At(_) | What::Latest => Code::OrNone,
            What::Over(Over::Max | Over::Min | Over::Since, _) => Code::OrNone,
            What::Over(Over::Sum, None) => Code::Signed,
            _ => Code::Plain,
        }
    }
}

/// Where a register's values come from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// A value for each card.
    ByCard(Box<[Option<i32>; 52]>),
    /// Worked out from the memory and the card.
    Node(Node),
}

impl Source {
    fn value(&self, ctx: &Ctx<'_>) -> Option<i32> {
        match self {
            Source::ByCard(values) => values[ctx.card as usize],
            Source::Node(node) => node.value(ctx),
        }
    }
}

/// One register: how something [kept](Kept) changes.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub(super) what: What,
    /// The expressions that it keeps it of; registers that keep the same are one.
    pub(super) of: Vec<Expr>,
    pub(super) sources: Vec<Source>,
    /// The tests of the `among` that it stands in, from outside in: only cards that satisfy all of
    /// them change it.
    pub(super) within: Vec<Expr>,
    pub(super) filters: Vec<Source>,
    /// For a shift: how many values; for a length: its cap.
    pub(super) depth: i32,
    /// What else is kept that it looks at: the shift register that a run compares with.
    pub(super) helper: usize,
}

impl Register {
    /// How many bits it needs.
    pub(super) fn width(&self, kept: &Kept) -> u32 {
        let line = LINE_MAX as u64;
        match self.what {
            What::Length => bits_for(self.depth as u64),
            What::Shift => kept.slot_bits() * self.depth as u32,
            What::At(_) | What::Latest => kept.slot_bits(),
            What::Cycle => kept.size as u32,
            What::Over(_, Some(modulus)) => bits_for(modulus as u64 - 1),
            What::Over(over, None) => match over {
                Over::Max | Over::Min => kept.slot_bits(),
                Over::Distinct => kept.size as u32,
                Over::Times => bits_of_each(kept.size as u32) * kept.size as u32,
                Over::Sum => bits_for(2 * SUM_MAX as u64),
                Over::Since => bits_for(line + 1),
                _ => bits_for(line),
            },
        }
    }

    /// How many nodes are worked out, at most, where a card is accepted.
    pub(super) fn work(&self, kept: &[Kept], classes: u64) -> u64 {
        let all = self.sources.iter().chain(&self.filters);
        let sources = all.map(|source| match source {
            Source::ByCard(_) => 1,
            Source::Node(node) => node.work(kept, classes),
        });
        1 + sources.sum::<u64>()
    }

    /// Its bits after one more accepted card, before which things are as given; `index` is its place
    /// among all that is kept.
    pub(super) fn updated(&self, index: usize, ctx: &Ctx<'_>) -> u64 {
        let Ctx { kept: all, memory, .. } = *ctx;
        let kept = &all[index];
        let raw = kept.field.get(memory);
        if !self.filters.iter().all(|test| test.value(ctx) == Some(1)) {
            return raw;
        }
        let value = |which: usize| self.sources[which].value(ctx);
        let line = LINE_MAX as u64;
        match &self.what {
            What::Length => (raw + 1).min(self.depth as u64),
            What::Shift => raw << kept.slot_bits() | kept.code(value(0)),
            What::At(place) => {
                let cards = all[self.helper].field.get(memory);
                if cards + 1 == u64::from(*place) { kept.code(value(0)) } else { raw }
            }
            What::Latest => {
                if value(1) == Some(1) {
                    kept.code(value(0))
                } else {
                    raw
                }
            }
            What::Over(..) if self.sources.len() > 1 && value(1) == Some(1) => 0,
            What::Over(Over::Count, modulus) => {
                let next = raw + u64::from(value(0) == Some(1));
                match modulus {
                    Some(m) => next % *m as u64,
                    None => next.min(line),
                }
            }
            What::Over(Over::Sum, modulus) => {
                let add = value(0).unwrap_or(0);
                match modulus {
                    Some(m) => (raw as i64 + i64::from(add)).rem_euclid((*m).into()) as u64,
                    None => zigzag((zigzag_back(raw) + add).clamp(-SUM_MAX, SUM_MAX)),
                }
            }
            What::Over(over @ (Over::Max | Over::Min), _) => match (raw, kept.code(value(0))) {
                (old, 0) => old,
                (0, new) => new,
                (old, new) if *over == Over::Max => old.max(new),
                (old, new) => old.min(new),
            },
            What::Over(Over::Distinct, _) => match kept.code(value(0)) {
                0 => raw,
                code => raw | 1 << (code - 1),
            },
            What::Over(Over::Times, _) => match kept.code(value(0)) {
                0 => raw,
                code => {
                    let (place, most) = kept.counted(code as u32 - 1);
                    raw + (u64::from(raw >> place & most < most) << place)
                }
            },
            What::Over(Over::Since, _) => match (raw, value(0) == Some(1)) {
                (_, true) => 1,
                (0, false) => 0,
                (old, false) => (old + 1).min(line + 1),
            },
            What::Over(over @ (Over::Run | Over::Runs), _) => {
                let before = &all[self.helper];
                let same = raw > 0 && before.slot(memory, 1) == before.code(value(0));
                match (over, same) {
                    (Over::Run, false) => 1,
                    (Over::Runs, true) => raw,
                    _ => (raw + 1).min(line),
                }
            }
            // Nothing else is kept of all values.
            What::Over(..) => raw,
            What::Cycle => {
                let (length, full) = (kept.size as u64, kept.field.mask());
                let live = if raw == 0 { full } else { raw };
                let mut next = 0;
                for place in (0..length).filter(|place| live >> place & 1 == 1) {
                    if value(place as usize) != Some(0) {
                        next |= 1 << ((place + 1) % length);
                    }
                }
                if next == full { 0 } else { next }
            }
        }
    }
}

/// How many words a memory has.
pub(super) const WORDS: usize = 8;

/// What a rule remembers of the accepted cards: plain bits, laid out by the rule that they belong
/// to. Two lines with the same memory have the same future.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Memory(pub(super) [u64; WORDS]);

impl Memory {
    /// No card was accepted.
    pub(super) const EMPTY: Memory = Memory([0; WORDS]);
}

/// A place of up to 64 bits in a memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Field {
    word: u8,
    shift: u8,
    bits: u8,
}

impl Field {
    pub(super) const fn mask(self) -> u64 {
        if self.bits >= 64 { u64::MAX } else { (1 << self.bits) - 1 }
    }
    pub(super) const fn get(self, memory: &Memory) -> u64 {
        memory.0[self.word as usize] >> self.shift & self.mask()
    }
    pub(super) const fn set(self, memory: &mut Memory, value: u64) {
        let word = &mut memory.0[self.word as usize];
        *word = *word & !(self.mask() << self.shift) | (value & self.mask()) << self.shift;
    }
}

/// How a number is written in a field.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Code {
    /// As it is.
    Plain,
    /// One more than its distance from the lowest value; 0 for none.
    OrNone,
    /// As a distance from the start at 0, so that no card is 0 bits.
    Signed,
}

/// Something that is kept of the past: where it stands in a memory, and what its bits mean.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    pub(super) field: Field,
    pub(super) code: Code,
    /// The lowest value and the number of values.
    pub(super) low: i32,
    pub(super) size: i32,
}

impl Kept {
    /// The bits of one value's code, 0 being none.
    pub(super) fn slot_bits(&self) -> u32 {
        bits_for(self.size as u64)
    }
    pub(super) fn code(&self, value: Option<i32>) -> u64 {
        value.map_or(0, |v| (v - self.low).clamp(0, self.size - 1) as u64 + 1)
    }
    pub(super) fn decode(&self, code: u64) -> Option<i32> {
        (code != 0).then(|| code as i32 - 1 + self.low)
    }

    /// Of several values in one field: the code so many places back, from 1.
    pub(super) fn slot(&self, memory: &Memory, back: u32) -> u64 {
        let bits = self.slot_bits();
        self.field.get(memory) >> ((back - 1) * bits) & ((1 << bits) - 1)
    }

    /// Of a count of each value: the place of one, and how far it counts.
    #[inline]
    pub(super) const fn counted(&self, value: u32) -> (u32, u64) {
        let bits = bits_of_each(self.size as u32);
        (value * bits, (1 << bits) - 1)
    }

    /// The value, where one is kept.
    pub(super) fn read(&self, memory: &Memory) -> Option<i32> {
        let raw = self.field.get(memory);
        match self.code {
            Code::Plain => Some(raw as i32),
            Code::OrNone => self.decode(raw),
            Code::Signed => Some(zigzag_back(raw)),
        }
    }
}

pub(super) const fn zigzag(value: i32) -> u64 {
    ((value << 1) ^ (value >> 31)) as u32 as u64
}

pub(super) const fn zigzag_back(code: u64) -> i32 {
    let code = code as u32;
    (code >> 1) as i32 ^ -((code & 1) as i32)
}

/// How many bits hold the numbers up to this one.
pub(super) const fn bits_for(most: u64) -> u32 {
    64 - most.leading_zeros()
}

/// Places for fields of these many bits, if they fit: first fit, the widest first.
pub(super) fn lay_out(widths: &[u32]) -> Option<Vec<Field>> {
    let mut order: Vec<usize> = (0..widths.len()).collect();
    order.sort_by_key(|&index| std::cmp::Reverse(widths[index]));
    let mut fields = vec![Field::default(); widths.len()];
    let mut used = [0u32; WORDS];
    for index in order {
        let bits = widths[index];
        let word = used.iter().position(|u| u + bits <= 64)?;
        fields[index] = Field { word: word as u8, shift: used[word] as u8, bits: bits as u8 };
        // A field of 64 bits starts at 0, and one of no bits needs no place.
        used[word] += bits;
        if bits == 0 {
            fields[index].shift = 0;
        }
    }
    Some(fields)
}
