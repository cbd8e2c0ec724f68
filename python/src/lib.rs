//! The extension module `parlour._parlour`: what the Python package `parlour` is made of.
//!
//! A file holds the functions and classes of one subject. Each is named here once; the package in
//! `python/parlour/` gives it to users, and `_parlour.pyi` its types.

mod bot;
mod env;
mod env_many;
mod error;
mod lists;
mod merge;
mod plain;
mod run;
mod source;
mod strategy;
mod summary;
mod table;
mod view;
mod whole;

/// What Python imports.
#[pyo3::pymodule]
mod _parlour {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::env::Environment;
    #[pymodule_export]
    use crate::env_many::Vector;
    #[pymodule_export]
    use crate::error::{Error, FailedError, InputError, Stopped};
    #[pymodule_export]
    use crate::lists::{experiments, games, strategies, variants};
    #[pymodule_export]
    use crate::merge::Merge;
    #[pymodule_export]
    use crate::run::{join, needs, play};
    #[pymodule_export]
    use crate::strategy::{Strategy, load};
    #[pymodule_export]
    use crate::summary::{Summary, read};
    #[pymodule_export]
    use crate::table::Table;
    #[pymodule_export]
    use crate::view::View;

    /// The version of the program.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python knows")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Which program this is: its version and the fingerprint of the sources that it was built
    /// from. Two programs with the same give the same results.
    #[pyfunction]
    fn fingerprint() -> String {
        parlour::PROGRAM.to_string()
    }
}
