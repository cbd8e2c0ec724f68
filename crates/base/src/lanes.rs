//! The wider registers of newer processors.
//!
//! The program runs on every x86-64 machine, so the compiler takes nothing for granted beyond the
//! first of them. What is hot is therefore compiled again, and the processor is asked which it can
//! run. All do the same operations on the same numbers, in floating point too (products and sums
//! are never fused), so they give the same results to the bit.

use fearless_simd::{Level, Simd};

/// Does a piece of work with AVX-512, or with AVX2, and what comes with them, where the processor
/// has it.
///
/// Only what is inlined into the closure gains, and the closure itself must be `#[inline(always)]`.
///
/// ```
/// let numbers = [1.5; 32];
/// let sum: f64 = parlour_base::lanes::wide(#[inline(always)] || numbers.iter().sum());
/// assert_eq!(sum, 48.0);
/// ```
#[inline(always)]
pub fn wide<T>(work: impl FnOnce() -> T) -> T {
    #[cfg(target_arch = "x86_64")]
    match Level::new() {
        Level::Avx512(avx512) => return avx512.vectorize(work),
        Level::Avx2(avx2) => return avx2.vectorize(work),
        _ => {}
    }
    work()
}

/// A piece of work that names the lanes it works in, compiled for each kind of them.
pub trait Work {
    /// What comes of it.
    type Done;

    /// Does it; this must be `#[inline(always)]`.
    fn within<L: Simd>(self, lanes: L) -> Self::Done;
}

/// Does such a piece of work as [`wide`] does.
#[inline(always)]
pub fn widest<W: Work>(work: W) -> W::Done {
    #[cfg(target_arch = "x86_64")]
    match Level::new() {
        Level::Avx512(avx512) => {
            return avx512.vectorize(
                #[inline(always)]
                || work.within(avx512),
            );
        }
        Level::Avx2(avx2) => {
            return avx2.vectorize(
                #[inline(always)]
                || work.within(avx2),
            );
        }
        _ => {}
    }
    work.within(narrow())
}

/// Lanes that every processor has: numbers one by one, unless the compiler knows better.
#[inline(always)]
pub fn narrow() -> impl Simd {
    match Level::fallback() {
        Level::Fallback(narrow) => narrow,
        _ => unreachable!("it is what was asked for"),
    }
}
