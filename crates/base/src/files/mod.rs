//! Files: JSON with the place of every error, atomic writes, locks, digests, and the strategies and
//! experiments that are embedded in the program.

mod held;
mod json;
mod lines;
mod shelf;
pub mod text;
mod write;

pub use held::Held;
pub use json::{
    child_pointer, compact, field_path, object, parse_json, parse_json_line, position, pretty,
    read_value, some_object,
};
pub use lines::{Lines, TextLine, read_text};
pub use shelf::{Found, Origin, Shelf, on_its_line};
pub use write::{
    WholeFile, cannot_read, cannot_write, digest, make_folder, remove_whole, write_whole,
};

pub use crate::error::unknown;
