//! SIMD dispatch at run time.
//!
//! The program runs on every x86-64 machine, so by default the compiler uses only the registers of
//! the first of them. Hot code is compiled again for AVX2 and AVX-512, and the processor decides
//! which copy runs. All copies perform the same operations on the same numbers, and products and
//! sums are never fused: results are equal to the bit.

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
