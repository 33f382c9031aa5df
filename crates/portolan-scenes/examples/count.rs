//! Bakes scenes and counts polygons.
//!
//! ```text
//! cargo run --release -p portolan-scenes --example count -- simple paper 1 2 3
//! ```

use std::error::Error;
use std::time::Instant;

use glam::Vec3A;
use portolan::Triangles;
use portolan::union_find::UnionFind;
use portolan_scenes::{Scene, SceneOptions};
use rerecast::{
    AreaType, BuildContoursFlags, ContourSet, HeightfieldBuilder, RegionVertexId, TriMesh,
};

/// Polygons of each component, the largest first.
fn bake(scene: &Triangles) -> Result<Vec<usize>, Box<dyn Error>> {
    let mut mesh = TriMesh {
        vertices: scene.vertices.iter().map(|&v| Vec3A::from(v)).collect(),
        indices: scene.triangles.iter().map(|&t| t.into()).collect(),
        area_types: vec![AreaType::NOT_WALKABLE; scene.triangles.len()],
    };
    mesh.mark_walkable_triangles(45f32.to_radians());
    let mut field = HeightfieldBuilder {
        aabb: mesh.compute_aabb().ok_or("empty")?,
        cell_size: 0.3,
        cell_height: 0.2,
    }
    .build()?;
    field.populate_from_trimesh(mesh, 10, 4)?;
    let mut compact = field.into_compact(10, 4)?;
    compact.erode_walkable_area(2);
    compact.build_distance_field();
    compact.build_regions(0, 64, 400)?;
    let mut contours = compact.build_contours(1.3, 40, BuildContoursFlags::default());
    merge_holes(&mut contours);

    let mut regions = UnionFind::new(1 << 16);
    let mut counts = vec![0; 1 << 16];
    let mut failed = 0;
    for contour in &contours.contours {
        let region = u32::from(contour.region.bits());
        for (_, neighbour) in &contour.vertices {
            let neighbour = neighbour & RegionVertexId::REGION_MASK.bits();
            if neighbour != 0 {
                regions.join(region, neighbour);
            }
        }
        let alone = ContourSet {
            contours: vec![contour.clone()],
            aabb: contours.aabb,
            cell_size: contours.cell_size,
            cell_height: contours.cell_height,
            width: contours.width,
            height: contours.height,
            border_size: 0,
            max_error: contours.max_error,
        };
        match alone.into_polygon_mesh(6) {
            Ok(mesh) => counts[region as usize] += mesh.polygon_count(),
            Err(_) => failed += 1,
        }
    }
    if failed > 0 {
        println!("  {failed} contours failed: regions with holes");
    }
    let mut components = vec![0; 1 << 16];
    for (region, count) in counts.into_iter().enumerate() {
        components[regions.root(region as u32) as usize] += count;
    }
    components.retain(|&count| count > 0);
    components.sort_by_key(|&count| std::cmp::Reverse(count));
    Ok(components)
}

/// Joins each hole with the outline of its region by the shortest bridge.
fn merge_holes(set: &mut ContourSet) {
    let area = |contour: &rerecast::Contour| -> i64 {
        let corners = &contour.vertices;
        (0..corners.len())
            .map(|i| {
                let (a, b) = (
                    corners[i].0.as_i64vec3(),
                    corners[(i + 1) % corners.len()].0.as_i64vec3(),
                );
                a.x * b.z - b.x * a.z
            })
            .sum()
    };
    let (outlines, holes): (Vec<_>, Vec<_>) = std::mem::take(&mut set.contours)
        .into_iter()
        .partition(|c| area(c) < 0);
    set.contours = outlines;
    for hole in holes {
        let Some(outline) = set.contours.iter_mut().find(|c| c.region == hole.region) else {
            continue;
        };
        let pairs =
            (0..outline.vertices.len()).flat_map(|a| (0..hole.vertices.len()).map(move |b| (a, b)));
        let (a, b) = pairs
            .min_by_key(|&(a, b)| {
                let d = outline.vertices[a].0.as_i64vec3() - hole.vertices[b].0.as_i64vec3();
                d.x * d.x + d.z * d.z
            })
            .unwrap();
        let mut merged = outline.vertices[..=a].to_vec();
        merged.extend(&hole.vertices[b..]);
        merged.extend(&hole.vertices[..=b]);
        merged.extend(&outline.vertices[a..]);
        outline.vertices = merged;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, size, seeds @ ..] = arguments.as_slice() else {
        return Err("usage: count SCENE SIZE [SEED]...".into());
    };
    let scene: Scene = name.parse()?;
    let seeds = if seeds.is_empty() {
        &["1".to_owned()]
    } else {
        seeds
    };
    for seed in seeds {
        let options = SceneOptions {
            size: size.parse()?,
            seed: seed.parse()?,
            ..Default::default()
        };
        let start = Instant::now();
        let triangles = scene.build(&options);
        let built = start.elapsed();
        let start = Instant::now();
        let components = bake(&triangles)?;
        let baked = start.elapsed();
        let polygons: usize = components.iter().sum();
        let paper = scene.paper_polygons().unwrap_or(polygons as u32);
        println!(
            "{name} {size} seed {seed}: {} triangles in {built:.2?}; {polygons} polygons ({:+.1}% of the paper's) in {baked:.2?}; {} components, the largest with {:.1}%",
            triangles.triangles.len(),
            100.0 * (polygons as f64 / f64::from(paper) - 1.0),
            components.len(),
            100.0 * components[0] as f64 / polygons as f64,
        );
    }
    Ok(())
}
