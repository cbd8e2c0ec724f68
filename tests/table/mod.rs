//! Tests of tables with people: the terminal, the web server, `parlour play` and `parlour serve`.

mod program;
mod server;
mod site;
mod terminal;
