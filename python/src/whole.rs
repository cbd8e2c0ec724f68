//! Whole numbers as Python says them: one that does not fit is bad input, not an overflow.

use pyo3::prelude::*;

use crate::env::input;

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
            let right = format!("it must be a whole number from 0 to {most}");
            input(py, format!("`{name}` is {said}; {right}"))
        })
    }
}
