//! The options of runners.

use super::super::price::check_parameter;
use super::super::{Meshes, TerrainError};

/// What a runner occupies, and what a picture of it shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RunnerKind {
    /// One Low Mesh.
    #[default]
    Triangle,
    /// One mesh of the layer [`RunnerOptions::layer`]. A step leads into a neighbouring mesh of that layer.
    Mesh,
    /// One Low Mesh. A picture also shows [`RunnerOptions::chain`] meshes above it.
    Hierarchy,
}

/// How a runner finds its path.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RunnerMovement {
    /// The runner has no goal. Every step leads into a random neighbour.
    Random,
    /// A\* finds the whole path at the start of a trip.
    AStar,
    /// The High Meshes find the whole path at the start of a trip.
    Full,
    /// The High Meshes find the whole path from the current triangle again before every step. Unless a crowd or an edit
    /// changes prices, the paths are mostly those of [`Progressive`](Self::Progressive), for more work.
    FullFromHere,
    /// A [`Navigator`](crate::Navigator) expands meshes as the next step needs them.
    #[default]
    Progressive,
}

/// What a runner does when it has reached its goal.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RunnerArrival {
    /// Goes to the goal of the main path, and from there to its start.
    Follow,
    /// Goes to a random triangle.
    #[default]
    Random,
    /// Goes back over the same triangles.
    Reverse,
}

/// When a runner pauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RunnerPause {
    /// Never.
    #[default]
    Never,
    /// When it has reached its goal.
    AtGoal,
    /// After every step.
    EveryStep,
    /// After every step, and twice as long when it has reached its goal.
    Both,
}

macro_rules! names {
    ($type:ident, $($variant:ident $name:literal),+) => {
        impl $type {
            /// All variants, in the order in which the terrain thesis lists them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// Returns the name on the command line.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }
    };
}

names!(RunnerKind, Triangle "triangle", Mesh "mesh", Hierarchy "hierarchy");
names!(
    RunnerMovement,
    Random "random",
    AStar "astar",
    Full "full",
    FullFromHere "full-from-here",
    Progressive "progressive"
);
names!(RunnerArrival, Follow "follow", Random "random", Reverse "reverse");
names!(RunnerPause, Never "never", AtGoal "goal", EveryStep "step", Both "both");

/// Options for [`Runners`](super::Runners).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunnerOptions {
    /// What a runner occupies. [Default: [`RunnerKind::Triangle`]]
    pub kind: RunnerKind,
    /// How a runner finds its path. [Default: [`RunnerMovement::Progressive`]]
    pub movement: RunnerMovement,
    /// What a runner does at its goal. [Default: [`RunnerArrival::Random`]]
    pub arrival: RunnerArrival,
    /// When a runner pauses. [Default: [`RunnerPause::Never`]]
    pub pause: RunnerPause,
    /// The number of steps that a pause takes. [Limits: 1 to 1e6] [Default: 1]
    pub pause_steps: u32,
    /// Start and goal of the main path, as triangles. [`RunnerArrival::Follow`] needs it. [Default: none]
    pub main: Option<[u32; 2]>,
    /// For [`RunnerKind::Mesh`]: the layer, counted downwards from the Top Meshes, which are layer 0. Where a branch of
    /// the tree ends above that layer, its Low Mesh counts. [Default: 3]
    pub layer: usize,
    /// For [`RunnerKind::Hierarchy`]: the number of meshes that a picture shows. [Limits: 1 or more] [Default: 4]
    pub chain: usize,
    /// The strength of the [`Crowd`](crate::Crowd) that runners form for each other. With 0 they ignore each other.
    /// A\* always does. [Limits: 0 to 1e6] [Default: 0]
    pub crowd: f32,
    /// The seed of all random choices. [Default: 1]
    pub seed: u64,
}

impl Default for RunnerOptions {
    fn default() -> Self {
        Self {
            kind: RunnerKind::default(),
            movement: RunnerMovement::default(),
            arrival: RunnerArrival::default(),
            pause: RunnerPause::default(),
            pause_steps: 1,
            main: None,
            layer: 3,
            chain: 4,
            crowd: 0.0,
            seed: 1,
        }
    }
}

impl RunnerOptions {
    /// Checks that every option is within its limits for a terrain.
    pub fn check(&self, meshes: &Meshes) -> Result<(), TerrainError> {
        check_parameter("the strength of a crowd", self.crowd, [0.0, 1e6])?;
        check_parameter("pause_steps", self.pause_steps as f32, [1.0, 1e6])?;
        check_parameter("chain", self.chain as f32, [1.0, 1e9])?;
        if self.arrival == RunnerArrival::Follow && self.main.is_none() {
            return Err(TerrainError::NoMainPath);
        }
        let triangles = meshes.low_count();
        let mut ends = self.main.iter().flatten();
        match ends.find(|&&triangle| triangle as usize >= triangles) {
            Some(&triangle) => Err(TerrainError::NoTriangle {
                triangle,
                triangles,
            }),
            None => Ok(()),
        }
    }
}
