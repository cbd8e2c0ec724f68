//! SIMD dispatch at run time.
//!
//! The program runs on every x86-64 machine, so by default the compiler uses only the registers of
//! the first of them. Hot code is compiled again for AVX2 and AVX-512, and the processor decides
//! which copy runs. All copies perform the same operations on the same numbers, and products and
//! sums are never fused: results are equal to the bit.

#[cfg(target_arch = "x86_64")]
use fearless_simd::{Level, Simd};

/// Runs a closure with AVX-512 or AVX2 if the processor has it.
///
/// Only code inlined into the closure gains, and the closure itself must be `#[inline(always)]`.
///
/// ```
/// let numbers = [1.5; 32];
/// let sum: f64 = parlour_base::simd::dispatch(#[inline(always)] || numbers.iter().sum());
/// assert_eq!(sum, 48.0);
/// ```
#[inline(always)]
pub fn dispatch<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    match Level::new() {
        Level::Avx512(avx512) => return avx512.vectorize(work),
        Level::Avx2(avx2) => return avx2.vectorize(work),
        _ => {}
    }
    work()
}

/// Returns the sum of the products of two rows of the same length. It is the same on every machine.
#[inline(always)]
pub fn product(left: &[f32], right: &[f32]) -> f32 {
    let mut lanes = [0.0; 32];
    let (lefts, left_rest) = left.as_chunks::<32>();
    let (rights, right_rest) = right.as_chunks::<32>();
    for (left, right) in lefts.iter().zip(rights) {
        for at in 0..32 {
            lanes[at] += left[at] * right[at];
        }
    }
    // A copy: with lanes of a variable index the loop above would not be vectorized.
    let mut sums = lanes;
    for (sum, (left, right)) in sums.iter_mut().zip(left_rest.iter().zip(right_rest)) {
        *sum += left * right;
    }
    for width in [16, 8, 4, 2, 1] {
        for at in 0..width {
            sums[at] += sums[at + width];
        }
    }
    sums[0]
}
