//! The command `parlour`.

fn main() -> std::process::ExitCode {
    parlour::cli::main().into()
}
