//! `portolan info`: what is in a file.

use portolan_core::{CostModel, NavMesh, Profile, Samples, Tier, World};
use portolan_files::pidx::{Making, Weights};
use serde_json::{Map, Value, json};

use super::levels::{
    MemoryParts, contraction_figures, label_bytes, label_figures, level_figures, print_bytes,
    print_labels, print_levels, shown_times,
};
use super::tiers::{contraction_bytes, print_tiers, taut_bytes, tier_figures};
use crate::args::InfoArgs;
use crate::outcome::{Answer, Failure};
use crate::terminal::{count, say};

pub(crate) fn run(args: &InfoArgs) -> Result<Answer, Failure> {
    if portolan_files::is_terrain(&args.file)? {
        return super::terrain::info::run(&args.file, args.json);
    }
    if portolan_files::is_bake(&args.file)? {
        return super::rebake::info(&args.file, args.json);
    }
    let (world, making) = portolan_files::open_world(&args.file)?;
    let mesh = world.mesh();
    let file_bytes = std::fs::metadata(&args.file).map_or(0, |file| file.len());
    if args.json {
        let mut all = of_mesh(mesh);
        all["bytes"] = json!(file_bytes);
        if let Some(making) = &making {
            add_index(&mut all, &world, making);
        }
        say!("{all:#}");
        return Ok(Answer::Yes);
    }
    let (kind, version) = match making {
        None => ("navmesh", portolan_files::pnav::VERSION),
        Some(_) => ("index", portolan_files::pidx::VERSION),
    };
    let (bounds, components) = (mesh.bounds(), mesh.components());
    say!("{}: {kind}, version {version}", args.file.display());
    say!("  {}", summary(mesh));
    say!(
        "  polygons of the largest component: {}",
        components.size(components.largest())
    );
    say!(
        "  ground: {:.1} m2, from {} to {}",
        ground(mesh),
        bounds.min,
        bounds.max
    );
    let areas: Vec<String> = areas(mesh)
        .iter()
        .map(|(area, polygons)| format!("area {area}: {polygons}"))
        .collect();
    say!("  polygons by {}", areas.join(", "));
    say!(
        "  file: {file_bytes} bytes; in memory: {} bytes",
        match making {
            None => mesh.bytes(),
            Some(_) => memory_bytes(&world),
        }
    );
    repairs(mesh).iter().for_each(|line| say!("  {line}"));
    if let Some(making) = &making {
        print_making(&world, making);
        print_levels(&world, making);
        print_tiers(&world, making.times.as_ref());
        print_labels(&world);
        print_bytes(&world);
    }
    Ok(Answer::Yes)
}

fn ground(mesh: &NavMesh) -> f64 {
    let polygons = mesh.polygons();
    polygons.map(|polygon| mesh.polygon_area(polygon)).sum()
}

/// Areas that there are, with the number of their polygons.
fn areas(mesh: &NavMesh) -> Vec<(usize, usize)> {
    let mut areas = [0usize; 256];
    mesh.areas()
        .iter()
        .for_each(|&area| areas[usize::from(area)] += 1);
    let areas = areas.into_iter().enumerate();
    areas.filter(|&(_, polygons)| polygons > 0).collect()
}

pub(super) fn of_mesh(mesh: &NavMesh) -> Value {
    let (bounds, components, repairs) = (mesh.bounds(), mesh.components(), mesh.repairs());
    let areas = areas(mesh);
    json!({
        "kind": "navmesh",
        "version": portolan_files::pnav::VERSION,
        "polygons": mesh.polygon_count(),
        "portals": mesh.portals().len(),
        "components": components.count(),
        "memory_bytes": mesh.bytes(),
        "vertices": mesh.vertices().len(),
        "links": mesh.links().len(),
        "detail_triangles": mesh.heights().triangles.values().len(),
        "largest_component": components.size(components.largest()),
        "ground_m2": ground(mesh),
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
    })
}

/// What an index has beyond its navmesh.
fn add_index(all: &mut Value, world: &World, making: &Making) {
    all["kind"] = json!("index");
    all["version"] = json!(portolan_files::pidx::VERSION);
    all["memory_bytes"] = json!(memory_bytes(world));
    let parts = MemoryParts::of_all(world);
    all["memory"] = json!({
        "navmesh": world.mesh().bytes(),
        "graph": world.graph().bytes(),
        "contraction": contraction_bytes(world, Tier::Fast),
        "taut_tiers": taut_bytes(world),
        "holes": world.hole_bytes(),
        "labels": label_bytes(world),
        "inter_edges": parts.hierarchy,
        "intra_edges": parts.intra_edges,
        "tables": parts.tables,
        "centres": parts.centres,
    });
    let engines = world.engines();
    all["engines"] = json!(engines.iter().map(ToString::to_string).collect::<Vec<_>>());
    all["contraction"] = json!(contraction_figures(world));
    all["tiers"] = json!(tier_figures(world, making.times.as_ref()));
    all["labels"] = json!(label_figures(world));
    let options = world.index_options();
    // What a world was not made with is null.
    let (samples, percentile) = match options.graph.samples {
        Samples::Each(count) => (Some(count), None),
        Samples::ByLength { percentile } => (None, Some(percentile)),
    };
    let hierarchy = world.hierarchy();
    all["options"] = json!({
        "mu": hierarchy.map(|_| making.merge_factor),
        "levels": hierarchy.map(|_| making.max_levels),
        "seed": making.seed,
        "weights": hierarchy.map(|_| weights(making)),
        "samples_per_portal": samples,
        "samples_percentile": percentile,
        "cost_model": cost_model(world),
        "table_levels": table_levels(world),
        "centres": options.tables.centres,
        "profile": profile(world.default_costs().profile()),
    });
    all["build_ms"] = json!(making.times.map(|times| json!({
        "partition": times.partition,
        "hierarchy": times.hierarchy,
        "tables": times.tables,
        "order": times.order,
        "contraction": times.contraction,
        "labels": times.labels,
        "default": times.of_tier(Tier::Default),
        "best": times.of_tier(Tier::Best),
        "total": times.total(),
    })));
    if let Some(levels) = all["levels"].as_array_mut() {
        levels.extend(
            level_figures(world, making)
                .iter()
                .map(|level| json!(level)),
        );
    }
}

fn memory_bytes(world: &World) -> usize {
    let levels = MemoryParts::of_all(world).total();
    let contraction = contraction_bytes(world, Tier::Fast) + taut_bytes(world) + label_bytes(world);
    let graph = world.graph().bytes() + world.hole_bytes();
    world.mesh().bytes() + graph + levels + contraction
}

fn weights(making: &Making) -> &'static str {
    match making.weights {
        Weights::Balanced => "balanced",
        Weights::RandomNodes => "nodes",
        Weights::RandomEdges => "edges",
    }
}

fn cost_model(world: &World) -> &'static str {
    match world.index_options().graph.cost_model {
        CostModel::Portals => "portals",
        CostModel::Published => "published",
        CostModel::Plan => "plan",
    }
}

/// The highest level with a connect table; 0 where there is none.
fn table_levels(world: &World) -> u8 {
    let top = world.hierarchy().map_or(0, |hierarchy| hierarchy.top().0);
    world.index_options().tables.top.0.min(top)
}

/// A profile as its TOML has it.
fn profile(profile: &Profile) -> Value {
    let factors = (0..=255).filter_map(|area| {
        let factor = profile.factor(area).filter(|&factor| factor != 1.0)?;
        Some((area.to_string(), json!(factor)))
    });
    let forbidden = (0..=255u8).filter(|&area| profile.factor(area).is_none());
    json!({
        "factors": factors.collect::<Map<_, _>>(),
        "forbidden": forbidden.collect::<Vec<_>>(),
        "include_flags": profile.include_flags,
        "exclude_flags": profile.exclude_flags,
        "links": profile.links,
    })
}

/// The options, and how long it took.
fn print_making(world: &World, making: &Making) {
    let mut made = Vec::new();
    if world.hierarchy().is_some() {
        made.push(format!(
            "--mu {} --levels {}",
            making.merge_factor, making.max_levels
        ));
    }
    made.push(format!("--seed {}", making.seed));
    if world.hierarchy().is_some() {
        made.push(format!("--weights {}", weights(making)));
    }
    made.push(format!("--cost-model {}", cost_model(world)));
    let levels = match world.hierarchy() {
        Some(_) => format!(", connect tables up to level {}", table_levels(world)),
        None => ", without a hierarchy".to_owned(),
    };
    let profile = match *world.default_costs().profile() == Profile::default() {
        true => "",
        false => ", for a profile of its own (--json shows it)",
    };
    say!("  made with {}{levels}{profile}", made.join(" "));
    if let Some(times) = making.times {
        let stages = shown_times(world, &times);
        say!("  in {:.0} ms: {stages}", times.total());
    }
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
