//! `portolan terrain isochrone`: the ground that can be reached within limits.

use std::fmt::Write as _;

use glam::Vec3;
use portolan_terrain::{
    Distances, Isochrone, IsochronePolygon, TerrainScratch, TerrainStatus, TriangleWeb,
};
use serde_json::{Value, json};

use super::{PICTURE_SIZE, off_ground, open, price};
use crate::args::{Common, IsochroneArgs};
use crate::commands::{check_outputs, extension};
use crate::outcome::{ExitKind, Failure};
use crate::table::TextTable;
use crate::terminal::{HEADING, say, spinner, styled};

/// The unit of a limit, and how many units of the price it has.
struct LimitUnit {
    name: &'static str,
    factor: f64,
}

impl LimitUnit {
    fn of(distances: Distances) -> Self {
        match distances {
            Distances::Tobler | Distances::Naismith => Self {
                name: "min",
                factor: 60.0,
            },
            Distances::Minetti => Self {
                name: "kJ/kg",
                factor: 1000.0,
            },
            _ => Self {
                name: "price",
                factor: 1.0,
            },
        }
    }
}

pub(crate) fn run(args: &IsochroneArgs, common: &Common) -> Result<ExitKind, Failure> {
    let is_svg = match extension(&args.output).as_str() {
        "svg" => true,
        "geojson" => false,
        _ => {
            let file = args.output.display();
            return Err(Failure::new(format!(
                "{file}: terrain isochrone writes .geojson or .svg"
            )));
        }
    };
    check_outputs(&[&args.terrain], &[Some(&args.output)])?;
    if let Some(limit) = args
        .limits
        .iter()
        .find(|limit| !(0.0..=1e9).contains(*limit))
    {
        return Err(Failure::new(format!(
            "--limits: {limit} is not from 0 to 1e9"
        )));
    }
    let terrain = open(&args.terrain, common)?;
    let profile = match &args.price {
        Some(name) => {
            let profile = terrain.profile(&price(name)?, false);
            Some(profile.map_err(|error| Failure::new(format!("--price: {error}")))?)
        }
        None => None,
    };
    let graph = profile
        .as_ref()
        .map_or(terrain.graph(), |profile| profile.graph());
    let unit = LimitUnit::of(graph.price().distances);
    // Smaller isochrones are drawn over larger ones.
    let mut limits = args.limits.clone();
    limits.sort_by(|a, b| b.total_cmp(a));
    limits.dedup();
    let prices: Vec<f64> = limits.iter().map(|limit| limit * unit.factor).collect();
    let waiting = spinner(common, "computing isochrones");
    let found = terrain.isochrones(
        args.from,
        profile.as_ref(),
        &prices,
        &mut TerrainScratch::new(),
    );
    waiting.finish_and_clear();
    let isochrones = match found {
        Ok(isochrones) => isochrones,
        Err(status) => {
            print_nothing(args, status, terrain.web());
            return Ok(ExitKind::Negative);
        }
    };
    let text = match is_svg {
        true => svg(terrain.web(), &isochrones),
        false => format!("{:#}\n", geojson(&isochrones, &limits, &unit)),
    };
    portolan_files::save(&args.output, |out| out.write_all(text.as_bytes()))?;
    print(args, &isochrones, &limits, &unit, common);
    Ok(ExitKind::Success)
}

fn print_nothing(args: &IsochroneArgs, status: TerrainStatus, web: &TriangleWeb) {
    if args.json {
        say!(
            "{:#}",
            json!({ "status": status.name(), "from": args.from })
        );
    } else {
        say!("{}", styled(HEADING, status.name()));
        say!("{}", off_ground("start", "--from", args.from, web));
    }
}

fn print(
    args: &IsochroneArgs,
    isochrones: &[Isochrone],
    limits: &[f64],
    unit: &LimitUnit,
    common: &Common,
) {
    let holes = |isochrone: &Isochrone| {
        let polygons = isochrone.polygons.iter();
        polygons.map(|polygon| polygon.holes.len()).sum::<usize>()
    };
    if args.json {
        let all = isochrones.iter().zip(limits).map(|(isochrone, limit)| {
            json!({
                "limit": limit,
                "unit": unit.name,
                "area": isochrone.area(),
                "polygons": isochrone.polygons.len(),
                "holes": holes(isochrone),
            })
        });
        let all: Vec<Value> = all.collect();
        say!("{:#}", json!({ "status": "found", "isochrones": all }));
        return;
    }
    let mut table = TextTable::new(&["limit", "area", "polygons", "holes"]);
    for (isochrone, limit) in isochrones.iter().zip(limits) {
        table.row(vec![
            format!("{limit} {}", unit.name),
            format!("{:.3}", isochrone.area()),
            isochrone.polygons.len().to_string(),
            holes(isochrone).to_string(),
        ]);
    }
    table.print();
    if !common.quiet {
        say!("written: {}", args.output.display());
    }
}

/// Returns the coordinates of a point in a GeoJSON file. They are those of the terrain.
fn coordinates(point: Vec3) -> [f64; 3] {
    point.as_dvec3().to_array()
}

fn geojson(isochrones: &[Isochrone], limits: &[f64], unit: &LimitUnit) -> Value {
    // Rings of GeoJSON end with their first point.
    let ring = |ring: &Vec<Vec3>| {
        let points = ring.iter().chain(ring.first());
        points.map(|&point| coordinates(point)).collect::<Vec<_>>()
    };
    let polygon = |polygon: &IsochronePolygon| {
        let rings = std::iter::once(&polygon.outer).chain(&polygon.holes);
        rings.map(ring).collect::<Vec<_>>()
    };
    let features = isochrones.iter().zip(limits).map(|(isochrone, limit)| {
        let polygons = isochrone.polygons.iter().map(polygon);
        json!({
            "type": "Feature",
            "properties": { "limit": limit, "unit": unit.name, "area": isochrone.area() },
            "geometry": {
                "type": "MultiPolygon",
                "coordinates": polygons.collect::<Vec<_>>(),
            },
        })
    });
    json!({ "type": "FeatureCollection", "features": features.collect::<Vec<_>>() })
}

/// Draws isochrones in plan, larger ones below smaller ones, with y up.
fn svg(web: &TriangleWeb, isochrones: &[Isochrone]) -> String {
    let (min, size) = (web.extent().min, web.extent().size());
    let scale = PICTURE_SIZE as f32 / size.x.max(size.y).max(f32::MIN_POSITIVE);
    let (width, height) = (size.x * scale, size.y * scale);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.2} {height:.2}\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f4f1ea\"/>\n"
    );
    let count = isochrones.len().max(1);
    for (index, isochrone) in isochrones.iter().enumerate() {
        let mut rings = String::new();
        let all = isochrone.polygons.iter();
        for ring in all.flat_map(|polygon| std::iter::once(&polygon.outer).chain(&polygon.holes)) {
            for (number, point) in ring.iter().enumerate() {
                let command = if number == 0 { 'M' } else { 'L' };
                let (x, y) = (
                    (point.x - min.x) * scale,
                    height - (point.y - min.y) * scale,
                );
                let _ = write!(rings, "{command}{x:.2} {y:.2}");
            }
            rings.push('Z');
        }
        let lightness = 80 - 50 * index / count;
        let _ = writeln!(
            text,
            "<path d=\"{rings}\" fill=\"hsl(205 60% {lightness}%)\" fill-rule=\"evenodd\" stroke=\"#24455c\"/>"
        );
    }
    text.push_str("</svg>\n");
    text
}
