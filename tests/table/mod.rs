//! People at a table: in the terminal, on pages, and what must not get in.

mod program;
mod server;
mod terminal;
