//! A slow reference implementation of the rule language: recursion over the tree and the whole line.
//! The compiled rules must agree with it.

use std::collections::BTreeSet;

use parlour::cards::{Card, CardSet, Suit};
use parlour::chance::{Seed, Stream};
use parlour::games::eleusis::corpus;
use parlour::games::eleusis::rule::{
    Aggregate, Attr, Color, Expr, Kind, ListOp, Op, PatternKind, PhasePart, Rule, kind, parse,
};

/// A line of cards. Inside an expression that looks back, `this` is the line up to the played card.
#[derive(Clone, Copy)]
struct Line<'a> {
    cards: &'a [Card],
    this: Option<&'a [Card]>,
}

/// Returns the value of an expression at a place of a line, where the played card stands. Yes is 1,
/// no is 0, suits are 0 to 3, red is 1.
fn value(expr: &Expr, line: Line<'_>, place: usize) -> Option<i32> {
    let here = |e: &Expr| value(e, line, place);
    let played = line.this.unwrap_or(&line.cards[..=place]);
    let line = match expr {
        Expr::Op(..) | Expr::List(..) | Expr::This(_) | Expr::Phase(_) => line,
        _ => Line { this: Some(played), ..line },
    };
    let holds_at = |e: &Expr, i: usize| value(e, line, i) == Some(1);
    let before = |e: &Expr| (0..place).map(|i| value(e, line, i)).collect::<Vec<_>>();
    match expr {
        Expr::Num(n) => Some(*n),
        Expr::Suit(suit) => Some(suit.index() as i32),
        Expr::Color(color) => Some((*color == Color::Red) as i32),
        Expr::Bool(yes) => Some(*yes as i32),
        Expr::Attr(attr) => Some(attribute(*attr, line.cards[place])),
        Expr::Length => Some(place as i32),
        Expr::Was(k, e) => value(e, line, place.checked_sub(*k as usize)?),
        Expr::At(k, e) if *k as usize <= place => value(e, line, *k as usize - 1),
        Expr::At(..) => None,
        Expr::Latest(p, e) => value(e, line, (0..place).rev().find(|&i| holds_at(p, i))?),
        Expr::This(e) => value(e, Line { cards: played, this: None }, played.len() - 1),
        Expr::Among(p, e) => {
            let mut cards: Vec<Card> =
                (0..place).filter(|&i| holds_at(p, i)).map(|i| line.cards[i]).collect();
            cards.push(line.cards[place]);
            value(e, Line { cards: &cards, ..line }, cards.len() - 1)
        }
        Expr::Op(Op::Otherwise, items) => {
            let fits = |card: Card| {
                let mut cards = line.cards[..place].to_vec();
                cards.push(card);
                value(&items[0], Line { cards: &cards, ..line }, place) != Some(0)
            };
            if Card::all().any(fits) { here(&items[0]) } else { here(&items[1]) }
        }
        Expr::Op(op, items) => operation(*op, items, &here),
        Expr::List(what, e, list) => {
            let v = here(e)?;
            let at = list.iter().position(|item| here(item) == Some(v));
            match what {
                ListOp::In => Some(at.is_some() as i32),
                ListOp::After => here(&list[(at? + 1) % list.len()]),
                ListOp::Place => Some(at? as i32),
            }
        }
        Expr::Aggregate(Aggregate::Since, p, _) => {
            Some((0..place).rev().position(|i| holds_at(p, i))? as i32)
        }
        Expr::Aggregate(Aggregate::Run, e, _) => {
            let values = before(e);
            let last = values.last();
            Some(values.iter().rev().take_while(|v| Some(*v) == last).count() as i32)
        }
        Expr::Aggregate(Aggregate::Runs, e, _) => {
            Some(before(e).chunk_by(|a, b| a == b).count() as i32)
        }
        Expr::Aggregate(what, e, window) => {
            let mut values = before(e);
            let missing = window.is_some_and(|w| place < w as usize);
            let from = window.map_or(0, |w| place.saturating_sub(w as usize));
            let values = values.split_off(from);
            let full = !missing && (window.is_none() || !values.contains(&None));
            aggregate(*what, e, &values, full, here(e))
        }
        Expr::AggregateSince(what, e, p) => {
            let from = (0..place).rev().find(|&i| holds_at(p, i)).map_or(0, |i| i + 1);
            aggregate(*what, e, &before(e).split_off(from), true, here(e))
        }
        Expr::Phase(parts) => {
            let each = parts.iter().flat_map(|part| std::iter::repeat_n(part, part.0 as usize));
            let each: Vec<_> = each.collect();
            match each[place % each.len()] {
                (_, PhasePart::Test, test) => here(test),
                (_, part, e) if place > 0 => {
                    let line = Line { this: Some(played), ..line };
                    let is_same = value(e, line, place)? == value(e, line, 0)?;
                    Some((is_same == (*part == PhasePart::Same)) as i32)
                }
                _ => None,
            }
        }
        Expr::Cycle(tests) => {
            let all: BTreeSet<usize> = (0..tests.len()).collect();
            let mut next = all.clone();
            for i in 0..place {
                let fits = |at: &&usize| value(&tests[**at], line, i) != Some(0);
                next = next.iter().filter(fits).map(|at| (at + 1) % tests.len()).collect();
                if next.is_empty() {
                    next = all.clone();
                }
            }
            Some(next.iter().any(|&at| here(&tests[at]) != Some(0)) as i32)
        }
        Expr::Pattern(PatternKind::Pattern, e, letters) => pattern(e, letters, line, place),
        Expr::Pattern(PatternKind::Motif, e, letters) => {
            let at = place % letters.len();
            let tests = (0..at).filter(|&i| letters[at] != b'X' && letters[i] != b'X').map(|i| {
                let before = value(e, line, place - (at - i))?;
                Some(((here(e)? == before) == (letters[i] == letters[at])) as i32)
            });
            all(tests)
        }
    }
}

fn operation(op: Op, items: &[Expr], here: &dyn Fn(&Expr) -> Option<i32>) -> Option<i32> {
    match op {
        Op::And => return all(items.iter().map(here)),
        Op::Or => return all(items.iter().map(|e| here(e).map(|v| 1 - v))).map(|v| 1 - v),
        Op::Holds => return items.iter().map(here).sum(),
        Op::Default => return here(&items[0]).or_else(|| here(&items[1])),
        Op::If => {
            let (yes, no) = (here(&items[1]), here(&items[2]));
            return match here(&items[0]) {
                Some(1) => yes,
                Some(_) => no,
                None if yes == no => yes,
                None => None,
            };
        }
        _ => {}
    }
    let values = items.iter().map(here).collect::<Option<Vec<i32>>>()?;
    let (a, b) = (values[0], *values.last()?);
    Some(match op {
        Op::Not => (a == 0) as i32,
        Op::Neg => -a,
        Op::Abs => a.abs(),
        Op::Even => (a.rem_euclid(2) == 0) as i32,
        Op::Odd => (a.rem_euclid(2) == 1) as i32,
        Op::Prime => (a > 1 && (2..a).all(|d| a % d != 0)) as i32,
        Op::Add => a + b,
        Op::Sub => a - b,
        Op::Mul => a * b,
        Op::Div => a.div_euclid(b),
        Op::Mod => a.rem_euclid(b),
        Op::Gcd => (1..=a.abs().max(b.abs())).rfind(|d| a % d == 0 && b % d == 0).unwrap_or(0),
        Op::Larger => a.max(b),
        Op::Smaller => a.min(b),
        Op::Eq => (a == b) as i32,
        Op::Ne | Op::Xor => (a != b) as i32,
        Op::Lt => (a < b) as i32,
        Op::Le => (a <= b) as i32,
        Op::Gt => (a > b) as i32,
        Op::Ge => (a >= b) as i32,
        _ => unreachable!("handled above"),
    })
}

/// Returns no if any test is no, unknown if any is unknown, otherwise yes.
fn all(tests: impl Iterator<Item = Option<i32>>) -> Option<i32> {
    let tests: Vec<_> = tests.collect();
    if tests.contains(&Some(0)) {
        Some(0)
    } else if tests.contains(&None) {
        None
    } else {
        Some(1)
    }
}

fn pattern(e: &Expr, letters: &[u8], line: Line<'_>, place: usize) -> Option<i32> {
    let at = place % letters.len();
    if letters[at] == b'X' {
        return Some(1);
    }
    let here = value(e, line, place);
    let first = letters.iter().position(|l| *l == letters[at]).unwrap();
    if first < place
        && let (Some(a), Some(b)) = (here, value(e, line, first))
    {
        return Some((a == b) as i32);
    }
    if first != at {
        return None;
    }
    let mut bound = BTreeSet::new();
    let others: Vec<usize> =
        (0..at).filter(|i| letters[*i] != b'X' && bound.insert(letters[*i])).collect();
    // All letters are bound from the second repetition on.
    all(others.into_iter().map(|i| Some((here? != value(e, line, i)?) as i32)))
}

fn attribute(attr: Attr, card: Card) -> i32 {
    let text = card.to_string();
    let (sign, suit) = (&text[..1], &text[1..]);
    let rank = "A23456789TJQK".find(sign).unwrap() as i32 + 1;
    let yes = match attr.word() {
        "rank" => return rank,
        "suit" => return "SHDC".find(suit).unwrap() as i32,
        "color" | "red" => "HD".contains(suit),
        "black" => "SC".contains(suit),
        "spade" => suit == "S",
        "heart" => suit == "H",
        "diamond" => suit == "D",
        "club" => suit == "C",
        "face" => "JQK".contains(sign),
        "even" => "2468TQ".contains(sign),
        "odd" => "A3579JK".contains(sign),
        "prime" => "2357JK".contains(sign),
        "composite" => "4689TQ".contains(sign),
        "loop" => "A4689Q".contains(sign),
        "low" => "A234567".contains(sign),
        "high" => "89TJQK".contains(sign),
        word => unreachable!("{word}"),
    };
    yes as i32
}

/// Evaluates an aggregate. `full` is `true` if the window has all its cards and values.
fn aggregate(
    what: Aggregate,
    of: &Expr,
    values: &[Option<i32>],
    full: bool,
    here: Option<i32>,
) -> Option<i32> {
    let known: Vec<i32> = values.iter().flatten().copied().collect();
    let different: BTreeSet<i32> = known.iter().copied().collect();
    let times = |v: i32| known.iter().filter(|k| **k == v).count() as i32;
    match what {
        Aggregate::Count => Some(times(1)),
        Aggregate::Any => Some((times(1) > 0) as i32),
        Aggregate::All => Some((times(1) == values.len() as i32) as i32),
        Aggregate::Sum => full.then(|| known.iter().sum()),
        Aggregate::Product => full.then(|| known.iter().product()),
        Aggregate::Max => known.iter().copied().max(),
        Aggregate::Min => known.iter().copied().min(),
        Aggregate::Distinct => Some(different.len() as i32),
        Aggregate::Seen if known.is_empty() => None,
        Aggregate::Seen => Some(different.contains(&here?) as i32),
        Aggregate::Times => here.map(times),
        Aggregate::Commonest => {
            here.map(|own| different.iter().all(|v| times(*v) <= times(own)) as i32)
        }
        Aggregate::Rarest => {
            let sort = kind(of).unwrap();
            let mut possible = sort.low()..sort.low() + sort.values() as i32;
            here.map(|own| possible.all(|v| times(v) >= times(own)) as i32)
        }
        Aggregate::Since | Aggregate::Run | Aggregate::Runs => unreachable!("handled above"),
        Aggregate::Majority | Aggregate::Minority => {
            let sign = if what == Aggregate::Majority { 1 } else { -1 };
            let candidates = two_values(of).unwrap_or(different.into_iter().collect());
            let best = candidates.iter().map(|v| sign * times(*v)).max()?;
            let mut winners = candidates.iter().filter(|v| sign * times(**v) == best);
            let winner = winners.next().copied();
            if winners.next().is_some() { None } else { winner }
        }
    }
}

/// Returns the values of an expression with two values.
fn two_values(of: &Expr) -> Option<Vec<i32>> {
    match kind(of).unwrap() {
        Kind::Bool | Kind::Color => Some(vec![0, 1]),
        Kind::Int(low, high) if low + 1 == high => Some(vec![low, high]),
        _ => None,
    }
}

fn right(rule: &Expr, line: &[Card], card: Card) -> bool {
    let mut line = line.to_vec();
    line.push(card);
    value(rule, Line { cards: &line, this: None }, line.len() - 1) != Some(0)
}

/// Compares the verdicts along a line of right cards; one card in eight is any card. Returns the number
/// of compared verdicts.
fn compare(rule: &Rule, length: usize, chance: &mut Stream) -> usize {
    let mut line: Vec<Card> = vec![Card::from_index(chance.below(52) as u8)];
    let mut memory = rule.after(&line);
    for _ in 0..length {
        let verdicts = rule.right(&memory);
        for card in Card::all() {
            let expected = right(rule.expr(), &line, card);
            assert_eq!(verdicts.has(card), expected, "{rule} after {line:?}: {card}");
        }
        let any = verdicts.is_empty() || chance.below(8) == 0;
        let mut from = if any { CardSet::FULL } else { verdicts };
        let card = from.nth(chance.below(from.len()) as usize).unwrap();
        memory = rule.step(&memory, card);
        line.push(card);
    }
    length * 52
}

#[test]
fn every_corpus_rule_agrees() {
    let mut chance = Seed::new(1).stream();
    for entry in corpus() {
        for _ in 0..3 {
            compare(&entry.rule, 12, &mut chance);
        }
        let empty = entry.rule.right(&Default::default());
        for card in Card::all() {
            assert_eq!(empty.has(card), right(entry.rule.expr(), &[], card), "{}", entry.name);
        }
    }
}

#[test]
fn random_rules_agree_and_read_back() {
    let mut chance = Seed::new(2).stream();
    let (mut rules, mut triples) = (0, 0);
    while triples < 200_000 {
        let Ok(rule) = Rule::new(test(3, &mut chance)) else { continue };
        let text = rule.to_string();
        assert_eq!(parse(&text).as_ref(), Ok(rule.expr()), "{text}");
        triples += compare(&rule, 8, &mut chance);
        rules += 1;
    }
    assert!(rules > 300, "{rules}");
}

fn pick<T: Clone>(items: &[T], chance: &mut Stream) -> T {
    items[chance.below(items.len() as u32) as usize].clone()
}

fn window(chance: &mut Stream) -> Option<u8> {
    (chance.below(3) > 0).then(|| chance.below(4) as u8 + 1)
}

/// An attribute of the card at this place, now and then of the card played.
fn attr(attr: Attr, c: &mut Stream) -> Expr {
    let expr = Expr::Attr(attr);
    if c.below(12) == 0 { Expr::This(expr.into()) } else { expr }
}

/// A random test.
fn test(depth: u32, c: &mut Stream) -> Expr {
    if depth == 0 {
        return attr(pick(&Attr::all().skip(3).collect::<Vec<_>>(), c), c);
    }
    let d = depth - 1;
    let tests = |c: &mut Stream| (0..2 + c.below(2)).map(|_| test(d, c)).collect::<Vec<_>>();
    match c.below(28) {
        24 => Expr::Op(Op::Otherwise, vec![test(d, c), test(d, c)]),
        25 => {
            let what = pick(&[Aggregate::Commonest, Aggregate::Rarest], c);
            Expr::Aggregate(what, any(d, c).into(), window(c))
        }
        26 => Expr::Among(test(d, c).into(), test(d, c).into()),
        27 => {
            let own = pick(&[Attr::SUIT, Attr::COLOR], c);
            let alike = vec![Expr::Attr(own), Expr::This(Expr::Attr(own).into())];
            Expr::Among(Expr::Op(Op::Eq, alike).into(), test(d, c).into())
        }
        22 => {
            let what = pick(&[Aggregate::Any, Aggregate::All], c);
            Expr::AggregateSince(what, test(d, c).into(), test(d, c).into())
        }
        23 => Expr::AggregateSince(Aggregate::Seen, any(d, c).into(), test(d, c).into()),
        0 => Expr::Op(Op::And, tests(c)),
        1 => Expr::Op(Op::Or, tests(c)),
        2 => Expr::Op(Op::If, vec![test(d, c), test(d, c), test(d, c)]),
        3 => Expr::Op(Op::Not, vec![test(d, c)]),
        4 => Expr::Op(Op::Xor, vec![test(d, c), test(d, c)]),
        5 => Expr::Op(Op::Default, vec![test(d, c), test(d, c)]),
        6 => Expr::Cycle((0..1 + c.below(4)).map(|_| test(d, c)).collect()),
        7 => {
            let parts = (0..1 + c.below(3)).map(|_| {
                let (part, inner) = match c.below(3) {
                    0 => (PhasePart::Same, any(d, c)),
                    1 => (PhasePart::Other, any(d, c)),
                    _ => (PhasePart::Test, test(d, c)),
                };
                (1 + c.below(2) as u8, part, inner)
            });
            Expr::Phase(parts.collect())
        }
        8 | 9 => {
            let letters = (0..1 + c.below(5)).map(|_| pick(b"AABBCX", c)).collect();
            let what = if c.below(2) == 0 { PatternKind::Pattern } else { PatternKind::Motif };
            Expr::Pattern(what, any(d, c).into(), letters)
        }
        10 => Expr::Aggregate(Aggregate::Seen, any(d, c).into(), window(c)),
        11 => {
            let what = pick(&[Aggregate::Any, Aggregate::All], c);
            Expr::Aggregate(what, test(d, c).into(), window(c))
        }
        12 => Expr::Was(1 + c.below(3) as u8, test(d, c).into()),
        13 => {
            let list = (0..1 + c.below(5)).map(|_| Expr::Num(c.below(14) as i32)).collect();
            Expr::List(ListOp::In, number(d, c).into(), list)
        }
        14 => {
            let op = pick(&[Op::Even, Op::Odd, Op::Prime], c);
            Expr::Op(op, vec![number(d, c)])
        }
        15 => {
            let (a, b) = (suit(d, c), suit(d, c));
            Expr::Op(pick(&[Op::Eq, Op::Ne], c), vec![a, b])
        }
        16 => {
            let what = pick(&[Aggregate::Majority, Aggregate::Minority], c);
            let colors = Expr::Aggregate(what, Expr::Attr(Attr::COLOR).into(), Some(3));
            Expr::Op(Op::Eq, vec![Expr::Attr(Attr::COLOR), colors])
        }
        17 => Expr::Bool(c.below(2) == 0),
        _ => {
            use Op::{Eq, Ge, Gt, Le, Lt, Ne};
            let op = pick(&[Eq, Ne, Lt, Le, Gt, Ge], c);
            Expr::Op(op, vec![number(d, c), number(d, c)])
        }
    }
}

fn any(depth: u32, c: &mut Stream) -> Expr {
    match c.below(4) {
        0 => attr(Attr::COLOR, c),
        1 => suit(depth, c),
        2 => number(depth.min(1), c),
        _ => test(depth, c),
    }
}

fn suit(depth: u32, c: &mut Stream) -> Expr {
    match if depth == 0 { 0 } else { c.below(6) } {
        1 => Expr::Suit(pick(&Suit::ALL, c)),
        2 => Expr::Was(1 + c.below(2) as u8, suit(depth - 1, c).into()),
        3 => {
            let list = (0..1 + c.below(4)).map(|_| Expr::Suit(pick(&Suit::ALL, c))).collect();
            Expr::List(ListOp::After, suit(depth - 1, c).into(), list)
        }
        4 => Expr::Latest(test(depth - 1, c).into(), suit(depth - 1, c).into()),
        _ => attr(Attr::SUIT, c),
    }
}

/// A random number, rarely large.
fn number(depth: u32, c: &mut Stream) -> Expr {
    if depth == 0 {
        let constant = Expr::Num(c.below(14) as i32 - 3);
        return if c.below(2) == 0 { attr(Attr::RANK, c) } else { constant };
    }
    let d = depth - 1;
    match c.below(21) {
        16 => Expr::Aggregate(Aggregate::Times, any(d, c).into(), window(c)),
        17 => Expr::AggregateSince(Aggregate::Times, any(d, c).into(), test(d, c).into()),
        18 => {
            let what = pick(&[Aggregate::Max, Aggregate::Min, Aggregate::Sum], c);
            Expr::AggregateSince(what, number(d, c).into(), test(d, c).into())
        }
        0 => Expr::Length,
        1 => Expr::Was(1 + c.below(3) as u8, number(d, c).into()),
        2 => Expr::At(1 + c.below(3) as u8, number(d, c).into()),
        3 => Expr::Latest(test(d, c).into(), number(d, c).into()),
        4 => Expr::Op(pick(&[Op::Neg, Op::Abs], c), vec![number(d, c)]),
        5 | 6 => {
            use Op::{Add, Gcd, Larger, Smaller, Sub};
            let op = pick(&[Add, Sub, Larger, Smaller, Gcd], c);
            Expr::Op(op, vec![number(d, c), number(d, c)])
        }
        7 => {
            let by = Expr::Num(2 + c.below(5) as i32);
            Expr::Op(pick(&[Op::Mod, Op::Div], c), vec![number(d, c), by])
        }
        8 => Expr::Op(Op::Default, vec![number(d, c), number(d, c)]),
        9 => {
            let what = pick(&[Aggregate::Max, Aggregate::Min, Aggregate::Sum], c);
            Expr::Aggregate(what, number(d, c).into(), window(c))
        }
        10 => Expr::Aggregate(
            Aggregate::Product,
            Expr::Attr(Attr::RANK).into(),
            Some(1 + c.below(3) as u8),
        ),
        11 => Expr::Aggregate(Aggregate::Count, test(d, c).into(), window(c)),
        12 => Expr::Aggregate(Aggregate::Distinct, any(d, c).into(), window(c)),
        13 => Expr::Aggregate(Aggregate::Since, test(d, c).into(), None),
        14 => {
            let inner = any(d, c).into();
            Expr::Aggregate(
                if c.below(2) == 0 { Aggregate::Run } else { Aggregate::Runs },
                inner,
                None,
            )
        }
        19 => Expr::Among(test(d, c).into(), number(d, c).into()),
        15 => Expr::Op(Op::Holds, (0..2).map(|_| test(d, c)).collect()),
        _ => {
            let order = [2, 0, 3, 1].map(|s| Expr::Suit(Suit::ALL[s])).to_vec();
            Expr::List(ListOp::Place, suit(d, c).into(), order)
        }
    }
}
