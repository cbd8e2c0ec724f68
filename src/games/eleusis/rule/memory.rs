//! What a rule remembers of the accepted cards.

/// How many words a memory has.
pub(super) const WORDS: usize = 8;

/// What a rule remembers of the accepted cards: plain bits, laid out by the rule that they belong
/// to. Two lines with the same memory have the same future.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Memory(pub(super) [u64; WORDS]);

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
