//! Which bots can be compared.

use crate::games::Games;

/// Groups of bots that are linked by games, and in each group the bots whose differences are finite
/// by the games alone.
pub(crate) struct Groups {
    /// The number of each bot's group.
    pub(crate) group: Vec<usize>,
    /// Whether the bot is outside the largest circle of its group. A circle is a set of bots in
    /// which every bot took points from every other, directly or through others.
    pub(crate) outside: Vec<bool>,
}

impl Groups {
    /// Only the games of the pools that count are used.
    pub(crate) fn of(games: &Games, bots: usize, counts: impl Fn(usize) -> bool) -> Groups {
        let (mut took, mut gave) = (vec![Vec::new(); bots], vec![Vec::new(); bots]);
        for lineup in games.lineups().filter(|lineup| counts(lineup.pool)) {
            let bot = |local: usize| lineup.bots[local] as usize;
            for sides in lineup.tallies.counts.iter().map(|&(finish, _)| games.finish(finish)) {
                for winner in sides {
                    for loser in sides.iter().filter(|loser| loser.place >= winner.place) {
                        for (&a, &b) in
                            winner.bots.iter().flat_map(|a| loser.bots.iter().map(move |b| (a, b)))
                        {
                            took[bot(a)].push(lineup.bots[b]);
                            gave[bot(b)].push(lineup.bots[a]);
                        }
                    }
                }
            }
        }
        for list in took.iter_mut().chain(&mut gave) {
            list.sort_unstable();
            list.dedup();
        }
        let linked: Vec<Vec<u32>> =
            took.iter().zip(&gave).map(|(a, b)| a.iter().chain(b).copied().collect()).collect();
        let group = numbered(bots, |bot| reach(&linked, bot));
        let circle = numbered(bots, |bot| {
            let (above, below) = (reach(&took, bot), reach(&gave, bot));
            above.iter().zip(below).map(|(a, b)| *a && b).collect()
        });
        let size = |bot: usize| circle.iter().filter(|&&other| other == circle[bot]).count();
        let outside = |bot: usize| {
            let mates: Vec<usize> = (0..bots).filter(|&mate| group[mate] == group[bot]).collect();
            // If two circles are equally large, neither is the largest.
            let rival = mates.iter().any(|&mate| circle[mate] != circle[bot] && size(mate) >= size(bot));
            rival || (mates.len() > 1 && size(bot) == 1)
        };
        let outside = (0..bots).map(outside).collect();
        Groups { group, outside }
    }
}

/// Numbers sets in the order of their first members.
fn numbered(bots: usize, set_of: impl Fn(usize) -> Vec<bool>) -> Vec<usize> {
    let mut number = vec![usize::MAX; bots];
    let mut next = 0;
    for bot in 0..bots {
        if number[bot] == usize::MAX {
            let set = set_of(bot);
            (0..bots).filter(|&member| set[member] || member == bot).for_each(|member| number[member] = next);
            next += 1;
        }
    }
    number
}

fn reach(links: &[Vec<u32>], from: usize) -> Vec<bool> {
    let mut reached = vec![false; links.len()];
    let mut todo = vec![from];
    while let Some(bot) = todo.pop() {
        if !std::mem::replace(&mut reached[bot], true) {
            todo.extend(links[bot].iter().map(|&linked| linked as usize));
        }
    }
    reached
}
