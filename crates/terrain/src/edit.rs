//! Edits of a terrain that has been built: difficulties, heights, and the parameters of the price.

use std::collections::BTreeSet;

use super::{LowGraph, NO_TRIANGLE, Price, Terrain, TerrainError, TriangleWeb};

/// Changes of a terrain, which [`Terrain::edit`] applies together.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TerrainEdit<'a> {
    /// Triangles and their new difficulties from 0 to 1, for example because of a flood or a new road.
    pub difficulties: &'a [(u32, f32)],
    /// Points of the web and their new heights, for example because of a landslide or a new dam. If a point is listed
    /// several times, the last height counts.
    pub heights: &'a [(u32, f32)],
    /// New parameters of the price. [Default: the parameters stay]
    pub price: Option<Price>,
}

/// Which parts of a terrain have changed since it was built. A [`Navigator`](super::Navigator) compares it with the
/// moment when it last read prices.
#[derive(Clone, Debug, Default)]
pub(super) struct EditLog {
    /// The number of edits.
    version: u64,
    /// The version of the last edit of the price.
    all: u64,
    /// Per High Mesh, the version of the last edit after which a search among its children may find another path. Empty
    /// until the first edit.
    highs: Vec<u64>,
}

impl EditLog {
    pub(super) fn version(&self) -> u64 {
        self.version
    }

    /// Returns whether a search among the children of a High Mesh may find another path than at a version. `high` is
    /// counted from the first High Mesh.
    pub(super) fn has_changed(&self, high: usize, since: u64) -> bool {
        let last = self.highs.get(high).copied().unwrap_or(0);
        last.max(self.all) > since
    }
}

impl Terrain {
    /// Applies an edit. If a part of it is invalid, nothing changes.
    ///
    /// Recomputes the prices of the affected crossings and of the meshes above them. The tree of meshes stays, so the
    /// result can differ from that of building the terrain again. A contraction and a hierarchy, if there are any,
    /// are customized again completely. A [`Navigator`](super::Navigator) that is under way notices the edit with its
    /// next step.
    ///
    /// ```
    /// use portolan_terrain::{HeightMap, Terrain, TerrainEdit, TerrainOptions, WebOptions};
    ///
    /// let web = HeightMap::new(3, 3, vec![0.0; 9])?.triangulate(&WebOptions::default(), None)?;
    /// let mut terrain = Terrain::build(web, &TerrainOptions::default())?;
    /// let hill = TerrainEdit { heights: &[(4, 0.5)], ..TerrainEdit::default() };
    /// terrain.edit(&hill)?;
    /// assert_eq!(terrain.web().extent().max.z, 0.5);
    /// # Ok::<(), portolan_terrain::TerrainError>(())
    /// ```
    pub fn edit(&mut self, edit: &TerrainEdit<'_>) -> Result<(), TerrainError> {
        check(&self.web, edit)?;
        for &(triangle, difficulty) in edit.difficulties {
            self.web.set_difficulty(triangle, difficulty)?;
        }
        self.web.set_heights(edit.heights);
        let mut edited: BTreeSet<u32> = edit.difficulties.iter().map(|item| item.0).collect();
        for &(point, _) in edit.heights {
            edited.extend(self.web.triangles_at(point));
        }
        let edited: Vec<u32> = edited.into_iter().collect();
        self.edits.version += 1;
        if let Some(price) = &edit.price {
            self.graph = LowGraph::new(&self.web, price)?;
            self.meshes.reprice_all(&self.graph);
            self.edits.all = self.edits.version;
        } else {
            self.reprice_crossings(&edited);
            let highs = self.meshes.len() - self.meshes.low_count();
            self.edits.highs.resize(highs, 0);
            for high in self.meshes.reprice(&self.graph, &edited) {
                self.edits.highs[high as usize - self.meshes.low_count()] = self.edits.version;
            }
        }
        if let Some(contraction) = &mut self.contraction {
            contraction.reprice(&self.graph);
        }
        if let Some(hna) = &mut self.hna {
            hna.reprice(&self.graph);
        }
        Ok(())
    }

    /// Changes the difficulties of triangles. This is an [`edit`](Self::edit) of nothing else.
    pub fn change(&mut self, difficulties: &[(u32, f32)]) -> Result<(), TerrainError> {
        self.edit(&TerrainEdit {
            difficulties,
            ..TerrainEdit::default()
        })
    }

    /// Recomputes the prices of all crossings out of and into some triangles, and their bounding boxes.
    fn reprice_crossings(&mut self, edited: &[u32]) {
        for &triangle in edited {
            self.graph.update_extent(&self.web, triangle);
        }
        for &triangle in edited {
            let (neighbours, _) = self.graph.crossings(triangle);
            let affected = neighbours.into_iter().chain([triangle]);
            for changed in affected.filter(|&triangle| triangle != NO_TRIANGLE) {
                self.graph.price_out_of(&self.web, changed);
            }
        }
    }
}

/// Checks an edit before anything is changed.
fn check(web: &TriangleWeb, edit: &TerrainEdit<'_>) -> Result<(), TerrainError> {
    if let Some(price) = &edit.price {
        price.check()?;
    }
    for &(triangle, difficulty) in edit.difficulties {
        web.check_difficulty(triangle, difficulty)?;
    }
    for &(point, height) in edit.heights {
        if point as usize >= web.points().len() {
            let points = web.points().len();
            return Err(TerrainError::EditedPoint { point, points });
        }
        // The same limit as for new webs: squares of coordinates have to be finite.
        if !(-1e15..=1e15).contains(&height) {
            return Err(TerrainError::NotFinite(point as usize));
        }
    }
    // Corners that lie above one another, in a wall, could get the same height.
    let mut sorted = edit.heights.to_vec();
    sorted.sort_by_key(|item| item.0);
    let new_height = |point: u32| {
        let end = sorted.partition_point(|item| item.0 <= point);
        let last = end.checked_sub(1).map(|index| sorted[index]);
        let own = last.filter(|item| item.0 == point);
        own.map_or(web.points()[point as usize].z, |item| item.1)
    };
    for &(point, _) in edit.heights {
        for triangle in web.triangles_at(point) {
            let corners = web.triangles()[triangle as usize];
            let [a, b, c] = corners.map(|corner| {
                let position = web.points()[corner as usize];
                position.truncate().extend(new_height(corner))
            });
            if a == b || b == c || c == a {
                return Err(TerrainError::Degenerate(triangle as usize));
            }
        }
    }
    Ok(())
}
