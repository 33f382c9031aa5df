//! What connecting from the centres of polygons does to lengths.

use portolan_core::{Connect, Engine, Level, Query, Scratch};

use super::{Bench, Index, PCCP_AT};
use crate::ReportError;
use crate::measure::Located;
use crate::model::{PccpCell, PccpPath};
use crate::statistics::thousandths;

impl Bench<'_> {
    pub(super) fn pccp(&self) -> Result<PccpCell, ReportError> {
        let (mu, level) = PCCP_AT;
        let (world, _) = self.world(Index::new(mu, level.into()))?;
        let top = world.hierarchy().map_or(Level(0), |h| h.top());
        let hna = Engine::Hna {
            level: Some(top),
            connect: Some(Connect::Table),
        };
        let pccp = Engine::Pccp { level: Some(top) };
        // At least the papers' hundred.
        let queries = crate::scenes::queries(
            &self.subject.mesh,
            self.effort.queries.max(100),
            self.effort.seed,
        );
        let located = Located::new(&world, &queries);
        let mut scratch = Scratch::new();
        let paths = (0..located.ends.len()).map(|i| {
            let ends = &located.ends[i];
            let [from, to] =
                [ends.start, ends.goal].map(|end| (end, world.mesh().centre(end.polygon)));
            let exact = located.path(i, hna, &mut scratch);
            let quick = located.path(i, pccp, &mut scratch);
            let query = Query {
                engine: hna,
                ..Query::new(from.1, to.1)
            };
            // Where a centre lies over another polygon, that one would be found; so the ends say it.
            let mut centres = *ends;
            (centres.start.point, centres.goal.point) = (from.1, to.1);
            let located = world.located(&query, centres).expect("HNA* on this world");
            let searched = located.search(&mut scratch);
            let between = searched.cost().map_or(f64::NAN, f64::from);
            let aside = |(end, centre): (portolan_core::Location, glam::Vec3)| {
                f64::from(end.point.distance(centre))
            };
            PccpPath {
                distance: thousandths(f64::from(from.0.point.distance(to.0.point))),
                hna: thousandths(exact.length()),
                pccp: thousandths(quick.length()),
                hna_cost: thousandths(exact.cost.into()),
                over_centres: thousandths(aside(from) + between + aside(to)),
            }
        });
        Ok(PccpCell {
            scene: self.scene(),
            mu,
            level: top.0,
            // A mesh without levels has nothing to compare.
            paths: paths
                .filter(|path| path.over_centres.is_finite() && path.hna > 0.0)
                .collect(),
        })
    }
}
