//! A prior learnt from rules that people have used: the distribution over the combinations that
//! makes them likely and has weights near zero.
//!
//! A combination has features: its kind, what its parts are and where they stand, how its two sides
//! go together. Its prior is proportional to the exponential of the sum of their weights (a
//! log-linear model; Della Pietra, Della Pietra and Lafferty 1997). The weights are those that make
//! the training rules likeliest, each weight being normal around zero beforehand (Chen and
//! Rosenfeld 2000), found by gradient ascent (Adam; Kingma and Ba 2015).

use rustc_hash::FxHashMap;

use crate::games::eleusis::vocabulary::{Combination, Join, Role};
use crate::maths::exp;

/// How the weights are learnt.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Learning {
    /// The standard deviation of a weight beforehand.
    pub spread: f64,
    /// How many steps are made.
    pub steps: u32,
}

impl Default for Learning {
    /// Chosen by cross-validation within the training half.
    fn default() -> Learning {
        Learning { spread: 0.7, steps: 60 }
    }
}

/// What each part of a text makes of its likelihood among the texts of its template: four parts
/// halve it.
const PART: f64 = 0.840_896_415_253_714_6;

/// How many kinds of combination there are: one atom, both, either, exactly one, if.
pub(super) const KINDS: usize = 5;

/// Where an atom stands: alone, as a part of a pair, as a condition, as the first or second side.
const PLACES: usize = 4;
const PLACE_NAMES: [&str; PLACES] = ["alone", "part", "condition", "side"];

/// The atoms of a combination with their places.
fn places(combo: &Combination) -> impl Iterator<Item = (usize, usize)> + '_ {
    let place = |at: usize| match (combo.join, at) {
        (Join::One, _) => 0,
        (Join::If, 0) => 2,
        (Join::If, _) => 3,
        _ => 1,
    };
    combo.tests().iter().enumerate().map(move |(at, &atom)| (place(at), usize::from(atom)))
}

/// How two tests go together, a bit each.
pub(super) type Pairing = u8;
pub(super) const PAIRINGS: usize = 16;

/// An atom as the prior sees it.
pub(super) struct Atom<'a> {
    pub role: Role,
    pub text: &'a str,
    pub template: &'a str,
    pub size: f64,
}

/// The features of an atom, each with how much of it there is, by place.
struct Features {
    /// By place and atom: the features with their amounts.
    of: Vec<Vec<(u32, f64)>>,
    /// By place and atom: its mass before anything is learnt. Templates are alike likely at every
    /// place, and within a template a text of four parts more is half as likely.
    base: Vec<f64>,
    count: usize,
}

impl Features {
    fn of(atoms: &[Atom<'_>]) -> Features {
        let mut numbers: FxHashMap<String, u32> = FxHashMap::default();
        let mut number = |name: String| {
            let next = numbers.len() as u32;
            *numbers.entry(name).or_insert(next)
        };
        let mut of = Vec::with_capacity(PLACES * atoms.len());
        let mut base = Vec::with_capacity(PLACES * atoms.len());
        for place in 0..PLACES {
            let mut totals: FxHashMap<&str, f64> = FxHashMap::default();
            for atom in atoms {
                let mut features = Vec::new();
                let fits = match place {
                    0 => atom.role != Role::Condition,
                    2 => atom.role == Role::Condition,
                    _ => atom.role == Role::Simple,
                };
                if fits {
                    let here = PLACE_NAMES[place];
                    for word in words(atom) {
                        features.push((number(format!("{here} {word}")), 1.0));
                        features.push((number(word), 1.0));
                    }
                    let size = number(format!("{here} size"));
                    features.push((size, atom.size / 4.0));
                }
                base.push(if fits { power(PART, atom.size as u32) } else { 0.0 });
                *totals.entry(atom.template).or_default() += base[of.len()];
                of.push(features);
            }
            for (atom, mass) in atoms.iter().zip(&mut base[place * atoms.len()..]) {
                *mass /= totals[atom.template].max(f64::MIN_POSITIVE);
            }
        }
        Features { of, base, count: numbers.len() }
    }
}

/// What an atom is described by: its text and template, how far it looks back, the words and
/// numbers in it.
fn words(atom: &Atom<'_>) -> Vec<String> {
    let mut out = vec![format!("= {}", atom.text), format!("like {}", atom.template)];
    let pieces: Vec<&str> =
        atom.text.split(|c: char| !c.is_alphanumeric()).filter(|piece| !piece.is_empty()).collect();
    let mut back = "0";
    for (at, piece) in pieces.iter().enumerate() {
        if *piece == "last" {
            let next = pieces.get(at + 1).filter(|next| next.bytes().all(|b| b.is_ascii_digit()));
            back = back.max(next.copied().unwrap_or("1"));
        } else {
            out.push((*piece).to_owned());
        }
    }
    out.push(format!("back {back}"));
    out.sort();
    out.dedup();
    out
}

/// The prior of each class: the sum over its members. `members` are classes with combinations and
/// how the two sides of each go together; `seen` are the classes of the training rules.
pub(super) fn learn(
    atoms: &[Atom<'_>],
    members: &[(u32, Combination, Pairing)],
    classes: usize,
    seen: &[u32],
    learning: &Learning,
) -> Vec<f64> {
    let features = Features::of(atoms);
    let n = atoms.len();
    let pairings = features.count + KINDS;
    let total = pairings + 2 * PAIRINGS;
    let mut weights = vec![0.0; total];
    let (mut first, mut second) = (vec![0.0; total], vec![0.0; total]);
    let mut by_class: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for &class in seen {
        by_class.entry(class).or_default();
    }
    for (index, (class, ..)) in members.iter().enumerate() {
        if let Some(list) = by_class.get_mut(class) {
            list.push(index);
        }
    }
    let mut gradient = vec![0.0; total];
    let mut at_place = vec![0.0; PLACES * n];
    let mut masses = vec![0.0; members.len()];
    for step in 1..=learning.steps {
        let mass_all = weigh(&features, n, members, &weights, &mut masses);
        at_place.fill(0.0);
        gradient.fill(0.0);
        let mut add = |index: usize, amount: f64, gradient: &mut [f64]| {
            let (_, combo, pairing) = members[index];
            gradient[features.count + combo.join as usize] += amount;
            if let Some(at) = pairing_place(combo, pairing) {
                gradient[pairings + at] += amount;
            }
            for (place, atom) in places(&combo) {
                at_place[place * n + atom] += amount;
            }
        };
        // What the training rules have more of than the model expects.
        let scale = seen.len() as f64 / mass_all;
        for (index, mass) in masses.iter().enumerate() {
            add(index, -mass * scale, &mut gradient);
        }
        for class in seen {
            let own = &by_class[class];
            let sum: f64 = own.iter().map(|&index| masses[index]).sum();
            for &index in own {
                add(index, masses[index] / sum, &mut gradient);
            }
        }
        for (amount, features) in at_place.iter().zip(&features.of) {
            for &(feature, much) in features {
                gradient[feature as usize] += amount * much;
            }
        }
        let late = f64::from(step) / f64::from(learning.steps);
        let rate = 0.15 * (1.0 - late) + 0.005;
        let (decay_one, decay_two): (f64, f64) = (0.9, 0.99);
        let bias_one = 1.0 - power(decay_one, step);
        let bias_two = 1.0 - power(decay_two, step);
        for feature in 0..total {
            let slope = gradient[feature] - weights[feature] / (learning.spread * learning.spread);
            first[feature] = decay_one * first[feature] + (1.0 - decay_one) * slope;
            second[feature] = decay_two * second[feature] + (1.0 - decay_two) * slope * slope;
            let root = (second[feature] / bias_two).sqrt() + 1e-6;
            weights[feature] += rate * first[feature] / bias_one / root;
        }
    }
    let mass_all = weigh(&features, n, members, &weights, &mut masses);
    let mut priors = vec![0.0; classes];
    for ((class, ..), mass) in members.iter().zip(&masses) {
        priors[*class as usize] += mass / mass_all;
    }
    priors
}

/// A power by multiplication: the same on every machine.
pub(super) fn power(base: f64, exponent: u32) -> f64 {
    (0..exponent).fold(1.0, |product, _| product * base)
}

fn pairing_place(combo: Combination, pairing: Pairing) -> Option<usize> {
    match combo.join {
        Join::One => None,
        Join::If => Some(PAIRINGS + usize::from(pairing)),
        _ => Some(usize::from(pairing)),
    }
}

/// The mass of each member, not scaled; their sum.
fn weigh(
    features: &Features,
    n: usize,
    members: &[(u32, Combination, Pairing)],
    weights: &[f64],
    masses: &mut [f64],
) -> f64 {
    let factor = |list: &Vec<(u32, f64)>| {
        exp(list.iter().map(|&(feature, much)| weights[feature as usize] * much).sum())
    };
    let factors: Vec<f64> =
        features.of.iter().zip(&features.base).map(|(list, base)| base * factor(list)).collect();
    let rest: Vec<f64> = weights[features.count..].iter().map(|&weight| exp(weight)).collect();
    let mut all = 0.0;
    for ((_, combo, pairing), mass) in members.iter().zip(masses) {
        *mass = rest[combo.join as usize];
        if let Some(at) = pairing_place(*combo, *pairing) {
            *mass *= rest[KINDS + at];
        }
        for (place, atom) in places(combo) {
            *mass *= factors[place * n + atom];
        }
        all += *mass;
    }
    all
}
