//! Files: JSON with the place of every error, atomic writes, checksums, locks, digests, and the strategies and
//! experiments that are embedded in the program.

mod checksum;
mod dir_lock;
mod json;
mod library;
pub mod text;
mod text_file;
mod write;

pub use checksum::{ChecksummedLine, checksummed_line, copy_sealed, digest, digest_file};
pub use dir_lock::DirLock;
pub use json::{
    child_pointer, compact, difference, field_path, leaves, object, parse_json, parse_json_line,
    plain_message, position, pretty, read_value, some_object,
};
pub use library::{Library, Origin, SourceFile, located, named_in, on_its_line};
pub use text_file::{Lines, TextLine, cannot_read, read_bytes, read_text};
pub use write::{
    AtomicFile, cannot_write, copy_atomic, create_dir, is_same_file, is_special, keep_private,
    open_own, remedy, remove_dir, rename, sync, sync_folder, write_atomic, write_locked,
};

pub use crate::error::unknown;
