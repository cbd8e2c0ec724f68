//! Files: JSON with the place of what is wrong, writing that is whole or absent, digests, and the
//! strategies and experiments that come with the program.

mod held;
mod json;
mod lines;
mod pointer;
mod shelf;
pub mod text;
mod walk;
mod write;

pub use held::Held;
pub use json::{compact, parse_json, parse_json_line, pretty, read_text};
pub use json::{object, read_value, some_object};
pub use lines::{Lines, TextLine};
pub use pointer::{field_of, on_its_line, position, step};
pub use shelf::{Found, Origin, Shelf};
pub use write::{WholeFile, digest, make_folder, write_whole};
pub use write::{cannot_read, cannot_write, remove_whole};

pub use crate::error::unknown;
