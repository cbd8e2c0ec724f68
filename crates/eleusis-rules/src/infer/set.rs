//! Sets of tests.

/// A set of places in a vocabulary.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Set(Box<[u64]>);

impl Set {
    /// The places below `count` that pass.
    pub fn of(count: usize, has: impl Fn(usize) -> bool) -> Set {
        let word = |word: usize| {
            let places = (0..64).filter(|bit| 64 * word + bit < count && has(64 * word + bit));
            places.fold(0, |set, bit| set | 1 << bit)
        };
        Set((0..count.div_ceil(64)).map(word).collect())
    }

    /// All places below `count`.
    pub fn all(count: usize) -> Set {
        let word = |word: usize| match count - 64 * word {
            left @ ..64 => (1 << left) - 1,
            _ => u64::MAX,
        };
        Set((0..count.div_ceil(64)).map(word).collect())
    }

    /// No place below `count`.
    pub fn none(count: usize) -> Set {
        Set(vec![0; count.div_ceil(64)].into())
    }

    pub fn has(&self, place: u16) -> bool {
        self.0[usize::from(place) / 64] >> (place % 64) & 1 == 1
    }

    /// The places from 64 times this on, a bit for each.
    pub fn word(&self, at: usize) -> u64 {
        self.0[at]
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub fn meets(&self, other: &Set) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    /// Keeps what the other has, too; whether anything went.
    pub fn keep(&mut self, other: &Set) -> bool {
        self.change(other, |b| b)
    }

    /// Drops what the other has; whether anything went.
    pub fn drop(&mut self, other: &Set) -> bool {
        self.change(other, |b| !b)
    }

    fn change(&mut self, other: &Set, stays: impl Fn(u64) -> u64) -> bool {
        let mut went = 0;
        for (a, b) in self.0.iter_mut().zip(&other.0) {
            went |= *a & !stays(*b);
            *a &= stays(*b);
        }
        went != 0
    }

    /// Takes in what the other has.
    pub fn join(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }

    /// The places, in order.
    pub fn iter(&self) -> impl Iterator<Item = u16> + '_ {
        places(self.0.iter().copied())
    }

    /// The places that the other has, too, in order.
    pub fn in_both<'a>(&'a self, other: &'a Set) -> impl Iterator<Item = u16> + 'a {
        places(self.0.iter().zip(&other.0).map(|(a, b)| a & b))
    }
}

/// The places of the bits of these words.
fn places(words: impl Iterator<Item = u64>) -> impl Iterator<Item = u16> {
    words.zip(0..).flat_map(|(word, at)| {
        let mut left = word;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as u16)?;
            left &= left - 1;
            Some(64 * at + bit)
        })
    })
}
