//! The result of a seat, from its place.

use std::cmp::Ordering;

/// The result of a seat, from 0 to 1: the share of its opponents that it left behind. Ties count
/// half.
pub fn worth(places: &[u8], seat: usize, team_of: impl Fn(usize) -> usize) -> f64 {
    let rivals: Vec<u8> = (0..places.len())
        .filter(|&rival| team_of(rival) != team_of(seat))
        .map(|rival| places[rival])
        .collect();
    if rivals.is_empty() {
        return 0.5;
    }
    let beaten: f64 = rivals
        .iter()
        .map(|place| match place.cmp(&places[seat]) {
            Ordering::Greater => 1.0,
            Ordering::Equal => 0.5,
            Ordering::Less => 0.0,
        })
        .sum();
    beaten / rivals.len() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_result_is_the_share_of_opponents_left_behind() {
        for (places, worths) in [
            (vec![1, 2], vec![1.0, 0.0]),
            (vec![1, 1], vec![0.5, 0.5]),
            (vec![1, 2, 3], vec![1.0, 0.5, 0.0]),
            (vec![1, 2, 2], vec![1.0, 0.25, 0.25]),
            (vec![1], vec![0.5]),
        ] {
            for (seat, expected) in worths.into_iter().enumerate() {
                assert!(
                    (worth(&places, seat, |seat| seat) - expected).abs() < 1e-12,
                    "{places:?} seat {seat}"
                );
            }
        }
        assert!((worth(&[1, 3, 1, 3], 2, |seat| seat % 2) - 1.0).abs() < 1e-12);
    }
}
