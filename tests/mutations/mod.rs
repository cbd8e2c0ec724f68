//! Right records, changed so that they are wrong: `verify` refuses every one.
//!
//! Each kind of change is made 150 times, at places drawn at random. What is not among the kinds is
//! neutral, because a hand remains that could have been played so:
//!
//! * `deal`, `seed` and the strategies' names: they say where the hand comes from; no rule of a game
//!   speaks of them.
//! * A name that no variant has, with any sound rules.
//! * The order of cards dealt or drawn at once: they come from one stock.
//! * An unseen card (drawn and never shown) that becomes another of which a copy is left.
//! * A chain of leaps that takes the same pieces by another path.
//! * A secret rule without its name, or another one that judges each card of the hand alike.
//! * Rules that the variant's name stood for before fields were added to them.
//! * Keys that are added, and the order of keys.

mod eleusis;
mod head;
mod leapfrog;
mod leopard;

use parlour::chance::{Seed, Stream};
use parlour::game::{Label, Recorded};
use serde_json::Value;

/// Number of attempts for each kind.
const TRIES: usize = 150;

/// Makes a record wrong; `None` if it has no place for such a change.
type Change = fn(&mut Value, &mut Stream) -> Option<()>;

type Kinds = [(&'static str, Change)];

/// Holds the kinds of change against these records of a game.
fn check<G: Recorded>(records: &[Value], own: &Kinds) {
    let kinds = || head::KINDS.iter().chain(own);
    assert!(own.len() + head::KINDS.len() >= 40 && own.len() >= 25);
    let verdict = |record: &Value| {
        let read = serde_json::from_str::<G::Record>(&record.to_string());
        read.map_err(|e| e.to_string())
            .and_then(|record| G::verify(&record).map_err(|fault| fault.to_string()))
    };
    for record in records {
        assert_eq!(verdict(record), Ok(()), "{record}");
        let mut added = record.clone();
        added["note"] = Value::Null;
        for turn in added["turns"].as_array_mut().into_iter().flatten() {
            turn["seconds"] = 1.5.into();
        }
        assert_eq!(verdict(&added), Ok(()), "keys may be added: {added}");
    }
    let mut faults = Vec::new();
    for (index, (name, change)) in kinds().enumerate() {
        let mut chance = Seed::new(15).named(name).stream();
        let (mut changed, mut taken) = (0, 0);
        for record in records.iter().cycle().take(TRIES * 60) {
            let mut wrong = record.clone();
            if change(&mut wrong, &mut chance).is_none() {
                continue;
            }
            changed += 1;
            if verdict(&wrong).is_ok() {
                taken += 1;
                faults.extend((taken == 1).then(|| format!("{name}: taken: {wrong}")));
            }
            if changed == TRIES {
                break;
            }
        }
        if changed < TRIES || taken > 0 {
            faults.push(format!("{index}. {name}: {changed} changed, {taken} taken"));
        }
    }
    println!("{}: {} kinds of change, {TRIES} of each", G::NAME, kinds().count());
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Hands of the named variants, played by `choose`.
pub fn records<G: Recorded>(
    variants: &[&str],
    hands: u64,
    choose: impl Fn(&G, &G::State, &mut Stream) -> G::Move,
) -> Vec<Value> {
    let hand = |(variant, number): (&&str, u64)| {
        let game = G::new(&G::preset(variant).unwrap()).unwrap();
        let start = Seed::new(number).named(variant).stream();
        let (mut deck, mut choice) = (start.clone(), Seed::new(number).child(1).stream());
        let (mut state, mut moves) = (game.deal(&mut deck), Vec::new());
        while game.turn(&state) != parlour::game::Turn::Over {
            let mv = choose(&game, &state, &mut choice);
            game.apply(&mut state, mv, &mut deck);
            moves.push(mv);
        }
        let seats = (0..game.seats()).map(|seat| format!("player-{seat}")).collect();
        let variant = (*variant).to_owned();
        let label = Label { variant, deal: number, hand: 0, rotation: 0, seed: 9, seats };
        serde_json::to_value(game.record(&label, start, &moves, &state)).unwrap()
    };
    (0..hands).flat_map(|n| variants.iter().map(move |name| (name, n))).map(hand).collect()
}

/// The list of this name.
fn list<'a>(value: &'a mut Value, name: &str) -> &'a mut Vec<Value> {
    value[name].as_array_mut().expect(name)
}

/// A random number below `of`; `None` if `of` is 0.
fn one(of: usize, chance: &mut Stream) -> Option<usize> {
    (of > 0).then(|| chance.below(of as u32) as usize)
}

/// One of the items that are fit for a change, by index.
fn fit(items: &[Value], chance: &mut Stream, is_fit: impl Fn(&Value) -> bool) -> Option<usize> {
    let places: Vec<usize> = (0..items.len()).filter(|&at| is_fit(&items[at])).collect();
    one(places.len(), chance).map(|which| places[which])
}

/// One of the turns that are fit for a change.
fn turn<'a>(
    record: &'a mut Value,
    chance: &mut Stream,
    is_fit: impl Fn(&Value) -> bool,
) -> Option<&'a mut Value> {
    let turns = list(record, "turns");
    fit(turns, chance, is_fit).map(|at| &mut turns[at])
}

/// Takes a key out, if it is there.
fn without(value: &mut Value, key: &str) -> Option<()> {
    value.as_object_mut()?.remove(key).map(|_| ())
}

/// A card at random.
fn any_card(chance: &mut Stream) -> String {
    parlour::cards::Card::from_index(chance.below(52) as u8).to_string()
}

/// A card that is not among these.
fn other_card(than: &[String], chance: &mut Stream) -> String {
    std::iter::repeat_with(|| any_card(chance)).find(|card| !than.contains(card)).unwrap()
}

/// The cards of a list.
fn cards(list: &Value) -> Vec<String> {
    list.as_array().into_iter().flatten().map(|card| card.as_str().unwrap().to_owned()).collect()
}

/// Three cards of the lists become copies of one, of which the decks have two.
fn third_copy(lists: Vec<&mut Vec<Value>>, chance: &mut Stream) -> Option<()> {
    let mut slots: Vec<&mut Value> = lists.into_iter().flatten().collect();
    let card = Value::from(any_card(chance));
    for _ in 0..3 {
        let slot = one(slots.len(), chance)?;
        *slots.swap_remove(slot) = card.clone();
    }
    Some(())
}
