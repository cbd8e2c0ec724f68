//! Tests of tables with people: the terminal, the web server and `parlour play`.

mod program;
mod server;
mod terminal;
