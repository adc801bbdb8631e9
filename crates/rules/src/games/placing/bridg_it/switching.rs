//! Shannon's switching game: one side claims links of a network to join two nodes, the other cuts
//! links.
//!
//! Who joins wins as the second player exactly if some of the links form two trees without a common
//! link that reach the same nodes, the two to be joined among them (Lehman 1964): whatever link of
//! one tree is cut, a link of the other one mends it. Whether there are such trees shows when one
//! more link between the two nodes is laid: it is one too many for two forests.

use std::collections::VecDeque;

/// Two forests without a common link, together as large as they can be.
pub(super) struct Forests {
    nodes: usize,
    links: Vec<(usize, usize)>,
    /// The forest that each link is in.
    homes: Vec<Option<usize>>,
    trees: [Tree; 2],
}

/// One of the forests, with a root in each of its trees.
#[derive(Default)]
struct Tree {
    root: Vec<usize>,
    depth: Vec<usize>,
    /// The next node towards the root, and the link to it.
    up: Vec<(usize, usize)>,
}

impl Forests {
    pub(super) fn of(nodes: usize, links: Vec<(usize, usize)>) -> Forests {
        let mut homes = vec![None; links.len()];
        // Most links fit in as they come.
        for home in [0, 1] {
            let mut names: Vec<usize> = (0..nodes).collect();
            for (&(from, to), free) in links.iter().zip(&mut homes).filter(|(_, home)| home.is_none()) {
                let (kept, dropped) = (names[from], names[to]);
                if kept != dropped {
                    *free = Some(home);
                    names.iter_mut().filter(|name| **name == dropped).for_each(|name| *name = kept);
                }
            }
        }
        let trees = [Tree::default(), Tree::default()];
        let mut forests = Forests { nodes, links, homes, trees };
        forests.grow(0);
        forests.grow(1);
        for link in 0..forests.links.len() {
            if forests.homes[link].is_none() {
                forests.place(link);
            }
        }
        forests
    }

    /// Finds room for one more link.
    pub(super) fn add(&mut self, link: (usize, usize)) -> bool {
        self.links.push(link);
        self.homes.push(None);
        self.place(self.links.len() - 1)
    }

    /// Gives a link a home, if need be by moving others from forest to forest.
    fn place(&mut self, new: usize) -> bool {
        // For each link that could give up its place: the one that would take it.
        let mut heirs = vec![None; self.links.len()];
        let mut queue = VecDeque::from([new]);
        while let Some(here) = queue.pop_front() {
            for home in [0, 1] {
                if self.homes[here] == Some(home) {
                    continue;
                }
                let (from, to) = self.links[here];
                if self.trees[home].root[from] != self.trees[home].root[to] {
                    self.move_in(here, home, &heirs);
                    return true;
                }
                self.trees[home].between(from, to, |link| {
                    if heirs[link].is_none() {
                        heirs[link] = Some(here);
                        queue.push_back(link);
                    }
                });
            }
        }
        false
    }

    /// Gives a link its new home, the old one to its heir, and so on.
    fn move_in(&mut self, mut link: usize, mut home: usize, heirs: &[Option<usize>]) {
        let mut changed = [false; 2];
        loop {
            changed[home] = true;
            let left = self.homes[link].replace(home);
            let (Some(left), Some(heir)) = (left, heirs[link]) else { break };
            (link, home) = (heir, left);
        }
        (0..2).filter(|&home| changed[home]).for_each(|home| self.grow(home));
    }

    /// Roots the trees of a forest anew.
    fn grow(&mut self, home: usize) {
        // Every node has a chain of its links: the first, and behind each end of a link the next.
        let mut first = vec![None; self.nodes];
        let mut next_of = vec![None; 2 * self.links.len()];
        for (link, &(from, to)) in self.links.iter().enumerate() {
            if self.homes[link] == Some(home) {
                next_of[2 * link] = first[from].replace(2 * link);
                next_of[2 * link + 1] = first[to].replace(2 * link + 1);
            }
        }
        let (root, depth) = ((0..self.nodes).collect(), vec![0; self.nodes]);
        let mut tree = Tree { root, depth, up: vec![(0, 0); self.nodes] };
        let mut seen = vec![false; self.nodes];
        let mut todo = Vec::new();
        for root in 0..self.nodes {
            if !std::mem::replace(&mut seen[root], true) {
                todo.push(root);
            }
            while let Some(node) = todo.pop() {
                let mut end = first[node];
                while let Some(here) = end {
                    let (from, to) = self.links[here / 2];
                    let next = if from == node { to } else { from };
                    if !std::mem::replace(&mut seen[next], true) {
                        tree.root[next] = root;
                        tree.depth[next] = tree.depth[node] + 1;
                        tree.up[next] = (node, here / 2);
                        todo.push(next);
                    }
                    end = next_of[here];
                }
            }
        }
        self.trees[home] = tree;
    }
}

impl Tree {
    /// The links between two nodes of one tree.
    fn between(&self, mut one: usize, mut other: usize, mut each: impl FnMut(usize)) {
        while one != other {
            if self.depth[one] < self.depth[other] {
                std::mem::swap(&mut one, &mut other);
            }
            let (next, link) = self.up[one];
            each(link);
            one = next;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many links between nodes 0 and 1 still fit in.
    fn room(nodes: usize, links: &[(usize, usize)]) -> usize {
        let mut forests = Forests::of(nodes, links.to_vec());
        (0..3).take_while(|_| forests.add((0, 1))).count()
    }

    #[test]
    fn two_trees_leave_no_room() {
        for (nodes, links, expected) in [
            (2, &[][..], 2),
            (2, &[(0, 1)], 1),
            (2, &[(0, 1), (0, 1)], 0),
            (3, &[(0, 2), (2, 1)], 2),
            (3, &[(0, 2), (2, 1), (0, 2)], 1),
            (3, &[(0, 2), (2, 1), (0, 2), (1, 2)], 0),
            // All pairs of four nodes: two paths of three links each.
            (4, &[(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], 0),
            (4, &[(0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], 1),
            (4, &[(0, 2), (0, 3), (1, 2), (1, 3)], 2),
            // Links that lead nowhere do not help.
            (4, &[(0, 2), (0, 2), (0, 3), (3, 1)], 2),
            (4, &[(0, 2), (0, 2), (0, 1)], 1),
            (4, &[(0, 2), (2, 2), (3, 3), (2, 1), (2, 1)], 1),
        ] {
            assert_eq!(room(nodes, links), expected, "{links:?}");
        }
    }
}
