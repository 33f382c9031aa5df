//! `portolan info`: what is in a file.

use portolan::NavMesh;
use serde_json::json;

use crate::args::InfoArgs;
use crate::outcome::{Answer, Failure};
use crate::terminal::{count, say};

pub(crate) fn run(args: &InfoArgs) -> Result<Answer, Failure> {
    let mesh = portolan_io::open_navmesh(&args.file)?;
    let file_bytes = std::fs::metadata(&args.file).map_or(0, |file| file.len());
    let (bounds, components) = (mesh.bounds(), mesh.components());
    let ground: f64 = mesh
        .polygons()
        .map(|polygon| mesh.polygon_area(polygon))
        .sum();
    let mut areas = [0usize; 256];
    mesh.areas()
        .iter()
        .for_each(|&area| areas[usize::from(area)] += 1);
    let areas: Vec<(usize, usize)> = areas
        .into_iter()
        .enumerate()
        .filter(|&(_, polygons)| polygons > 0)
        .collect();

    if args.json {
        let repairs = mesh.repairs();
        let all = json!({
            "kind": "navmesh",
            "version": portolan_io::pnav::VERSION,
            "polygons": mesh.polygon_count(),
            "portals": mesh.portals().len(),
            "components": components.count(),
            "bytes": file_bytes,
            "memory_bytes": mesh.bytes(),
            "vertices": mesh.vertices().len(),
            "links": mesh.links().len(),
            "detail_triangles": mesh.heights().triangles.values().len(),
            "largest_component": components.size(components.largest()),
            "ground_m2": ground,
            "min": bounds.min.to_array(),
            "max": bounds.max.to_array(),
            "areas": areas.iter().map(|&(area, polygons)| json!({ "area": area, "polygons": polygons })).collect::<Vec<_>>(),
            "repairs": {
                "without_area": repairs.without_area,
                "rewound": repairs.rewound,
                "repeated_corners": repairs.repeated_corners,
                "links_off_mesh": repairs.links_off_mesh,
                "folds": repairs.folds,
            },
            "levels": [{
                "level": 0,
                "nodes": mesh.polygon_count(),
                "inter_edges": mesh.portals().len() + mesh.links().len(),
            }],
        });
        say!("{all:#}");
        return Ok(Answer::Yes);
    }
    say!(
        "{}: navmesh, version {}",
        args.file.display(),
        portolan_io::pnav::VERSION
    );
    say!("  {}", summary(&mesh));
    say!(
        "  polygons of the largest component: {}",
        components.size(components.largest())
    );
    say!(
        "  ground: {ground:.1} m2, from {} to {}",
        bounds.min,
        bounds.max
    );
    let areas: Vec<String> = areas
        .iter()
        .map(|(area, polygons)| format!("area {area}: {polygons}"))
        .collect();
    say!("  polygons by {}", areas.join(", "));
    say!(
        "  file: {file_bytes} bytes; in memory: {} bytes",
        mesh.bytes()
    );
    repairs(&mesh).iter().for_each(|line| say!("  {line}"));
    Ok(Answer::Yes)
}

/// A mesh in one line.
pub(crate) fn summary(mesh: &NavMesh) -> String {
    let mut parts = vec![
        count(mesh.polygon_count(), "polygon"),
        count(mesh.portals().len(), "portal"),
        count(mesh.components().count(), "component"),
    ];
    if !mesh.links().is_empty() {
        parts.insert(2, count(mesh.links().len(), "link"));
    }
    parts.join(", ")
}

/// What was put right when the mesh was built, a line each.
pub(crate) fn repairs(mesh: &NavMesh) -> Vec<String> {
    let repairs = mesh.repairs();
    let counts = [
        (repairs.without_area, "polygons without area left out"),
        (
            repairs.rewound,
            "polygons rewound to go counter-clockwise in (x, z)",
        ),
        (repairs.repeated_corners, "repeated corners left out"),
        (
            repairs.links_off_mesh,
            "links left out because an end has no polygon near it",
        ),
        (
            repairs.folds,
            "folds: borders with both polygons on the same side, not connected",
        ),
    ];
    let noted = counts.into_iter().filter(|&(count, _)| count > 0);
    noted
        .map(|(count, what)| format!("{what}: {count}"))
        .collect()
}
