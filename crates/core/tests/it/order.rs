//! A new order of the polygons changes the ids of a mesh and nothing else.

use portolan_core::{
    DEFAULT_SNAP, Endpoints, Engine, Location, NavMesh, Path, PolygonId, Query, Scratch, World,
};
use portolan_oracle::{CaseRng, agents, assert_corridor, close, parts_of, plans};
use proptest::prelude::*;

/// Returns the numbers below `count` in random order.
fn shuffled(count: usize, rng: &mut CaseRng) -> Vec<u32> {
    let mut order: Vec<u32> = (0..count as u32).collect();
    for i in (1..count).rev() {
        order.swap(i, rng.below(i + 1));
    }
    order
}

/// Returns the id in `mesh` of each polygon of `other`. Polygons are matched by their user ids, which are unique in
/// plans.
fn ids_in(mesh: &NavMesh, other: &NavMesh) -> Vec<PolygonId> {
    let id = |polygon| {
        let id = mesh.polygon_of(other.user_id(polygon));
        id.expect("both meshes have the same polygons")
    };
    other.polygons().map(id).collect()
}

/// Asserts that two meshes have the same polygons, portals and links, except for ids.
fn assert_same(mesh: &NavMesh, other: &NavMesh) {
    let ids = ids_in(mesh, other);
    for polygon in other.polygons() {
        let id = ids[polygon.index()];
        assert!(other.corner_points(polygon).eq(mesh.corner_points(id)));
        assert!(other.surface(polygon).eq(mesh.surface(id)));
        assert_eq!(other.area(polygon), mesh.area(id));
        assert_eq!(other.flags(polygon), mesh.flags(id));
    }
    let mut found_portals = vec![false; mesh.portals().len()];
    for portal in other.portals() {
        let [from, to] = portal.polygons.map(|polygon| ids[polygon.index()]);
        let ends = portal.ends_from(portal.polygons[0]);
        let is_same = |p: &portolan_core::Portal| {
            p.polygons == [from.min(to), from.max(to)] && p.ends_from(from) == ends
        };
        let found = mesh.portals().iter().position(is_same);
        let found = found.expect("both meshes have this portal");
        assert!(
            !std::mem::replace(&mut found_portals[found], true),
            "{portal:?}"
        );
    }
    assert_eq!(mesh.portals().len(), other.portals().len());
    assert_eq!(mesh.links().len(), other.links().len());
    for (link, other) in mesh.links().iter().zip(other.links()) {
        let polygons = other.polygons.map(|polygon| ids[polygon.index()]);
        assert_eq!((link.polygons, link.ends), (polygons, other.ends));
    }
}

/// Checks that ids are numbered as [`NavMesh`] documents.
fn assert_numbered(mesh: &NavMesh) {
    let mut next = 0;
    for polygon in mesh.polygons() {
        for &corner in mesh.corners(polygon) {
            assert!(corner <= next, "vertices are numbered by first use");
            next = next.max(corner + 1);
        }
    }
    assert_eq!(next as usize, mesh.vertices().len());
    let pairs: Vec<_> = mesh.portals().iter().map(|p| p.polygons).collect();
    assert!(pairs.iter().all(|[low, high]| low < high));
    assert!(pairs.is_sorted());
    let components = mesh.components();
    let mut next = 0;
    let mut sizes = vec![0; components.count()];
    for &component in components.labels() {
        assert!(component <= next, "components are numbered by first use");
        next = next.max(component + 1);
        sizes[component as usize] += 1;
    }
    for (component, size) in (0..).zip(sizes) {
        assert_eq!(components.size(component), size);
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(400))]

    #[test]
    fn a_reordered_mesh_gives_the_same_answers(plan in plans(), agent in agents(), seed: u64) {
        let mut rng = CaseRng::new(seed);
        let mesh = plan.mesh();
        let order = shuffled(mesh.polygon_count(), &mut rng);
        let other = mesh.clone().in_order(&order);
        for (polygon, &old_id) in other.polygons().zip(&order) {
            prop_assert_eq!(other.user_id(polygon), mesh.user_id(PolygonId(old_id)));
        }
        assert_same(&mesh, &other);
        assert_numbered(&other);
        let again = NavMesh::from_parts(parts_of(&other));
        prop_assert_eq!(again.as_ref(), Ok(&other));

        let ids = ids_in(&mesh, &other);
        let (world, other) = (World::from_mesh(mesh), World::from_mesh(other));
        let profile = agent.profile();
        let costs = [&world, &other].map(|world| world.costs(&profile));
        let (mut scratch, mut path) = (Scratch::new(), Path::default());
        for _ in 0..8 {
            let (from, to) = (rng.point_near(world.mesh()), rng.point_near(world.mesh()));
            let here = Query { costs: Some(&costs[0]), ..Query::new(from, to) };
            let there = Query { costs: Some(&costs[1]), ..here };
            let located = world.locate(&here).expect("the world has this engine");
            let other_located = other.locate(&there).expect("the world has this engine");
            let (ends, other_ends) = match (located.endpoints(), other_located.endpoints()) {
                (Ok(here), Ok(there)) => (here, there),
                (here, there) => {
                    prop_assert_eq!(here.err(), there.err());
                    continue;
                }
            };
            let pairs = [(from, ends.start, other_ends.start), (to, ends.goal, other_ends.goal)];
            for (point, here, there) in pairs {
                prop_assert_eq!(here.point.distance_squared(point), there.point.distance_squared(point));
            }
            // Of two polygons at the same distance, the one with the lower id is located, and ids have changed. To be
            // comparable, both searches start from the same polygons.
            let renumbered = |location: Location| Location {
                polygon: ids[location.polygon.index()],
                ..location
            };
            let ends = Endpoints { start: renumbered(other_ends.start), goal: renumbered(other_ends.goal) };
            for engine in Engine::PLAIN {
                let (here, there) = (Query { engine, ..here }, Query { engine, ..there });
                let expected = world.located(&here, ends).expect("a plain engine");
                let expected = expected.search(&mut scratch).cost();
                let found = other.located(&there, other_ends).expect("a plain engine");
                let found = found.search(&mut scratch);
                match (expected, found.cost()) {
                    (Some(expected), Some(cost)) => {
                        prop_assert!(close(expected.into(), cost.into()), "{engine}: {cost} instead of {expected}");
                        found.waypoints(&mut path);
                        assert_corridor(other.mesh(), &profile, &path);
                    }
                    (expected, cost) => prop_assert_eq!(expected, cost),
                }
            }
        }
    }

    #[test]
    fn the_inverse_order_restores_the_mesh(plan in plans(), seed: u64) {
        let mesh = plan.mesh();
        let order = shuffled(mesh.polygon_count(), &mut CaseRng::new(seed));
        let mut inverse = vec![0; order.len()];
        for (new_id, &old_id) in (0..).zip(&order) {
            inverse[old_id as usize] = new_id;
        }
        prop_assert_eq!(mesh.clone().in_order(&order).in_order(&inverse), mesh);
    }

    #[test]
    fn every_polygon_is_located_at_its_centre(plan in plans(), seed: u64) {
        let mesh = plan.mesh();
        let order = shuffled(mesh.polygon_count(), &mut CaseRng::new(seed));
        let other = mesh.clone().in_order(&order);
        for polygon in mesh.polygons() {
            let centre = mesh.centre(polygon);
            let here = mesh.locate(centre, DEFAULT_SNAP, |_| true).expect("its own polygon");
            let there = other.locate(centre, DEFAULT_SNAP, |_| true).expect("its own polygon");
            prop_assert_eq!(here.point, there.point);
            prop_assert_eq!(mesh.user_id(here.polygon), other.user_id(there.polygon));
        }
    }
}

#[test]
#[should_panic(expected = "polygon 0 twice")]
fn an_order_that_repeats_a_polygon_panics() {
    let mesh = World::build(
        portolan_scenes::WorldScene::Rooms.build(&portolan_scenes::WorldOptions::default()),
        &portolan_core::NavMeshOptions::default(),
    )
    .expect("a valid world")
    .into_mesh();
    let order = vec![0; mesh.polygon_count()];
    mesh.in_order(&order);
}
