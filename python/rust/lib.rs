//! The extension module `parlour._parlour` of the Python package `parlour`.
//!
//! Each file holds the functions and classes of one subject. They are listed here; the package in
//! `python/src/parlour/` exports them, and `_parlour.pyi` has their types.

mod arguments;
mod batch;
mod bot;
mod class;
mod env;
mod error;
mod lists;
mod merge;
mod run;
mod source;
mod strategy;
mod summary;
mod table;
mod vector_env;
mod view;

/// The module that Python imports.
#[pyo3::pymodule]
mod _parlour {
    use std::ffi::OsString;

    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::env::Environment;
    #[pymodule_export]
    use crate::error::{Error, FailedError, InputError, Stopped};
    #[pymodule_export]
    use crate::lists::{experiments, games, moves, strategies, variants};
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
    use crate::vector_env::Vector;
    #[pymodule_export]
    use crate::view::View;

    /// Version of the program.
    #[pymodule_export]
    #[expect(non_upper_case_globals, reason = "the name that Python knows")]
    const __version__: &str = env!("CARGO_PKG_VERSION");

    /// Runs a command line, which begins with the program's name, and returns the exit status.
    #[pyfunction]
    fn main(py: Python<'_>, arguments: Vec<OsString>) -> u8 {
        py.detach(|| parlour::cli::main(arguments))
    }

    /// Version and source fingerprint of this build. Two builds with the same fingerprint give the
    /// same results.
    #[pyfunction]
    fn fingerprint() -> String {
        parlour::PROGRAM.to_string()
    }
}
