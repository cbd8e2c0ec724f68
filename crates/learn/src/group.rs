//! The group of a game's symmetries.

use std::collections::BTreeMap;

use parlour_game::encoded::Symmetry;

/// All compositions of a game's symmetries, the identity first, as actions on inputs and outputs.
#[derive(Clone, Debug)]
pub(crate) struct Group {
    elements: Vec<Symmetry>,
    inverses: Vec<usize>,
}

/// Returns the permutation that applies `first`, then `then`.
fn composed(first: &[u16], then: &[u16]) -> Vec<u16> {
    first.iter().map(|place| then[usize::from(*place)]).collect()
}

impl Group {
    /// Composes these symmetries of `inputs` numbers and `outputs` actions in all ways.
    pub(crate) fn new(generators: &[Symmetry], inputs: usize, outputs: usize) -> Group {
        let identity = |count: usize| (0..count as u16).collect::<Vec<u16>>();
        let identity = Symmetry { numbers: identity(inputs), actions: identity(outputs) };
        let (mut elements, mut known) = (vec![identity.clone()], BTreeMap::from([(identity, 0)]));
        let mut at = 0;
        while at < elements.len() {
            for generator in generators {
                let element = &elements[at];
                let product = Symmetry {
                    numbers: composed(&element.numbers, &generator.numbers),
                    actions: composed(&element.actions, &generator.actions),
                };
                if !known.contains_key(&product) {
                    known.insert(product.clone(), elements.len());
                    elements.push(product);
                }
            }
            at += 1;
        }
        let inverse = |element: &Symmetry| {
            let inverted = |places: &[u16]| {
                let mut inverse = vec![0; places.len()];
                for (from, to) in places.iter().enumerate() {
                    inverse[usize::from(*to)] = from as u16;
                }
                inverse
            };
            let (numbers, actions) = (inverted(&element.numbers), inverted(&element.actions));
            known.get(&Symmetry { numbers, actions }).copied().unwrap_or(0)
        };
        let inverses = elements.iter().map(inverse).collect();
        Group { elements, inverses }
    }

    /// The number of symmetries.
    pub(crate) fn len(&self) -> usize {
        self.elements.len()
    }

    /// The place of an input before a symmetry.
    pub(crate) fn input_before(&self, element: usize, input: usize) -> usize {
        self.elements[self.inverses[element]].numbers[input].into()
    }

    /// The place of an output before a symmetry.
    pub(crate) fn output_before(&self, element: usize, output: usize) -> usize {
        self.elements[self.inverses[element]].actions[output].into()
    }

    /// The first of all outputs that are symmetric to one.
    pub(crate) fn first_output(&self, output: usize) -> usize {
        let images = self.elements.iter().map(|element| element.actions[output]);
        images.min().map_or(output, usize::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parlour_game::Ruled;
    use parlour_game::encoded::Encoded;
    use parlour_leopard::Leopard;

    #[test]
    fn leopard_has_64_symmetries_with_inverses() {
        let game = Leopard::new(&Leopard::preset("revised").unwrap()).unwrap();
        let symmetries = game.symmetries();
        let (inputs, outputs) = (symmetries[0].numbers.len(), symmetries[0].actions.len());
        let group = Group::new(&symmetries, inputs, outputs);
        assert_eq!(group.len(), 64);
        for element in 0..64 {
            for input in 0..inputs {
                let before = group.input_before(element, input);
                assert_eq!(usize::from(group.elements[element].numbers[before]), input);
            }
        }
        let corners = [0, 8, 24, 32].map(|ace| group.first_output(72 + ace));
        assert_eq!(
            corners, [72; 4],
            "discards of the aces, threes, sevens and nines are symmetric"
        );
    }
}
