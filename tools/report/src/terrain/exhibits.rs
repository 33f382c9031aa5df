//! Tables and pictures of the page, each with a sentence that its own numbers make.

use super::published::{ENGINES, PathTable, SOURCE, WaveTable};
use super::{
    GroundCell, GroundKind, PathAnswer, PathCell, TerrainReport, TerrainVariant, WaveAnswer,
    WaveCell, published,
};
use crate::exhibit::{Body, Exhibit, Shown, Table, times, us};
use crate::tables::anchor;

/// Met or not, first of all.
pub(super) fn bars(report: &TerrainReport) -> Exhibit {
    let mut table = Table::new(&["what", "ground", "measured", "wanted", ""]);
    for bar in &report.bars {
        table.rows.push(vec![
            bar.what.clone(),
            bar.ground.clone(),
            bar.measured.clone(),
            bar.wanted.clone(),
            if bar.is_met { "met" } else { "not met" }.to_owned(),
        ]);
    }
    let missed: Vec<String> = report
        .bars
        .iter()
        .filter(|bar| !bar.is_met)
        .map(|bar| format!("{} ({})", bar.what, bar.ground))
        .collect();
    let met = report.bars.len() - missed.len();
    Exhibit {
        id: "bars".to_owned(),
        title: "What had to be shown".to_owned(),
        source: "this run".to_owned(),
        body: Body::Table(table),
        caption:
            "Two numbers are of the two waves. Where times are compared, noise counts: see how \
                  to read this."
                .to_owned(),
        verdict: if missed.is_empty() {
            format!("All {met} are met.")
        } else {
            format!(
                "{met} of {} are met. Not met: {}.",
                report.bars.len(),
                missed.join("; ")
            )
        },
    }
}

/// The ground itself, and its merge steps.
pub(super) fn ground(ground: &GroundCell) -> Vec<Exhibit> {
    let name = &ground.name;
    let [shape, chapter] = match ground.kind {
        GroundKind::Cone => ["pictures 8.3 and 9.1", "chapter 8.2 and 8.3"],
        GroundKind::OtherCone => ["picture 8.3", "chapter 8.2 and 8.3"],
        GroundKind::Realistic => ["pictures 8.6 and 9.6", "chapter 8.4"],
    };
    let relief = Exhibit {
        id: format!("{name}-ground"),
        title: format!("{}: the ground", ground.title),
        source: format!("{SOURCE}, {shape}"),
        body: Body::Pictures(shown(&ground.pictures, &["relief".to_owned()])),
        caption: format!(
            "{} x {} pixels, {} triangles. North is up.",
            ground.pixels[0], ground.pixels[1], ground.triangles
        ),
        verdict: layers(ground),
    };
    let labels: Vec<String> = ground
        .steps
        .iter()
        .map(|step| format!("iteration {}: {} tops", step.iteration, step.tops))
        .collect();
    let files: Vec<String> = ground
        .steps
        .iter()
        .map(|step| step.picture.clone())
        .collect();
    let merging = Exhibit {
        id: format!("{name}-steps"),
        title: format!("{}: merge steps", ground.title),
        source: format!("{SOURCE}, {chapter}"),
        body: Body::Pictures(shown(&files, &labels)),
        caption: format!(
            "Each top has one colour. {} of {} iterations, chosen so that the number of tops falls \
             evenly.",
            ground.steps.len(),
            ground.tops.len()
        ),
        verdict: follows_contours(ground),
    };
    vec![relief, merging]
}

fn layers(ground: &GroundCell) -> String {
    let structures = ground.structures.iter().map(|structure| {
        format!(
            "{}: {} layers, {} meshes, {:.1} children a High Mesh and {} at most",
            structure.engine.name(),
            structure.layers,
            structure.meshes,
            structure.mean_children,
            structure.max_children
        )
    });
    structures.collect::<Vec<String>>().join("; ") + "."
}

fn follows_contours(ground: &GroundCell) -> String {
    let spreads: Vec<String> = ground
        .steps
        .iter()
        .map(|step| format!("{:.2}", step.height_spread))
        .collect();
    let below = ground
        .steps
        .iter()
        .filter(|step| step.height_spread < 1.0)
        .count();
    format!(
        "Heights within a top lie {} times as far apart as in a compact piece of as many triangles at \
         the same place (step by step; below 1, tops lie along contour lines): so in {below} of {} \
         steps.",
        spreads.join(", "),
        spreads.len()
    )
}

/// The tables of a ground, with their pictures.
pub(super) fn tables(ground: &GroundCell) -> Vec<Exhibit> {
    let mut exhibits = Vec::new();
    for (cell, table) in ground.paths.iter().zip(published::paths(ground.kind)) {
        exhibits.push(path_table(ground, cell, &table));
        exhibits.push(path_pictures(ground, cell, table.number));
    }
    for (cell, table) in ground.waves.iter().zip(published::waves(ground.kind)) {
        exhibits.push(wave_table(ground, cell, &table));
        exhibits.push(wave_pictures(ground, cell, table.number));
    }
    exhibits
}

fn columns() -> Table {
    let own = TerrainVariant::ALL.map(|engine| engine.name().to_owned());
    let published = ENGINES.map(|engine| format!("paper: {}", engine.name()));
    Table {
        columns: [String::new()]
            .into_iter()
            .chain(own)
            .chain(published)
            .collect(),
        ..Table::default()
    }
}

fn source(ground: &GroundCell, number: &str) -> String {
    match ground.kind {
        GroundKind::OtherCone => {
            format!("{SOURCE}, table {number}, which has four triangles a square")
        }
        _ => format!("{SOURCE}, table {number}"),
    }
}

/// `19.26 (148%)`.
fn of_first(value: f64, first: f64) -> String {
    if first > 0.0 {
        format!("{value:.3} ({:.0}%)", 100.0 * value / first)
    } else {
        format!("{value:.3}")
    }
}

fn path_table(ground: &GroundCell, cell: &PathCell, thesis: &PathTable) -> Exhibit {
    let mut table = columns();
    let answers: Vec<Option<&PathAnswer>> = TerrainVariant::ALL
        .iter()
        .map(|&engine| cell.answers.iter().find(|answer| answer.engine == engine))
        .collect();
    let mut row = |name: &str, of: fn(&PathAnswer) -> f64, paper: [f64; 4], is_time: bool| {
        let first = answers[0].map_or(0.0, of);
        let mut words = vec![name.to_owned()];
        words.extend(answers.iter().map(|answer| match answer {
            None => "-".to_owned(),
            Some(answer) if is_time => format!("{} µs", us(of(answer))),
            Some(answer) => of_first(of(answer), first),
        }));
        words.extend(paper.map(|value| {
            if is_time {
                format!("{value} ms")
            } else {
                of_first(value, paper[0])
            }
        }));
        table.rows.push(words);
    };
    row("time", |answer| answer.time_us, thesis.ms, true);
    row(
        "distance (price)",
        |answer| answer.price,
        thesis.price,
        false,
    );
    row("XYZ", |answer| answer.xyz, thesis.xyz, false);
    row("XY", |answer| answer.xy, thesis.xy, false);
    row("Z", |answer| answer.z, thesis.z, false);
    Exhibit {
        id: format!("{}-{}", ground.name, cell.name),
        title: format!("{}: {} path", ground.title, cell.name),
        source: source(ground, thesis.number),
        body: Body::Table(table),
        caption: format!(
            "From ({:.2}, {:.2}) to ({:.2}, {:.2}); A* crosses {} triangles. Times are medians.",
            cell.from[0],
            cell.from[1],
            cell.to[0],
            cell.to[1],
            answers[0].map_or(0, |answer| answer.triangles.len())
        ),
        verdict: compared(|engine, column| {
            let [astar, own] = [TerrainVariant::Astar, engine]
                .map(|engine| cell.answers.iter().find(|answer| answer.engine == engine));
            let (astar, own) = (astar?, own?);
            Some(Beside {
                prices: [
                    own.price / astar.price,
                    thesis.price[column] / thesis.price[0],
                ],
                faster: [
                    astar.time_us / own.time_us,
                    thesis.ms[0] / thesis.ms[column],
                ],
            })
        }),
    }
}

/// Ours, then the thesis's.
struct Beside {
    /// Over A*'s.
    prices: [f64; 2],
    /// Than A*, each than its own.
    faster: [f64; 2],
}

/// What each structure costs and saves beside the thesis's.
fn compared(of: impl Fn(TerrainVariant, usize) -> Option<Beside>) -> String {
    let structures = TerrainVariant::HIGH_MESHES.into_iter().zip(1..);
    let said = structures.filter_map(|(engine, column)| {
        let beside = of(engine, column)?;
        let [own, paper] = beside.prices;
        let place = if own < paper - 0.005 {
            "below"
        } else if own > paper + 0.005 {
            "above"
        } else {
            "as"
        };
        let [faster, paper_faster] = beside.faster.map(times);
        Some(format!(
            "{}: {own:.2} of A*'s price, {place} the thesis's {paper:.2}, and {faster} as fast, the \
             thesis's {paper_faster}",
            engine.name(),
        ))
    });
    said.collect::<Vec<String>>().join("; ") + "."
}

fn wave_table(ground: &GroundCell, cell: &WaveCell, thesis: &WaveTable) -> Exhibit {
    let mut table = columns();
    let answers = TerrainVariant::ALL.map(|engine| cell.answer(engine));
    let percents = |value: f64| format!("{:.1}%", 100.0 * value);
    let mut row = |name: &str, of: &dyn Fn(&WaveAnswer) -> String, paper: [String; 4]| {
        let own = answers.map(|answer| answer.map_or("-".to_owned(), of));
        let words = [name.to_owned()].into_iter().chain(own).chain(paper);
        table.rows.push(words.collect());
    };
    row(
        "computing time",
        &|answer| format!("{:.0} ms", answer.all_ms(cell)),
        thesis.ms.map(|value| format!("{value} ms")),
    );
    row(
        "a path",
        &|answer| format!("{} µs", us(answer.path_us)),
        [const { String::new() }; 4],
    );
    for (quartile, paper) in thesis.quartiles.iter().enumerate() {
        row(
            ["Q1", "Q2", "Q3", "Q4 (maximum)"][quartile],
            &|answer| percents(answer.quartiles[quartile]),
            paper.map(|value| format!("{value}%")),
        );
    }
    row(
        "mean",
        &|answer| percents(answer.mean),
        thesis.mean.map(|value| format!("{value}%")),
    );
    let missing: usize = cell.answers.iter().map(|answer| answer.missing).sum();
    let complete = match missing {
        0 => String::new(),
        _ => format!(" {missing} paths are missing or broken: this is a bug, please report it."),
    };
    Exhibit {
        id: format!("{}-wave-{}", ground.name, anchor(&cell.name)),
        title: format!("{}: wave from {}", ground.title, cell.name),
        source: source(ground, thesis.number),
        body: Body::Table(table),
        caption: format!(
            "{} paths from ({:.2}, {:.2}), prices over A*'s. Every engine was timed on the same {} of \
             them{}.",
            cell.targets,
            cell.from[0],
            cell.from[1],
            cell.timed,
            if cell.timed < cell.targets {
                "; computing time is scaled from these to all"
            } else {
                ""
            }
        ),
        verdict: compared(|engine, column| {
            let (astar, own) = (cell.answer(TerrainVariant::Astar)?, cell.answer(engine)?);
            Some(Beside {
                prices: [own.mean, thesis.mean[column] / 100.0],
                faster: [
                    astar.path_us / own.path_us,
                    thesis.ms[0] / thesis.ms[column],
                ],
            })
        }) + &complete,
    }
}

pub(super) fn shown(files: &[String], labels: &[String]) -> Vec<Shown> {
    let pairs = files.iter().zip(labels);
    let one = |(file, label): (&String, &String)| Shown {
        file: file.clone(),
        label: label.clone(),
    };
    pairs.map(one).collect()
}

fn path_pictures(ground: &GroundCell, cell: &PathCell, number: &str) -> Exhibit {
    let picture = match number {
        "9.1" => "9.2",
        "9.2" => "9.3",
        "9.5" => "9.7",
        _ => "9.8",
    };
    let labels = ["full", "10 layers", "5 layers", "HNA* and contraction"].map(str::to_owned);
    Exhibit {
        id: format!("{}-{}-pictures", ground.name, cell.name),
        title: format!("{}: {} path, drawn", ground.title, cell.name),
        source: format!("{SOURCE}, picture {picture}"),
        body: Body::Pictures(shown(&cell.pictures, &labels)),
        caption:
            "A* red, High Meshes light blue; in the last picture HNA* yellow and the contraction \
                  light blue. Where both go, the later one is seen."
                .to_owned(),
        verdict: {
            let astar = cell.answers.first();
            let shares = cell.answers.iter().skip(1).filter_map(|answer| {
                let common = common_share(astar?, answer);
                Some(format!("{} {:.0}%", answer.engine.name(), 100.0 * common))
            });
            let shares: Vec<String> = shares.collect();
            format!("Of A*'s triangles, paths share: {}.", shares.join(", "))
        },
    }
}

/// The share of one path's triangles that are on the other too.
fn common_share(of: &PathAnswer, other: &PathAnswer) -> f64 {
    let on: std::collections::HashSet<u32> = other.triangles.iter().copied().collect();
    let common = of.triangles.iter().filter(|triangle| on.contains(triangle));
    common.count() as f64 / of.triangles.len().max(1) as f64
}

fn wave_pictures(ground: &GroundCell, cell: &WaveCell, number: &str) -> Exhibit {
    let picture = match number {
        "9.3" => "9.4",
        "9.4" => "9.5",
        "9.7" => "9.9",
        _ => "9.10",
    };
    let labels = ENGINES.map(|engine| engine.name().to_owned());
    Exhibit {
        id: format!("{}-wave-{}-pictures", ground.name, anchor(&cell.name)),
        title: format!("{}: wave from {}, drawn", ground.title, cell.name),
        source: format!("{SOURCE}, picture {picture}"),
        body: Body::Pictures(shown(&cell.pictures, &labels)),
        caption: format!(
            "The dearer to get to, the more saturated, in bands of equal price. All four end at {} times \
             A*'s dearest place.",
            super::pictures::WAVE_SCALE
        ),
        verdict: {
            let said = cell
                .answers
                .iter()
                .map(|answer| format!("{} {:.2}", answer.engine.name(), answer.mean));
            format!(
                "Mean over A*: {}.",
                said.collect::<Vec<String>>().join(", ")
            )
        },
    }
}
