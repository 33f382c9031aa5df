//! Fields equal searches from the goal, and an agent that follows one arrives.

use glam::Vec3;
use portolan_core::geometry::{distance_xz, intersection_fractions, lerp, nearest_fraction};
use portolan_core::{
    CostModel, Costs, Crossing, DEFAULT_SNAP, Field, FieldCornerKind, FieldScratch, FieldStep,
    Location, Many, NavMesh, Path, PolygonId, SampleId, Scratch, Status, World,
};
use portolan_oracle::{CaseRng, agents, close, plans};
use proptest::prelude::*;

use crate::many::{build, graphs};

/// Returns the cost of the cheapest path to one of the goals by single queries, and the lowest such goal.
fn reference(world: &World, costs: &Costs, from: Location, goals: &[Location]) -> f32 {
    let many = world.many_with(costs).expect("costs of this world");
    let (mut scratch, mut path) = (Scratch::new(), Path::default());
    let cost = |&goal: &Location| match many.path(from, goal, &mut scratch, &mut path) {
        Status::Found => path.cost,
        _ => f32::INFINITY,
    };
    goals.iter().map(cost).fold(f32::INFINITY, f32::min)
}

/// Draws locations that are open to an agent.
fn locations(many: Many<'_>, rng: &mut CaseRng, mesh: &NavMesh, count: usize) -> Vec<Location> {
    let points = (0..count).map(|_| rng.point_near(mesh));
    points
        .filter_map(|point| many.locate(point, DEFAULT_SNAP))
        .collect()
}

/// Checks that a step is the first of a path of the cost that the field has.
fn check_step(many: Many<'_>, world: &World, field: &Field, from: Location, cost: f32) {
    let (mesh, graph) = (world.mesh(), world.graph());
    let step = field.next(many, from);
    assert_eq!(step.is_some(), cost < f32::INFINITY);
    let crossing = match step {
        Some(FieldStep::Cross(crossing)) => crossing,
        Some(FieldStep::Goal(goal)) => {
            assert_eq!(field.goals()[goal].polygon, from.polygon);
            return;
        }
        None => return,
    };
    // The cheapest path over the vertices of the portal or the link has that cost.
    let totals: Vec<f32> = match crossing {
        Crossing::Portal(portal) => {
            let beyond = mesh.portal(portal).beyond(from.polygon);
            let samples = graph.samples_of_portal(portal).map(SampleId);
            let total = |sample| {
                let point = graph.position(sample);
                let there = Location {
                    polygon: from.polygon,
                    point,
                };
                let on = Location {
                    polygon: beyond,
                    point,
                };
                let mut leg = Field::default();
                leg.compute(many, &[there]);
                leg.distance(many, from) + field.distance(many, on)
            };
            samples.map(total).collect()
        }
        Crossing::Link(link, end) => {
            let link = mesh.link(link);
            let [entry, exit] = [usize::from(end), 1 - usize::from(end)];
            assert_eq!(link.polygons[entry], from.polygon);
            let [there, on] = [entry, exit].map(|end| Location {
                polygon: link.polygons[end],
                point: link.ends[end],
            });
            let mut leg = Field::default();
            leg.compute(many, &[there]);
            // The cost of the link is the rest.
            let sum = leg.distance(many, from) + field.distance(many, on);
            assert!(sum <= cost * 1.00001 + 1e-4);
            return;
        }
    };
    let min = totals.into_iter().fold(f32::INFINITY, f32::min);
    assert!(close(min.into(), cost.into()), "{min} instead of {cost}");
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    #[test]
    fn fields_equal_single_queries_and_do_not_depend_on_the_contraction(
        plan in plans(), agent in agents(), graph in graphs(), seed: u64,
    ) {
        let mut rng = CaseRng::new(seed);
        let contracted = build(plan.mesh(), &graph, Some(&mut rng));
        let plain = build(plan.mesh(), &graph, None);
        let [with, without] = [&contracted, &plain].map(|world| world.costs(&agent.profile()));
        let many = contracted.many_with(&with).expect("costs of this world");
        let slow = plain.many_with(&without).expect("costs of this world");
        let count = rng.below(4);
        let mut goals = locations(many, &mut rng, contracted.mesh(), count);
        let closed = Location { polygon: PolygonId(0), point: Vec3::NAN };
        if rng.chance(0.2) {
            goals.push(closed);
        }
        let (mut field, mut slow_field) = (Field::default(), Field::default());
        // Old contents do not matter.
        field.compute(many, &locations(many, &mut rng, contracted.mesh(), 2));
        field.compute(many, &goals);
        slow_field.compute(slow, &goals);
        for from in locations(many, &mut rng, contracted.mesh(), 5) {
            let cost = field.distance(many, from);
            prop_assert_eq!(cost.to_bits(), slow_field.distance(slow, from).to_bits());
            let expected = reference(&contracted, &with, from, &goals);
            prop_assert!(cost == expected || close(cost.into(), expected.into()), "{} instead of {}", cost, expected);
            // In the published cost model, a location counts as the centre of its polygon.
            if graph.cost_model != CostModel::Published {
                check_step(many, &contracted, &field, from, cost);
            }
            let goal = field.goal(many, from);
            prop_assert_eq!(goal.is_some(), cost < f32::INFINITY);
            if let Some(goal) = goal {
                let to_it = reference(&contracted, &with, from, &goals[goal..=goal]);
                prop_assert!(close(cost.into(), to_it.into()));
            }
            let corner = field.next_corner(many, from, &mut FieldScratch::default());
            prop_assert_eq!(corner.is_some(), cost < f32::INFINITY);
        }
        prop_assert_eq!(field.distance(many, closed), f32::INFINITY);
        prop_assert_eq!(field.next(many, closed), None);
        prop_assert_eq!(field.next_corner(many, closed, &mut FieldScratch::default()), None);
    }
}

/// The length of a step of a walker. [Units: m]
const STEP: f32 = 0.3;

/// Walks in a straight line through open polygons.
fn step_to(many: Many<'_>, mesh: &NavMesh, from: Location, point: Vec3) -> Location {
    let is_open = |polygon| {
        let centre = mesh.nearest_on(polygon, mesh.centre(polygon));
        let found = many.locate(centre, Vec3::splat(1e-3));
        found.is_some_and(|found| found.polygon == polygon)
    };
    let mut polygons = vec![from.polygon];
    let mut index = 0;
    while let Some(&polygon) = polygons.get(index) {
        index += 1;
        let nearest = mesh.nearest_on(polygon, point);
        if distance_xz(nearest, point) < 1e-3 {
            return Location {
                polygon,
                point: nearest,
            };
        }
        for &portal in mesh.portals_of(polygon) {
            let portal = mesh.portal(portal);
            let beyond = portal.beyond(polygon);
            if !polygons.contains(&beyond)
                && gap([from.point, point], [portal.right, portal.left]) < 1e-3
                && is_open(beyond)
            {
                polygons.push(beyond);
            }
        }
    }
    panic!("the line from {from:?} to {point} leaves the mesh");
}

/// Returns the distance of two segments in plan.
fn gap(a: [Vec3; 2], b: [Vec3; 2]) -> f64 {
    let crossed = intersection_fractions(a[0], a[1], b[0], b[1]);
    if crossed.is_some_and(|(i, k)| (0.0..=1.0).contains(&i) && (0.0..=1.0).contains(&k)) {
        return 0.0;
    }
    let to = |[from, to]: [Vec3; 2], point| {
        distance_xz(lerp(from, to, nearest_fraction(from, to, point)), point)
    };
    let gaps = [to(a, b[0]), to(a, b[1]), to(b, a[0]), to(b, a[1])];
    gaps.into_iter().fold(f64::INFINITY, f64::min)
}

/// Walks from a location to the goal of a field, step by step, and returns the number of steps.
fn walk(many: Many<'_>, mesh: &NavMesh, field: &Field, start: Location) -> usize {
    let mut scratch = FieldScratch::default();
    let (mut at, mut steps) = (start, 0);
    loop {
        let corner = field.next_corner(many, at, &mut scratch).expect("a path");
        let offset = (corner.point - at.point).with_y(0.0);
        let is_there = offset.length() <= STEP;
        let point = match is_there {
            true => corner.point,
            false => {
                let fraction = STEP / offset.length();
                at.point.lerp(corner.point, fraction)
            }
        };
        match corner.kind {
            FieldCornerKind::Goal(_) if is_there => return steps,
            FieldCornerKind::Link(link, end) if is_there => {
                let link = mesh.link(link);
                at = Location {
                    polygon: link.polygons[1 - end],
                    point: link.ends[1 - end],
                };
            }
            _ => {
                at = step_to(many, mesh, at, point);
            }
        }
        steps += 1;
        assert!(
            steps < 100_000,
            "the walker does not arrive; it is at {at:?}, on the way to {corner:?}"
        );
    }
}

proptest! {
    #![proptest_config(portolan_oracle::cases(300))]

    /// A walker that asks for the next corner after every step arrives, in all cost models, over links and over
    /// ground of any price.
    #[test]
    fn walkers_arrive(plan in plans(), agent in agents(), graph in graphs(), seed: u64) {
        let mut rng = CaseRng::new(seed);
        let world = build(plan.mesh(), &graph, Some(&mut rng));
        let costs = world.costs(&agent.profile());
        let many = world.many_with(&costs).expect("costs of this world");
        let goals = locations(many, &mut rng, world.mesh(), 2);
        let mut field = Field::default();
        field.compute(many, &goals);
        for from in locations(many, &mut rng, world.mesh(), 4) {
            if field.distance(many, from) < f32::INFINITY {
                walk(many, world.mesh(), &field, from);
            }
        }
    }
}
