//! Strategy files.

mod bases;
mod kinds;
mod variants;
