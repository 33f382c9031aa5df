//! The polygons of waypoints and of portals, against a look at everything.

use portolan_core::geometry::distance_xz;
use portolan_core::{PortalId, Query, Scratch, Status, World};
use portolan_oracle::{Agent, CaseRng, agents, plans, with_tiers};
use proptest::prelude::*;

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    /// Every waypoint lies on its polygon, and the polygons follow the corridor in order.
    #[test]
    fn every_waypoint_lies_on_its_polygon(plan in plans(), agent in agents(), seed: u64) {
        let world = with_tiers(World::from_mesh(plan.mesh()));
        let mesh = world.mesh();
        let costs = world.costs(&agent.profile());
        let mut rng = CaseRng::new(seed);
        let (mut scratch, mut path) = (Scratch::new(), Default::default());
        for _ in 0..6 {
            let mut query = Query {
                costs: Some(&costs),
                ..Query::new(rng.place(mesh), rng.place(mesh))
            };
            if rng.chance(0.5) {
                query.ground_tolerance = f32::INFINITY;
            }
            query.limits.partial = rng.chance(0.5);
            let status = world.find_path(&query, &mut scratch, &mut path).expect("`auto`");
            if !status.has_path() {
                continue;
            }
            let corridor = &path.corridor.polygons;
            let mut at = 0;
            let stops: Vec<_> = path.stops(mesh).collect();
            prop_assert_eq!(stops.len(), path.waypoints.len());
            for (stop, &waypoint) in stops.iter().zip(&path.waypoints) {
                prop_assert_eq!(stop.point, waypoint);
                prop_assert_eq!(stop.area, mesh.area(stop.polygon));
                let ahead = corridor[at..].iter().position(|&polygon| polygon == stop.polygon);
                at += ahead.expect("a polygon of the corridor, not before the last");
                let off = distance_xz(mesh.nearest_on(stop.polygon, waypoint), waypoint);
                prop_assert!(off < 1e-3, "{waypoint} is {off} m off {:?}: {path:?}", stop.polygon);
            }
            prop_assert_eq!(stops.last().map(|stop| stop.polygon), corridor.last().copied());
        }
    }

    #[test]
    fn the_portals_of_a_polygon(plan in plans(), seed: u64) {
        let mesh = plan.mesh();
        let order = portolan_oracle::random_order(&mut CaseRng::new(seed), mesh.polygon_count());
        for mesh in [mesh.clone(), mesh.in_order(&order)] {
            for polygon in mesh.polygons() {
                let all = (0..).map(PortalId).zip(mesh.portals());
                let slow = all.filter(|(_, portal)| portal.polygons.contains(&polygon));
                let slow: Vec<PortalId> = slow.map(|(id, _)| id).collect();
                prop_assert_eq!(mesh.portals_of(polygon), slow);
                for &portal in mesh.portals_of(polygon) {
                    let beyond = mesh.portal(portal).beyond(polygon);
                    prop_assert!(beyond != polygon);
                    prop_assert_eq!(mesh.portal(portal).beyond(beyond), polygon);
                }
            }
        }
    }

    /// Closed ground has statuses of its own, and with `partial` a goal that is closed or off the mesh
    /// gets a path that ends no farther from it than the start is.
    #[test]
    fn closed_ground_and_goals_off_the_mesh(plan in plans(), agent in agents(), seed: u64) {
        let world = with_tiers(World::from_mesh(plan.mesh()));
        let mesh = world.mesh();
        let profile = agent.profile();
        let costs = world.costs(&profile);
        let open = |polygon| costs.prices().allows(mesh, polygon);
        let mut rng = CaseRng::new(seed);
        let (mut scratch, mut path) = (Scratch::new(), Default::default());
        for _ in 0..8 {
            let mut query = Query {
                costs: Some(&costs),
                ..Query::new(rng.point_near(mesh), rng.point_near(mesh))
            };
            let located = |place| {
                let any = mesh.locate(place, query.snap, |_| true).is_some();
                (mesh.locate(place, query.snap, open).is_some(), any)
            };
            let expected = match (located(query.from), located(query.to)) {
                ((false, true), _) => Some(Status::StartClosed),
                ((false, false), _) => Some(Status::StartOffMesh),
                (_, (false, true)) => Some(Status::GoalClosed),
                (_, (false, false)) => Some(Status::GoalOffMesh),
                _ => None,
            };
            let Some(expected) = expected else { continue };
            for engine in world.engines() {
                query.engine = engine;
                query.limits.partial = false;
                let status = world.find_path(&query, &mut scratch, &mut path).expect("an engine of this world");
                prop_assert_eq!(status, expected, "{}", engine);
                prop_assert!(path.waypoints.is_empty());
                query.limits.partial = true;
                let status = world.find_path(&query, &mut scratch, &mut path).expect("an engine of this world");
                if matches!(expected, Status::StartClosed | Status::StartOffMesh) {
                    prop_assert_eq!(status, expected, "{}", engine);
                    continue;
                }
                prop_assert_eq!(status, Status::Partial, "{}", engine);
                portolan_oracle::assert_corridor(mesh, &profile, &path);
                let start = path.waypoints[0];
                let end = *path.waypoints.last().expect("a path");
                // Towards closed ground and over links the goal's own floor counts, not the straight line.
                if expected == Status::GoalOffMesh && !agent.links {
                    let goal = mesh.locate(query.to, glam::Vec3::INFINITY, open).expect("open ground");
                    let aim = if mesh.components().of(goal.polygon)
                        == mesh.components().of(path.corridor.polygons[0]) { goal.point } else { query.to };
                    prop_assert!(end.distance(aim) <= start.distance(aim) * (1.0 + 1e-5) + 1e-5, "{}", engine);
                }
            }
        }
    }
}

/// The agent of a closed world has nowhere to stand.
#[test]
fn a_world_that_is_closed_altogether() {
    let world = World::from_mesh(portolan_oracle::fixed_plan(0, 1, 0.0).mesh());
    let mut agent = Agent::walker();
    agent.factors = [None; 4];
    let costs = world.costs(&agent.profile());
    let place = world.mesh().centre(portolan_core::PolygonId(0));
    let mut query = Query {
        costs: Some(&costs),
        ..Query::new(place, place)
    };
    for partial in [false, true] {
        query.limits.partial = partial;
        let status = world.find_path(&query, &mut Scratch::new(), &mut Default::default());
        assert_eq!(status, Ok(Status::StartClosed));
    }
}
