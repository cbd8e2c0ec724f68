//! More wrong input: what a file may not be, and numbers out of bounds.

use crate::common::fail;

#[test]
fn a_number_of_threads_out_of_bounds() {
    let here = tempfile::tempdir().unwrap();
    let commands: [&[&str]; 5] = [
        &["run", "original-vs-revised"],
        &["plan", "original-vs-revised", "--difference", "0.1"],
        &["match", "leopard", "random", "random"],
        &["compare", "leopard", "revised", "original", "--strategies", "random"],
        &["science", "--bank", "test"],
    ];
    for command in commands {
        for count in ["0", "1025", "100000000000"] {
            let words = [count, "1..=1024", "--threads"];
            fail(here.path(), &[command, &["--threads", count]].concat(), 2, &words);
        }
    }
}
