//! Cards, random streams, files, errors and SIMD dispatch: what every other crate builds on.

#![forbid(unsafe_code)]

pub mod cards;
pub mod chance;
pub mod error;
pub mod files;
pub mod maths;
pub mod names;
pub mod simd;
pub mod threads;
pub mod time;

use std::fmt::{self, Display, Formatter};

/// A build of the program. Two builds with the same version and source fingerprint give the same
/// results.
///
/// The crate at the top of the workspace knows it and hands it down, so that a change of any source
/// recompiles only that crate and what really changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Program {
    /// Version of the package.
    pub version: &'static str,
    /// Fingerprint of the sources, in hexadecimal.
    pub source: &'static str,
    /// Last commit that changed the sources, with `+` if they were changed since; `unknown` outside a
    /// repository.
    pub revision: &'static str,
}

impl Display for Program {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.version, self.source)
    }
}
