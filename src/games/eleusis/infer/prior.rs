//! A prior learnt from rules that people have used: the distribution over the combinations that
//! makes them likely and has weights near zero.
//!
//! A combination has features: its kind, what its parts are and where they stand, how its two sides
//! go together. Its prior is proportional to the exponential of the sum of their weights (a
//! log-linear model; Della Pietra, Della Pietra and Lafferty 1997). The weights are those that make
//! the training rules likeliest, each weight being normal around zero beforehand (Chen and
//! Rosenfeld 2000), found by gradient ascent (Adam; Kingma and Ba 2015).

use rustc_hash::FxHashMap;

use crate::games::eleusis::{Combination, Join, Role};
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

/// How two tests go together, a bit each.
pub(super) type Pairing = u8;
pub(super) const PAIRINGS: usize = 16;

/// An atom as the prior sees it.
pub(super) struct Atom {
    pub role: Role,
    pub text: String,
    pub template: String,
    pub size: f64,
}

/// A combination, the class that it is of, and how its two sides go together.
pub(super) type Member = (u32, Combination, Pairing);

/// What the masses of combinations are products of: each atom at each place, each kind, each way in
/// which the two sides of a pair or of an *if* go together.
struct Terms {
    atoms: usize,
    /// The features of each term with their amounts.
    features: Vec<Vec<(u32, f64)>>,
    /// The mass of each before anything is learnt. Templates are alike likely at every place, and
    /// within a template a text of four parts more is half as likely.
    base: Vec<f64>,
    /// How many features there are.
    count: usize,
}

impl Terms {
    fn of(atoms: &[Atom]) -> Terms {
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
                *totals.entry(&atom.template).or_default() += base[of.len()];
                of.push(features);
            }
            for (atom, mass) in atoms.iter().zip(&mut base[place * atoms.len()..]) {
                *mass /= totals[&*atom.template].max(f64::MIN_POSITIVE);
            }
        }
        // Kinds and pairings are features of their own.
        let count = numbers.len() + KINDS + 2 * PAIRINGS;
        of.extend((numbers.len()..count).map(|own| vec![(own as u32, 1.0)]));
        base.resize(of.len(), 1.0);
        Terms { atoms: atoms.len(), features: of, base, count }
    }

    /// The terms of a combination.
    fn of_member(&self, &(_, ref rule, pairing): &Member) -> impl Iterator<Item = usize> {
        let (atoms, join) = (self.atoms, rule.join);
        let kinds = PLACES * atoms;
        let pairing = match join {
            Join::One => None,
            Join::If => Some(PAIRINGS + usize::from(pairing)),
            _ => Some(usize::from(pairing)),
        };
        let place = move |at: usize| match (join, at) {
            (Join::One, _) => 0,
            (Join::If, 0) => 2,
            (Join::If, _) => 3,
            _ => 1,
        };
        let parts = rule.tests().iter().enumerate();
        let parts = parts.map(move |(at, &atom)| place(at) * atoms + usize::from(atom));
        let pairing = pairing.map(|at| kinds + KINDS + at);
        [kinds + join as usize].into_iter().chain(pairing).chain(parts)
    }

    /// The mass of each member, not scaled; their sum.
    fn weigh(&self, members: &[Member], weights: &[f64], masses: &mut [f64]) -> f64 {
        let factor = |(features, base): (&Vec<(u32, f64)>, &f64)| {
            base * exp(features.iter().map(|&(at, much)| weights[at as usize] * much).sum())
        };
        let factors: Vec<f64> = self.features.iter().zip(&self.base).map(factor).collect();
        let mut all = 0.0;
        for (member, mass) in members.iter().zip(masses) {
            *mass = self.of_member(member).map(|term| factors[term]).product();
            all += *mass;
        }
        all
    }
}

/// What an atom is described by: its text and template, how far it looks back, the words and
/// numbers in it.
fn words(atom: &Atom) -> Vec<String> {
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
    atoms: &[Atom],
    members: &[Member],
    classes: usize,
    seen: &[u32],
    learning: &Learning,
) -> Vec<f64> {
    let terms = Terms::of(atoms);
    let mut weights = vec![0.0; terms.count];
    let (mut first, mut second) = (weights.clone(), weights.clone());
    let mut by_class: FxHashMap<u32, Vec<usize>> = FxHashMap::default();
    for &class in seen {
        by_class.entry(class).or_default();
    }
    for (index, (class, ..)) in members.iter().enumerate() {
        if let Some(list) = by_class.get_mut(class) {
            list.push(index);
        }
    }
    let mut masses = vec![0.0; members.len()];
    for step in 1..=learning.steps {
        let mass_all = terms.weigh(members, &weights, &mut masses);
        // What the training rules have more of than the model expects, by term and by feature.
        let mut more = vec![0.0; terms.features.len()];
        let mut add = |index: usize, amount: f64| {
            terms.of_member(&members[index]).for_each(|term| more[term] += amount);
        };
        let scale = seen.len() as f64 / mass_all;
        for (index, mass) in masses.iter().enumerate() {
            add(index, -mass * scale);
        }
        for class in seen {
            let own = &by_class[class];
            let sum: f64 = own.iter().map(|&index| masses[index]).sum();
            own.iter().for_each(|&index| add(index, masses[index] / sum));
        }
        let mut gradient = vec![0.0; terms.count];
        for (amount, features) in more.iter().zip(&terms.features) {
            for &(feature, much) in features {
                gradient[feature as usize] += amount * much;
            }
        }
        let late = f64::from(step) / f64::from(learning.steps);
        let rate = 0.15 * (1.0 - late) + 0.005;
        let (decay_one, decay_two): (f64, f64) = (0.9, 0.99);
        let bias_one = 1.0 - power(decay_one, step);
        let bias_two = 1.0 - power(decay_two, step);
        for feature in 0..terms.count {
            let slope = gradient[feature] - weights[feature] / (learning.spread * learning.spread);
            first[feature] = decay_one * first[feature] + (1.0 - decay_one) * slope;
            second[feature] = decay_two * second[feature] + (1.0 - decay_two) * slope * slope;
            let root = (second[feature] / bias_two).sqrt() + 1e-6;
            weights[feature] += rate * first[feature] / bias_one / root;
        }
    }
    let mass_all = terms.weigh(members, &weights, &mut masses);
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
