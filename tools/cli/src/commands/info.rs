//! `portolan info`: describes a file.

use portolan_core::{Check, CostModel, Engine, NavMesh, Profile, Samples, Stage, Tier, World};
use portolan_files::OpenOptions;
use portolan_index::{PartitionOptions, Weights};
use serde_json::{Map, Value, json};

use super::exact::{exact_bytes, exact_figures, print_exact};
use super::levels::{
    MemoryParts, contraction_figures, label_bytes, label_figures, level_figures, print_bytes,
    print_labels, print_levels, shown_times,
};
use super::tiers::{print_tiers, taut_bytes, tier_figures};
use crate::args::InfoArgs;
use crate::outcome::{ExitKind, Failure};
use crate::terminal::{count, say};

pub(crate) fn run(args: &InfoArgs) -> Result<ExitKind, Failure> {
    if portolan_files::is_terrain(&args.file)? {
        return super::terrain::info::run(&args.file, args.json);
    }
    if portolan_files::is_bake(&args.file)? {
        return super::rebake::info(&args.file, args.json);
    }
    let is_index = portolan_files::is_index(&args.file)?;
    let options = match (args.trust, args.check) {
        (true, _) => OpenOptions::trusted(),
        (_, true) => OpenOptions::default().with_check(Check::Full),
        _ => OpenOptions::default(),
    };
    let world = portolan_files::open_world_with(&args.file, options)?;
    let mesh = world.mesh();
    let file_bytes = std::fs::metadata(&args.file).map_or(0, |file| file.len());
    if args.json {
        let mut all = of_mesh(mesh);
        all["bytes"] = json!(file_bytes);
        if is_index {
            add_index(&mut all, &world);
        }
        say!("{all:#}");
        return Ok(ExitKind::Success);
    }
    let (kind, version) = match is_index {
        false => ("navmesh", portolan_files::pnav::VERSION),
        true => ("index", portolan_files::pidx::VERSION),
    };
    let (bounds, components) = (mesh.bounds(), mesh.components());
    say!("{}: {kind}, version {version}", args.file.display());
    say!("  {}", summary(mesh));
    say!(
        "  largest component: {}",
        count(components.size(components.largest()) as usize, "polygon")
    );
    say!(
        "  ground: {:.1} m², from {} to {}",
        ground(mesh),
        bounds.min,
        bounds.max
    );
    let areas: Vec<String> = areas(mesh)
        .iter()
        .map(|(area, polygons)| format!("area {area}: {polygons}"))
        .collect();
    say!("  polygons per area: {}", areas.join(", "));
    say!(
        "  file: {file_bytes} bytes; in memory: {} bytes",
        match is_index {
            false => mesh.bytes(),
            true => memory_bytes(&world),
        }
    );
    repairs(mesh).iter().for_each(|line| say!("  {line}"));
    if is_index {
        print_report(&world);
        print_levels(&world);
        print_tiers(&world, world.report().times.as_ref());
        print_exact(&world, world.report().times.as_ref());
        print_labels(&world);
        print_bytes(&world);
    }
    Ok(ExitKind::Success)
}

fn ground(mesh: &NavMesh) -> f64 {
    let polygons = mesh.polygons();
    polygons.map(|polygon| mesh.polygon_area(polygon)).sum()
}

/// Returns the areas of a mesh with the number of their polygons.
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

/// Adds the parts of an index to the description of its navmesh.
fn add_index(all: &mut Value, world: &World) {
    let report = world.report();
    all["kind"] = json!("index");
    all["version"] = json!(portolan_files::pidx::VERSION);
    all["memory_bytes"] = json!(memory_bytes(world));
    let parts = MemoryParts::of_all(world);
    all["memory"] = json!({
        "navmesh": world.mesh().bytes(),
        "graph": world.graph().bytes(),
        "contraction": world.engine_bytes(Engine::Contraction(Tier::Fast)),
        "taut_tiers": taut_bytes(world),
        "holes": world.hole_bytes(),
        "exact": exact_bytes(world),
        "labels": label_bytes(world),
        "inter_edges": parts.hierarchy,
        "intra_edges": parts.intra_edges,
        "tables": parts.tables,
        "centres": parts.centres,
    });
    let engines = world.engines();
    all["engines"] = json!(engines.iter().map(ToString::to_string).collect::<Vec<_>>());
    all["contraction"] = json!(contraction_figures(world));
    all["tiers"] = json!(tier_figures(world, report.times.as_ref()));
    all["exact"] = json!(exact_figures(world, report.times.as_ref()));
    all["labels"] = json!(label_figures(world));
    // Options that do not apply to this index are null.
    let (samples, percentile) = match world.graph().options().samples {
        Samples::Each(count) => (Some(count), None),
        Samples::ByLength { percentile } => (None, Some(percentile)),
    };
    let partition = report.partition.as_ref();
    all["options"] = json!({
        "mu": partition.map(|options| options.merge_factor),
        "levels": partition.map(|options| options.max_levels),
        "seed": report.order_seed,
        "weights": partition.map(weights),
        "samples_per_portal": samples,
        "samples_percentile": percentile,
        "cost_model": cost_model(world),
        "table_levels": table_levels(world),
        "centres": world.table_options().centres,
        "profile": profile(world.default_costs().profile()),
    });
    all["build_ms"] = json!(report.times.map(|times| json!({
        "partition": times.of(Stage::Partition),
        "graph": times.of(Stage::Graph),
        "hierarchy": times.of(Stage::Hierarchy),
        "tables": times.of(Stage::Tables),
        "order": times.of(Stage::Order),
        "contraction": times.of(Stage::Contraction),
        "labels": times.of(Stage::Labels),
        "samples": times.of(Stage::Samples),
        "default": times.of(Stage::DefaultTier),
        "best": times.of(Stage::BestTier),
        "exact": times.of(Stage::ExactTier),
        "total": times.total(),
    })));
    if let Some(levels) = all["levels"].as_array_mut() {
        levels.extend(level_figures(world).iter().map(|level| json!(level)));
    }
}

fn memory_bytes(world: &World) -> usize {
    let levels = MemoryParts::of_all(world).total();
    let contraction = world.engine_bytes(Engine::Contraction(Tier::Fast))
        + taut_bytes(world)
        + exact_bytes(world)
        + label_bytes(world);
    let graph = world.graph().bytes() + world.hole_bytes();
    world.mesh().bytes() + graph + levels + contraction
}

fn weights(options: &PartitionOptions) -> &'static str {
    match options.weights {
        Weights::Balanced => "balanced",
        Weights::RandomNodes => "nodes",
        Weights::RandomEdges => "edges",
    }
}

fn cost_model(world: &World) -> &'static str {
    match world.graph().options().cost_model {
        CostModel::Portals => "portals",
        CostModel::Published => "published",
        CostModel::Plan => "plan",
    }
}

/// Returns the highest level with a table of connecting paths, or 0 if there is none.
fn table_levels(world: &World) -> u8 {
    let top = world.hierarchy().map_or(0, |hierarchy| hierarchy.top().0);
    world.table_options().top.0.min(top)
}

/// Returns a profile with the keys of its TOML format.
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

/// Prints the options of an index and its build times.
fn print_report(world: &World) {
    let report = world.report();
    let mut options = Vec::new();
    if let Some(partition) = &report.partition {
        options.push(format!(
            "--mu {} --levels {}",
            partition.merge_factor, partition.max_levels
        ));
    }
    options.push(format!("--seed {}", report.order_seed));
    if let Some(partition) = &report.partition {
        options.push(format!("--weights {}", weights(partition)));
    }
    options.push(format!("--cost-model {}", cost_model(world)));
    let levels = match world.hierarchy() {
        Some(_) => format!(
            "; tables of connecting paths up to level {}",
            table_levels(world)
        ),
        None => "; no hierarchy".to_owned(),
    };
    let profile = match *world.default_costs().profile() == Profile::default() {
        true => "",
        false => "; built for another profile than the default (shown by --json)",
    };
    say!("  options: {}{levels}{profile}", options.join(" "));
    if let Some(times) = report.times {
        let stages = shown_times(world, &times);
        say!("  built in {:.0} ms: {stages}", times.total());
    }
}

/// Describes a mesh in one line.
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

/// Describes the repairs that were necessary to build a mesh, one line each.
pub(crate) fn repairs(mesh: &NavMesh) -> Vec<String> {
    let repairs = mesh.repairs();
    let counts = [
        (repairs.without_area, "removed polygons of zero area"),
        (
            repairs.rewound,
            "reversed polygons that were clockwise in (x, z)",
        ),
        (repairs.repeated_corners, "removed repeated vertices"),
        (
            repairs.links_off_mesh,
            "removed links with an endpoint that is not near a polygon",
        ),
        (
            repairs.folds,
            "edges not connected because both polygons are on the same side (folds)",
        ),
    ];
    let repaired = counts.into_iter().filter(|&(count, _)| count > 0);
    repaired
        .map(|(count, what)| format!("{what}: {count}"))
        .collect()
}
