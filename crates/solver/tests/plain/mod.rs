//! A very simple solver, to check the clever solver. It lists all positions and goes over them
//! again and again.

use rules::Theory;
use std::collections::HashMap;

/// What side 0 gets from every position that can be reached.
pub struct Plain<P: Theory> {
    numbers: HashMap<P, usize>,
    worth: Vec<Worth>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Worth {
    /// For side 0: the margin where there is one, else 1, 0 or -1.
    pub points: i32,
    pub plies: u32,
}

impl Worth {
    /// Larger is better for a side: more points; then a quick win or a slow loss.
    pub fn rank(self, side: usize) -> (i32, i32) {
        let points = if side == 0 { self.points } else { -self.points };
        let plies = self.plies as i32;
        (points, -points.signum() * plies)
    }
}

/// The points of a finished game. `None` while the game goes on.
fn points<P: Theory>(position: &P) -> Option<i32> {
    let finish = position.turn().finish()?;
    Some(position.margin().unwrap_or_else(|| finish.value(position)))
}

pub fn children<P: Theory>(position: &P) -> Vec<(P::Move, P)> {
    if position.turn().is_over() {
        return Vec::new();
    }
    let seat = position.turn().seats().lowest().unwrap();
    let mut moves = Vec::new();
    position.moves(seat, &mut moves);
    let play = |mv: P::Move| {
        let mut next = position.clone();
        next.play(seat, &mv);
        (mv, next)
    };
    moves.into_iter().map(play).collect()
}

impl<P: Theory> Plain<P> {
    /// `None` if there are more than `most` positions.
    pub fn solve(start: &P, most: usize) -> Option<Plain<P>> {
        let mut list = vec![start.clone()];
        let mut numbers = HashMap::from([(start.clone(), 0)]);
        let mut edges: Vec<Vec<usize>> = Vec::new();
        while edges.len() < list.len() {
            let mut row = Vec::new();
            for (_, child) in children(&list[edges.len()]) {
                let number = *numbers.entry(child.clone()).or_insert(list.len());
                if number == list.len() {
                    list.push(child);
                }
                row.push(number);
            }
            edges.push(row);
            if list.len() > most {
                return None;
            }
        }
        let ends: Vec<Option<i32>> = list.iter().map(points).collect();
        let sides: Vec<usize> =
            list.iter().map(|p| p.turn().seats().lowest().map_or(0, |seat| p.side(seat))).collect();
        let mut worth: Vec<Option<Worth>> =
            ends.iter().map(|end| end.map(|points| Worth { points, plies: 0 })).collect();
        let mut levels: Vec<i32> =
            ends.iter().flatten().map(|points| points.abs()).filter(|&p| p > 0).collect();
        levels.sort_unstable();
        levels.dedup();
        for &level in levels.iter().rev() {
            for (winner, sign) in [(0, 1), (1, -1)] {
                force(&edges, &sides, &mut worth, winner, sign * level);
            }
        }
        let drawn = Worth { points: 0, plies: 0 };
        Some(Plain { numbers, worth: worth.into_iter().map(|worth| worth.unwrap_or(drawn)).collect() })
    }

    pub fn worth(&self, position: &P) -> Worth {
        self.worth[self.numbers[position]]
    }
}

/// Marks every position from which `winner` can force exactly these points, ply by ply.
fn force(edges: &[Vec<usize>], sides: &[usize], worth: &mut [Option<Worth>], winner: usize, points: i32) {
    for plies in 1.. {
        let at_least = |w: &Option<Worth>| {
            w.is_some_and(|w| {
                w.points * points > 0
                    && w.points.abs() >= points.abs()
                    && (w.points != points || w.plies < plies)
            })
        };
        let new: Vec<usize> = (0..edges.len())
            .filter(|&at| worth[at].is_none())
            .filter(|&at| {
                let mut good = edges[at].iter().map(|&child| at_least(&worth[child]));
                if sides[at] == winner { good.any(|good| good) } else { good.all(|good| good) }
            })
            .collect();
        if new.is_empty() {
            return;
        }
        for at in new {
            worth[at] = Some(Worth { points, plies });
        }
    }
}
