//! Certificates: each proves the solver's value, and a changed one never proves another value.

use parlour::games::leapfrog::certificate::Certificate;
use parlour::games::leapfrog::solve::{Solution, SolveOptions, solve, solve_one_row};
use parlour::games::leapfrog::{Chains, FirstCaptures, FirstToLeap, Rules};

/// Solves a board and returns its certificate too.
fn certified(rules: &Rules, board: Option<&str>) -> (Solution, String) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certificate.json");
    let options = SolveOptions { certificate: Some(&path), ..SolveOptions::default() };
    let solution = solve(rules, board, &options, &mut |_| {}).unwrap();
    (solution, std::fs::read_to_string(&path).unwrap())
}

fn check(text: &str) -> parlour::Result<i32> {
    Ok(Certificate::read("it", text)?.check()?.value)
}

#[test]
fn a_certificate_proves_the_value_under_every_rule() {
    let coloured = Rules::murray(3, 4);
    let second = FirstToLeap::Seat(1);
    let cases = [
        (Rules::plain(1, 1), None),
        (Rules::plain(1, 2), None),
        (Rules::plain(1, 8), None),
        (Rules::plain(7, 2), None),
        (Rules::plain(4, 5), None),
        (Rules { first_to_leap: second, ..Rules::plain(4, 4) }, None),
        (Rules { chains: Chains::Single, ..Rules::plain(3, 4) }, None),
        (Rules { diagonal: true, ..Rules::plain(4, 4) }, None),
        (coloured.clone(), Some("wyrw/gwyw/wywr")),
        (Rules { first_to_leap: second, ..coloured.clone() }, Some("wyrw/gwyw/wywr")),
        (
            Rules { first_captures: FirstCaptures::FirstSeatLowest, ..coloured.clone() },
            Some("wyrw/gwyw/wywr"),
        ),
        (
            Rules { first_captures: FirstCaptures::FirstSeatGreen, ..coloured.clone() },
            Some("wyrw/gwyw/wywr"),
        ),
        (Rules { first_to_leap: FirstToLeap::Lot, ..coloured.clone() }, Some("wyrw/gwyw/wywr")),
        (
            Rules { first_to_leap: FirstToLeap::LastChooses, ..coloured.clone() },
            Some("wyrw/gwyw/wywr"),
        ),
        (
            Rules {
                first_to_leap: FirstToLeap::LastChooses,
                first_captures: FirstCaptures::FirstSeatLowest,
                ..coloured.clone()
            },
            Some("wyrw/gwyw/wywr"),
        ),
        (Rules { first_to_leap: FirstToLeap::LastChooses, ..Rules::plain(2, 7) }, None),
        (coloured, Some("wyr./gwyw/.ywr")),
        (Rules::plain(4, 4), Some("ooo./oooo/o.oo/oooo")),
    ];
    for (rules, board) in cases {
        let (solution, text) = certified(&rules, board);
        assert_eq!(check(&text).unwrap(), solution.value, "{rules:?} {board:?}");
    }
}

#[test]
fn one_row_boards_have_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("certificate.json");
    let options = SolveOptions { certificate: Some(&path), ..SolveOptions::default() };
    let solution = solve_one_row(20, &options, &mut |_| {}).unwrap();
    assert_eq!(solution.value, 1);
    assert_eq!(check(&std::fs::read_to_string(&path).unwrap()).unwrap(), 1);
}

/// Every change of a byte and every cut of the file is found.
#[test]
fn a_changed_certificate_is_refused_or_proves_the_same() {
    let (solution, text) = certified(&Rules::plain(3, 4), None);
    let mut refused = 0;
    for at in 0..text.len() {
        for change in [b'0', b'1', b'9', b'z', b'"', b' ', b'.', text.as_bytes()[at] ^ 1] {
            let mut bytes = text.clone().into_bytes();
            bytes[at] = change;
            let mutant = String::from_utf8(bytes).unwrap();
            match check(&mutant) {
                Ok(value) => assert_eq!(value, solution.value, "{mutant}"),
                Err(_) => refused += 1,
            }
        }
        if at < text.trim_end().len() {
            assert!(check(&text[..at]).is_err(), "cut after {at} bytes");
        }
    }
    assert!(refused > 5 * text.len(), "{refused}");
}

/// A changed proof with a correct digest never proves a wrong value.
#[test]
fn a_forged_proof_is_refused_or_proves_the_same() {
    let (solution, text) = certified(&Rules::plain(4, 4), None);
    let honest = Certificate::read("it", &text).unwrap();
    let letters = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    let number = |letter: u8| letters.iter().position(|&known| known == letter).unwrap() as u16;
    let moves: Vec<u16> = honest.proof.iter().flat_map(|line| line.bytes()).map(number).collect();
    let check_changed =
        |certificate: Certificate, moves: &[u16]| certificate.with_proof(moves).check();
    assert!(moves.len() > 20 && !moves.contains(&61));
    assert_eq!(check_changed(honest.clone(), &moves).unwrap().value, solution.value);
    let mut refused = 0;
    for at in 0..moves.len() {
        for change in [0, 1, 2, 5, 60] {
            let mut forged = moves.clone();
            forged[at] = change;
            match check_changed(honest.clone(), &forged) {
                Ok(checked) => assert_eq!(checked.value, solution.value),
                Err(_) => refused += 1,
            }
        }
        assert!(check_changed(honest.clone(), &moves[..at]).is_err());
    }
    assert!(refused > moves.len(), "{refused}");
    for value in [-2, -1, 1, 2].map(|by| solution.value + by) {
        for moves in [moves.as_slice(), &[0; 200], &[]] {
            let forged = Certificate { value, ..honest.clone() };
            assert!(check_changed(forged, moves).is_err(), "{value}");
        }
    }
    let wrong =
        |certificate: Certificate| check_changed(certificate, &moves).unwrap_err().to_string();
    assert!(wrong(Certificate { endings: 60, ..honest.clone() }).contains("must be at most 10"));
    assert!(wrong(Certificate { rows: 9, ..honest.clone() }).contains("must have 9 rows"));
    assert!(wrong(Certificate { cols: 99, ..honest.clone() }).contains("1 to 60 cells"));
    assert!(
        wrong(Certificate { first_to_leap: FirstToLeap::Seat(2), ..honest })
            .contains("must be 0 or 1")
    );
}

#[test]
fn faults_of_a_certificate_are_named() {
    let (_, text) = certified(&Rules::plain(3, 3), None);
    let refuse = |from: &str, to: &str| {
        let changed = text.replacen(from, to, 1);
        assert_ne!(changed, text);
        check(&changed).unwrap_err().to_string()
    };
    assert!(
        refuse("\"format\": 1", "\"format\": 2")
            .contains("has format 2, but only format 1 is known")
    );
    assert!(refuse("leapfrog", "leopard").contains("only `leapfrog` has certificates"));
    assert!(refuse("ooo/", "oo./").contains("changed or cut after it was written"));
    assert!(refuse("\"rows\": 3", "\"rows\": \"3\"").contains("rows"));
}

#[test]
fn the_committed_certificates_prove_the_values_in_the_table() {
    let folder = std::path::Path::new("results/leapfrog-exact-values");
    let mut table = csv::Reader::from_path(folder.join("boards.csv")).unwrap();
    let rows = table.records().map(|row| row.unwrap());
    let values: std::collections::HashMap<String, i32> = rows
        .map(|row| (format!("mini-{}x{}", &row[0], &row[1]), row[2].parse().unwrap()))
        .collect();
    let files = std::fs::read_dir(folder.join("certificates")).unwrap();
    let mut proved = 0;
    for file in files.map(|file| file.unwrap().path()) {
        let name = file.file_stem().unwrap().to_str().unwrap();
        let text = std::fs::read_to_string(&file).unwrap();
        assert_eq!(check(&text).unwrap(), values[name], "{name}");
        proved += 1;
    }
    assert!(proved >= 7, "{proved}");
}

#[test]
fn the_number_of_moves_is_that_of_the_proof() {
    let (_, text) = certified(&Rules::plain(4, 4), None);
    let mut json: serde_json::Value = serde_json::from_str(&text).unwrap();
    let moves = json["moves"].as_u64().unwrap();
    for wrong in [0, moves - 1, moves + 1, i64::MAX as u64] {
        json["moves"] = wrong.into();
        json["digest"] = "".into();
        json["digest"] = parlour::files::digest(json.to_string()).into();
        let error = check(&json.to_string()).unwrap_err().to_string();
        assert_eq!(error, format!("`moves` is {wrong}, but the proof has {moves}"));
    }
}
