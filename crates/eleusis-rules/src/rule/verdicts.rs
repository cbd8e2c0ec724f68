//! The verdicts of a test on all 52 cards at once, in three-valued logic.

use parlour_base::cards::CardSet;

const ALL: u64 = CardSet::FULL.0;

/// The cards that satisfy a test, and those that do not fail it (yes or unknown).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdicts {
    /// Cards with yes.
    pub yes: u64,
    /// Cards with yes or unknown.
    pub right: u64,
}

impl Verdicts {
    /// Yes for every card.
    pub const YES: Verdicts = Verdicts { yes: ALL, right: ALL };
    /// No for every card.
    pub const NO: Verdicts = Verdicts { yes: 0, right: 0 };
    /// Unknown for every card.
    pub const UNKNOWN: Verdicts = Verdicts { yes: 0, right: ALL };

    /// Returns the same verdict for every card: 0 is no, any other value yes.
    pub(super) const fn uniform(value: Option<i32>) -> Verdicts {
        match value {
            Some(0) => Verdicts::NO,
            Some(_) => Verdicts::YES,
            None => Verdicts::UNKNOWN,
        }
    }

    /// Returns the verdict on one card: 1 for yes, 0 for no.
    pub(super) const fn of(self, card: u8) -> Option<i32> {
        match (self.yes >> card & 1, self.right >> card & 1) {
            (1, _) => Some(1),
            (_, 0) => Some(0),
            _ => None,
        }
    }
    pub(super) const fn not(self) -> Verdicts {
        Verdicts { yes: ALL & !self.right, right: ALL & !self.yes }
    }
    pub(super) const fn and(self, b: Verdicts) -> Verdicts {
        Verdicts { yes: self.yes & b.yes, right: self.right & b.right }
    }
    pub(super) const fn or(self, b: Verdicts) -> Verdicts {
        Verdicts { yes: self.yes | b.yes, right: self.right | b.right }
    }
    pub(super) const fn xor(self, b: Verdicts) -> Verdicts {
        self.and(b.not()).or(self.not().and(b))
    }

    /// Selects `yes` or `no` by a test; where the test is unknown, keeps what both agree on.
    pub(super) const fn choose(test: Verdicts, yes: Verdicts, no: Verdicts) -> Verdicts {
        let unknown = test.right & !test.yes;
        let (a, b) = (test.yes, ALL & !test.right);
        Verdicts {
            yes: a & yes.yes | b & no.yes | unknown & yes.yes & no.yes,
            right: a & yes.right | b & no.right | unknown & (yes.right | no.right),
        }
    }

    /// Returns these verdicts where they are known, else those of `other`.
    pub(super) const fn or_else(self, other: Verdicts) -> Verdicts {
        let unknown = self.right & !self.yes;
        Verdicts { yes: self.yes | unknown & other.yes, right: self.yes | unknown & other.right }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connectives_agree_with_three_valued_logic_for_each_card() {
        let values = [Some(0), Some(1), None];
        for a in values {
            for b in values {
                let (x, y) = (Verdicts::uniform(a), Verdicts::uniform(b));
                let both = |decisive: i32| match (a, b) {
                    (Some(v), _) | (_, Some(v)) if v == decisive => Some(decisive),
                    (Some(_), Some(_)) => Some(1 - decisive),
                    _ => None,
                };
                assert_eq!(x.and(y).of(7), both(0), "{a:?} and {b:?}");
                assert_eq!(x.or(y).of(7), both(1), "{a:?} or {b:?}");
                assert_eq!(x.xor(y).of(7), a.zip(b).map(|(a, b)| a ^ b), "{a:?} xor {b:?}");
                assert_eq!(x.or_else(y).of(7), a.or(b), "{a:?} ?? {b:?}");
                assert_eq!(x.not().of(7), a.map(|a| 1 - a), "not {a:?}");
                for test in values {
                    let expected = match test {
                        Some(1) => a,
                        Some(_) => b,
                        None => a.filter(|_| a == b),
                    };
                    let chosen = Verdicts::choose(Verdicts::uniform(test), x, y);
                    assert_eq!(chosen.of(7), expected, "if {test:?} then {a:?} else {b:?}");
                }
            }
        }
    }
}
