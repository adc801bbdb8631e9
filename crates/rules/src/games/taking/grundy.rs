//! Grundy's game, for two.
//!
//! Piles of coins, by default a single pile of seven.
//!
//! - A move splits one pile into two piles of different sizes. It is written as the pile and its
//!   two parts, the larger one first: `7:5+2`. Piles of the same size are alike.
//! - Piles of one or two coins can't be split. Whoever can't move, because only such piles are
//!   left, loses.
//!
//! Source: the thesis on two-player games, which plays it with seven coins.
//!
//! Theory: piles of 1, 2, 3, ... coins have the nim values 0 0 1 0 2 1 0 2 1 0 2 1 3 2 1 3 2 4 3 0,
//! ...; whether they ever become periodic is an open question. The player to move wins exactly if
//! the exclusive or of all piles is not zero, so with seven coins they lose.

use super::prelude::*;
use super::row::set_bits;
use super::theory::{mex, worth};

params! {
    /// How many coins each pile has; at least one has three or more.
    piles: Vec<u8> of 1..=10 in 1..=100 = [7],
}

const LARGEST: usize = 100;

pub type Grundy = InTurn<SplitPiles>;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SplitPiles {
    /// How many piles there are of each size.
    piles: [u16; LARGEST + 1],
    /// The sizes of three or more that are there, as bits.
    splittable: u128,
}

/// A pile becomes two; `larger` is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Split {
    pile: u8,
    larger: u8,
}

impl Split {
    fn smaller(self) -> u8 {
        self.pile - self.larger
    }
}

impl fmt::Display for Split {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}+{}", self.pile, self.larger, self.smaller())
    }
}

impl FromStr for Split {
    type Err = NotAMove;

    fn from_str(text: &str) -> Result<Split, NotAMove> {
        let (pile, parts) = text.split_once(':').ok_or(NotAMove)?;
        let (larger, smaller) = parts.split_once('+').ok_or(NotAMove)?;
        let (Amount(pile), Amount(larger)) = (pile.parse()?, larger.parse()?);
        let Amount(smaller) = smaller.parse()?;
        let adds_up = larger.checked_add(smaller) == Some(pile);
        if adds_up && larger > smaller && smaller > 0 { Ok(Split { pile, larger }) } else { Err(NotAMove) }
    }
}

static NIM_VALUES: [u8; LARGEST + 1] = {
    let mut values = [0; LARGEST + 1];
    let mut pile = 3;
    while pile <= LARGEST {
        let mut reached = 0_u128;
        let mut smaller = 1;
        while 2 * smaller < pile {
            reached |= 1 << (values[smaller] ^ values[pile - smaller]);
            smaller += 1;
        }
        values[pile] = mex(reached);
        pile += 1;
    }
    values
};

impl SplitPiles {
    fn add(&mut self, size: u8) {
        self.piles[size as usize] += 1;
        if size >= 3 {
            self.splittable |= 1 << size;
        }
    }

    fn remove(&mut self, size: u8) {
        self.piles[size as usize] -= 1;
        if self.piles[size as usize] == 0 {
            self.splittable &= !(1 << size);
        }
    }

    /// The sizes that are there, with how many of each, in falling order.
    fn sizes(&self) -> impl Iterator<Item = (usize, usize)> {
        (1..=LARGEST).rev().map(|size| (size, self.piles[size] as usize)).filter(|&(_, count)| count > 0)
    }
}

impl Impartial for SplitPiles {
    type Params = Params;
    type Move = Split;

    const ABOUT: About = About {
        id: "grundy",
        name: "Grundy's game",
        source: "thesis",
        summary: "Split a pile into two unequal ones; whoever can't move loses.",
        notation: "pile:larger+smaller",
        example: "7:5+2",
        touches,
        file: include_str!("grundy.rs"),
        ..TAKING
    };

    fn start(params: &Params) -> Result<Self, ParamError> {
        let mut start = SplitPiles { piles: [0; LARGEST + 1], splittable: 0 };
        params.piles.iter().for_each(|&size| start.add(size));
        require(start.splittable != 0, "piles", || "at least one pile needs three coins or more".into())?;
        Ok(start)
    }

    fn is_over(&self) -> bool {
        self.splittable == 0
    }

    /// Small piles first, and the most unequal split of each first.
    fn moves(&self, out: &mut Vec<Split>) {
        for pile in set_bits(self.splittable) {
            out.extend((pile / 2 + 1..pile).rev().map(|larger| Split { pile, larger }));
        }
    }

    fn play(&mut self, split: &Split) {
        self.remove(split.pile);
        self.add(split.larger);
        self.add(split.smaller());
    }

    fn show(&self, view: &mut View) {
        let sizes = self.sizes().flat_map(|(size, count)| std::iter::repeat_n(size, count));
        view.put("piles", "The size of each pile, the largest first.", sizes.collect::<Vec<_>>());
    }

    fn picture(&self) -> Picture {
        self.sizes().fold(Picture::default(), |picture, (size, count)| {
            let label = format!("{count} of {size}");
            picture.counters(label, Piece::neutral('o'), size).known_as(size.to_string())
        })
    }

    /// A pile of n coins can be split n - 2 times if single coins are split off.
    fn longest(&self) -> u32 {
        self.sizes().map(|(size, count)| (size.saturating_sub(2) * count) as u32).sum()
    }

    /// Theory says who wins.
    fn evaluate(&self) -> i32 {
        // Two piles of one size cancel out.
        let odd = set_bits(self.splittable).filter(|&size| self.piles[size as usize] % 2 == 1);
        worth(odd.fold(0, |sum, size| sum ^ NIM_VALUES[size as usize]) != 0)
    }
}

/// The larger part says what the smaller one is.
fn touches(picture: &Picture, mv: &str) -> Vec<Touch> {
    picture.touches(mv.split('+').next().unwrap_or(mv))
}

impl Divisible for SplitPiles {
    /// Two piles of one size cancel out, and piles that can't be split are nothing.
    fn parts(&self) -> Vec<Self> {
        let odd = set_bits(self.splittable).filter(|&size| self.piles[size as usize] % 2 == 1);
        let part = |size: u8| {
            let mut alone = SplitPiles { piles: [0; LARGEST + 1], splittable: 0 };
            alone.add(size);
            alone
        };
        odd.map(part).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::trial::{Solver, assert_refused, legal, seen, start, winner};
    use serde_json::json;
    use std::collections::{BTreeMap, BTreeSet};

    #[test]
    fn rules_in_a_table() {
        for (piles, moves, seen_piles, choices, won) in [
            (json!([7]), "", json!([7]), "7:6+1 7:5+2 7:4+3", None),
            // Equal piles are one choice, and halves are none.
            (json!([4, 4, 2]), "", json!([4, 4, 2]), "4:3+1", None),
            (json!([4, 4, 2]), "4:3+1", json!([4, 3, 2, 1]), "3:2+1 4:3+1", None),
            // A possible game, figure 2 of the thesis.
            (json!([7]), "7:5+2 5:3+2", json!([3, 2, 2]), "3:2+1", None),
            (json!([7]), "7:5+2 5:3+2 3:2+1", json!([2, 2, 2, 1]), "", Some(0)),
        ] {
            let params = json!({"piles": piles});
            assert_eq!(seen("grundy", &params, moves, "piles"), seen_piles, "{params} {moves}");
            assert_eq!(legal("grundy", &params, moves), choices, "{params} {moves}");
            assert_eq!(winner("grundy", &params, moves), won, "{params} {moves}");
        }
        for wrong in ["7:2+5", "7:5+1", "4:2+2", "7:7+0", "7:5", "07:5+2", "7:5+2+0"] {
            assert!(wrong.parse::<Split>().is_err(), "`{wrong}`");
        }
    }

    /// A node as the thesis writes it: the piles, then the player to move.
    fn node(position: &Grundy) -> String {
        let piles = position.board.sizes().flat_map(|(size, count)| vec![size.to_string(); count]);
        format!(
            "{};{}",
            piles.collect::<Vec<_>>().join(","),
            if position.mover() == Seat::FIRST { 'A' } else { 'B' }
        )
    }

    fn next(position: &Grundy) -> Vec<Grundy> {
        let mut splits = Vec::new();
        position.moves(position.mover(), &mut splits);
        let played = |split| {
            let mut next = *position;
            next.play(position.mover(), split);
            next
        };
        splits.iter().map(played).collect()
    }

    /// The game graph, and the number of nodes on each level of the game tree.
    #[derive(Default)]
    struct Unfolded {
        nodes: BTreeMap<String, Grundy>,
        edges: BTreeSet<(String, String)>,
        levels: Vec<usize>,
    }

    fn unfold(start: Grundy) -> Unfolded {
        let Unfolded { mut nodes, mut edges, mut levels } = Unfolded::default();
        let mut level = vec![start];
        while !level.is_empty() {
            levels.push(level.len());
            nodes.extend(level.iter().map(|position| (node(position), *position)));
            edges.extend(
                level.iter().flat_map(|position| {
                    next(position).into_iter().map(|child| (node(position), node(&child)))
                }),
            );
            level = level.iter().flat_map(next).collect();
        }
        Unfolded { nodes, edges, levels }
    }

    #[test]
    fn seven_coins_as_in_the_thesis() {
        let Unfolded { nodes, edges, levels } = unfold(start(&json!({})));
        assert_eq!((nodes.len(), edges.len()), (14, 17));
        assert_eq!(levels, [1, 3, 6, 7, 6, 1]);
        let finals: Vec<&str> = nodes
            .iter()
            .filter(|(_, position)| position.turn().is_over())
            .map(|(name, _)| name.as_str())
            .collect();
        assert_eq!(finals, ["2,1,1,1,1,1;B", "2,2,1,1,1;A", "2,2,2,1;B"]);
        let mut solver = Solver::<Grundy>::new();
        let for_a =
            nodes.iter().filter(|(_, position)| solver.value(position) == 1).map(|(name, _)| name.as_str());
        let labelled_a = ["2,1,1,1,1,1;B", "2,2,2,1;B", "3,1,1,1,1;A", "3,2,2;A", "4,1,1,1;B", "5,1,1;A"];
        assert_eq!(for_a.collect::<Vec<_>>(), labelled_a);
        for (after, replies) in
            [("6,1;B", vec!["4,2,1;A"]), ("5,2;B", vec!["4,2,1;A"]), ("4,3;B", vec!["3,3,1;A", "4,2,1;A"])]
        {
            let winning = next(&nodes[after]).into_iter().filter(|child| solver.value(child) == -1);
            assert_eq!(
                winning.map(|child| node(&child)).collect::<BTreeSet<_>>(),
                replies.into_iter().map(str::to_owned).collect(),
                "{after}"
            );
        }
    }

    /// OEIS A002188, and the piles with which the player to move loses.
    #[test]
    fn nim_values_of_single_piles() {
        let published = [
            0, 0, 0, 1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 3, 2, 1, 3, 2, 4, 3, 0, 4, 3, 0, 4, 3, 0, 4, 1, 2, 3, 1,
            2, 4,
        ];
        assert_eq!(NIM_VALUES[..34], published);
        let lost: Vec<usize> = (1..=60).filter(|&pile| NIM_VALUES[pile] == 0).collect();
        assert_eq!(lost, [1, 2, 4, 7, 10, 20, 23, 26, 50, 53]);
        let mut solver = Solver::<Grundy>::new();
        for (pile, &value) in NIM_VALUES.iter().enumerate().take(17).skip(3) {
            let position: Grundy = start(&json!({"piles": [pile]}));
            assert_eq!(solver.nim_value(&position), value, "a pile of {pile}");
            solver.value(&position);
        }
        solver.assert_evaluation_is_exact();
    }

    #[test]
    fn bad_parameters() {
        assert_refused("grundy", [(json!({"piles": [1, 2]}), "piles")]);
    }
}
