//! Files: JSON with the place of what is wrong, writing that is whole or absent, digests, and the
//! strategies and experiments that come with the program.

mod digest;
mod json;
mod nearest;
mod shelf;
mod write;

pub use digest::digest;
pub(crate) use json::hinted;
pub use json::{JsonFault, parse_json, read_text};
use nearest::misplaced;
pub use nearest::{together, unknown};
pub use shelf::{Found, Origin, Shelf};
pub use write::{WholeFile, write_whole};
