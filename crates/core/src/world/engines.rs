//! The engines that a world can run, and the memory that each of them needs.

use super::{Costs, World};
use crate::contraction::{HubLabels, Shortcuts};
use crate::hierarchy::ConnectTable;
use crate::ids::Level;
use crate::query::{Connect, Engine, EngineError, Tier};

impl World {
    /// Returns the engine that a query by `engine` runs on this world. [`Engine::Auto`] becomes a specific
    /// engine, except if it combines several. Other engines are returned unchanged, even if the world
    /// [cannot run](Self::check_engine) them.
    pub fn resolve_engine(&self, engine: Engine) -> Engine {
        self.resolve_engine_for(engine, &self.costs)
    }

    /// Returns the engine that a query with these costs runs: `auto` is exact only if the costs have exact
    /// paths.
    pub fn resolve_engine_for(&self, engine: Engine, costs: &Costs) -> Engine {
        match engine {
            Engine::Auto(Tier::Default) if self.auto_is_exact() && costs.has_exact() => {
                Engine::Auto(Tier::Exact)
            }
            Engine::Auto(tier) if tier.is_taut() && self.tier(tier).is_some() => {
                Engine::Contraction(tier)
            }
            Engine::Auto(Tier::Fast | Tier::Default) if self.contraction.is_some() => {
                Engine::Auto(Tier::Fast)
            }
            Engine::Auto(Tier::Fast | Tier::Default) => match costs.metric() {
                Some(_) if !self.mesh.has_obstacles() => Engine::Hna {
                    level: None,
                    connect: None,
                },
                _ => Engine::AStar,
            },
            engine => engine,
        }
    }

    /// Checks that this world can run an engine.
    ///
    /// # Errors
    /// Returns what the index lacks, and how to build it.
    pub fn check_engine(&self, engine: Engine) -> Result<(), EngineError> {
        let (needs_table, needs_centres) = match engine {
            Engine::Hna { connect, .. } => (connect == Some(Connect::Table), false),
            Engine::Pccp { .. } => (true, true),
            Engine::Contraction(_) if self.contraction_tiers().next().is_none() => {
                return Err(EngineError::NoContraction(engine));
            }
            Engine::Auto(Tier::Best | Tier::Exact) | Engine::Contraction(_)
                if !self.has_tier(engine.tier()) =>
            {
                let tiers = self.tiers().collect();
                return Err(EngineError::NoTier { engine, tiers });
            }
            Engine::Labels if self.costs.labels().is_none() => {
                return Err(EngineError::NoLabels(engine));
            }
            _ => return Ok(()),
        };
        let hierarchy = self.hierarchy.as_ref();
        let hierarchy = hierarchy.ok_or(EngineError::NoHierarchy(engine))?;
        let top = hierarchy.top();
        // Without a level the engine chooses among the levels that it can search.
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

    /// Returns all engines that this world can run: `auto` and the contraction at each tier, and HNA* at
    /// each level with each connection method.
    pub fn engines(&self) -> Vec<Engine> {
        let mut engines = Engine::PLAIN.to_vec();
        engines.extend([Tier::Fast, Tier::Best, Tier::Exact].map(Engine::Auto));
        engines.extend(Tier::CONTRACTED.map(Engine::Contraction));
        engines.push(Engine::Labels);
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

    /// Returns the heap memory that a query by an engine needs, in addition to the [mesh](Self::mesh) and
    /// the [graph](Self::graph) that all engines need. The engine is [resolved](Self::resolve_engine)
    /// first. [Units: bytes]
    ///
    /// | engine | what counts |
    /// |---|---|
    /// | `astar`, `dijkstra`, `closest` | nothing |
    /// | `contraction`, `auto` at the fast tier | the contraction, and the shortcuts of the default profile |
    /// | `contraction`, `auto` at a taut tier | the contraction and the shortcuts of that tier, its graph, and the [holes](Self::hole_bytes), which all taut tiers share |
    /// | `auto` at the exact tier | the mesh in plan, the taut graph and its labels |
    /// | `labels` | the fast tier and the hub labels |
    /// | `hna` | nodes, inter-edges and intra-edges of the levels up to the engine's level, and the connect table of that level if the engine uses it |
    /// | `pccp` | everything that `hna` with a table needs, and the rows of polygon centres of that level |
    ///
    /// An engine without a level may search any level, so the tables of all levels count. Costs are those
    /// of the default profile; each further profile has its own. Parts that the world lacks count as 0. The
    /// caller's [`Scratch`](crate::Scratch) does not count.
    pub fn engine_bytes(&self, engine: Engine) -> usize {
        match self.resolve_engine(engine) {
            Engine::Auto(Tier::Exact) => self.exact_size().map_or(0, |size| size.bytes),
            Engine::Auto(tier) | Engine::Contraction(tier) => self.tier_bytes(tier),
            Engine::Labels => {
                let labels = self.costs.labels();
                self.tier_bytes(Tier::Fast) + labels.map_or(0, HubLabels::bytes)
            }
            Engine::Hna { level, connect } => {
                let has_table = matches!(connect, None | Some(Connect::Table));
                self.level_bytes(level, |table| if has_table { table.bytes() } else { 0 })
            }
            Engine::Pccp { level } => {
                self.level_bytes(level, |table| table.bytes() + table.centre_bytes())
            }
            Engine::AStar | Engine::Dijkstra | Engine::Closest => 0,
        }
    }

    /// Returns the memory that a query at a tier needs in addition to the world's own graph.
    fn tier_bytes(&self, tier: Tier) -> usize {
        let Some((graph, contraction)) = self.tier(tier) else {
            return 0;
        };
        let shortcuts = self.costs.shortcuts(tier).map_or(0, Shortcuts::bytes);
        let taut = match tier.is_taut() {
            true => graph.bytes() + self.hole_bytes(),
            false => 0,
        };
        contraction.bytes() + shortcuts + taut
    }

    /// Returns the memory of the levels up to `level`, or of all levels, including `of_table` of the
    /// connect tables that an engine at that level may need.
    fn level_bytes(
        &self,
        level: Option<Level>,
        of_table: impl Fn(&ConnectTable) -> usize,
    ) -> usize {
        let (Some(hierarchy), Some(metric)) = (&self.hierarchy, self.costs.metric()) else {
            return 0;
        };
        let top = level.map_or(hierarchy.top(), |level| level.min(hierarchy.top()));
        let above_ground = (1..=top.0).map(Level).map(|at| {
            let has_table = level.is_none_or(|level| level == at);
            let table = metric.table(at).filter(|_| has_table);
            size_of_val(hierarchy.partition().nodes(at))
                + hierarchy.level(at).bytes()
                + metric.bytes_at(at)
                + table.map_or(0, &of_table)
        });
        hierarchy.level(Level(0)).bytes() + above_ground.sum::<usize>()
    }
}
