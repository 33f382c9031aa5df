//! Random queries: pairs of points in the largest component. Equal seeds give equal queries.

use glam::Vec3;
use portolan_core::{Costs, DEFAULT_SNAP, NavMesh};
use portolan_scenes::RandomPoints;

/// The smallest distance between start and goal of a distant query. [Units: m]
const MIN_DISTANCE: f32 = 1.0;

/// The number of points to try per query on allowed ground. A profile may allow hardly any ground.
const POINTS_PER_QUERY: usize = 200;

/// Returns an endless iterator over pairs of random points.
pub fn random_queries(mesh: &NavMesh, seed: u64) -> impl Iterator<Item = [Vec3; 2]> + '_ {
    pairs(RandomPoints::new(mesh, seed))
}

/// Draws `count` pairs of random points at least a metre apart. If the mesh is too small for that, some are
/// closer.
pub fn distant_queries(mesh: &NavMesh, count: usize, seed: u64) -> Vec<[Vec3; 2]> {
    let tried = (1..).zip(random_queries(mesh, seed));
    let is_accepted = |&(tries, [from, to]): &(usize, [Vec3; 2])| {
        from.distance(to) >= MIN_DISTANCE || tries > 10 * count
    };
    let drawn = tried.filter(is_accepted).map(|(_, query)| query);
    drawn.take(count).collect()
}

/// Draws up to `count` pairs of random points on ground that the costs allow. There are fewer if hardly any
/// ground is allowed.
pub fn allowed_queries(mesh: &NavMesh, costs: &Costs, count: usize, seed: u64) -> Vec<[Vec3; 2]> {
    let is_allowed = |point: &Vec3| {
        let found = mesh.locate(*point, DEFAULT_SNAP, |_| true);
        found.is_some_and(|found| costs.prices().allows(mesh, found.polygon))
    };
    let points = RandomPoints::new(mesh, seed).take(POINTS_PER_QUERY * count);
    pairs(points.filter(is_allowed)).take(count).collect()
}

fn pairs(mut points: impl Iterator<Item = Vec3>) -> impl Iterator<Item = [Vec3; 2]> {
    std::iter::from_fn(move || Some([points.next()?, points.next()?]))
}

#[cfg(test)]
mod tests {
    use portolan_core::{NavMeshOptions, Profile, World};
    use portolan_scenes::{WorldOptions, WorldScene};

    use super::*;

    fn world() -> World {
        let raw = WorldScene::Rooms.build(&WorldOptions::default());
        World::build(raw, &NavMeshOptions::default()).expect("a valid world")
    }

    #[test]
    fn equal_seeds_give_equal_queries() {
        let world = world();
        let draw = |seed| {
            random_queries(world.mesh(), seed)
                .take(9)
                .collect::<Vec<_>>()
        };
        assert_eq!(draw(1), draw(1));
        assert_ne!(draw(1), draw(2));
    }

    #[test]
    fn all_ground_is_allowed_by_default() {
        let world = world();
        let random: Vec<_> = random_queries(world.mesh(), 3).take(9).collect();
        let allowed = allowed_queries(world.mesh(), world.default_costs(), 9, 3);
        assert_eq!(allowed, random);
    }

    #[test]
    fn there_are_no_queries_without_allowed_ground() {
        let world = world();
        let mut profile = Profile::default();
        (0..=u8::MAX).for_each(|area| profile.forbid(area));
        let costs = world.costs(&profile);
        assert_eq!(allowed_queries(world.mesh(), &costs, 2, 3).len(), 0);
    }

    #[test]
    fn distant_queries_are_complete_and_a_metre_apart() {
        let world = world();
        let queries = distant_queries(world.mesh(), 50, 1);
        assert_eq!(queries.len(), 50);
        assert!(queries.iter().all(|[a, b]| a.distance(*b) >= MIN_DISTANCE));
    }
}
