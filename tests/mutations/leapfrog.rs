//! Wrong hands of Leap Frog.

use parlour::Game;
use parlour::games::leapfrog::Leapfrog;

use super::*;

#[test]
fn every_wrong_change_of_a_leapfrog_record_is_refused() {
    let variants = ["mini-5x6", "murray-mini-6x5", "froglet", "mini-4x4", "murray-mini-7x7"];
    let choose = |game: &Leapfrog, state: &_, chance: &mut Stream| game.sample(state, chance);
    check::<Leapfrog>(&records::<Leapfrog>(&variants, 12, choose), KINDS);
}

/// Changes the board's text.
fn board(r: &mut Value, change: impl FnOnce(&str) -> String) -> Option<()> {
    let text = change(r["board"].as_str()?);
    (r["board"] != text.as_str()).then(|| r["board"] = text.into())
}

/// Puts something else in the place of one piece.
fn piece(r: &mut Value, s: &mut Stream, change: impl Fn(char) -> char) -> Option<()> {
    let at = one(r["board"].as_str()?.len(), s)?;
    board(r, |text| {
        let each = text.chars().enumerate();
        each.map(|(i, c)| if i == at && c != '/' { change(c) } else { c }).collect()
    })
}

/// Changes one of the chains, if that is a change.
fn chain(
    r: &mut Value,
    s: &mut Stream,
    is_fit: impl Fn(&[&str]) -> bool,
    change: impl FnOnce(&mut Vec<String>),
) -> Option<()> {
    let moves = list(r, "moves");
    let cells = |text: &Value| text.as_str().unwrap().split('-').collect::<Vec<_>>().len() > 1;
    let at = fit(moves, s, |mv| cells(mv) && is_fit(&split(mv)))?;
    let mut cells: Vec<String> = split(&moves[at]).into_iter().map(str::to_owned).collect();
    change(&mut cells);
    moves[at] = cells.join("-").into();
    Some(())
}

fn split(mv: &Value) -> Vec<&str> {
    mv.as_str().unwrap().split('-').collect()
}

/// The number of first captures.
fn firsts(r: &Value) -> usize {
    let moves = r["moves"].as_array().unwrap();
    moves.iter().take_while(|mv| mv.as_str().unwrap().starts_with('x')).count()
}

/// The cell some columns and rows from another, on the board or not.
fn beside(cell: &str, right: i32, down: i32) -> String {
    let col = char::from((i32::from(cell.as_bytes()[0]) + right) as u8);
    format!("{col}{}", cell[1..].parse::<i32>().unwrap() + down)
}

/// Puts a leap of other columns and rows into some chain.
fn leap(r: &mut Value, s: &mut Stream, steps: &[(i32, i32)]) -> Option<()> {
    let (right, down) = steps[one(steps.len(), s)?];
    chain(r, s, |_| true, |cells| cells[1] = beside(&cells[0], right, down))
}

const KINDS: &Kinds = &[
    ("a cell without a piece", |r, s| piece(r, s, |_| '.')),
    ("a piece that is none", |r, s| piece(r, s, |_| 'z')),
    ("a piece in capitals", |r, s| piece(r, s, |c| c.to_ascii_uppercase())),
    ("a plain piece among coloured ones, or the reverse", |r, s| {
        piece(r, s, |c| if c == 'o' { 'w' } else { 'o' })
    }),
    ("a piece of a higher colour", |r, s| {
        piece(r, s, |c| match c {
            'w' => 'y',
            'y' => 'r',
            'r' => 'g',
            other => other,
        })
    }),
    ("a piece of a lower colour", |r, s| {
        piece(r, s, |c| match c {
            'g' => 'r',
            'r' => 'y',
            'y' => 'w',
            other => other,
        })
    }),
    ("a row too few", |r, _| board(r, |text| text.rsplit_once('/').unwrap().0.to_owned())),
    ("a row too many", |r, _| {
        board(r, |text| format!("{text}/{}", text.split('/').next().unwrap()))
    }),
    ("a row too long", |r, _| board(r, |text| format!("{text}o"))),
    ("a row too short", |r, _| board(r, |text| text[1..].to_owned())),
    ("rows that are not parted", |r, _| board(r, |text| text.replacen('/', "", 1))),
    ("no board", |r, _| without(r, "board")),
    ("a first capture of nothing", |r, _| {
        (firsts(r) > 1).then(|| r["moves"][1] = r["moves"][0].clone())
    }),
    ("a first capture beside the board", |r, s| {
        let cells = ["xr1", "xa18", "xa0", "xs1", "x", "xa-1", "xA1", "x1a"];
        let at = one(firsts(r), s)?;
        r["moves"][at] = cells[one(cells.len(), s)?].into();
        Some(())
    }),
    ("a first capture without its sign", |r, s| {
        let at = one(firsts(r), s)?;
        r["moves"][at] = r["moves"][at].as_str()?[1..].into();
        Some(())
    }),
    ("Froglet: a first capture that is not of the lowest value", |r, s| {
        (r["variant"] == "froglet").then_some(())?;
        let rows = r["board"].as_str()?.split('/').enumerate();
        let cells = rows.flat_map(|(row, text)| {
            let valued = text.bytes().zip(b'a'..).filter(|(piece, _)| *piece != b'w');
            valued.map(move |(_, col)| format!("x{}{}", char::from(col), row + 1))
        });
        let cells: Vec<String> = cells.collect();
        r["moves"][0] = cells[one(cells.len(), s)?].clone().into();
        Some(())
    }),
    ("another seat that leaps first", |r, _| {
        // With plain pieces, and unless all score alike, the points are then those of others.
        let alike = r["scores"][0] == r["scores"][1];
        (r["rules"]["pieces"] == "original" && !alike).then_some(())?;
        r["variant"] = "my-own".into();
        r["rules"]["first_to_leap"] = (1 - r["rules"]["first_to_leap"].as_u64()?).into();
        Some(())
    }),
    ("a leap in place of a first capture", |r, s| {
        let at = one(firsts(r), s)?;
        r["moves"][at] = ["a1-c1", "a1-a3", "b2-b4"][one(3, s)?].into();
        Some(())
    }),
    ("a first capture in place of a leap", |r, s| {
        chain(r, s, |_| true, |cells| *cells = vec![format!("x{}", cells[0])])
    }),
    ("a first capture too many", |r, s| {
        let (first, at) = (firsts(r), r["moves"][0].as_str()?.to_owned());
        let cell = other_cell(r, &at[1..], s)?;
        list(r, "moves").insert(first, format!("x{cell}").into());
        Some(())
    }),
    ("a first capture and a chain exchanged", |r, s| {
        let first = firsts(r);
        let moves = list(r, "moves");
        let chain = first + one(moves.len() - first, s)?;
        let at = one(first, s)?;
        moves.swap(at, chain);
        Some(())
    }),
    ("a leap from an empty cell", |r, s| {
        let (first, from) = (firsts(r), r["moves"][0].as_str()?[1..].to_owned());
        let (right, down) = [(2, 0), (-2, 0), (0, 2), (0, -2)][one(4, s)?];
        r["moves"][first] = format!("{from}-{}", beside(&from, right, down)).into();
        Some(())
    }),
    ("a leap onto a piece", |r, s| {
        let first = firsts(r);
        let gone: Vec<String> =
            (0..first).map(|at| r["moves"][at].as_str().unwrap()[1..].to_owned()).collect();
        let from = other_cell(r, &gone[0], s)?;
        let to = beside(&from, [2, 0][one(2, s)?], 0);
        let to = if to == from { beside(&from, 0, 2) } else { to };
        r["moves"][first] = format!("{from}-{to}").into();
        (!gone.contains(&to)).then_some(())
    }),
    ("a step", |r, s| leap(r, s, &[(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1)])),
    ("a leap over two", |r, s| leap(r, s, &[(3, 0), (-3, 0), (0, 3), (0, -3)])),
    ("a leap that is not straight", |r, s| leap(r, s, &[(2, 1), (1, 2), (-2, 1), (2, -1)])),
    ("a leap across the corner", |r, s| leap(r, s, &[(2, 2), (-2, 2), (2, -2), (-2, -2)])),
    ("a leap off the board", |r, s| {
        let far = ["r18", "a18", "r1", "s9", "a0"][one(5, s)?];
        chain(r, s, |_| true, |cells| cells[1] = far.to_owned())
    }),
    ("a leap on the spot", |r, s| leap(r, s, &[(0, 0)])),
    ("a chain of one cell", |r, s| chain(r, s, |_| true, |cells| cells.truncate(1))),
    ("a chain that leaps back", |r, s| {
        chain(r, s, |_| true, |cells| cells.push(cells[cells.len() - 2].clone()))
    }),
    ("a chain cut short", |r, s| chain(r, s, |cells| cells.len() > 2, |cells| drop(cells.pop()))),
    ("a chain without its first leap", |r, s| {
        chain(r, s, |cells| cells.len() > 2, |cells| drop(cells.remove(0)))
    }),
    ("a text that is no move", |r, s| {
        let texts = ["", "-", "stop", "pass", "a1 c1", "a1--c1", "A1-C1", "a1-c1-"];
        let moves = list(r, "moves");
        let at = one(moves.len(), s)?;
        moves[at] = texts[one(texts.len(), s)?].into();
        Some(())
    }),
    ("a turn left out", |r, s| {
        let moves = list(r, "moves");
        let at = one(moves.len(), s)?;
        moves.remove(at);
        Some(())
    }),
    ("a turn made twice", |r, s| {
        let moves = list(r, "moves");
        let at = one(moves.len(), s)?;
        let again = moves[at].clone();
        moves.insert(at, again);
        Some(())
    }),
];

/// A cell of the board other than this one.
fn other_cell(r: &Value, than: &str, s: &mut Stream) -> Option<String> {
    let (rows, cols) = (r["rules"]["rows"].as_u64()?, r["rules"]["cols"].as_u64()?);
    let mut any = || {
        let col = char::from(b'a' + s.below(cols as u32) as u8);
        format!("{col}{}", 1 + s.below(rows as u32))
    };
    (0..99).map(|_| any()).find(|cell| cell != than)
}
