//! Registers: what a rule keeps of the past, and how it changes with each accepted card.

use super::kind::{LINE_MAX, SUM_MAX};
use super::memory::{Field, bits_for};
use super::node::{Ctx, Node};
use super::plan::Plan;
use super::{Expr, Memory};

/// What a register keeps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum What {
    /// How many cards, up to a cap.
    Length,
    /// The latest values, the last one lowest: 0 none, else the value's code.
    Shift,
    /// The value at a place of the line.
    At(u8),
    /// The value at the latest card that satisfied the second source.
    Latest,
    /// How many satisfied it, modulo something or up to a cap.
    Count(Option<i32>),
    /// The sum, modulo something or between bounds.
    Sum(Option<i32>),
    /// The largest or smallest, as a code.
    Most(bool),
    /// Which values occurred.
    Set,
    /// Cards since: 0 never, else one more than the number.
    Since,
    /// The length of the last run.
    Run,
    /// The number of runs.
    Runs,
    /// The places of the cycle that may come next; 0 for all.
    Cycle,
}

/// Where a register's values come from.
#[derive(Clone, Debug)]
pub(super) enum Source {
    /// A value for each card.
    ByCard(Box<[i32; 52]>),
    /// Worked out from the memory and the card.
    Node(Node),
}

impl Source {
    #[inline]
    fn value(&self, plan: &Plan, memory: &Memory, card: u8) -> Option<i32> {
        match self {
            Source::ByCard(values) => Some(values[card as usize]).filter(|v| *v != i32::MIN),
            Source::Node(node) => node.value(&Ctx { plan, memory, card, slots: &[] }),
        }
    }
}

/// One register.
#[derive(Clone, Debug)]
pub(super) struct Register {
    pub(super) what: What,
    /// The expressions it is kept for: registers with the same ones are shared.
    pub(super) of: Vec<Expr>,
    pub(super) sources: Vec<Source>,
    pub(super) field: Field,
    /// The lowest value and the number of values.
    pub(super) low: i32,
    pub(super) size: i32,
    /// For a shift: how many values; for a length: its cap.
    pub(super) depth: i32,
    /// The shift register that a run compares with.
    pub(super) helper: usize,
}

impl Register {
    pub(super) fn width(&self) -> u32 {
        let line = LINE_MAX as u64;
        match self.what {
            What::Length => bits_for(self.depth as u64),
            What::Shift => self.slot_bits() * self.depth as u32,
            What::At(_) | What::Latest | What::Most(_) => self.slot_bits(),
            What::Count(modulus) => bits_for(modulus.map_or(line, |m| m as u64 - 1)),
            What::Sum(modulus) => bits_for(modulus.map_or(2 * SUM_MAX as u64, |m| m as u64 - 1)),
            What::Set | What::Cycle => self.size as u32,
            What::Since => bits_for(line + 1),
            What::Run | What::Runs => bits_for(line),
        }
    }

    /// The bits of one value's code, 0 being none.
    #[inline]
    pub(super) fn slot_bits(&self) -> u32 {
        bits_for(self.size as u64)
    }

    #[inline]
    fn code(&self, value: Option<i32>) -> u64 {
        value.map_or(0, |v| (v - self.low).clamp(0, self.size - 1) as u64 + 1)
    }

    #[inline]
    pub(super) fn decode(&self, code: u64) -> Option<i32> {
        (code != 0).then(|| code as i32 - 1 + self.low)
    }

    /// The code so many places back, from 1.
    #[inline]
    pub(super) fn slot(&self, memory: &Memory, back: u32) -> u64 {
        let bits = self.slot_bits();
        self.field.get(memory) >> ((back - 1) * bits) & ((1 << bits) - 1)
    }

    /// Its value, for the registers that hold one.
    pub(super) fn read(&self, memory: &Memory) -> Option<i32> {
        let raw = self.field.get(memory);
        match self.what {
            What::At(_) | What::Latest | What::Most(_) => self.decode(raw),
            What::Since => (raw != 0).then(|| raw as i32 - 1),
            // Stored as a distance from the start at 0, so that no card is 0 bits.
            What::Sum(None) => Some(zigzag_back(raw)),
            _ => Some(raw as i32),
        }
    }
}

const fn zigzag(value: i32) -> u64 {
    ((value << 1) ^ (value >> 31)) as u32 as u64
}

const fn zigzag_back(code: u64) -> i32 {
    let code = code as u32;
    (code >> 1) as i32 ^ -((code & 1) as i32)
}

impl Plan {
    /// The register's bits after one more accepted card.
    pub(super) fn updated(&self, register: &Register, memory: &Memory, card: u8) -> u64 {
        let raw = register.field.get(memory);
        let value = |which: usize| register.sources[which].value(self, memory, card);
        let line = LINE_MAX as u64;
        match &register.what {
            What::Length => (raw + 1).min(register.depth as u64),
            What::Shift => raw << register.slot_bits() | register.code(value(0)),
            What::At(place) => {
                let cards = self.registers[register.helper].field.get(memory);
                if cards + 1 == u64::from(*place) { register.code(value(0)) } else { raw }
            }
            What::Latest => {
                if value(1) == Some(1) {
                    register.code(value(0))
                } else {
                    raw
                }
            }
            What::Count(modulus) => {
                let next = raw + u64::from(value(0) == Some(1));
                match modulus {
                    Some(m) => next % *m as u64,
                    None => next.min(line),
                }
            }
            What::Sum(modulus) => {
                let add = value(0).unwrap_or(0);
                match modulus {
                    Some(m) => (raw as i64 + i64::from(add)).rem_euclid((*m).into()) as u64,
                    None => zigzag((zigzag_back(raw) + add).clamp(-SUM_MAX, SUM_MAX)),
                }
            }
            What::Most(largest) => match (raw, register.code(value(0))) {
                (old, 0) => old,
                (0, new) => new,
                (old, new) if *largest => old.max(new),
                (old, new) => old.min(new),
            },
            What::Set => match register.code(value(0)) {
                0 => raw,
                code => raw | 1 << (code - 1),
            },
            What::Since => match (raw, value(0) == Some(1)) {
                (_, true) => 1,
                (0, false) => 0,
                (old, false) => (old + 1).min(line + 1),
            },
            What::Run | What::Runs => {
                let before = &self.registers[register.helper];
                let same = raw > 0 && before.slot(memory, 1) == before.code(value(0));
                match (&register.what, same) {
                    (What::Run, false) => 1,
                    (What::Runs, true) => raw,
                    _ => (raw + 1).min(line),
                }
            }
            What::Cycle => {
                let (length, full) = (register.size as u64, register.field.mask());
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
