//! A slow reference implementation of the rule language: recursion over the tree and the whole line.
//! The compiled rules must agree with it.

use std::collections::BTreeSet;

use parlour::cards::{Card, CardSet, Suit};
use parlour::chance::{Seed, Stream};
use parlour::games::eleusis::corpus;
use parlour::games::eleusis::rule::{
    Aggregate, Attr, Constant, Expr, Head, ListOp, Op, PatternKind, PhasePart, Rule, Sort, Span,
    kind, parse,
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
    let line = match &expr.head {
        Head::Op(_) | Head::List(..) | Head::This | Head::Phase(_) => line,
        _ => Line { this: Some(played), ..line },
    };
    let parts = &expr.parts[..];
    let holds_at = |e: &Expr, i: usize| value(e, line, i) == Some(1);
    let before = |e: &Expr| (0..place).map(|i| value(e, line, i)).collect::<Vec<_>>();
    match (&expr.head, parts) {
        (Head::Const(constant), _) => Some(constant.value),
        (Head::Attr(attr), _) => Some(attribute(*attr, line.cards[place])),
        (Head::Length, _) => Some(place as i32),
        (Head::Was(k), [e]) => value(e, line, place.checked_sub(*k as usize)?),
        (Head::At(k), [e]) if *k as usize <= place => value(e, line, *k as usize - 1),
        (Head::At(_), _) => None,
        (Head::Latest, [p, e]) => value(e, line, (0..place).rev().find(|&i| holds_at(p, i))?),
        (Head::This, [e]) => value(e, Line { cards: played, this: None }, played.len() - 1),
        (Head::Among, [p, e]) => {
            let mut cards: Vec<Card> =
                (0..place).filter(|&i| holds_at(p, i)).map(|i| line.cards[i]).collect();
            cards.push(line.cards[place]);
            value(e, Line { cards: &cards, ..line }, cards.len() - 1)
        }
        (Head::Op(Op::Otherwise), [first, second]) => {
            let fits = |card: Card| {
                let mut cards = line.cards[..place].to_vec();
                cards.push(card);
                value(first, Line { cards: &cards, ..line }, place) != Some(0)
            };
            if Card::all().any(fits) { here(first) } else { here(second) }
        }
        (Head::Op(op), _) => operation(*op, parts, &here),
        (Head::List(what, list), [e]) => {
            let v = here(e)?;
            let at = list.iter().position(|item| item.value == v);
            match what {
                ListOp::In => Some(at.is_some() as i32),
                ListOp::After => Some(list[(at? + 1) % list.len()].value),
                ListOp::Place => Some(at? as i32),
            }
        }
        (Head::Aggregate(Aggregate::Since, _), [p]) => {
            Some((0..place).rev().position(|i| holds_at(p, i))? as i32)
        }
        (Head::Aggregate(Aggregate::Run, _), [e]) => {
            let values = before(e);
            let last = values.last();
            Some(values.iter().rev().take_while(|v| Some(*v) == last).count() as i32)
        }
        (Head::Aggregate(Aggregate::Runs, _), [e]) => {
            Some(before(e).chunk_by(|a, b| a == b).count() as i32)
        }
        (Head::Aggregate(what, Span::Line), [e]) => aggregate(*what, e, &before(e), true, here(e)),
        (Head::Aggregate(what, Span::Last(window)), [e]) => {
            let window = *window as usize;
            let values = before(e).split_off(place.saturating_sub(window));
            let full = place >= window && !values.contains(&None);
            aggregate(*what, e, &values, full, here(e))
        }
        (Head::Aggregate(what, Span::Since), [e, p]) => {
            let from = (0..place).rev().find(|&i| holds_at(p, i)).map_or(0, |i| i + 1);
            aggregate(*what, e, &before(e).split_off(from), true, here(e))
        }
        (Head::Phase(list), _) => {
            let each = list
                .iter()
                .zip(parts)
                .flat_map(|((count, part), e)| std::iter::repeat_n((part, e), *count as usize));
            let each: Vec<_> = each.collect();
            match each[place % each.len()] {
                (PhasePart::Test, test) => here(test),
                (part, e) if place > 0 => {
                    let line = Line { this: Some(played), ..line };
                    let is_same = value(e, line, place)? == value(e, line, 0)?;
                    Some((is_same == (*part == PhasePart::Same)) as i32)
                }
                _ => None,
            }
        }
        (Head::Cycle, tests) => {
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
        (Head::Pattern(PatternKind::Pattern, letters), [e]) => pattern(e, letters, line, place),
        (Head::Pattern(PatternKind::Motif, letters), [e]) => {
            let at = place % letters.len();
            let tests = (0..at).filter(|&i| letters[at] != b'X' && letters[i] != b'X').map(|i| {
                let before = value(e, line, place - (at - i))?;
                Some(((here(e)? == before) == (letters[i] == letters[at])) as i32)
            });
            all(tests)
        }
        (head, _) => unreachable!("{head:?} with {} parts", parts.len()),
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
            let mut possible = sort.low..=sort.high;
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
    let kind = kind(of).unwrap();
    (kind.values() == 2).then(|| vec![kind.low, kind.high])
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

/// All cards or the last few.
fn span(chance: &mut Stream) -> Span {
    if chance.below(3) > 0 { Span::Last(chance.below(4) as u8 + 1) } else { Span::Line }
}

fn aggregated(what: Aggregate, of: Expr, span: Span) -> Expr {
    Expr::new(Head::Aggregate(what, span), [of])
}

fn since(what: Aggregate, of: Expr, test: Expr) -> Expr {
    Expr::new(Head::Aggregate(what, Span::Since), [of, test])
}

fn suit_constant(suit: Suit) -> Constant {
    Constant { sort: Sort::Suit, value: suit.index() as i32 }
}

/// An attribute of the card at this place, now and then of the card played.
fn attr(attr: Attr, c: &mut Stream) -> Expr {
    let expr = Expr::attr(attr);
    if c.below(12) == 0 { Expr::new(Head::This, [expr]) } else { expr }
}

/// A random test.
fn test(depth: u32, c: &mut Stream) -> Expr {
    if depth == 0 {
        return attr(pick(&Attr::all().skip(3).collect::<Vec<_>>(), c), c);
    }
    let d = depth - 1;
    let tests = |c: &mut Stream| (0..2 + c.below(2)).map(|_| test(d, c)).collect::<Vec<_>>();
    match c.below(28) {
        24 => Expr::new(Op::Otherwise, vec![test(d, c), test(d, c)]),
        25 => {
            let what = pick(&[Aggregate::Commonest, Aggregate::Rarest], c);
            aggregated(what, any(d, c), span(c))
        }
        26 => Expr::new(Head::Among, [test(d, c), test(d, c)]),
        27 => {
            let own = pick(&[Attr::SUIT, Attr::COLOR], c);
            let alike = [Expr::attr(own), Expr::new(Head::This, [Expr::attr(own)])];
            Expr::new(Head::Among, [Expr::new(Op::Eq, alike), test(d, c)])
        }
        22 => {
            let what = pick(&[Aggregate::Any, Aggregate::All], c);
            since(what, test(d, c), test(d, c))
        }
        23 => since(Aggregate::Seen, any(d, c), test(d, c)),
        0 => Expr::new(Op::And, tests(c)),
        1 => Expr::new(Op::Or, tests(c)),
        2 => Expr::new(Op::If, vec![test(d, c), test(d, c), test(d, c)]),
        3 => Expr::new(Op::Not, vec![test(d, c)]),
        4 => Expr::new(Op::Xor, vec![test(d, c), test(d, c)]),
        5 => Expr::new(Op::Default, vec![test(d, c), test(d, c)]),
        6 => Expr::new(Head::Cycle, (0..1 + c.below(4)).map(|_| test(d, c)).collect::<Vec<_>>()),
        7 => {
            let parts = (0..1 + c.below(3)).map(|_| {
                let (part, inner) = match c.below(3) {
                    0 => (PhasePart::Same, any(d, c)),
                    1 => (PhasePart::Other, any(d, c)),
                    _ => (PhasePart::Test, test(d, c)),
                };
                ((1 + c.below(2) as u8, part), inner)
            });
            let (list, parts): (Vec<_>, Vec<_>) = parts.unzip();
            Expr::new(Head::Phase(list), parts)
        }
        8 | 9 => {
            let letters = (0..1 + c.below(5)).map(|_| pick(b"AABBCX", c)).collect();
            let what = if c.below(2) == 0 { PatternKind::Pattern } else { PatternKind::Motif };
            Expr::new(Head::Pattern(what, letters), [any(d, c)])
        }
        10 => aggregated(Aggregate::Seen, any(d, c), span(c)),
        11 => {
            let what = pick(&[Aggregate::Any, Aggregate::All], c);
            aggregated(what, test(d, c), span(c))
        }
        12 => Expr::new(Head::Was(1 + c.below(3) as u8), [test(d, c)]),
        13 => {
            let length = 1 + c.below(5);
            let value = |_| Constant { sort: Sort::Number, value: c.below(14) as i32 };
            let list = (0..length).map(value).collect();
            Expr::new(Head::List(ListOp::In, list), [number(d, c)])
        }
        14 => {
            let op = pick(&[Op::Even, Op::Odd, Op::Prime], c);
            Expr::new(op, vec![number(d, c)])
        }
        15 => {
            let (a, b) = (suit(d, c), suit(d, c));
            Expr::new(pick(&[Op::Eq, Op::Ne], c), vec![a, b])
        }
        16 => {
            let what = pick(&[Aggregate::Majority, Aggregate::Minority], c);
            let colors = aggregated(what, Expr::attr(Attr::COLOR), Span::Last(3));
            Expr::new(Op::Eq, vec![Expr::attr(Attr::COLOR), colors])
        }
        17 => Expr::truth(c.below(2) == 0),
        _ => {
            use Op::{Eq, Ge, Gt, Le, Lt, Ne};
            let op = pick(&[Eq, Ne, Lt, Le, Gt, Ge], c);
            Expr::new(op, vec![number(d, c), number(d, c)])
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
        1 => Expr::leaf(Head::Const(suit_constant(pick(&Suit::ALL, c)))),
        2 => Expr::new(Head::Was(1 + c.below(2) as u8), [suit(depth - 1, c)]),
        3 => {
            let list = (0..1 + c.below(4)).map(|_| suit_constant(pick(&Suit::ALL, c))).collect();
            Expr::new(Head::List(ListOp::After, list), [suit(depth - 1, c)])
        }
        4 => Expr::new(Head::Latest, [test(depth - 1, c), suit(depth - 1, c)]),
        _ => attr(Attr::SUIT, c),
    }
}

/// A random number, rarely large.
fn number(depth: u32, c: &mut Stream) -> Expr {
    if depth == 0 {
        let constant = Expr::number(c.below(14) as i32 - 3);
        return if c.below(2) == 0 { attr(Attr::RANK, c) } else { constant };
    }
    let d = depth - 1;
    match c.below(21) {
        16 => aggregated(Aggregate::Times, any(d, c), span(c)),
        17 => since(Aggregate::Times, any(d, c), test(d, c)),
        18 => {
            let what = pick(&[Aggregate::Max, Aggregate::Min, Aggregate::Sum], c);
            since(what, number(d, c), test(d, c))
        }
        0 => Expr::leaf(Head::Length),
        1 => Expr::new(Head::Was(1 + c.below(3) as u8), [number(d, c)]),
        2 => Expr::new(Head::At(1 + c.below(3) as u8), [number(d, c)]),
        3 => Expr::new(Head::Latest, [test(d, c), number(d, c)]),
        4 => Expr::new(pick(&[Op::Neg, Op::Abs], c), vec![number(d, c)]),
        5 | 6 => {
            use Op::{Add, Gcd, Larger, Smaller, Sub};
            let op = pick(&[Add, Sub, Larger, Smaller, Gcd], c);
            Expr::new(op, vec![number(d, c), number(d, c)])
        }
        7 => {
            let by = Expr::number(2 + c.below(5) as i32);
            Expr::new(pick(&[Op::Mod, Op::Div], c), vec![number(d, c), by])
        }
        8 => Expr::new(Op::Default, vec![number(d, c), number(d, c)]),
        9 => {
            let what = pick(&[Aggregate::Max, Aggregate::Min, Aggregate::Sum], c);
            aggregated(what, number(d, c), span(c))
        }
        10 => {
            aggregated(Aggregate::Product, Expr::attr(Attr::RANK), Span::Last(1 + c.below(3) as u8))
        }
        11 => aggregated(Aggregate::Count, test(d, c), span(c)),
        12 => aggregated(Aggregate::Distinct, any(d, c), span(c)),
        13 => aggregated(Aggregate::Since, test(d, c), Span::Line),
        14 => {
            let inner = any(d, c);
            aggregated(
                if c.below(2) == 0 { Aggregate::Run } else { Aggregate::Runs },
                inner,
                Span::Line,
            )
        }
        19 => Expr::new(Head::Among, [test(d, c), number(d, c)]),
        15 => Expr::new(Op::Holds, (0..2).map(|_| test(d, c)).collect::<Vec<_>>()),
        _ => {
            let order = [2, 0, 3, 1].map(|s| suit_constant(Suit::ALL[s])).to_vec();
            Expr::new(Head::List(ListOp::Place, order), [suit(d, c)])
        }
    }
}
