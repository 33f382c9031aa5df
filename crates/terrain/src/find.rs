//! The query methods of a terrain.

use glam::{Vec2, Vec3};

use super::{
    Crowd, Navigation, Terrain, TerrainEndpoints, TerrainEngine, TerrainEngineError,
    TerrainLocation, TerrainPath, TerrainPosition, TerrainQuery, TerrainScratch, TerrainStatus,
    TriangleWeb,
};

impl Terrain {
    /// Finds a path and writes it to `path`, which is empty unless the status is [`Found`](TerrainStatus::Found).
    ///
    /// The steps are [`locate`](Self::locate), [`search`](Self::search) and [`refine`](Self::refine). Nothing is allocated once `scratch` and `path` have grown to the size of the terrain. A query for an
    /// engine that this terrain does not have is an error.
    ///
    /// ```
    /// use portolan_terrain::{
    ///     HeightMap, Terrain, TerrainOptions, TerrainPath, TerrainQuery, TerrainScratch,
    ///     TerrainStatus, WebOptions,
    /// };
    ///
    /// // A ridge from south to north.
    /// let heights = (0..9 * 9).map(|pixel| if pixel % 9 == 4 { 1.0 } else { 0.0 });
    /// let web = HeightMap::new(9, 9, heights.collect())?.triangulate(&WebOptions::default(), None)?;
    /// let terrain = Terrain::build(web, &TerrainOptions::default())?;
    ///
    /// // The caller owns the buffers, one pair per thread, and passes them to every query.
    /// let (mut scratch, mut path) = (TerrainScratch::new(), TerrainPath::default());
    /// let query = TerrainQuery::new([-0.9, 0.0], [0.9, 0.1]);
    /// let status = terrain.find_path(&query, &mut scratch, &mut path)?;
    /// assert_eq!(status, TerrainStatus::Found);
    /// assert!(path.length() > 1.8 && path.ascent() > 0.9);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_path(
        &self,
        query: &TerrainQuery<'_>,
        scratch: &mut TerrainScratch,
        path: &mut TerrainPath,
    ) -> Result<TerrainStatus, TerrainEngineError> {
        path.clear();
        self.check(query)?;
        // 1. Locate start and goal.
        let ends = match self.locate(query) {
            Ok(ends) => ends,
            Err(status) => return Ok(status),
        };
        // 2. Find the triangles of the path.
        let status = self.search(query, &ends, scratch, path)?;
        // 3. Compute the points of the path.
        if status == TerrainStatus::Found {
            self.refine(query, &ends, scratch, path);
        }
        Ok(status)
    }

    /// Finds the triangles and the heights of start and goal. This is the first step of
    /// [`find_path`](Self::find_path). If a position is off the map, the error is the status of the query.
    pub fn locate(&self, query: &TerrainQuery<'_>) -> Result<TerrainEndpoints, TerrainStatus> {
        let start = self.web.location(query.from);
        let goal = self.web.location(query.to);
        Ok(TerrainEndpoints {
            start: start.ok_or(TerrainStatus::StartOffMap)?,
            goal: goal.ok_or(TerrainStatus::GoalOffMap)?,
        })
    }

    /// Searches with the engine of the query. This is the second step of [`find_path`](Self::find_path). Sets the
    /// cost and the triangles of `path`, but not its points. Start and goal are those of `ends`; the positions in
    /// `query` are ignored.
    pub fn search(
        &self,
        query: &TerrainQuery<'_>,
        ends: &TerrainEndpoints,
        scratch: &mut TerrainScratch,
        path: &mut TerrainPath,
    ) -> Result<TerrainStatus, TerrainEngineError> {
        path.clear();
        self.check(query)?;
        let pair @ [from, to] = match self.endpoint_triangles(ends) {
            Ok(pair) => pair,
            Err(status) => return Ok(status),
        };
        // Rounding errors add up along a path, so engines get some margin. The limit itself is checked below.
        let max_cost = query.max_cost as f32 * (1.0 + 1e-4);
        let triangles = &mut path.triangles;
        let (graph, contraction) = self.priced(query.profile);
        let found = match (query.engine, &self.hna, contraction) {
            (TerrainEngine::Mesh, ..) => {
                let found = self
                    .meshes
                    .find(&self.graph, pair, query.crowd, scratch, triangles);
                // High Meshes do not know slope limits.
                let is_within_limits = || {
                    let cost = self.graph.cost(triangles);
                    !self.graph.price.has_limits() || cost.is_some_and(f64::is_finite)
                };
                found.filter(|_| is_within_limits())
            }
            (TerrainEngine::AStar, ..) => graph
                .astar(from, to, max_cost, scratch, triangles)
                .map(f64::from),
            (TerrainEngine::Dijkstra, ..) => graph
                .dijkstra(from, to, max_cost, scratch, triangles)
                .map(f64::from),
            (TerrainEngine::Hna { level }, Some(hna), _) => hna
                .find(&self.graph, pair, level, max_cost, scratch, triangles)
                .map(f64::from),
            (TerrainEngine::Contraction, _, Some(contraction)) => contraction
                .find(graph, from, to, max_cost, scratch, triangles)
                .map(f64::from),
            (engine @ TerrainEngine::Hna { .. }, None, _) => {
                return Err(TerrainEngineError::NoHierarchy(engine));
            }
            (engine @ TerrainEngine::Contraction, _, None) => {
                return Err(TerrainEngineError::NoContraction(engine));
            }
        };
        Ok(match found.filter(|&cost| cost <= query.max_cost) {
            Some(cost) => {
                path.cost = cost;
                TerrainStatus::Found
            }
            None => {
                path.clear();
                TerrainStatus::NoPath
            }
        })
    }

    /// Starts a [`Navigation`], which finds a path with [`TerrainEngine::Mesh`] while it is being walked. Returns
    /// `None` if there is no path. With a crowd, the price of entering a mesh rises with the number of agents in
    /// it. A crowd that was created for another terrain is an error.
    pub fn navigate<'a>(
        &'a self,
        ends: &TerrainEndpoints,
        crowd: Option<&'a Crowd>,
        scratch: &'a mut TerrainScratch,
    ) -> Result<Option<Navigation<'a>>, TerrainEngineError> {
        self.check_crowd(crowd)?;
        Ok(match self.endpoint_triangles(ends) {
            Ok(pair) => self.meshes.navigate(&self.graph, pair, crowd, scratch),
            Err(_) => None,
        })
    }

    /// Computes the cost from a position to every triangle with Dijkstra's algorithm. The cost is infinite where
    /// there is no path. If the position is off the map, `costs` is empty and the status is
    /// [`StartOffMap`](TerrainStatus::StartOffMap).
    pub fn wave(
        &self,
        from: impl Into<TerrainPosition>,
        scratch: &mut TerrainScratch,
        costs: &mut Vec<f32>,
    ) -> TerrainStatus {
        costs.clear();
        let Some(start) = self.web.location(from.into()) else {
            return TerrainStatus::StartOffMap;
        };
        self.graph.wave(start.triangle, scratch, costs);
        TerrainStatus::Found
    }

    /// Checks whether this terrain can run an engine. The error names the option that builds what is missing.
    pub fn check_engine(&self, engine: TerrainEngine) -> Result<(), TerrainEngineError> {
        match engine {
            TerrainEngine::Mesh | TerrainEngine::AStar | TerrainEngine::Dijkstra => Ok(()),
            TerrainEngine::Hna { level } => {
                let hna = self.hna.as_ref();
                let hna = hna.ok_or(TerrainEngineError::NoHierarchy(engine))?;
                let top = hna.hierarchy().top();
                match level.filter(|&level| level > top) {
                    Some(level) => Err(TerrainEngineError::NoLevel { level, top }),
                    None => Ok(()),
                }
            }
            TerrainEngine::Contraction if self.contraction.is_none() => {
                Err(TerrainEngineError::NoContraction(engine))
            }
            TerrainEngine::Contraction => Ok(()),
        }
    }

    /// Returns all engines that this terrain can run, with HNA* once per level and once without a level.
    pub fn engines(&self) -> Vec<TerrainEngine> {
        let mut engines = TerrainEngine::PLAIN.to_vec();
        if let Some(hna) = &self.hna {
            let levels = hna.hierarchy().partition().levels().map(Some);
            let levels = std::iter::once(None).chain(levels);
            engines.extend(levels.map(|level| TerrainEngine::Hna { level }));
        }
        engines.extend(
            self.contraction
                .as_ref()
                .map(|_| TerrainEngine::Contraction),
        );
        engines
    }

    fn check(&self, query: &TerrainQuery<'_>) -> Result<(), TerrainEngineError> {
        match query.profile {
            Some(profile) => self.check_profile(query.engine, profile)?,
            None => self.check_engine(query.engine)?,
        }
        if query.crowd.is_some() && query.engine != TerrainEngine::Mesh {
            return Err(TerrainEngineError::NoCrowds(query.engine));
        }
        self.check_crowd(query.crowd)
    }

    fn check_crowd(&self, crowd: Option<&Crowd>) -> Result<(), TerrainEngineError> {
        let expected = self.meshes.len();
        match crowd.map(Crowd::mesh_count) {
            Some(found) if found != expected => {
                Err(TerrainEngineError::OtherCrowd { found, expected })
            }
            _ => Ok(()),
        }
    }

    /// Returns the triangles of start and goal. The error is the status if one of them does not exist, because the
    /// endpoints were located on another terrain.
    fn endpoint_triangles(&self, ends: &TerrainEndpoints) -> Result<[u32; 2], TerrainStatus> {
        let [from, to] = [ends.start, ends.goal].map(|end| end.triangle);
        match [from, to].map(|triangle| (triangle as usize) < self.web.len()) {
            [true, true] => Ok([from, to]),
            [false, _] => Err(TerrainStatus::StartOffMap),
            [true, false] => Err(TerrainStatus::GoalOffMap),
        }
    }
}

impl TriangleWeb {
    /// Returns the triangle and the point in space of a position, or `None` if it is off the map.
    pub fn location(&self, position: TerrainPosition) -> Option<TerrainLocation> {
        let (triangle, point) = match position {
            TerrainPosition::Triangle(triangle) => {
                let exists = (triangle as usize) < self.len();
                (triangle, exists.then(|| self.centroid(triangle))?)
            }
            TerrainPosition::Point(point) => {
                let triangle = self.locate(point.x, point.y)?;
                (triangle, self.at_height(triangle, point))
            }
        };
        Some(TerrainLocation { triangle, point })
    }

    /// Adds the height of a triangle to a point in the plane. The point must lie within the triangle in plan.
    fn at_height(&self, triangle: u32, point: Vec2) -> Vec3 {
        let corners = self.corners(triangle).map(Vec3::as_dvec3);
        let origin = point.as_dvec2();
        // Barycentric interpolation: the weight of a corner is the area of the triangle between the point and
        // the other two corners.
        let area = |a: usize, b: usize| {
            let [a, b] = [a, b].map(|corner| corners[corner].truncate() - origin);
            a.perp_dot(b)
        };
        let areas = [area(1, 2), area(2, 0), area(0, 1)];
        let heights = areas
            .iter()
            .zip(corners)
            .map(|(area, corner)| area * corner.z);
        let height = heights.sum::<f64>() / areas.iter().sum::<f64>();
        point.extend(height as f32)
    }
}
