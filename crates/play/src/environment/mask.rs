//! Action masks: action `i` is bit `i % 64` of word `i / 64`.

use parlour_base::chance::Stream;
use parlour_game::encoded::write_bits;

/// The number of actions in the mask.
pub fn count(words: &[u64]) -> u32 {
    words.iter().map(|word| word.count_ones()).sum()
}

/// Returns `true` if the action is in the mask; invalid numbers are not.
pub fn has(words: &[u64], action: i64) -> bool {
    usize::try_from(action).is_ok_and(|action| {
        words.get(action / 64).is_some_and(|word| word >> (action % 64) & 1 == 1)
    })
}

/// The actions of the mask in ascending order.
pub fn actions(words: &[u64]) -> impl Iterator<Item = i64> + '_ {
    words.iter().enumerate().flat_map(|(at, &word)| {
        std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)))
            .take_while(|word| *word != 0)
            .map(move |word| at as i64 * 64 + i64::from(word.trailing_zeros()))
    })
}

/// Samples an action of the mask uniformly; `None` if it is empty.
pub fn pick(words: &[u64], chance: &mut Stream) -> Option<i64> {
    let all = count(words);
    let k = (all > 0).then(|| chance.below(all))?;
    actions(words).nth(k as usize)
}

/// Writes one byte per action: 1 if it is in the mask, otherwise 0.
pub fn write(words: &[u64], out: &mut [u8]) {
    for (word, bytes) in words.iter().zip(out.chunks_mut(64)) {
        write_bits(*word, bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_base::chance::Seed;

    #[test]
    fn a_set_is_listed_written_and_drawn_from() {
        let words = [1 << 3 | 1 << 63, 0, 0b101];
        assert_eq!(actions(&words).collect::<Vec<_>>(), [3, 63, 128, 130]);
        let mut bytes = [9; 131];
        write(&words, &mut bytes);
        assert!((0..131).all(|at| (bytes[at] == 1) == has(&words, at as i64)));
        assert!(bytes.iter().all(|byte| *byte < 2));
        let (mut chance, mut counts) = (Seed::new(1).stream(), [0; 192]);
        (0..4000).for_each(|_| counts[pick(&words, &mut chance).unwrap() as usize] += 1);
        assert!([3, 63, 128, 130].iter().all(|&at: &usize| (900..1100).contains(&counts[at])));
        assert_eq!(pick(&[0, 0], &mut chance), None);
        assert!(!has(&words, -1) && !has(&words, 1 << 40));
    }
}
