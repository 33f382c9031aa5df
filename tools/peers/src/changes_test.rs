//! Tests of changes on three rooms.

use glam::vec3;

use super::*;
use crate::tests::rooms;

#[test]
fn every_library_closes_doors_and_puts_discs_on_the_ground() {
    let figures = measure("rooms", &rooms(), 1).unwrap();
    assert_eq!(figures.faults, [""; 0]);
    assert_eq!(figures.places[0], 2, "there are two doors: {figures:?}");
    assert!(figures.places[1] > 0, "{figures:?}");
    let doors = figures.rows.iter().filter(|row| row.kind == "door");
    for row in doors {
        // Every door is the only way.
        assert_eq!(row.no_path, 2, "{row:?}");
    }
    let has = |kind: &str, library: &str| {
        let mut rows = figures.rows.iter();
        rows.any(|row| row.kind == kind && row.library.starts_with(library))
    };
    let with_landmass = !figures.notes.iter().any(|note| note.contains("landmass"));
    for (kind, library, is_expected) in [
        ("door", "Portolan", true),
        ("door", "Detour, flags", true),
        ("door", "DetourTileCache", true),
        ("door", "polyanya", true),
        ("door", "landmass", with_landmass),
        ("disc", "Portolan", true),
        ("disc", "Detour, flags", false),
        ("disc", "DetourTileCache", true),
        ("disc", "polyanya", true),
        ("disc", "landmass", with_landmass),
    ] {
        assert_eq!(has(kind, library), is_expected, "{kind} by {library}");
    }
    let table = figures.table();
    let title = "rooms: 6 polygons, 2 doors";
    assert!(table.contains(title), "{table}");
}

/// A library whose changes do not have the effect that they should have.
struct Broken {
    /// The paths before the change, with it, and after it was undone.
    paths: [Vec<Vec3>; 3],
    state: usize,
}

impl Contender for Broken {
    fn name(&self) -> &str {
        "broken"
    }

    fn supports(&self, _: ChangeKind) -> bool {
        true
    }

    fn place(&mut self, _: &ChangedPlace) -> Result<Duration, String> {
        self.state = 1;
        Ok(Duration::ZERO)
    }

    fn remove(&mut self) -> Result<Duration, String> {
        self.state = 2;
        Ok(Duration::ZERO)
    }

    fn query(&mut self, _: [Vec3; 2], answer: &mut PeerAnswer) {
        answer.clear();
        answer.waypoints.clone_from(&self.paths[self.state]);
        if !answer.waypoints.is_empty() {
            answer.status = PeerStatus::Found;
        }
    }
}

#[test]
fn a_change_without_effect_is_a_fault() {
    let through = vec![vec3(1.0, 0.0, 2.0), vec3(9.0, 0.0, 2.0)];
    let around = vec![
        vec3(1.0, 0.0, 2.0),
        vec3(5.0, 0.0, 8.0),
        vec3(9.0, 0.0, 2.0),
    ];
    let place = ChangedPlace {
        obstruction: Obstruction::Disc(vec3(5.0, 0.0, 2.0)),
        ends: [through[0], through[1]],
    };
    let mesh = rooms();
    let fault = |paths: [&[Vec3]; 3]| {
        let paths = paths.map(<[Vec3]>::to_vec);
        let mut broken = Broken { paths, state: 0 };
        Samples::default().add(0, &place, &mesh, &mut broken).err()
    };
    assert_eq!(fault([&through, &around, &through]), None);
    assert_eq!(fault([&through, &[], &through]), None);
    for (paths, words) in [
        ([&around, &around, &around], "before the change"),
        ([&through, &through, &through], "in effect"),
        ([&through, &around, &around], "after it was undone"),
    ] {
        let fault = fault(paths.map(Vec::as_slice)).expect(words);
        assert!(fault.contains(words), "{fault}");
    }
}
