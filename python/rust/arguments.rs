//! Whole numbers and names as Python arguments, with errors for values that do not fit.

use std::ops::Deref;

use pyo3::prelude::*;
use pyo3::types::PyBool;

use crate::error::{InputError, input};

/// A number argument.
pub enum WholeNumber {
    /// A whole number.
    Is(i128),
    /// A number out of range or no whole number, as it is written.
    Not(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for WholeNumber {
    type Error = PyErr;

    fn extract(said: Borrowed<'a, 'py, PyAny>) -> PyResult<WholeNumber> {
        match said.extract::<i128>() {
            Ok(number) if !said.is_instance_of::<PyBool>() => Ok(WholeNumber::Is(number)),
            _ => Ok(WholeNumber::Not(said.repr()?.extract()?)),
        }
    }
}

impl WholeNumber {
    /// Converts the number to another type; the error is the number as it is written.
    pub fn fit<T: TryFrom<i128>>(&self) -> Result<T, String> {
        match self {
            WholeNumber::Is(number) => T::try_from(*number).map_err(|_| number.to_string()),
            WholeNumber::Not(said) => Err(said.clone()),
        }
    }

    /// Converts the argument of this name, which must be at least 0.
    pub fn of<T: TryFrom<i128>>(&self, py: Python<'_>, name: &str) -> PyResult<T> {
        self.fit().map_err(|said| {
            let most = (1_u128 << (8 * size_of::<T>())) - 1;
            let above = said.bytes().all(|byte| byte.is_ascii_digit());
            let to = if above { format!(" to {most}") } else { String::new() };
            input(py, format!("`{name}` is {said}; it must be a whole number from 0{to}"))
        })
    }
}

/// A name argument: of a game, a strategy or a move.
pub struct Name(String);

impl From<&str> for Name {
    fn from(name: &str) -> Name {
        Name(name.to_owned())
    }
}

impl Deref for Name {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Name {
    type Error = PyErr;

    fn extract(said: Borrowed<'a, 'py, PyAny>) -> PyResult<Name> {
        said.extract().map(Name).map_err(|_| {
            let said = said.repr().map_or("?".to_owned(), |it| it.to_string());
            InputError::new_err(format!("{said} is no text; a name is wanted here"))
        })
    }
}

/// The game and the position file for a view that a bot got, a table, a file, or plain objects. The
/// game may be prescribed.
pub fn position_text(said: &Bound<'_, PyAny>, game: Option<&str>) -> PyResult<(String, String)> {
    let given = said.py().import("parlour.arguments")?;
    given.call_method1("position", (said, game))?.extract()
}
