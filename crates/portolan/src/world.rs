//! The whole job: a world is built once and then answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use glam::Vec3;

use crate::DEFAULT_SNAP;
use crate::contraction::{Contraction, HubLabels, LabelArrays, LabelsError, Shortcuts};
use crate::graph::{CostModel, GraphOptions, PortalGraph};
use crate::hierarchy::{Cliques, Hierarchy, HierarchyError, Metric, TableOptions, Ways};
use crate::ids::Level;
use crate::navmesh::{Link, Location, NavMesh, NavMeshError, NavMeshOptions, RawNavMesh};
use crate::partition::Partition;
use crate::path::{Corridor, Path, TautCosts};
use crate::profile::{Costs, Profile};
use crate::query::{Connect, Distance, Engine, EngineError, Limits, Outcome, Scratch, Search};

/// The number of worlds made so far, so that each has a number of its own.
static WORLDS: AtomicU64 = AtomicU64::new(1);

/// A navmesh and all that was derived from it. Immutable: share it by reference between threads,
/// each with a [`Scratch`] of its own.
#[derive(Clone, Debug)]
pub struct World {
    mesh: NavMesh,
    graph: PortalGraph,
    hierarchy: Option<Hierarchy>,
    tables: TableOptions,
    contraction: Option<Contraction>,
    /// Whether shortcuts cost what their ways do when pulled taut, and not the sum of their parts.
    is_taut: bool,
    costs: Costs,
    /// What was made for this world bears its number; a clone is the same world.
    number: u64,
}

/// How a world with a hierarchy is made.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IndexOptions {
    /// The graph.
    pub graph: GraphOptions,
    /// The connect tables.
    pub tables: TableOptions,
}

/// What a file holds of a world beyond its mesh and how it was made.
#[derive(Clone, Debug, Default)]
pub struct IndexParts {
    /// The partition of the polygons and [`Metric::arrays`], where there is a hierarchy.
    pub hierarchy: Option<(Partition, Vec<Ways>)>,
    /// [`Contraction::order`] and [`Contraction::arc_count`], where there is a contraction. An order that
    /// makes another number of arcs is refused, and not followed any further than to that number.
    pub contraction: Option<(Vec<u32>, usize)>,
}

/// One question.
#[derive(Clone, Copy, Debug)]
pub struct Query<'a> {
    /// Where the agent stands.
    pub from: Vec3,
    /// Where it wants to be.
    pub to: Vec3,
    /// Half the size of the box in which either point looks for its polygon. [Units: m]
    pub snap: Vec3,
    /// What the agent pays, made for the world that is asked by [`World::costs`]; `None` is the
    /// default profile.
    pub costs: Option<&'a Costs>,
    /// How to search.
    pub engine: Engine,
    /// When to give up.
    pub limits: Limits,
    /// How far waypoints may leave the ground between corners of the path. [Units: m] [Default:
    /// 0.2, what voxelisation leaves uncertain anyway] Infinite: corners only.
    pub ground_tolerance: f32,
}

impl Query<'_> {
    /// A question with default settings.
    pub fn new(from: Vec3, to: Vec3) -> Self {
        Self {
            from,
            to,
            snap: DEFAULT_SNAP,
            costs: None,
            engine: Engine::Auto,
            limits: Limits::default(),
            ground_tolerance: 0.2,
        }
    }
}

/// What came of a [`Query`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[non_exhaustive]
pub enum Status {
    /// A path to the goal.
    #[error("a path")]
    Found,
    /// A path towards the goal, which is out of reach.
    #[error("a path towards the goal, which is out of reach")]
    Partial,
    /// No path.
    #[error("no path")]
    NoPath,
    /// The start has no polygon near it that the agent may stand on.
    #[error("the start is off the mesh")]
    StartOffMesh,
    /// The goal has none.
    #[error("the goal is off the mesh")]
    GoalOffMesh,
}

impl Status {
    /// The name in files and outputs.
    pub fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
            Self::Partial => "partial",
            Self::NoPath => "no_path",
            Self::StartOffMesh => "start_off_mesh",
            Self::GoalOffMesh => "goal_off_mesh",
        }
    }

    /// Whether there is a path to show.
    pub fn has_path(self) -> bool {
        matches!(self, Self::Found | Self::Partial)
    }
}

/// Start and goal on the mesh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ends {
    /// The start.
    pub start: Location,
    /// The goal.
    pub goal: Location,
}

impl World {
    /// Raw polygons in, a world that answers out.
    pub fn build(raw: RawNavMesh, options: &NavMeshOptions) -> Result<Self, NavMeshError> {
        let mesh = NavMesh::build(raw, options)?;
        Ok(Self::from_mesh(mesh))
    }

    /// The world of a checked mesh, with one sample a portal.
    pub fn from_mesh(mesh: NavMesh) -> Self {
        Self::with_graph(mesh, &GraphOptions::default())
    }

    /// The world of a checked mesh.
    ///
    /// # Panics
    /// As [`PortalGraph::new`] does.
    pub fn with_graph(mesh: NavMesh, options: &GraphOptions) -> Self {
        Self::with_profile(mesh, options, &Profile::default())
    }

    /// The same for a default profile of the caller's, which queries without costs then have.
    ///
    /// # Panics
    /// As [`PortalGraph::new`] does.
    pub fn with_profile(mesh: NavMesh, options: &GraphOptions, profile: &Profile) -> Self {
        let graph = PortalGraph::new(&mesh, options);
        let tables = TableOptions::default();
        Self::assemble(mesh, graph, None, tables, profile, &|_| ())
    }

    /// A world with a hierarchy over a partition of its polygons. They are numbered anew, so that what
    /// one node holds lies together.
    ///
    /// # Panics
    /// As [`PortalGraph::new`] does.
    pub fn with_hierarchy(
        mesh: NavMesh,
        partition: Partition,
        options: &IndexOptions,
    ) -> Result<Self, HierarchyError> {
        Self::with_hierarchy_watched(mesh, partition, options, &Profile::default(), |_| ())
    }

    /// The same for a default profile of the caller's, which queries without costs then have;
    /// `progress` is told the share that is done.
    ///
    /// # Panics
    /// As [`PortalGraph::new`] does.
    pub fn with_hierarchy_watched(
        mesh: NavMesh,
        partition: Partition,
        options: &IndexOptions,
        profile: &Profile,
        progress: impl Fn(f32) + Sync,
    ) -> Result<Self, HierarchyError> {
        if partition.cell_count() != mesh.polygon_count() {
            return Err(HierarchyError::Cells {
                found: partition.cell_count(),
                expected: mesh.polygon_count(),
            });
        }
        let order = partition.order();
        let (mesh, partition) = (mesh.in_order(&order), partition.in_order(&order));
        let graph = PortalGraph::new(&mesh, &options.graph);
        let hierarchy = Hierarchy::of_mesh(&mesh, &graph, partition)?;
        let tables = options.tables.clone();
        hierarchy.check_tables(&tables)?;
        Ok(Self::assemble(
            mesh,
            graph,
            Some(hierarchy),
            tables,
            profile,
            &progress,
        ))
    }

    /// A world from what a file holds of it: the mesh as it was numbered, how it was made, the default
    /// profile, and the parts. `None` where these do not belong together.
    pub fn from_index(
        mesh: NavMesh,
        options: &IndexOptions,
        profile: &Profile,
        parts: IndexParts,
    ) -> Option<Self> {
        if !options.graph.fit(&mesh) {
            return None;
        }
        let graph = PortalGraph::new(&mesh, &options.graph);
        let tables = options.tables.clone();
        let number = WORLDS.fetch_add(1, Ordering::Relaxed);
        let mut costs = Costs::new(&mesh, profile).made_for(number);
        let mut hierarchy = None;
        if let Some((partition, arrays)) = parts.hierarchy {
            let made = Hierarchy::of_mesh(&mesh, &graph, partition).ok()?;
            made.check_tables(&tables).ok()?;
            let is_two_way = |link: &Link| link.both_ways || costs.of_link(&mesh, link).is_none();
            let is_symmetric = mesh.links().iter().all(is_two_way);
            let (polygons, arrays) = (mesh.polygon_count(), arrays.into_iter());
            let metric = Metric::from_arrays(&made, polygons, &tables, is_symmetric, arrays)?;
            costs = costs.with_metric(metric);
            hierarchy = Some(made);
        }
        let world = Self {
            mesh,
            graph,
            hierarchy,
            tables,
            contraction: None,
            is_taut: false,
            costs,
            number,
        };
        let Some((order, arcs)) = parts.contraction else {
            return Some(world);
        };
        if !is_order(&order, world.graph.sample_count()) {
            return None;
        }
        let contraction = Contraction::limited(order, world.graph.adjacent(), arcs)?;
        (contraction.arc_count() == arcs).then(|| world.contracted(contraction))
    }

    /// How it was made.
    pub fn index_options(&self) -> IndexOptions {
        IndexOptions {
            graph: self.graph.options(),
            tables: self.tables.clone(),
        }
    }

    fn assemble(
        mesh: NavMesh,
        graph: PortalGraph,
        hierarchy: Option<Hierarchy>,
        tables: TableOptions,
        profile: &Profile,
        progress: &(dyn Fn(f32) + Sync),
    ) -> Self {
        let number = WORLDS.fetch_add(1, Ordering::Relaxed);
        let costs = Costs::new(&mesh, profile).made_for(number);
        let mut world = Self {
            mesh,
            graph,
            hierarchy,
            tables,
            contraction: None,
            is_taut: false,
            costs,
            number,
        };
        world.costs = world.costs_watched(profile, progress);
        world
    }

    /// The mesh.
    pub fn mesh(&self) -> &NavMesh {
        &self.mesh
    }

    /// Gives the mesh back.
    pub fn into_mesh(self) -> NavMesh {
        self.mesh
    }

    /// Its portal graph.
    pub fn graph(&self) -> &PortalGraph {
        &self.graph
    }

    /// Its hierarchy.
    pub fn hierarchy(&self) -> Option<&Hierarchy> {
        self.hierarchy.as_ref()
    }

    /// Its contraction.
    pub fn contraction(&self) -> Option<&Contraction> {
        self.contraction.as_ref()
    }

    /// Who of the polygons lies where: the partition of its hierarchy, which also has the links.
    pub fn partition(&self) -> Option<Partition> {
        let all = self.hierarchy.as_ref()?.partition();
        let polygons = self.mesh.polygon_count();
        let levels = all
            .levels()
            .map(|level| all.nodes(level)[..polygons].to_vec());
        let partition = Partition::new(polygons, levels.collect());
        Some(partition.expect("a link lies in the nodes of a polygon"))
    }

    /// The costs of queries that bring none.
    pub fn default_costs(&self) -> &Costs {
        &self.costs
    }

    /// Makes a profile ready for all engines of this world. With a hierarchy that takes as long as the
    /// intra-edges and tables do; share the result between queries.
    pub fn costs(&self, profile: &Profile) -> Costs {
        self.costs_watched(profile, &|_| ())
    }

    /// Makes a profile ready for some engines: for `auto` on a world with a contraction it takes
    /// milliseconds, whatever else the world has. Queries by others panic.
    pub fn costs_for(&self, profile: &Profile, engines: &[Engine]) -> Costs {
        let contracts = |engine: &Engine| match engine {
            Engine::Contraction | Engine::Labels => true,
            Engine::Auto => self.contraction.is_some(),
            _ => false,
        };
        let climbs = |engine: &Engine| match engine {
            Engine::Hna { .. } | Engine::Pccp { .. } => true,
            Engine::Auto => self.contraction.is_none(),
            _ => false,
        };
        let mut costs = Costs::new(&self.mesh, profile).made_for(self.number);
        if engines.iter().any(contracts) {
            costs = self.with_shortcuts(costs);
        }
        if engines.iter().any(climbs) {
            costs = self.with_metric(costs, &|_| ());
        }
        costs
    }

    /// Adds a contraction in this order: the vertex of the graph that has each rank, the lowest first.
    /// Costs made before know nothing of it, and are those of another world.
    ///
    /// # Panics
    /// When it is no order of the graph's vertices.
    pub fn with_contraction(mut self, order: Vec<u32>) -> Self {
        self.is_taut = false;
        self.contract(order)
    }

    /// The same with taut costs: shortcuts cost what the line through their portals does, which is nearer
    /// to what an agent walks than a sum of lengths from sample to sample. [`Engine::Contraction`] then
    /// finds shorter paths than engines that find the least sum. There is no bound on what they are
    /// above the shortest; `cargo bench -p portolan-partition --bench taut` measures it. What
    /// [`Path::cost`] says is the cost of shortcuts, no more than the least sum. Files do not keep it: a
    /// world that is read back has sums.
    ///
    /// # Panics
    /// As [`with_contraction`](Self::with_contraction) does, and by the published cost model, whose lines
    /// lead over centres.
    pub fn with_taut_contraction(mut self, order: Vec<u32>) -> Self {
        assert_eq!(
            self.graph.options().cost_model,
            CostModel::Portals,
            "what is pulled taut does not lead over centres"
        );
        self.is_taut = true;
        self.contract(order)
    }

    fn contract(self, order: Vec<u32>) -> Self {
        assert_eq!(
            order.len(),
            self.graph.sample_count(),
            "vertices in the order"
        );
        let contraction = Contraction::new(order, self.graph.adjacent());
        self.contracted(contraction)
    }

    fn contracted(mut self, contraction: Contraction) -> Self {
        self.number = WORLDS.fetch_add(1, Ordering::Relaxed);
        self.costs = self
            .costs
            .clone()
            .made_for(self.number)
            .with_shortcuts(self.shortcuts(&contraction, &self.costs));
        self.contraction = Some(contraction);
        self
    }

    /// Adds hub labels for the default costs, of no more than `max_bytes`. They have to be made anew
    /// when the costs or the contraction change, so they are for worlds that stay as they are; other
    /// profiles are answered by the contraction.
    pub fn with_labels(self, max_bytes: usize) -> Result<Self, LabelsError> {
        let made_of = self.contraction.as_ref().zip(self.costs.shortcuts());
        let (contraction, shortcuts) = made_of.ok_or(LabelsError::NoContraction)?;
        let labels = HubLabels::new(contraction, shortcuts, max_bytes)?;
        Ok(self.labelled(labels))
    }

    /// Adds the hub labels that a file holds: [`HubLabels::arrays`]. `None` where they do not belong to
    /// this world, or it has no contraction.
    pub fn with_label_arrays(self, arrays: impl IntoIterator<Item = LabelArrays>) -> Option<Self> {
        let (contraction, shortcuts) = self.contraction.as_ref().zip(self.costs.shortcuts())?;
        let labels = HubLabels::from_arrays(contraction, shortcuts, arrays)?;
        Some(self.labelled(labels))
    }

    fn labelled(mut self, labels: HubLabels) -> Self {
        self.costs = self.costs.with_labels(Arc::new(labels));
        self
    }

    fn shortcuts(&self, contraction: &Contraction, costs: &Costs) -> Shortcuts {
        let edges = self.graph.edges(&self.mesh, costs);
        if self.is_taut {
            let measure = TautCosts::new(&self.mesh, &self.graph, costs);
            return Shortcuts::taut(contraction, edges, &measure);
        }
        Shortcuts::of_edges(contraction, edges)
    }

    fn costs_watched(&self, profile: &Profile, progress: &(dyn Fn(f32) + Sync)) -> Costs {
        let costs = Costs::new(&self.mesh, profile).made_for(self.number);
        self.with_metric(self.with_shortcuts(costs), progress)
    }

    /// Adds what the contraction needs, if there is one.
    fn with_shortcuts(&self, costs: Costs) -> Costs {
        let Some(contraction) = &self.contraction else {
            return costs;
        };
        let shortcuts = self.shortcuts(contraction, &costs);
        let costs = costs.with_shortcuts(shortcuts);
        match self.costs.shared_labels() {
            Some(labels) if costs.profile() == self.costs.profile() => costs.with_labels(labels),
            _ => costs,
        }
    }

    /// Adds what the hierarchy needs, if there is one.
    fn with_metric(&self, costs: Costs, progress: &(dyn Fn(f32) + Sync)) -> Costs {
        let Some(hierarchy) = &self.hierarchy else {
            return costs;
        };
        let arcs = Cliques::of_graph(&self.mesh, &self.graph, &costs, hierarchy);
        let half = |from: f32| move |share: f32| progress(from + share / 2.0);
        let mut metric = Metric::new(hierarchy, &arcs, half(0.0));
        metric = metric.with_tables(hierarchy, &arcs, &self.tables, half(0.5));
        if self.tables.centres {
            metric = metric.with_centres(&self.mesh, &self.graph, &costs, hierarchy);
        }
        costs.with_metric(metric)
    }

    /// Whether this world can run an engine, and if not, why.
    pub fn check_engine(&self, engine: Engine) -> Result<(), EngineError> {
        let (needs_table, needs_centres) = match engine {
            Engine::Hna { connect, .. } => (connect == Some(Connect::Table), false),
            Engine::Pccp { .. } => (true, true),
            Engine::Contraction if self.contraction.is_none() => {
                return Err(EngineError::NoContraction(engine));
            }
            Engine::Labels if self.costs.labels().is_none() => {
                return Err(EngineError::NoLabels(engine));
            }
            _ => return Ok(()),
        };
        let hierarchy = self.hierarchy.as_ref();
        let hierarchy = hierarchy.ok_or(EngineError::NoHierarchy(engine))?;
        let top = hierarchy.top();
        // Without a level it chooses among those that it can search.
        let level = engine.level().unwrap_or(top.min(Level(1)));
        if level > top {
            return Err(EngineError::NoLevel { engine, top });
        }
        let lacks_table = needs_table && level > self.tables.top;
        if lacks_table || needs_centres && !self.tables.centres {
            let top = match self.tables.centres || !needs_centres {
                true => top.min(self.tables.top),
                false => Level(0),
            };
            return Err(EngineError::NoTable { engine, top });
        }
        Ok(())
    }

    /// All engines that this world can run: HNA* at each level with each way to connect.
    pub fn engines(&self) -> Vec<Engine> {
        let mut engines = Engine::PLAIN.to_vec();
        engines.extend([Engine::Contraction, Engine::Labels]);
        engines.push(Engine::Hna {
            level: None,
            connect: None,
        });
        engines.push(Engine::Pccp { level: None });
        let levels = self.hierarchy.iter().flat_map(|h| h.partition().levels());
        for level in levels.map(Some) {
            engines.extend(Connect::ALL.map(|connect| Engine::Hna {
                level,
                connect: Some(connect),
            }));
            engines.push(Engine::Pccp { level });
        }
        engines.retain(|&engine| self.check_engine(engine).is_ok());
        engines
    }

    /// The costs of a query. Those of another world would give wrong paths without a word: what they
    /// promise the heuristic holds there and not here.
    fn costs_of<'a>(&'a self, query: &Query<'a>) -> &'a Costs {
        let costs = query.costs.unwrap_or(&self.costs);
        assert!(
            costs.is_made_for(self.number),
            "these costs were made for another world"
        );
        costs
    }

    /// The pipeline of one query: locate, search, waypoints. The path is overwritten; it is empty
    /// unless the status [has one](Status::has_path). Allocates nothing once `scratch` and `path`
    /// have grown to the world.
    ///
    /// # Panics
    /// When the query's costs were made for another world or [other engines](Self::costs_for), or the
    /// engine [cannot run](Self::check_engine) on this one.
    pub fn find_path(&self, query: &Query<'_>, scratch: &mut Scratch, path: &mut Path) -> Status {
        path.clear();
        // 1. Which polygons are these points on?
        let ends = match self.locate(query) {
            Ok(ends) => ends,
            Err(status) => return status,
        };
        // 2. What is the cheapest way from one to the other?
        let outcome = self.search(query, &ends, scratch);
        // 3. Where does an agent walk along it?
        self.waypoints(query, &ends, outcome, scratch, path)
    }

    /// A path with default settings, in memory of its own.
    pub fn find(&self, from: Vec3, to: Vec3, scratch: &mut Scratch) -> Result<Path, Status> {
        let mut path = Path::default();
        match self.find_path(&Query::new(from, to), scratch, &mut path) {
            Status::Found => Ok(path),
            other => Err(other),
        }
    }

    /// Step 1: puts both points on the mesh, or says which of them is off it.
    ///
    /// # Panics
    /// When the query's costs were made for another world.
    pub fn locate(&self, query: &Query<'_>) -> Result<Ends, Status> {
        let costs = self.costs_of(query);
        let allowed = |polygon| costs.allows(&self.mesh, polygon);
        let start = self
            .mesh
            .locate(query.from, query.snap, allowed)
            .ok_or(Status::StartOffMesh)?;
        let goal = self
            .mesh
            .locate(query.to, query.snap, allowed)
            .ok_or(Status::GoalOffMesh)?;
        Ok(Ends { start, goal })
    }

    /// Step 2: searches the graph. Different components are answered without a search.
    ///
    /// # Panics
    /// When the query's costs or the ends belong to another world, or the engine
    /// [cannot run](Self::check_engine) on this one.
    pub fn search(&self, query: &Query<'_>, ends: &Ends, scratch: &mut Scratch) -> Outcome {
        let apart = self.are_apart(ends);
        if apart && !query.limits.partial {
            return Outcome::NoPath;
        }
        let search = self.search_of(query, ends);
        scratch.trail_of = self.number;
        let engine = match query.engine {
            Engine::Dijkstra => Engine::Dijkstra,
            // There is no path; how near one can get is for A* to say.
            _ if apart => Engine::AStar,
            engine => engine,
        };
        search.run(engine, scratch)
    }

    /// How far it is from start to goal, and how one sets out: a path's cost and its first crossing,
    /// without the rest where the query's engine is [`labels`](Engine::Labels). Other engines search as
    /// ever. `None` where there is no path, or none within the limit; partial ones do not count.
    /// Allocates nothing once `scratch` has grown to the world.
    ///
    /// ```
    /// use portolan::worlds::{RandomPoints, WorldOptions, rooms};
    /// use portolan::{Engine, NavMeshOptions, Query, Scratch, World};
    ///
    /// let world = World::build(rooms(&WorldOptions::default()), &NavMeshOptions::default())?;
    /// // Any order will do; `portolan_partition::dissect` makes one that keeps labels short.
    /// let order = (0..world.graph().sample_count() as u32).collect();
    /// let world = world.with_contraction(order).with_labels(100_000_000)?;
    ///
    /// let mut points = RandomPoints::new(world.mesh(), 7);
    /// let (from, to) = (points.next().unwrap(), points.next().unwrap());
    /// let query = Query { engine: Engine::Labels, ..Query::new(from, to) };
    /// let mut scratch = Scratch::new();
    /// let ends = world.locate(&query)?;
    /// let distance = world.distance(&query, &ends, &mut scratch).unwrap();
    ///
    /// let path = world.find(from, to, &mut scratch)?;
    /// assert!((distance.cost - path.cost).abs() <= 1e-5 * path.cost);
    /// assert!(distance.first.is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// As [`search`](Self::search) does.
    pub fn distance(
        &self,
        query: &Query<'_>,
        ends: &Ends,
        scratch: &mut Scratch,
    ) -> Option<Distance> {
        // What is left of a trail leads to no waypoints.
        scratch.trail_of = 0;
        let search = self.search_of(query, ends);
        let joined = !self.are_apart(ends);
        joined.then(|| search.distance(query.engine, scratch))?
    }

    /// Whether they lie in different components, between which there is no path.
    fn are_apart(&self, ends: &Ends) -> bool {
        let components = self.mesh.components();
        components.of(ends.start.polygon) != components.of(ends.goal.polygon)
    }

    fn search_of<'a>(&'a self, query: &Query<'a>, ends: &Ends) -> Search<'a> {
        // The reference for lengths goes from where the agent really stands.
        let stand = |place| match query.engine {
            Engine::Closest => place,
            _ => self.graph.stand(place),
        };
        Search {
            mesh: &self.mesh,
            graph: &self.graph,
            hierarchy: self.hierarchy.as_ref(),
            contraction: self.contraction.as_ref(),
            costs: self.costs_of(query),
            start: stand(ends.start),
            goal: stand(ends.goal),
            limits: query.limits,
        }
    }

    /// Step 3: turns the trail of the last [`search`](Self::search) with this `scratch` into
    /// corridor and waypoints.
    ///
    /// # Panics
    /// When that search was of another world, or had another outcome.
    pub fn waypoints(
        &self,
        query: &Query<'_>,
        ends: &Ends,
        outcome: Outcome,
        scratch: &mut Scratch,
        path: &mut Path,
    ) -> Status {
        path.clear();
        let (status, cost, end) = match outcome {
            Outcome::Found { cost } => (Status::Found, cost, ends.goal),
            Outcome::Partial { cost, end } => (Status::Partial, cost, end),
            Outcome::NoPath => return Status::NoPath,
        };
        assert_eq!(
            scratch.trail_of, self.number,
            "the last search was of another world"
        );
        path.cost = cost;
        path.corridor
            .follow(&self.graph, &scratch.trail, ends.start.polygon, end.polygon);
        if self.is_taut {
            path.corridor.cut_back(&self.mesh, self.costs_of(query));
        }
        let ends = Ends {
            start: ends.start,
            goal: end,
        };
        self.pull(query, &ends, scratch, path);
        status
    }

    /// Waypoints along `path.corridor`, whoever found it: [`waypoints`](Self::waypoints) without the
    /// search before. It leads from the start's polygon to the goal's; the cost is left alone.
    ///
    /// # Panics
    /// When the corridor has not one crossing fewer than polygons, or is of another world.
    pub fn pull(&self, query: &Query<'_>, ends: &Ends, scratch: &mut Scratch, path: &mut Path) {
        let Corridor {
            polygons,
            crossings,
        } = &path.corridor;
        assert_eq!(
            polygons.len(),
            crossings.len() + 1,
            "polygons of a corridor and the crossings between them"
        );
        path.pull(
            &self.mesh,
            ends.start.point,
            ends.goal.point,
            query.ground_tolerance,
            &mut scratch.strings,
        );
    }
}

/// Whether this holds every number below `count` once.
fn is_order(order: &[u32], count: usize) -> bool {
    let mut is_there = vec![false; count];
    let mut is_new = |&number: &u32| match is_there.get_mut(number as usize) {
        Some(seen) => !std::mem::replace(seen, true),
        None => false,
    };
    order.len() == count && order.iter().all(&mut is_new)
}
