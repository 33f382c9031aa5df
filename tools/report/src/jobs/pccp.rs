//! Compares the path lengths of PCCP, which connects from polygon centres, with those of HNA*.

use portolan_core::{Connect, Engine, Level, Query, Scratch};
use portolan_measure::{distant_queries, thousandths};

use super::{IndexSettings, PCCP_AT, SceneBench};
use crate::ReportError;
use crate::measure::LocatedQueries;
use crate::model::{PccpCell, PccpPath};

impl SceneBench<'_> {
    pub(super) fn pccp(&self) -> Result<PccpCell, ReportError> {
        let (mu, level) = PCCP_AT;
        let world = self.world(IndexSettings::new(mu, level.into()))?;
        let top = world.hierarchy().map_or(Level(0), |h| h.top());
        let hna = Engine::Hna {
            level: Some(top),
            connect: Some(Connect::Table),
        };
        let pccp = Engine::Pccp { level: Some(top) };
        // At least 100 queries, as in the paper.
        let queries = distant_queries(
            &self.loaded.mesh,
            self.effort.queries.max(100),
            self.effort.seed,
        );
        let located = LocatedQueries::new(&world, &queries);
        let mut scratch = Scratch::new();
        let paths = (0..located.endpoints.len()).map(|i| {
            let endpoints = &located.endpoints[i];
            let [from, to] = [endpoints.start, endpoints.goal]
                .map(|end| (end, world.mesh().centre(end.polygon)));
            let exact = located.path(i, hna, &mut scratch);
            let approximate = located.path(i, pccp, &mut scratch);
            let query = Query {
                engine: hna,
                ..Query::new(from.1, to.1)
            };
            // Locating a centre could find another polygon above or below it, so the polygons are kept.
            let mut centres = *endpoints;
            (centres.start.point, centres.goal.point) = (from.1, to.1);
            let located = world.located(&query, centres).expect("HNA* on this world");
            let searched = located.search(&mut scratch);
            let between = searched.cost().map_or(f64::NAN, f64::from);
            let to_centre = |(end, centre): (portolan_core::Location, glam::Vec3)| {
                f64::from(end.point.distance(centre))
            };
            PccpPath {
                distance: thousandths(f64::from(from.0.point.distance(to.0.point))),
                hna: thousandths(exact.length()),
                pccp: thousandths(approximate.length()),
                hna_cost: thousandths(exact.cost.into()),
                over_centres: thousandths(to_centre(from) + between + to_centre(to)),
            }
        });
        Ok(PccpCell {
            scene: self.scene(),
            mu,
            level: top.0,
            // Paths of length 0 and queries without a path have no ratio.
            paths: paths
                .filter(|path| path.over_centres.is_finite() && path.hna > 0.0)
                .collect(),
        })
    }
}
