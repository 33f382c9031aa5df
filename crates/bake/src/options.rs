//! What a bake asks of the ground and of the agent.

use crate::BakeError;

/// Options of a bake, with Recast's defaults. Lengths are metres; what counts in cells is rounded
/// as Recast does: the agent's height and radius up, its climb down.
#[derive(Clone, Debug, PartialEq)]
pub struct BakeOptions {
    /// Side of a cell, seen from above. [Limit: 0.001..=1000] [Units: m] A half or a third of the
    /// agent's radius shows every gap that it fits through; time grows with the square of 1 / this.
    pub cell_size: f32,
    /// Height of a cell. [Limit: 0.001..=1000] [Units: m] Heights, climbs and ceilings are known
    /// this finely; costs little. A level may be 65 000 cells high.
    pub cell_height: f32,
    /// Lowest ceiling that the agent walks under. [Limit: above 0, at most 250 cells] [Units: m]
    pub agent_height: f32,
    /// How far the agent's middle stays from walls and ledges. [Limit: >= 0, at most 250 cells]
    /// [Units: m] With 0, walls thinner than a cell can be lost.
    pub agent_radius: f32,
    /// Highest step that the agent takes up or down. [Limit: >= 0, less than its height]
    /// [Units: m] Too low cuts stairs apart, too high joins floors over crates.
    pub agent_climb: f32,
    /// Steepest ground that the agent walks on. [Limit: 0..=89] [Units: degrees]
    pub agent_slope: f32,
    /// Most corners of a polygon. [Limit: 3..=6] 3 makes triangles, about two to three times as
    /// many.
    pub max_vertices: u16,
    /// Islands smaller than the square of this are dropped, where they do not touch a tile's
    /// border. [Limit: 0..=255] [Units: cells]
    pub min_region: u16,
    /// Regions smaller than the square of this are merged with a neighbour where possible.
    /// [Limit: 0..=255] [Units: cells] Fewer, larger polygons; slower to triangulate.
    pub merge_region: u16,
    /// Longest stretch of wall without a corner. [Limit: 0..=1e8] [Units: m] Shorter makes more
    /// and squarer polygons; 0, or less than a cell, sets no limit. More than 255 cells count as 255.
    pub max_edge: f32,
    /// How far the border of the ground may run beside the border of its cells. [Limit: 0..=100]
    /// [Units: cells] 1.3 straightens the steps of slanting walls; less keeps them, more cuts
    /// corners.
    pub max_edge_error: f32,
    /// Distance of the points at which the ground's height is compared with the polygon's. [Limit:
    /// 0, or >= 0.9 cells] [Units: cells, rounded to whole ones] Smaller sees smaller bumps; the
    /// number of points that come of it is up to `detail_error`. 0 leaves the heights to the
    /// polygons' corners.
    pub detail_sample: f32,
    /// How far the surface may be off the ground's height there. [Limit: >= 0] [Units: cell
    /// heights] Less makes a larger file and smoother hills. The ground's height is that of its
    /// solid cells, which count whole: up to a cell height above the geometry where it is level,
    /// more on slopes by what they rise in a cell.
    pub detail_error: f32,
    /// How the level is cut.
    pub tiles: Tiles,
    /// Largest number of cells, seen from above, that a bake takes on. [Limit: >= 1] A bake takes
    /// some microseconds a cell; the limit is there because a wrong unit asks for billions.
    pub max_cells: u64,
}

/// How a level is cut into tiles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tiles {
    /// One piece up to [`Tiles::WHOLE_BELOW`] cells seen from above, else tiles of
    /// [`Tiles::SIDE`].
    #[default]
    Auto,
    /// One piece. It is cut all the same where a limit of Recast's makes that necessary. Memory goes
    /// with the number of cells, not with that of a tile, and only one core works.
    Whole,
    /// Squares of this many cells. [Limit: 16..=1024] Smaller ones are faster to bake again and
    /// use more cores; each border costs polygons.
    Side(u16),
}

impl Tiles {
    /// Number of cells up to which [`Tiles::Auto`] bakes in one piece.
    pub const WHOLE_BELOW: u64 = 1 << 20;
    /// Side of the tiles that [`Tiles::Auto`] cuts, in cells. Tiles of 256 bake a city of 27 million
    /// cells (`vaduz.obj`, cell size 0.5) 8% faster, and 4% more polygons come out.
    pub const SIDE: u16 = 512;
}

impl Default for BakeOptions {
    fn default() -> Self {
        Self {
            cell_size: 0.3,
            cell_height: 0.2,
            agent_height: 2.0,
            agent_radius: 0.6,
            agent_climb: 0.9,
            agent_slope: 45.0,
            max_vertices: 6,
            min_region: 8,
            merge_region: 20,
            max_edge: 12.0,
            max_edge_error: 1.3,
            detail_sample: 6.0,
            detail_error: 1.0,
            tiles: Tiles::Auto,
            max_cells: 400_000_000,
        }
    }
}

/// Options in whole cells, within their limits.
#[derive(Clone, Debug)]
pub(crate) struct Cells {
    pub(crate) height: u16,
    pub(crate) radius: u16,
    pub(crate) climb: u16,
    pub(crate) max_edge: u16,
}

impl Cells {
    /// Cells around a tile that are voxelised with it: as far as erosion and corners see.
    pub(crate) fn border(&self) -> u16 {
        self.radius + 3
    }
}

impl BakeOptions {
    /// Checks every value against its limits.
    pub(crate) fn check(&self) -> Result<Cells, BakeError> {
        let within = |name, value: f32, least: f32, most: f32| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                let allowed = format!("{least} to {most}");
                Err(BakeError::option(name, value, allowed))
            }
        };
        within("cell_size", self.cell_size, 0.001, 1000.0)?;
        within("cell_height", self.cell_height, 0.001, 1000.0)?;
        within("agent_slope", self.agent_slope, 0.0, 89.0)?;
        within("max_vertices", self.max_vertices.into(), 3.0, 6.0)?;
        within("min_region", self.min_region.into(), 0.0, 255.0)?;
        within("merge_region", self.merge_region.into(), 0.0, 255.0)?;
        within("max_edge_error", self.max_edge_error, 0.0, 100.0)?;
        within("detail_error", self.detail_error, 0.0, 1e6)?;
        if self.detail_sample != 0.0 {
            within("detail_sample", self.detail_sample, 0.9, 1e6)?;
        }
        if let Tiles::Side(side) = self.tiles {
            within("tile", side.into(), 16.0, 1024.0)?;
        }
        let most = |cells: f32, size: f32| cells * size;
        let height = most(250.0, self.cell_height);
        if !(self.agent_height > 0.0 && self.agent_height <= height) {
            let allowed = format!("more than 0, up to {height}");
            return Err(BakeError::option(
                "agent_height",
                self.agent_height,
                allowed,
            ));
        }
        within(
            "agent_radius",
            self.agent_radius,
            0.0,
            most(250.0, self.cell_size),
        )?;
        within("max_edge", self.max_edge, 0.0, 1e8)?;
        within("agent_climb", self.agent_climb, 0.0, height)?;
        if self.agent_climb >= self.agent_height {
            let allowed = format!("less than agent_height, {}", self.agent_height);
            return Err(BakeError::option("agent_climb", self.agent_climb, allowed));
        }
        // A whole number of cells stays one where the division rounds to just beside it.
        let up = |length: f32, cell: f32| (length / cell - 1e-4).ceil().max(0.0) as u16;
        let down = |length: f32, cell: f32| (length / cell + 1e-4).floor() as u16;
        Ok(Cells {
            height: up(self.agent_height, self.cell_height).max(1),
            radius: up(self.agent_radius, self.cell_size),
            climb: down(self.agent_climb, self.cell_height),
            // rerecast squares it in 16 bits.
            max_edge: down(self.max_edge, self.cell_size).min(255),
        })
    }
}
