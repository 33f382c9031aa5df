//! Tests of the polygons of waypoints (stops), the portals of polygons, and the statuses of closed ground.

use portolan_core::geometry::distance_xz;
use portolan_core::{PortalId, Query, Scratch, Status, World};
use portolan_oracle::{Agent, CaseRng, agents, plans, with_tiers};
use proptest::prelude::*;

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    #[test]
    fn every_waypoint_lies_on_its_polygon_in_corridor_order(plan in plans(), agent in agents(), seed: u64) {
        let world = with_tiers(World::from_mesh(plan.mesh()));
        let mesh = world.mesh();
        let costs = world.costs(&agent.profile());
        let mut rng = CaseRng::new(seed);
        let (mut scratch, mut path) = (Scratch::new(), Default::default());
        for _ in 0..6 {
            let mut query = Query {
                costs: Some(&costs),
                ..Query::new(rng.point_on(mesh), rng.point_on(mesh))
            };
            if rng.chance(0.5) {
                query.ground_tolerance = f32::INFINITY;
            }
            query.limits.partial = rng.chance(0.5);
            let status = world.find_path(&query, &mut scratch, &mut path).expect("the default engine");
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
                let offset = corridor[at..].iter().position(|&polygon| polygon == stop.polygon);
                at += offset.expect("the polygon of a stop is not before that of the previous stop");
                let distance = distance_xz(mesh.nearest_on(stop.polygon, waypoint), waypoint);
                prop_assert!(distance < 1e-3, "{waypoint} is {distance} m from {:?}: {path:?}", stop.polygon);
            }
            prop_assert_eq!(stops.last().map(|stop| stop.polygon), corridor.last().copied());
        }
    }

    #[test]
    fn portals_of_a_polygon_equal_those_of_a_scan(plan in plans(), seed: u64) {
        let mesh = plan.mesh();
        let order = portolan_oracle::random_order(&mut CaseRng::new(seed), mesh.polygon_count());
        for mesh in [mesh.clone(), mesh.in_order(&order)] {
            for polygon in mesh.polygons() {
                let all = (0..).map(PortalId).zip(mesh.portals());
                let expected = all.filter(|(_, portal)| portal.polygons.contains(&polygon));
                let expected: Vec<PortalId> = expected.map(|(id, _)| id).collect();
                prop_assert_eq!(mesh.portals_of(polygon), expected);
                for &portal in mesh.portals_of(polygon) {
                    let beyond = mesh.portal(portal).beyond(polygon);
                    prop_assert!(beyond != polygon);
                    prop_assert_eq!(mesh.portal(portal).beyond(beyond), polygon);
                }
            }
        }
    }

    /// Closed ground (which the profile forbids) has statuses of its own. With `partial`, a goal that is closed or off
    /// the mesh gets a partial path, which ends no farther from an off-mesh goal than it starts.
    #[test]
    fn closed_and_off_mesh_endpoints_have_their_statuses(plan in plans(), agent in agents(), seed: u64) {
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
            let located = |position| {
                let any = mesh.locate(position, query.snap, |_| true).is_some();
                (mesh.locate(position, query.snap, open).is_some(), any)
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
                let status = world.find_path(&query, &mut scratch, &mut path).expect("the world has this engine");
                prop_assert_eq!(status, expected, "{}", engine);
                prop_assert!(path.waypoints.is_empty());
                query.limits.partial = true;
                let status = world.find_path(&query, &mut scratch, &mut path).expect("the world has this engine");
                if matches!(expected, Status::StartClosed | Status::StartOffMesh) {
                    prop_assert_eq!(status, expected, "{}", engine);
                    continue;
                }
                prop_assert_eq!(status, Status::Partial, "{}", engine);
                portolan_oracle::assert_corridor(mesh, &profile, &path);
                let start = path.waypoints[0];
                let end = *path.waypoints.last().expect("a path");
                // With a closed goal or over links, the distance along the ground counts, not the straight line.
                if expected == Status::GoalOffMesh && !agent.links {
                    let goal = mesh.locate(query.to, glam::Vec3::INFINITY, open).expect("open ground");
                    let target = if mesh.components().of(goal.polygon)
                        == mesh.components().of(path.corridor.polygons[0]) { goal.point } else { query.to };
                    prop_assert!(end.distance(target) <= start.distance(target) * (1.0 + 1e-5) + 1e-5, "{}", engine);
                }
            }
        }
    }
}

#[test]
fn an_agent_without_allowed_areas_starts_on_closed_ground() {
    let world = World::from_mesh(portolan_oracle::fixed_plan(0, 1, 0.0).mesh());
    let mut agent = Agent::walker();
    agent.factors = [None; 4];
    let costs = world.costs(&agent.profile());
    let centre = world.mesh().centre(portolan_core::PolygonId(0));
    let mut query = Query {
        costs: Some(&costs),
        ..Query::new(centre, centre)
    };
    for partial in [false, true] {
        query.limits.partial = partial;
        let status = world.find_path(&query, &mut Scratch::new(), &mut Default::default());
        assert_eq!(status, Ok(Status::StartClosed));
    }
}
