//! Strategy files.

mod bases;
mod kinds;
