//! Prints `results/README.md`, what every column of the tables means.

fn main() {
    print!("{}", parlour::results::dictionary());
}
