//! Tables of the answers of batches ([`World::find_paths`](portolan_core::World::find_paths)): one row per query, in
//! the order of the queries. A writer gets the answers slice by slice, so its memory does not grow with their number.
//!
//! | asked for | columns after `query,status` |
//! |---|---|
//! | [`Want::Distance`] | `distance,cost` |
//! | [`Want::Portal`] | `cost,polygon,ax,ay,az,bx,by,bz`: the polygon beyond the portal, and the portal's ends |
//! | [`Want::Next`] | `cost,nx,ny,nz,polygon`: the first waypoint, and the polygon that it leads into |
//! | [`Want::Corridor`] | `distance,cost,polygons` |
//! | [`Want::Waypoints`] | `distance,cost,polygons,waypoints` |
//!
//! `query` counts from 0, polygons are the caller's ids ([`NavMesh::user_id`]), and a query without a path has a status
//! and nothing else.

#[cfg(feature = "arrow")]
mod arrow;
mod csv;

use portolan_core::{BatchAnswers, NavMesh, PolygonId, Want};

#[cfg(feature = "arrow")]
pub use arrow::ArrowAnswers;
pub use csv::CsvAnswers;

/// A column of a table of answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AnswerColumn {
    Query,
    Status,
    Number(Figure),
    /// The user id of one polygon.
    Polygon,
    /// The user ids of all polygons of the path.
    Polygons,
    Waypoints,
}

/// A number of an answer. Coordinates have the index of their axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Figure {
    Distance,
    Cost,
    /// The first end of the portal.
    A(usize),
    /// The second end of the portal.
    B(usize),
    /// The first waypoint.
    Next(usize),
}

/// Returns the columns of a table, each with its name.
fn columns(want: Want) -> Vec<(&'static str, AnswerColumn)> {
    use AnswerColumn::{Number, Polygon, Polygons, Query, Status, Waypoints};
    use Figure::{A, B, Cost, Distance, Next};
    let asked: &[(&str, AnswerColumn)] = match want {
        Want::Distance => &[("distance", Number(Distance)), ("cost", Number(Cost))],
        Want::Portal => &[
            ("cost", Number(Cost)),
            ("polygon", Polygon),
            ("ax", Number(A(0))),
            ("ay", Number(A(1))),
            ("az", Number(A(2))),
            ("bx", Number(B(0))),
            ("by", Number(B(1))),
            ("bz", Number(B(2))),
        ],
        Want::Next => &[
            ("cost", Number(Cost)),
            ("nx", Number(Next(0))),
            ("ny", Number(Next(1))),
            ("nz", Number(Next(2))),
            ("polygon", Polygon),
        ],
        Want::Corridor => &[
            ("distance", Number(Distance)),
            ("cost", Number(Cost)),
            ("polygons", Polygons),
        ],
        Want::Waypoints => &[
            ("distance", Number(Distance)),
            ("cost", Number(Cost)),
            ("polygons", Polygons),
            ("waypoints", Waypoints),
        ],
    };
    [&[("query", Query), ("status", Status)], asked].concat()
}

impl Figure {
    /// Returns the number of an answer, which must have a path.
    fn of(self, answers: &BatchAnswers, index: usize) -> f32 {
        match self {
            Self::Distance => answers.distances[index],
            Self::Cost => answers.costs[index],
            Self::A(axis) => answers.portals[index][0][axis],
            Self::B(axis) => answers.portals[index][1][axis],
            Self::Next(axis) => answers.next[index][axis],
        }
    }
}

/// Returns the user id of the polygon of an answer; `None` without a path.
fn polygon(mesh: &NavMesh, answers: &BatchAnswers, index: usize) -> Option<u64> {
    let polygon: PolygonId = answers.polygons[index];
    (polygon != BatchAnswers::NO_POLYGON).then(|| mesh.user_id(polygon))
}

#[cfg(test)]
#[path = "answers_test.rs"]
mod tests;
