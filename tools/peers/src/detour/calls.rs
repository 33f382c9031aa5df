//! Detour's calls beside path-finding: what a game asks about the mesh every frame.
//!
//! They start from a polygon and a point on it, as Portolan's probes do. Every answer is a point and a number, so that
//! the answers of both libraries can be compared.
#![allow(unsafe_code, reason = "calls C++")]

use std::cell::Cell;
use std::os::raw::c_int;

use glam::Vec3;
use recastnavigation_sys as dt;

use super::ffi::{PolygonRef, Query};

/// A polygon of Detour and a point on it.
pub(crate) type Place = (PolygonRef, Vec3);

/// The maximum number of polygons in an answer.
const MAX_POLYGONS: usize = 4096;

thread_local! {
    /// The state of [`random`]. Detour passes no argument to its random function.
    static RANDOM: Cell<u64> = const { Cell::new(1) };
}

/// Returns a random number from 0 to 1.
extern "C" fn random() -> f32 {
    let state = RANDOM
        .get()
        .wrapping_mul(6364136223846793005)
        .wrapping_add(1442695040888963407);
    RANDOM.set(state);
    (state >> 40) as f32 / (1u64 << 24) as f32
}

/// The buffers of the calls that return polygons.
#[derive(Debug)]
pub(crate) struct CallBuffers {
    polygons: Vec<dt::dtPolyRef>,
}

impl Default for CallBuffers {
    fn default() -> Self {
        Self {
            polygons: vec![0; MAX_POLYGONS],
        }
    }
}

/// The wall that is nearest to a point, or that a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct WallFound {
    /// The distance, or the fraction of the ray.
    pub(crate) distance: f32,
    pub(crate) normal: Vec3,
}

impl Query {
    /// `raycast`: how far a straight line along the surface gets, as a fraction, and how many polygons it passes. The
    /// fraction is larger than 1 if the line hits no wall.
    pub(crate) fn raycast(
        &self,
        from: Place,
        to: Vec3,
        buffers: &mut CallBuffers,
    ) -> (WallFound, usize) {
        let (start, end) = (from.1.to_array(), to.to_array());
        let (mut distance, mut normal, mut count) = (0.0, [0.0; 3], 0);
        // SAFETY: query and navmesh are initialized, the arrays contain three floats each, and `polygons` has the length
        // that is passed. The same holds for all calls below.
        unsafe {
            dt::dtNavMeshQuery_raycast(
                self.raw(),
                from.0.0,
                start.as_ptr(),
                end.as_ptr(),
                self.filter(),
                &mut distance,
                normal.as_mut_ptr(),
                buffers.polygons.as_mut_ptr(),
                &mut count,
                MAX_POLYGONS as c_int,
            );
        }
        let normal = normal.into();
        (WallFound { distance, normal }, count as usize)
    }

    /// `moveAlongSurface` and, for the height, `getPolyHeight`: where an agent gets to that slides along walls.
    pub(crate) fn move_along_surface(
        &mut self,
        from: Place,
        to: Vec3,
        buffers: &mut CallBuffers,
    ) -> Vec3 {
        let (start, end) = (from.1.to_array(), to.to_array());
        let (mut point, mut count) = ([0.0; 3], 0);
        // SAFETY: as above.
        unsafe {
            dt::dtNavMeshQuery_moveAlongSurface(
                self.raw(),
                from.0.0,
                start.as_ptr(),
                end.as_ptr(),
                self.filter(),
                point.as_mut_ptr(),
                buffers.polygons.as_mut_ptr(),
                &mut count,
                MAX_POLYGONS as c_int,
            );
        }
        if let Some(&last) = buffers.polygons[..count as usize].last() {
            point[1] = self
                .height(PolygonRef(last), point.into())
                .unwrap_or(point[1]);
        }
        point.into()
    }

    /// `findDistanceToWall`: the nearest wall within a radius. The distance is the radius if there is none.
    pub(crate) fn distance_to_wall(&mut self, at: Place, radius: f32) -> WallFound {
        let centre = at.1.to_array();
        let (mut distance, mut point, mut normal) = (0.0, [0.0; 3], [0.0; 3]);
        // SAFETY: as above.
        unsafe {
            dt::dtNavMeshQuery_findDistanceToWall(
                self.raw(),
                at.0.0,
                centre.as_ptr(),
                radius,
                self.filter(),
                &mut distance,
                point.as_mut_ptr(),
                normal.as_mut_ptr(),
            );
        }
        let normal = normal.into();
        WallFound { distance, normal }
    }

    /// `findPolysAroundCircle`: the number of polygons that a search from the centre reaches within a circle.
    pub(crate) fn polygons_around(
        &mut self,
        at: Place,
        radius: f32,
        buffers: &mut CallBuffers,
    ) -> usize {
        let centre = at.1.to_array();
        let mut count = 0;
        // SAFETY: as above; parents and costs may be null.
        unsafe {
            dt::dtNavMeshQuery_findPolysAroundCircle(
                self.raw(),
                at.0.0,
                centre.as_ptr(),
                radius,
                self.filter(),
                buffers.polygons.as_mut_ptr(),
                std::ptr::null_mut(),
                std::ptr::null_mut(),
                &mut count,
                MAX_POLYGONS as c_int,
            );
        }
        count as usize
    }

    /// `findLocalNeighbourhood` and `getPolyWallSegments`, as Detour's crowd uses them: the number of walls of the
    /// polygons that do not overlap within a circle.
    pub(crate) fn walls_around(
        &mut self,
        at: Place,
        radius: f32,
        buffers: &mut CallBuffers,
    ) -> usize {
        const MAX_SEGMENTS: usize = 24;
        let centre = at.1.to_array();
        let mut count = 0;
        // SAFETY: as above; parents may be null.
        unsafe {
            dt::dtNavMeshQuery_findLocalNeighbourhood(
                self.raw(),
                at.0.0,
                centre.as_ptr(),
                radius,
                self.filter(),
                buffers.polygons.as_mut_ptr(),
                std::ptr::null_mut(),
                &mut count,
                MAX_POLYGONS as c_int,
            );
        }
        let mut walls = 0;
        for &polygon in &buffers.polygons[..count as usize] {
            let (mut segments, mut found) = ([[0.0f32; 6]; MAX_SEGMENTS], 0);
            // SAFETY: as above, and the array has room for the number of segments that is passed.
            unsafe {
                dt::dtNavMeshQuery_getPolyWallSegments(
                    self.raw(),
                    polygon,
                    self.filter(),
                    segments.as_mut_ptr().cast(),
                    std::ptr::null_mut(),
                    &mut found,
                    MAX_SEGMENTS as c_int,
                );
            }
            walls += found as usize;
        }
        walls
    }

    /// `findRandomPoint`: a random point anywhere.
    pub(crate) fn random_point(&mut self) -> Option<Place> {
        let (mut polygon, mut point) = (0, [0.0; 3]);
        // SAFETY: as above.
        unsafe {
            dt::dtNavMeshQuery_findRandomPoint(
                self.raw(),
                self.filter(),
                Some(random),
                &mut polygon,
                point.as_mut_ptr(),
            );
        }
        (polygon != 0).then_some((PolygonRef(polygon), point.into()))
    }

    /// `findRandomPointAroundCircle`: a random point of the polygons that touch a circle.
    pub(crate) fn random_point_around(&mut self, at: Place, radius: f32) -> Option<Place> {
        let centre = at.1.to_array();
        let (mut polygon, mut point) = (0, [0.0; 3]);
        // SAFETY: as above.
        unsafe {
            dt::dtNavMeshQuery_findRandomPointAroundCircle(
                self.raw(),
                at.0.0,
                centre.as_ptr(),
                radius,
                self.filter(),
                Some(random),
                &mut polygon,
                point.as_mut_ptr(),
            );
        }
        (polygon != 0).then_some((PolygonRef(polygon), point.into()))
    }

    /// `getPolyHeight`: the height of the ground at a point of a polygon.
    pub(crate) fn height(&self, polygon: PolygonRef, at: Vec3) -> Option<f32> {
        let (at, mut height) = (at.to_array(), 0.0);
        // SAFETY: as above.
        let status = unsafe {
            dt::dtNavMeshQuery_getPolyHeight(self.raw(), polygon.0, at.as_ptr(), &mut height)
        };
        (status & dt::DT_SUCCESS != 0).then_some(height)
    }
}
