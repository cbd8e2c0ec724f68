//! The memory of a rule: registers packed into 512 bits.

/// Number of words in a memory.
const WORDS: usize = 8;

/// State that a rule keeps about the accepted cards: plain bits in a layout of the rule's own. Two
/// lines with the same memory have the same future. The default is the memory of the empty line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Memory([u64; WORDS]);

/// A field of up to 64 bits in a memory.
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

    /// Places fields of these widths: first fit, widest first. Returns `None` if they do not fit.
    pub(super) fn allocate(widths: &[u32]) -> Option<Vec<Field>> {
        let mut order: Vec<usize> = (0..widths.len()).collect();
        order.sort_by_key(|&index| std::cmp::Reverse(widths[index]));
        let mut fields = vec![Field::default(); widths.len()];
        let mut used = [0u32; WORDS];
        for index in order {
            let bits = widths[index];
            let word = used.iter().position(|u| u + bits <= 64)?;
            // A field without bits has no place; a shift by 64 would overflow.
            let shift = if bits == 0 { 0 } else { used[word] as u8 };
            fields[index] = Field { word: word as u8, shift, bits: bits as u8 };
            used[word] += bits;
        }
        Some(fields)
    }
}

/// The codes of a value: one more than the distance from the lowest value; 0 for unknown.
#[derive(Clone, Copy, Debug)]
pub(super) struct Codes {
    /// The lowest value.
    pub(super) low: i32,
    /// The number of values.
    pub(super) size: i32,
}

impl Codes {
    /// Returns the width of one code.
    pub(super) fn bits(&self) -> u32 {
        bits_for(self.size as u64)
    }

    /// Returns the index of a value, clamped to the range.
    pub(super) fn index(&self, value: i32) -> i32 {
        (value - self.low).clamp(0, self.size - 1)
    }
    pub(super) fn encode(&self, value: Option<i32>) -> u64 {
        value.map_or(0, |value| self.index(value) as u64 + 1)
    }
    pub(super) fn decode(&self, code: u64) -> Option<i32> {
        (code != 0).then(|| code as i32 - 1 + self.low)
    }
}

/// Zigzag: the number 0 is 0 bits, as before the first card.
pub(super) const fn to_zigzag(value: i32) -> u64 {
    ((value << 1) ^ (value >> 31)) as u32 as u64
}

pub(super) const fn from_zigzag(code: u64) -> i32 {
    let code = code as u32;
    (code >> 1) as i32 ^ -((code & 1) as i32)
}

/// Returns the number of bits that hold the numbers from 0 to `most`.
pub(super) const fn bits_for(most: u64) -> u32 {
    64 - most.leading_zeros()
}
