//! Bakes arbitrary triangles, in a single tile and in many. The result must be a valid navmesh.
#![no_main]

use glam::{Vec3, vec3};
use libfuzzer_sys::fuzz_target;
use portolan_bake::{BakeError, BakeOptions, Tiling, bake};
use portolan_core::{AreaRules, Ground, Triangles, Volume};

/// Reads numbers from bytes until they run out.
struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    fn next(&mut self) -> Option<u8> {
        self.0.next().copied()
    }

    /// Reads a point in a box of 16 x 8 x 16 m, on a grid of 1/16 m along x and z and 1/32 m along y.
    fn point(&mut self) -> Option<Vec3> {
        let [x, y, z] = [self.next()?, self.next()?, self.next()?].map(f32::from);
        Some(vec3(x / 16.0, y / 32.0, z / 16.0))
    }
}

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = Bytes(bytes.iter());
    let Some(options) = options(&mut bytes) else {
        return;
    };
    let mut rules = AreaRules::default();
    if let (Some(code @ 200..), Some(a), Some(b)) = (bytes.next(), bytes.point(), bytes.point()) {
        let ground = match code {
            255 => Ground::Hole,
            area => Ground::Area(area - 200),
        };
        rules
            .volumes
            .push(Volume::cuboid(a.min(b), a.max(b), ground));
    }
    let mut triangles = Triangles::default();
    while let (Some(a), Some(b), Some(c)) = (bytes.point(), bytes.point(), bytes.point()) {
        let first = triangles.vertices.len() as u32;
        triangles.vertices.extend([a, b, c]);
        triangles.triangles.push([first, first + 1, first + 2]);
        // Both sides of each triangle are added, else half of the triangles would be ceilings.
        triangles.triangles.push([first, first + 2, first + 1]);
        if triangles.triangles.len() > 64 {
            break;
        }
    }
    let baked = match bake(&triangles, &rules, &options) {
        Ok(baked) => baked,
        Err(BakeError::NoTriangles | BakeError::OnlyDegenerate { .. }) => return,
        Err(error) => panic!("{error}"),
    };
    match baked.build_navmesh() {
        Ok(mesh) => portolan_fuzz::search_mesh(mesh),
        Err(BakeError::NoGround { .. }) => {}
        Err(error) => panic!("{error}"),
    }
});

fn options(bytes: &mut Bytes<'_>) -> Option<BakeOptions> {
    let mut fraction = || Some(f32::from(bytes.next()?) / 255.0);
    let cell_size = 0.2 + fraction()?;
    Some(BakeOptions {
        cell_size,
        cell_height: 0.1 + fraction()?,
        agent_radius: 1.5 * fraction()?,
        agent_climb: 1.5 * fraction()?,
        agent_slope: 89.0 * fraction()?,
        max_vertices: 3 + (3.0 * fraction()?) as u16,
        max_edge_error: 4.0 * fraction()?,
        detail_error: 2.0 * fraction()?,
        min_region: (9.0 * fraction()?) as u16,
        tiles: match (64.0 * fraction()?) as u16 {
            side @ 16.. => Tiling::Side(side),
            _ => Tiling::SingleTile,
        },
        ..BakeOptions::default()
    })
}
