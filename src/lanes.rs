//! The wider registers of newer processors.
//!
//! The program runs on every x86-64 machine, so the compiler takes nothing for granted beyond the
//! first of them. What is hot is therefore compiled twice, and the processor is asked which it can
//! run. Both do the same operations on the same numbers, in floating point too (products and sums
//! are never fused), so they give the same results to the bit.

#[cfg(target_arch = "x86_64")]
use fearless_simd::{Level, Simd};

/// Does a piece of work with AVX2 and its companions where the processor has them.
///
/// Only what is inlined into the closure gains, and the closure itself must be `#[inline(always)]`.
///
/// ```
/// let numbers = [1.5; 32];
/// let sum: f64 = parlour::lanes::wide(#[inline(always)] || numbers.iter().sum());
/// assert_eq!(sum, 48.0);
/// ```
#[inline(always)]
pub fn wide<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    if let Some(avx2) = Level::new().as_avx2() {
        return avx2.vectorize(work);
    }
    work()
}
