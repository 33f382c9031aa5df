//! Reference implementations and random input for the tests of all crates: random meshes, agents,
//! points and partitions, and slow, simple searches whose results the engines must match.
#![allow(
    clippy::disallowed_methods,
    reason = "oracles compare within a tolerance"
)]

mod along;
mod bends;
mod cases;
mod changes;
mod draw;
mod fans;
mod graph;
pub mod ground;
pub mod hills;
mod interval;
mod levels;
pub mod lines;
mod links_optimum;
mod locations;
mod obstacles;
mod optimum;
mod oracle;
mod plan;
mod replaced;
mod roadmap;
mod sight;
pub mod slow_height;
mod split_borders;
mod taut_world;
pub mod thesis;
mod tiers;
mod tiles;

use glam::Vec3;
use portolan_core::navmesh::NavMeshParts;
use portolan_core::union_find::UnionFind;
use portolan_core::{Crossing, NavMesh, NodeId, Partition, Path, PolygonId, Portal, Profile};
use portolan_scenes::Random;
use proptest::prelude::*;

pub use bends::{turns_back, unnecessary_corners};
pub use cases::{cases, is_long_run};
pub use changes::{ChangedGround, random_changes};
pub use draw::draw;
pub use graph::{Arc, all_costs, random_arcs, random_order};
pub use interval::IntervalSearch;
pub use levels::{LevelsOptions, with_levels};
pub use links_optimum::LinksOptimum;
pub use obstacles::{point_of_polygon, random_obstacle};
pub use optimum::{Optimum, line_cost};
pub use oracle::{Oracle, densities};
pub use plan::{KINDS, MeshPlan, Patchwork, fixed_plan, plans, plans_and_tiles, scenes};
pub use replaced::{FromScratch, ReplacedGround};
pub use roadmap::{Roadmap, Walker};
pub use sight::{MeshPoint, Sight, in_plan};
pub use split_borders::with_split_borders;
pub use taut_world::TautWorld;
pub use tiers::{taut_tiers, with_tier, with_tiers};

/// Returns whether two costs or lengths are equal up to the rounding of `f32` sums.
pub fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-5 * a.abs().max(b.abs()).max(1.0)
}

/// The parameters of a [`Profile`], short enough to read in the message of a failed test.
#[derive(Clone, Debug)]
pub struct Agent {
    /// The cost factors of areas 0 to 3. `None` forbids the area.
    pub factors: [Option<f32>; 4],
    /// See [`Profile::include_flags`].
    pub include_flags: u16,
    /// See [`Profile::exclude_flags`].
    pub exclude_flags: u16,
    /// Whether the agent uses off-mesh links.
    pub links: bool,
}

impl Agent {
    /// Returns an agent with factor 1 on every area, to which everything is allowed.
    pub fn walker() -> Self {
        Self {
            factors: [Some(1.0); 4],
            include_flags: 0,
            exclude_flags: 0,
            links: true,
        }
    }

    /// Returns a [walker](Self::walker) that does not use off-mesh links.
    pub fn without_links() -> Self {
        Self {
            links: false,
            ..Self::walker()
        }
    }

    /// Returns the profile of this agent.
    pub fn profile(&self) -> Profile {
        let mut profile = Profile::default();
        profile.include_flags = self.include_flags;
        profile.exclude_flags = self.exclude_flags;
        profile.links = self.links;
        for (area, factor) in (0u8..).zip(self.factors) {
            match factor {
                Some(factor) => profile.set_factor(area, factor).expect("a factor in range"),
                None => profile.forbid(area),
            }
        }
        profile
    }
}

/// Draws agents with factors below and above 1, forbidden areas, flags, with or without links.
pub fn agents() -> impl Strategy<Value = Agent> {
    let factor = prop_oneof![
        4 => Just(Some(1f32)),
        3 => (0.05f32..1.0).prop_map(Some),
        3 => (1f32..8.0).prop_map(Some),
        1 => Just(Some(0f32)),
        2 => Just(None),
    ];
    let include = prop_oneof![3 => Just(0u16), 1 => 1u16..8];
    let exclude = prop_oneof![3 => Just(0u16), 1 => 2u16..8];
    let factors = prop::array::uniform4(factor);
    (factors, include, exclude, prop::bool::weighted(0.8)).prop_map(
        |(factors, include_flags, exclude_flags, links)| Agent {
            factors,
            include_flags,
            exclude_flags,
            links,
        },
    )
}

/// Random numbers, and random positions on a mesh.
#[derive(Clone, Debug)]
pub struct CaseRng(Random);

impl CaseRng {
    /// Creates a generator. Equal seeds give equal numbers.
    pub fn new(seed: u64) -> Self {
        Self(Random::new(seed))
    }

    /// Draws any 64-bit number, to seed another generator with.
    pub fn seed(&mut self) -> u64 {
        u64::from(self.0.bits()) << 32 | u64::from(self.0.bits())
    }

    /// Draws an integer below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        self.0.below(end as u32) as usize
    }

    /// Draws a number from `low` to `high`.
    pub fn between(&mut self, low: f32, high: f32) -> f32 {
        self.0.between(low, high)
    }

    /// Returns `true` with the given probability.
    pub fn chance(&mut self, probability: f32) -> bool {
        self.0.chance(probability)
    }

    /// Draws a polygon of the mesh.
    pub fn polygon(&mut self, mesh: &NavMesh) -> PolygonId {
        PolygonId::new(self.below(mesh.polygon_count()))
    }

    /// Draws a point of the ground that is not on a border.
    pub fn point_inside(&mut self, mesh: &NavMesh) -> Vec3 {
        let polygon = self.polygon(mesh);
        let corners = mesh.corner_points(polygon);
        let weights: Vec<f32> = corners.clone().map(|_| self.between(0.01, 1.0)).collect();
        let sum: f32 = weights.iter().sum();
        let points = corners.zip(&weights);
        let inside = points.map(|(point, weight)| point * (weight / sum)).sum();
        mesh.nearest_on(polygon, inside)
    }

    /// Draws a point of the ground: inside a polygon, at a corner, on a border, or at an end or the
    /// midpoint of a portal.
    pub fn point_on(&mut self, mesh: &NavMesh) -> Vec3 {
        let polygon = self.polygon(mesh);
        let corners: Vec<Vec3> = mesh.corner_points(polygon).collect();
        let (i, fraction) = (self.below(corners.len()), self.between(0.0, 1.0));
        match self.below(10) {
            0 => corners[i],
            1 => corners[i].lerp(corners[(i + 1) % corners.len()], fraction),
            2 if !mesh.portals().is_empty() => {
                let portal = mesh.portals()[self.below(mesh.portals().len())];
                [portal.right, portal.left, portal.midpoint()][self.below(3)]
            }
            _ => self.point_inside(mesh),
        }
    }

    /// Draws a point near the ground. Some points are too far from the mesh to be located.
    pub fn point_near(&mut self, mesh: &NavMesh) -> Vec3 {
        let max_shift = if self.chance(0.1) { 9.0 } else { 0.4 };
        let mut shift = || self.between(-max_shift, max_shift);
        let shift = Vec3::new(shift(), shift(), shift());
        self.point_on(mesh) + shift
    }
}

/// Returns the portal of a crossing, or `None` if it is a link.
pub fn portal_of(mesh: &NavMesh, crossing: Crossing) -> Option<&Portal> {
    match crossing {
        Crossing::Portal(portal) => Some(mesh.portal(portal)),
        Crossing::Link(..) => None,
    }
}

/// Asserts that the profile allows every polygon of the corridor, and that every crossing leads from one
/// polygon to the next.
///
/// # Panics
/// Panics if the corridor is invalid.
pub fn assert_corridor(mesh: &NavMesh, profile: &Profile, path: &Path) {
    let (polygons, crossings) = (&path.corridor.polygons, &path.corridor.crossings);
    assert_eq!(polygons.len(), crossings.len() + 1);
    for &polygon in polygons {
        let factor = oracle::factor(profile, mesh.area(polygon), mesh.flags(polygon));
        assert!(factor.is_some(), "{polygon:?} is forbidden: {path:?}");
    }
    for (&crossing, pair) in crossings.iter().zip(polygons.windows(2)) {
        match crossing {
            Crossing::Portal(portal) => {
                let mut sorted = [pair[0], pair[1]];
                sorted.sort();
                assert_eq!(mesh.portal(portal).polygons, sorted, "{crossing:?}");
            }
            Crossing::Link(link, entry) => {
                let link = mesh.link(link);
                let entry = usize::from(entry);
                let joined = [link.polygons[entry], link.polygons[1 - entry]];
                assert_eq!(joined, [pair[0], pair[1]], "{crossing:?}");
                assert!(
                    entry == 0 || link.both_ways,
                    "a one-way link is used in the wrong direction: {crossing:?}"
                );
                assert!(profile.links, "the profile does not allow links");
                assert!(oracle::factor(profile, link.area, link.flags).is_some());
            }
        }
    }
}

/// Draws a partition of four levels. A node has about `mu` nodes of the level below (see `merge_factor`).
/// Most nodes are connected, some are not, and some consist of one polygon.
pub fn random_partition(mesh: &NavMesh, mu: usize, seed: u64) -> Partition {
    let over_portals = mesh.portals().iter().map(|portal| portal.polygons);
    let over_links = mesh.links().iter().map(|link| link.polygons);
    let pairs = over_portals.chain(over_links);
    let pairs: Vec<_> = pairs
        .map(|pair| pair.map(|polygon| polygon.index()))
        .collect();
    random_cells(mesh.polygon_count(), &pairs, mu, seed)
}

/// Draws a partition like [`random_partition`], of `count` cells with the given pairs of neighbours.
pub fn random_cells(count: usize, pairs: &[[usize; 2]], mu: usize, seed: u64) -> Partition {
    let mut rng = CaseRng::new(seed);
    let (mut nodes, mut levels) = (count, Vec::new());
    let mut groups = UnionFind::new(count);
    for _ in 0..4 {
        let target = nodes / mu;
        // A join within one group counts as an attempt too, so this loop ends.
        for _ in 0..4 * nodes {
            if nodes <= target.max(1) {
                break;
            }
            let [a, b] = if pairs.is_empty() || rng.chance(0.02) {
                [rng.below(count), rng.below(count)]
            } else {
                pairs[rng.below(pairs.len())]
            };
            nodes -= usize::from(groups.join(a as u32, b as u32));
        }
        let mut node_of_root = std::collections::HashMap::new();
        let level = (0..count as u32).map(|cell| {
            let next = node_of_root.len();
            NodeId::new(*node_of_root.entry(groups.root(cell)).or_insert(next))
        });
        levels.push(level.collect());
    }
    Partition::new(count, levels).expect("nested levels")
}

/// Copies the arrays of a mesh, as a file format does.
pub fn parts_of(mesh: &NavMesh) -> NavMeshParts {
    NavMeshParts {
        vertices: mesh.vertices().to_vec(),
        polygons: mesh.corner_lists().to_csr(),
        areas: mesh.areas().to_vec(),
        flags: mesh.all_flags().to_vec(),
        user_ids: mesh.user_ids().collect(),
        heights: mesh.heights().clone(),
        portals: mesh.portals().to_vec(),
        links: mesh.links().to_vec(),
        components: mesh.components().labels().to_vec(),
        tree: mesh.tree().nodes().to_vec(),
        repairs: mesh.repairs(),
    }
}
