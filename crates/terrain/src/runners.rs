//! Runners: agents that walk over a terrain and show how its meshes connect (appendix B.3 of the terrain thesis).

mod options;

use super::{
    Crowd, Meshes, NO_MESH, NO_TRIANGLE, Navigator, Terrain, TerrainEndpoints, TerrainError,
    TerrainScratch,
};
use glam::Vec3;
pub use options::{RunnerArrival, RunnerKind, RunnerMovement, RunnerOptions, RunnerPause};

/// The number of random goals that are tried before a runner stays where it is. A goal on another island has no path.
const GOAL_TRIALS: usize = 16;

/// Runners on a terrain. [`tick`](Self::tick) moves each of them by one step.
///
/// The result depends only on the terrain, the options and the number of ticks. The terrain can be
/// [edited](Terrain::edit) between two ticks.
///
/// ```
/// use portolan_terrain::{
///     HeightMap, RunnerOptions, Runners, Terrain, TerrainOptions, TerrainScratch, WebOptions,
/// };
///
/// let web = HeightMap::new(9, 9, vec![0.0; 81])?.triangulate(&WebOptions::default(), None)?;
/// let terrain = Terrain::build(web, &TerrainOptions::default())?;
/// let mut runners = Runners::new(&terrain, 5, RunnerOptions::default())?;
/// let mut scratch = TerrainScratch::new();
/// for _ in 0..100 {
///     runners.tick(&terrain, &mut scratch);
/// }
/// assert!(runners.trips().len() > 5);
/// # Ok::<(), portolan_terrain::TerrainError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Runners {
    options: RunnerOptions,
    runners: Vec<Runner>,
    crowd: Option<Crowd>,
    trips: Vec<RunnerTrip>,
    ticks: u32,
}

/// One agent.
#[derive(Clone, Debug)]
pub struct Runner {
    triangle: u32,
    mesh: u32,
    goal: Option<u32>,
    status: RunnerStatus,
    /// The number of ticks that a pause still takes.
    pause: u32,
    route: Route,
    /// The triangles of the current trip so far, its start included.
    walked: Vec<u32>,
    cost: f64,
    random: RandomStream,
}

/// What a runner has done in the last tick.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RunnerStatus {
    /// It has moved.
    Walking,
    /// It has moved and reached its goal.
    Arrived,
    /// It pauses.
    Paused,
    /// There is no path to its goal, or no neighbour.
    Stuck,
}

/// A trip that has ended at its goal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunnerTrip {
    /// The index of the runner.
    pub runner: u32,
    /// The tick in which the runner arrived, counted from 1.
    pub tick: u32,
    /// The first triangle.
    pub from: u32,
    /// The last triangle.
    pub to: u32,
    /// The number of triangles, both ends included.
    pub triangles: u32,
    /// The sum of the prices of all crossings, each at its price at the time.
    pub cost: f64,
}

/// The path of a runner.
#[derive(Clone, Debug)]
enum Route {
    /// It has to be found.
    Unknown,
    /// Known triangles, and the index of the next one.
    Triangles(Vec<u32>, usize),
    /// A path that is found while the runner walks.
    Navigator(Box<Navigator>),
}

impl RunnerStatus {
    /// Returns the name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Walking => "walking",
            Self::Arrived => "arrived",
            Self::Paused => "paused",
            Self::Stuck => "stuck",
        }
    }
}

impl Runner {
    /// Returns the triangle where the runner is.
    pub fn triangle(&self) -> u32 {
        self.triangle
    }

    /// Returns the mesh that the runner occupies: a Low Mesh, or for [`RunnerKind::Mesh`] one of the chosen layer.
    pub fn mesh(&self) -> u32 {
        self.mesh
    }

    /// Returns the goal, or `None` if the runner walks at random.
    pub fn goal(&self) -> Option<u32> {
        self.goal
    }

    /// Returns what the runner has done in the last tick.
    pub fn status(&self) -> RunnerStatus {
        self.status
    }

    /// Returns the cost of the current trip so far.
    pub fn cost(&self) -> f64 {
        self.cost
    }
}

impl Runners {
    /// Puts runners on random triangles. With another `count`, the runners that exist in both cases start and walk in
    /// the same way, unless they form a crowd.
    pub fn new(
        terrain: &Terrain,
        count: usize,
        options: RunnerOptions,
    ) -> Result<Self, TerrainError> {
        let meshes = terrain.meshes();
        options.check(meshes)?;
        let mut crowd = match options.crowd > 0.0 {
            true => Some(Crowd::new(meshes, options.crowd)?),
            false => None,
        };
        let triangles = meshes.low_count() as u32;
        let runners = (0..count as u64).map(|index| {
            let mut random = RandomStream::new(options.seed, index);
            let triangle = random.below(triangles);
            let mut runner = Runner {
                triangle,
                mesh: mesh_of(meshes, &options, triangle),
                goal: None,
                status: RunnerStatus::Walking,
                pause: 0,
                route: Route::Unknown,
                walked: vec![triangle],
                cost: 0.0,
                random,
            };
            runner.goal = match (options.movement, options.arrival, options.main) {
                (RunnerMovement::Random, ..) => None,
                (_, RunnerArrival::Follow, Some([_, goal])) => Some(goal),
                _ => Some(runner.random.below(triangles)),
            };
            if let Some(crowd) = &mut crowd {
                crowd.enter(meshes, triangle);
            }
            runner
        });
        let runners = runners.collect();
        Ok(Self {
            options,
            runners,
            crowd,
            trips: Vec::new(),
            ticks: 0,
        })
    }

    /// Moves every runner by one step, in the order of their indices.
    pub fn tick(&mut self, terrain: &Terrain, scratch: &mut TerrainScratch) {
        self.ticks += 1;
        for index in 0..self.runners.len() {
            let runner = &mut self.runners[index];
            let before = runner.triangle;
            let mut walk = Walk {
                terrain,
                options: &self.options,
                crowd: self.crowd.as_ref(),
                scratch,
            };
            let trip = walk.tick(runner);
            let after = runner.triangle;
            if let Some(crowd) = self.crowd.as_mut().filter(|_| before != after) {
                crowd.step(terrain.meshes(), before, after);
            }
            self.trips.extend(trip.map(|trip| RunnerTrip {
                runner: index as u32,
                tick: self.ticks,
                ..trip
            }));
        }
    }

    /// Returns all runners.
    pub fn runners(&self) -> &[Runner] {
        &self.runners
    }

    /// Returns the options.
    pub fn options(&self) -> &RunnerOptions {
        &self.options
    }

    /// Returns the trips that have ended, in the order in which they did.
    pub fn trips(&self) -> &[RunnerTrip] {
        &self.trips
    }

    /// Returns the number of ticks.
    pub fn ticks(&self) -> u32 {
        self.ticks
    }

    /// Returns the meshes that a picture shows for a runner, the lowest first: the mesh that it occupies, and for
    /// [`RunnerKind::Hierarchy`] those above it.
    pub fn shown(&self, meshes: &Meshes, runner: &Runner) -> Vec<u32> {
        let chain = match self.options.kind {
            RunnerKind::Hierarchy => self.options.chain,
            _ => 1,
        };
        let parent = |&mesh: &u32| Some(meshes.parent(mesh)).filter(|&parent| parent != NO_MESH);
        std::iter::successors(Some(runner.mesh), parent)
            .take(chain)
            .collect()
    }
}

/// One step of one runner.
struct Walk<'a> {
    terrain: &'a Terrain,
    options: &'a RunnerOptions,
    crowd: Option<&'a Crowd>,
    scratch: &'a mut TerrainScratch,
}

impl Walk<'_> {
    /// Moves a runner. Returns its trip, without runner and tick, if it has arrived.
    fn tick(&mut self, runner: &mut Runner) -> Option<RunnerTrip> {
        if runner.pause > 0 {
            runner.pause -= 1;
            runner.status = RunnerStatus::Paused;
            return None;
        }
        if runner.goal == Some(runner.triangle) {
            self.choose_goal(runner);
        }
        let before = runner.mesh;
        // A runner of a higher layer crosses all triangles of its mesh in one step. The limit is for contradicting paths.
        for _ in self.terrain.meshes().low_range(before) {
            let Some(next) = self.next_triangle(runner) else {
                runner.status = RunnerStatus::Stuck;
                return None;
            };
            let crossing = self.terrain.graph().crossing(runner.triangle, next);
            runner.cost += f64::from(crossing.unwrap_or(0.0));
            runner.triangle = next;
            runner.mesh = mesh_of(self.terrain.meshes(), self.options, next);
            if runner.goal.is_some() {
                runner.walked.push(next);
            }
            if runner.mesh != before || runner.goal == Some(next) {
                break;
            }
        }
        let has_arrived = runner.goal == Some(runner.triangle);
        runner.status = match has_arrived {
            true => RunnerStatus::Arrived,
            false => RunnerStatus::Walking,
        };
        let [at_goal, every_step] = match self.options.pause {
            RunnerPause::Never => [false, false],
            RunnerPause::AtGoal => [true, false],
            RunnerPause::EveryStep => [false, true],
            RunnerPause::Both => [true, true],
        };
        let pauses = u32::from(every_step) + u32::from(at_goal && has_arrived);
        runner.pause = pauses * self.options.pause_steps;
        has_arrived.then(|| RunnerTrip {
            runner: 0,
            tick: 0,
            from: runner.walked[0],
            to: runner.triangle,
            triangles: runner.walked.len() as u32,
            cost: runner.cost,
        })
    }

    /// Returns the next triangle of a runner.
    fn next_triangle(&mut self, runner: &mut Runner) -> Option<u32> {
        if runner.goal.is_none() {
            return self.random_step(runner);
        }
        if matches!(runner.route, Route::Unknown) {
            let mut trials = 0;
            while !self.find_route(runner) {
                trials += 1;
                let is_random = self.options.arrival != RunnerArrival::Follow;
                if trials == GOAL_TRIALS || !is_random {
                    return None;
                }
                runner.goal = Some(self.random_triangle(runner));
            }
        }
        match &mut runner.route {
            Route::Unknown => None,
            Route::Triangles(path, next) => {
                let triangle = path.get(*next).copied();
                *next += 1;
                if self.options.movement == RunnerMovement::FullFromHere {
                    runner.route = Route::Unknown;
                }
                triangle
            }
            Route::Navigator(navigator) => {
                let scratch = &mut *self.scratch;
                let next = navigator.next(self.terrain, self.crowd, scratch);
                // The path begins with the triangle where the runner is.
                match next == Some(runner.triangle) {
                    true => navigator.next(self.terrain, self.crowd, scratch),
                    false => next,
                }
            }
        }
    }

    /// Finds the path to the goal. Returns whether there is one that leaves the current triangle.
    fn find_route(&mut self, runner: &mut Runner) -> bool {
        let Some(goal) = runner.goal.filter(|&goal| goal != runner.triangle) else {
            return false;
        };
        let (graph, meshes) = (self.terrain.graph(), self.terrain.meshes());
        let ends = [runner.triangle, goal];
        let mut path = Vec::new();
        let is_found = match self.options.movement {
            RunnerMovement::Progressive => {
                let [start, goal] = ends.map(|triangle| super::TerrainLocation {
                    triangle,
                    point: Vec3::ZERO,
                });
                let ends = TerrainEndpoints { start, goal };
                let found = self.terrain.navigator(&ends, self.crowd, self.scratch);
                let Ok(Some(navigator)) = found else {
                    return false;
                };
                runner.route = Route::Navigator(Box::new(navigator));
                return true;
            }
            RunnerMovement::AStar => {
                let found = graph.astar(ends[0], goal, f32::INFINITY, self.scratch, &mut path);
                found.is_some()
            }
            _ => {
                let found = meshes.find(graph, ends, self.crowd, self.scratch, &mut path);
                found.is_some()
            }
        };
        if is_found {
            runner.route = Route::Triangles(path, 1);
        }
        is_found
    }

    fn random_step(&self, runner: &mut Runner) -> Option<u32> {
        let meshes = self.terrain.meshes();
        let mut steps: Vec<(u32, u32)> = Vec::new();
        for low in meshes.low_range(runner.mesh) {
            let (neighbours, _) = self.terrain.graph().crossings(meshes.triangle(low));
            let beyond = neighbours.into_iter().filter(|&next| next != NO_TRIANGLE);
            let beyond = beyond.map(|next| (mesh_of(meshes, self.options, next), next));
            steps.extend(beyond.filter(|&(mesh, _)| mesh != runner.mesh));
        }
        // Every neighbouring mesh has the same probability, however long the border is.
        steps.sort_unstable();
        let mut first_of_each = steps.clone();
        first_of_each.dedup_by_key(|step| step.0);
        let meshes = first_of_each.len() as u32;
        let (mesh, _) = *first_of_each.get(runner.random.below(meshes.max(1)) as usize)?;
        let [start, end] =
            [mesh, mesh + 1].map(|bound| steps.partition_point(|step| step.0 < bound));
        let border = &steps[start..end];
        Some(border[runner.random.below(border.len() as u32) as usize].1)
    }

    fn random_triangle(&self, runner: &mut Runner) -> u32 {
        let triangles = self.terrain.meshes().low_count() as u32;
        runner.random.below(triangles)
    }

    /// Chooses the next goal of a runner that has reached its goal.
    fn choose_goal(&self, runner: &mut Runner) {
        let mut back = std::mem::take(&mut runner.walked);
        runner.walked.push(runner.triangle);
        runner.cost = 0.0;
        runner.route = Route::Unknown;
        match (self.options.arrival, self.options.main) {
            (RunnerArrival::Reverse, _) if back.len() > 1 => {
                runner.goal = Some(back[0]);
                back.reverse();
                runner.route = Route::Triangles(back, 1);
            }
            (RunnerArrival::Follow, Some([start, goal])) => {
                runner.goal = Some(match runner.triangle == goal {
                    true => start,
                    false => goal,
                });
            }
            _ => runner.goal = Some(self.random_triangle(runner)),
        }
    }
}

/// Returns the mesh that a runner on a triangle occupies.
fn mesh_of(meshes: &Meshes, options: &RunnerOptions, triangle: u32) -> u32 {
    let low = meshes.low(triangle);
    match options.kind {
        RunnerKind::Mesh => meshes.in_layer(low, options.layer),
        _ => low,
    }
}

/// Pseudo-random numbers: SplitMix64 (Steele, Lea, Flood 2014), with a stream per runner.
#[derive(Clone, Debug)]
struct RandomStream(u64);

impl RandomStream {
    fn new(seed: u64, stream: u64) -> Self {
        let mut random = Self(seed ^ stream.wrapping_mul(0xa076_1d64_78bd_642f));
        random.0 = random.bits();
        random
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        bits ^ (bits >> 31)
    }

    /// Returns a number below `end`, which is at least 1.
    fn below(&mut self, end: u32) -> u32 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u32
    }
}
