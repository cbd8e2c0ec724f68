//! Whole numbers and names as Python says them: what does not fit is bad input, said in a sentence.

use std::ops::Deref;

use pyo3::prelude::*;

use crate::env::input;
use crate::error::InputError;

/// A number that an argument was given.
pub enum Whole {
    /// It.
    Is(i128),
    /// A number beyond all that are taken, or no whole number, as it is written.
    Not(String),
}

impl<'a, 'py> FromPyObject<'a, 'py> for Whole {
    type Error = PyErr;

    fn extract(said: Borrowed<'a, 'py, PyAny>) -> PyResult<Whole> {
        if let Ok(number) = said.extract::<i64>() {
            return Ok(Whole::Is(number.into()));
        }
        match said.extract::<i128>() {
            Ok(number) => Ok(Whole::Is(number)),
            Err(_) => Ok(Whole::Not(said.repr()?.extract()?)),
        }
    }
}

impl Whole {
    /// It as another type, or else as it is written.
    pub fn fit<T: TryFrom<i128>>(&self) -> Result<T, String> {
        match self {
            Whole::Is(number) => T::try_from(*number).map_err(|_| number.to_string()),
            Whole::Not(said) => Err(said.clone()),
        }
    }

    /// It as the argument of this name, which takes numbers from 0.
    pub fn of<T: TryFrom<i128>>(&self, py: Python<'_>, name: &str) -> PyResult<T> {
        self.fit().map_err(|said| {
            let most = (1_u128 << (8 * size_of::<T>())) - 1;
            let above = said.bytes().all(|byte| byte.is_ascii_digit());
            let to = if above { format!(" to {most}") } else { String::new() };
            input(py, format!("`{name}` is {said}; it must be a whole number from 0{to}"))
        })
    }
}

/// A name that an argument was given: of a game, a strategy, a move.
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
