//! Cuts beside those that trying everything finds.

use oorandom::Rand32;
use proptest::prelude::*;

use super::*;
use crate::cells::Door;

/// Cells anywhere, with doors of any weight between any of them, each with itself too.
fn random_cells(random: &mut Rand32, count: u32) -> Cells {
    let mut any = |from: u32, to: u32| random.rand_range(from..to);
    let doors = (0..any(0, 3 * count)).map(|id| Door {
        cells: [any(0, count), any(0, count)],
        id,
        weight: any(1, 9) as i32,
    });
    let doors: Vec<Door> = doors.collect();
    let mut place = || any(0, 5) as f32;
    Cells {
        centres: (0..count)
            .map(|_| vec3(place(), place(), place()))
            .collect(),
        weights: (0..count).map(|cell| 1 + cell % 3).collect(),
        taken: vec![0; count as usize],
        doors,
    }
}

fn cut_weight(cells: &Cells, second: impl Fn(u32) -> bool) -> i32 {
    let cut = cells
        .doors
        .iter()
        .filter(|door| second(door.cells[0]) != second(door.cells[1]));
    cut.map(|door| door.weight).sum()
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    #[test]
    fn a_cut_is_the_lightest(count in 2u32..11, seed: u64) {
        let mut random = Rand32::new(seed);
        let cells = random_cells(&mut random, count);
        let mut kinds: Vec<u8> = (0..count).map(|_| random.rand_range(0..3) as u8).collect();
        (kinds[0], kinds[1]) = (SOURCE, SINK);
        let fits = |second: &dyn Fn(u32) -> bool| {
            let mut each = (0..count).zip(&kinds);
            each.all(|(cell, &kind)| kind == FREE || second(cell) == (kind == SINK))
        };
        let all = (0..1u32 << count).map(|set| move |cell: u32| set >> cell & 1 == 1);
        let all = all.filter(|second| fits(second));
        let least = all.map(|second| cut_weight(&cells, second)).min().unwrap();

        let net = Net::new(&cells);
        let halves = net.part(&kinds, f64::INFINITY).unwrap();
        let second = |cell: u32| halves.second[cell as usize];
        prop_assert!(fits(&second));
        prop_assert_eq!(cut_weight(&cells, second), least);
        // A bound that the halves just miss, and one that they meet.
        prop_assert!(net.part(&kinds, halves.score * 1.001 + 1e-9).is_some());
        let weight = net.weight() as f64;
        let even = f64::from(least) / (weight * weight / 4.0);
        prop_assert!(least == 0 || net.part(&kinds, even).is_none());
    }

    #[test]
    fn neither_half_is_empty(count in 2u32..60, seed: u64) {
        let mut random = Rand32::new(seed);
        let mut cells = random_cells(&mut random, count);
        if seed % 3 == 0 {
            cells.centres.fill(Vec3::ONE);
        }
        let second = halve_along(&Net::new(&cells)).second;
        prop_assert!(second.contains(&true) && second.contains(&false));
    }
}

#[test]
fn keys_grow_with_values() {
    let values = [
        f32::NEG_INFINITY,
        -2.0,
        -0.5,
        -0.0,
        0.0,
        1e-30,
        3.0,
        f32::INFINITY,
    ];
    assert!(values.windows(2).all(|pair| key(pair[0]) < key(pair[1])));
}
