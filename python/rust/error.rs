//! Errors as Python exceptions: the messages are those of the command line, the class tells the
//! cause.

use parlour::{Fault, Kind};
use pyo3::exceptions::{PyKeyboardInterrupt, PyValueError};
use pyo3::prelude::*;
use pyo3::{PyErr, create_exception};
use pythonize::pythonize;
use serde_json::{Value, json};

create_exception!(parlour, Error, PyValueError, "Anything that parlour says is wrong.");
create_exception!(parlour, InputError, Error, "Wrong usage or bad input: nothing was done.");
create_exception!(parlour, FailedError, Error, "It failed while running.");
create_exception!(
    parlour,
    Stopped,
    PyKeyboardInterrupt,
    "Stopped by Ctrl-C; what was finished is saved."
);

/// The exception of an error. Its `faults` are dicts with `text` and, where known, `file`, `line`,
/// `column`, `part` and `field`.
pub fn exception(py: Python<'_>, error: &parlour::Error) -> PyErr {
    let sentence = in_python(&error.to_string());
    let exception = match error.kind() {
        Kind::Input => InputError::new_err(sentence),
        Kind::Stopped => Stopped::new_err(sentence),
        _ => FailedError::new_err(sentence),
    };
    let faults: Vec<_> = error.faults().iter().map(fault).collect();
    let faults = pythonize(py, &faults).map_err(PyErr::from);
    let told = faults.and_then(|faults| exception.value(py).setattr("faults", faults));
    told.err().unwrap_or(exception)
}

fn fault(fault: &Fault) -> Value {
    let place = &fault.place;
    let text = in_python(&fault.to_string());
    json!({
        "text": text, "file": place.file, "line": place.line, "column": place.column, "part": place.part, "field": place.field,
    })
}

/// The exception for bad input.
pub fn input(py: Python<'_>, message: String) -> PyErr {
    exception(py, &parlour::Error::input(message))
}

/// Switches, and options with a value, as messages write them.
const SWITCHES: [&str; 5] = ["hands", "records", "replace", "resume", "allow-other-build"];
const VALUES: [&str; 10] =
    ["deals", "difference", "format", "out", "pilot", "power", "seats", "seed", "shard", "threads"];

/// Rewrites options and commands in a message for Python: `--resume` becomes `resume=True`,
/// `--deals 60` becomes `deals=60`.
fn in_python(sentence: &str) -> String {
    let part = |(at, part): (usize, &str)| match at % 2 {
        1 => code(part).unwrap_or_else(|| part.to_owned()),
        _ => part.to_owned(),
    };
    sentence.split('`').enumerate().map(part).collect::<Vec<_>>().join("`")
}

/// Rewrites the text between two backticks, if Python writes it differently.
fn code(said: &str) -> Option<String> {
    if let Some(folder) = said.strip_prefix("parlour run EXPERIMENT --out ") {
        return Some(format!("parlour.run(experiment, out={folder:?})"));
    }
    match said {
        "merge" | "parlour merge" => return Some("parlour.merge".to_owned()),
        "parlour sample-size" => return Some("parlour.sample_size".to_owned()),
        _ => {}
    }
    let (option, value) =
        said.strip_prefix("--").map(|it| it.split_once(' ').unwrap_or((it, "")))?;
    if SWITCHES.contains(&option) && value.is_empty() {
        return Some(format!("{}=True", option.replace('-', "_")));
    }
    VALUES.contains(&option).then(|| match value {
        "" => option.to_owned(),
        "OTHER" => format!("{option}=…"),
        value => format!("{option}={value}"),
    })
}

/// A result for Python.
pub trait OrRaise<T> {
    /// The value, or the exception of the error.
    fn or_raise(self, py: Python<'_>) -> PyResult<T>;
}

impl<T> OrRaise<T> for parlour::Result<T> {
    fn or_raise(self, py: Python<'_>) -> PyResult<T> {
        self.map_err(|error| exception(py, &error))
    }
}
