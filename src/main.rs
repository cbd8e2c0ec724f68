//! The command `parlour`.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    parlour::cli::main(std::env::args_os()).into()
}
