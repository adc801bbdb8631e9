//! The largest set of pairs in a graph, by Edmonds' algorithm.

use std::collections::VecDeque;

/// A largest set of pairs. Members can be removed.
pub struct Matching<'a> {
    /// May these two members be paired? The order of the two does not matter.
    linked: &'a dyn Fn(usize, usize) -> bool,
    mate: Vec<Option<usize>>,
    present: Vec<bool>,
}

impl<'a> Matching<'a> {
    /// Pairs these members, numbered from 0. Starts with the first members and their nearest
    /// possible mates.
    pub fn of(members: usize, linked: &'a dyn Fn(usize, usize) -> bool) -> Matching<'a> {
        let mut matching = Matching { linked, mate: vec![None; members], present: vec![true; members] };
        for a in 0..members {
            let free = |&b: &usize| matching.mate[b].is_none() && linked(a, b);
            if matching.mate[a].is_none()
                && let Some(b) = (a + 1..members).find(free)
            {
                matching.mate[a] = Some(b);
                matching.mate[b] = Some(a);
            }
        }
        (0..members).for_each(|member| matching.improve_from(member));
        matching
    }

    /// The number of members without a mate.
    pub fn alone(&self) -> usize {
        (0..self.mate.len()).filter(|&member| self.present[member] && self.mate[member].is_none()).count()
    }

    /// A largest set of pairs without these two members.
    pub fn without(&self, a: usize, b: usize) -> Matching<'a> {
        let mut rest =
            Matching { linked: self.linked, mate: self.mate.clone(), present: self.present.clone() };
        rest.remove(a);
        rest.remove(b);
        (0..rest.mate.len()).for_each(|member| rest.improve_from(member));
        rest
    }

    fn remove(&mut self, member: usize) {
        self.present[member] = false;
        if let Some(mate) = self.mate[member].take() {
            self.mate[mate] = None;
        }
    }

    /// Finds an alternating path from a member without a mate to another member without a mate.
    /// Exchanging the pairs along the path makes one more pair.
    fn improve_from(&mut self, root: usize) {
        if !self.present[root] || self.mate[root].is_some() {
            return;
        }
        let mut search = PathSearch::new(self.mate.len(), root);
        while let Some(at) = search.queue.pop_front() {
            for to in 0..self.mate.len() {
                let mated = self.mate[at] == Some(to);
                if !self.present[to] || mated || search.base[at] == search.base[to] || !(self.linked)(at, to)
                {
                    continue;
                }
                let outer = to == root || self.mate[to].is_some_and(|mate| search.parent[mate].is_some());
                if outer {
                    search.shrink(&self.mate, at, to);
                } else if search.parent[to].is_none() {
                    search.parent[to] = Some(at);
                    match self.mate[to] {
                        None => return self.exchange(&search.parent, to),
                        Some(mate) => search.reach(mate),
                    }
                }
            }
        }
    }

    fn exchange(&mut self, parent: &[Option<usize>], end: usize) {
        let mut at = Some(end);
        while let Some(here) = at {
            let Some(before) = parent[here] else { return };
            at = self.mate[before];
            self.mate[here] = Some(before);
            self.mate[before] = Some(here);
        }
    }
}

/// A tree of alternating paths. Odd circles are shrunk to one point.
struct PathSearch {
    parent: Vec<Option<usize>>,
    /// For each member, the circle that it belongs to. The member nearest to the root stands for a
    /// circle.
    base: Vec<usize>,
    reached: Vec<bool>,
    queue: VecDeque<usize>,
}

impl PathSearch {
    fn new(members: usize, root: usize) -> PathSearch {
        let mut search = PathSearch {
            parent: vec![None; members],
            base: (0..members).collect(),
            reached: vec![false; members],
            queue: VecDeque::new(),
        };
        search.reach(root);
        search
    }

    fn reach(&mut self, member: usize) {
        if !std::mem::replace(&mut self.reached[member], true) {
            self.queue.push_back(member);
        }
    }

    fn shrink(&mut self, mate: &[Option<usize>], a: usize, b: usize) {
        let base = self.common_base(mate, a, b);
        let mut in_circle = vec![false; self.base.len()];
        self.mark(mate, a, base, b, &mut in_circle);
        self.mark(mate, b, base, a, &mut in_circle);
        for member in 0..self.base.len() {
            if in_circle[self.base[member]] {
                self.base[member] = base;
                self.reach(member);
            }
        }
    }

    fn common_base(&self, mate: &[Option<usize>], a: usize, b: usize) -> usize {
        let mut on_path = vec![false; self.base.len()];
        let mut at = self.base[a];
        loop {
            on_path[at] = true;
            match mate[at].and_then(|mate| self.parent[mate]) {
                Some(before) => at = self.base[before],
                None => break,
            }
        }
        let mut at = self.base[b];
        while !on_path[at] {
            match mate[at].and_then(|mate| self.parent[mate]) {
                Some(before) => at = self.base[before],
                None => return at, // never happens: both paths end at the root
            }
        }
        at
    }

    fn mark(
        &mut self,
        mate: &[Option<usize>],
        mut at: usize,
        base: usize,
        mut child: usize,
        in_circle: &mut [bool],
    ) {
        while self.base[at] != base {
            let Some(across) = mate[at] else { return };
            in_circle[self.base[at]] = true;
            in_circle[self.base[across]] = true;
            self.parent[at] = Some(child);
            child = across;
            match self.parent[across] {
                Some(before) => at = before,
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The largest number of pairs, found by trying all.
    fn most(links: &[Vec<bool>], left: u32) -> usize {
        let Some(first) = (0..links.len()).find(|&member| left >> member & 1 == 1) else { return 0 };
        let rest = left & !(1 << first);
        let with = |&other: &usize| rest >> other & 1 == 1 && links[first][other];
        let paired = (0..links.len()).filter(with).map(|other| 1 + most(links, rest & !(1 << other)));
        paired.chain([most(links, rest)]).max().unwrap_or(0)
    }

    #[test]
    fn no_other_matching_has_more_pairs() {
        let mut state = 1_u64;
        let mut chance = |percent: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % 100 < percent
        };
        for round in 0..400 {
            let members = 2 + round % 9;
            let mut links = vec![vec![false; members]; members];
            for (a, b) in (0..members).flat_map(|a| (0..a).map(move |b| (a, b))) {
                links[a][b] = chance(15 + round as u64 % 40);
                links[b][a] = links[a][b];
            }
            let linked = |a: usize, b: usize| links[a][b];
            let matching = Matching::of(members, &linked);
            let everybody = (1 << members) - 1;
            assert_eq!((members - matching.alone()) / 2, most(&links, everybody), "{links:?}");
            let fair = |(member, mate): (usize, &Option<usize>)| {
                mate.is_none_or(|mate| links[member][mate] && matching.mate[mate] == Some(member))
            };
            assert!(matching.mate.iter().enumerate().all(fair), "{links:?}");
            let rest = matching.without(0, 1);
            assert_eq!((members - 2 - rest.alone()) / 2, most(&links, everybody & !3), "{links:?}");
        }
    }
}
