//! `parlour serve`.

use std::path::PathBuf;

use clap::{Args, value_parser};

use super::output::print;
use crate::error::Result;
use crate::table::server::{Port, Server, open_browser};

#[derive(Args, Debug)]
pub(super) struct Serve {
    /// Folder of the site, as `cargo xtask site` makes it
    #[arg(default_value = "target/site")]
    folder: PathBuf,
    /// Port of the site [default: any free port]
    #[arg(long, value_parser = value_parser!(u16).range(1..))]
    port: Option<u16>,
    /// Print the address of the site without opening a browser
    #[arg(long)]
    no_open: bool,
}

pub(super) fn run(args: &Serve) -> Result<()> {
    let server = Server::of_folder(Port::bind(args.port)?, &args.folder)?;
    let address = server.address();
    let how = match !args.no_open && open_browser(&address) {
        true => "It is open in the browser",
        false => "Open it in a browser on this machine",
    };
    print(format!("The site: {address}\n{how}. Ctrl-C ends the program."))?;
    server.run()
}
