//! What a rule remembers of the accepted cards.

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

    #[inline]
    pub(super) const fn get(self, memory: &Memory) -> u64 {
        memory.0[self.word as usize] >> self.shift & self.mask()
    }

    #[inline]
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
    #[inline]
    pub(super) fn slot_bits(&self) -> u32 {
        bits_for(self.size as u64)
    }

    #[inline]
    pub(super) fn code(&self, value: Option<i32>) -> u64 {
        value.map_or(0, |v| (v - self.low).clamp(0, self.size - 1) as u64 + 1)
    }

    #[inline]
    pub(super) fn decode(&self, code: u64) -> Option<i32> {
        (code != 0).then(|| code as i32 - 1 + self.low)
    }

    /// Of several values in one field: the code so many places back, from 1.
    #[inline]
    pub(super) fn slot(&self, memory: &Memory, back: u32) -> u64 {
        let bits = self.slot_bits();
        self.field.get(memory) >> ((back - 1) * bits) & ((1 << bits) - 1)
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
