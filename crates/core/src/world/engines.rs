//! Which engines a world can run.

use super::World;
use crate::ids::Level;
use crate::query::{Connect, Engine, EngineError, Tier};

impl World {
    /// What an engine comes to on this world: [`Engine::Auto`] stays only where it tries more than one, and
    /// others are what they are, whether or not they [can run](Self::check_engine).
    pub fn resolve_engine(&self, engine: Engine) -> Engine {
        match engine {
            Engine::Auto(tier) if tier.is_taut() && self.tier(tier).is_some() => {
                Engine::Contraction(tier)
            }
            Engine::Auto(Tier::Fast | Tier::Default) if self.contraction.is_some() => {
                Engine::Auto(Tier::Fast)
            }
            Engine::Auto(Tier::Fast | Tier::Default) => match self.hierarchy {
                Some(_) => Engine::Hna {
                    level: None,
                    connect: None,
                },
                None => Engine::AStar,
            },
            engine => engine,
        }
    }

    /// Whether this world can run an engine, and if not, why.
    pub fn check_engine(&self, engine: Engine) -> Result<(), EngineError> {
        let (needs_table, needs_centres) = match engine {
            Engine::Hna { connect, .. } => (connect == Some(Connect::Table), false),
            Engine::Pccp { .. } => (true, true),
            Engine::Contraction(_) if self.tiers().next().is_none() => {
                return Err(EngineError::NoContraction(engine));
            }
            Engine::Auto(Tier::Best) | Engine::Contraction(_)
                if self.tier(engine.tier()).is_none() =>
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

    /// All engines that this world can run: `auto` and the contraction at each tier, HNA* at each level
    /// with each way to connect.
    pub fn engines(&self) -> Vec<Engine> {
        let mut engines = Engine::PLAIN.to_vec();
        engines.extend([Tier::Fast, Tier::Best].map(Engine::Auto));
        engines.extend(Tier::ALL.map(Engine::Contraction));
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
}
