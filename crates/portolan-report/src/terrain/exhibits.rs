//! Tables and pictures of the page, each with a sentence that its own numbers make.

use super::published::{ENGINES, PathTable, SOURCE, WaveTable};
use super::{
    GroundCell, GroundKind, PathAnswer, PathCell, TerrainEngine, TerrainReport, TieCell,
    WaveAnswer, WaveCell, published,
};
use crate::exhibit::{Body, Exhibit, Shown, Table, times, us};
use crate::statistics::rank;
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
            structure.most_children
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
    let own = TerrainEngine::ALL.map(|engine| engine.name().to_owned());
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
    let answers: Vec<Option<&PathAnswer>> = TerrainEngine::ALL
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
            let [astar, own] = [TerrainEngine::Astar, engine]
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
fn compared(of: impl Fn(TerrainEngine, usize) -> Option<Beside>) -> String {
    let structures = TerrainEngine::HIGH_MESHES.into_iter().zip(1..);
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
    let answers = TerrainEngine::ALL.map(|engine| cell.answer(engine));
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
            let (astar, own) = (cell.answer(TerrainEngine::Astar)?, cell.answer(engine)?);
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

fn shown(files: &[String], labels: &[String]) -> Vec<Shown> {
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

/// The realistic means once more, on other hills.
pub(super) fn hills(report: &TerrainReport) -> Exhibit {
    let mut table = Table::new(&[
        "seed",
        "layers",
        "valley: full",
        "valley: 10 layers",
        "valley: 5 layers",
        "hill: full",
        "hill: 10 layers",
        "hill: 5 layers",
    ]);
    for cell in &report.hills {
        let mut words = vec![cell.seed.to_string(), cell.layers.to_string()];
        words.extend(cell.means.iter().flatten().map(|mean| format!("{mean:.2}")));
        table.rows.push(words);
    }
    let said = TerrainEngine::HIGH_MESHES.iter().enumerate().map(|(column, &engine)| {
        let all = report.hills.iter().flat_map(|cell| cell.means.map(|means| means[column]));
        let all: Vec<f64> = all.collect();
        let most = published::mean_range(GroundKind::Realistic, engine).map_or(0.0, |range| range[1]);
        let met = all.iter().filter(|&&mean| mean < most + 0.005).count();
        format!(
            "{}: {:.2} in the median, {:.2} to {:.2}, no more than the thesis's {most:.2} in {met} of {} \
             waves",
            engine.name(),
            rank(&all, 0.5),
            rank(&all, 0.0),
            rank(&all, 1.0),
            all.len()
        )
    });
    Exhibit {
        id: "other-hills".to_owned(),
        title: "Other hills".to_owned(),
        source: "this run".to_owned(),
        caption: format!(
            "Mean price over A*, on up to {} targets a wave: the thesis has one map and two waves, and \
             one map is luck. Where a wave begins on a hill whose mesh borders on a valley's all \
             along, every path over that border leaves it where that is nearest, wherever it goes on \
             to.",
            report.effort.timed_targets
        ),
        verdict: said.collect::<Vec<String>>().join("; ") + ".",
        body: Body::Table(table),
    }
}

/// How near is a tie.
pub(super) fn ties(report: &TerrainReport) -> Exhibit {
    let structures = TerrainEngine::HIGH_MESHES.map(|engine| engine.name());
    let of = |ground: &str| structures.map(|structure| format!("{ground}: {structure}"));
    let header: Vec<String> = ["tie".to_owned()]
        .into_iter()
        .chain(of("cone"))
        .chain(of("hills"))
        .collect();
    let mut table = Table::new(&header.iter().map(String::as_str).collect::<Vec<_>>());
    for cell in &report.ties {
        let mut words = vec![cell.tie.to_string()];
        words.extend(
            cell.cone
                .iter()
                .chain(&cell.hills)
                .map(|mean| format!("{mean:.2}")),
        );
        table.rows.push(words);
    }
    let within = |cell: &&TieCell| {
        let kinds = [
            (GroundKind::Cone, cell.cone),
            (GroundKind::Realistic, cell.hills),
        ];
        kinds.iter().all(|&(kind, means)| {
            TerrainEngine::HIGH_MESHES
                .iter()
                .zip(means)
                .all(|(&engine, mean)| {
                    published::mean_range(kind, engine).is_none_or(|range| mean < range[1] + 0.005)
                })
        })
    };
    let all: Vec<String> = report
        .ties
        .iter()
        .filter(within)
        .map(|cell| cell.tie.to_string())
        .collect();
    Exhibit {
        id: "ties".to_owned(),
        title: "How near is a tie".to_owned(),
        source: "this run".to_owned(),
        body: Body::Table(table),
        caption: format!(
            "Mean price over A* of structures in which neighbours also count as nearest that are farther by \
             this share (terrain build --tie); both waves together, on the cone and over {} other hills. \
             Without ties only pairs are merged.",
            report.hills.len()
        ),
        verdict: match all.is_empty() {
            true => {
                "None keeps within all of the thesis's ranges, on the cone and on hills.".to_owned()
            }
            false => format!(
                "Within all of the thesis's ranges or below: {}.",
                all.join(", ")
            ),
        },
    }
}

/// The four entry prices.
pub(super) fn entries(report: &TerrainReport) -> Exhibit {
    let mut table = Table::new(&[
        "ground",
        "entry price",
        "layers",
        "full",
        "10 layers",
        "5 layers",
    ]);
    let mean = |means: [f64; 3]| means.iter().sum::<f64>() / 3.0;
    let best = report
        .entries
        .iter()
        .min_by(|a, b| mean(a.means).total_cmp(&mean(b.means)));
    for (row, cell) in report.entries.iter().enumerate() {
        let mut words = vec![
            cell.ground.clone(),
            cell.entry.clone(),
            cell.layers.to_string(),
        ];
        words.extend(cell.means.map(|mean| format!("{mean:.3}")));
        table.rows.push(words);
        if Some(cell) == best {
            table.best.push(row);
        }
    }
    Exhibit {
        id: "entries".to_owned(),
        title: "The four entry prices".to_owned(),
        source: format!("{SOURCE}, chapter 5.2.2"),
        body: Body::Table(table),
        caption: format!(
            "Mean price over A*, both waves together, on up to {} targets each, of structures that were \
             merged and priced by each.",
            report.effort.timed_targets
        ),
        verdict: best.map_or_else(String::new, |best| {
            let choice = "worst-unit";
            format!(
                "The thesis chose {choice} as seeming the best. Here {} is the lowest over the three \
                 structures, on {}.",
                if best.entry == choice { "it" } else { &best.entry },
                best.ground
            )
        }),
    }
}

/// Picture 5.2.
pub(super) fn hillside(report: &TerrainReport) -> Vec<Exhibit> {
    let mut table = Table::new(&["distances", "along", "up", "down", "up over along"]);
    for cell in &report.hillside {
        let mut words = vec![cell.distances.clone()];
        words.extend([cell.along, cell.up, cell.down].map(|price| format!("{price:.2}")));
        words.push(times(cell.up / cell.along));
        table.rows.push(words);
    }
    let files: Vec<String> = report
        .hillside
        .iter()
        .map(|cell| cell.picture.clone())
        .collect();
    let labels: Vec<String> = report
        .hillside
        .iter()
        .map(|cell| cell.distances.clone())
        .collect();
    let slope = report.hillside.first().map_or(0.0, |cell| cell.slope);
    let said = report.hillside.iter().map(|cell| {
        let along = cell.up / cell.along;
        format!(
            "by {} up costs {} what along does",
            cell.distances,
            times(along)
        )
    });
    let said = said.collect::<Vec<String>>().join(", ");
    vec![
        Exhibit {
            id: "hillside".to_owned(),
            title: "Both distances on a hillside".to_owned(),
            source: format!("{SOURCE}, chapter 5.1.1"),
            body: Body::Table(table),
            caption: format!(
                "What a length of 1 costs on ground that rises to the north by {slope} a length, with \
                 two triangles a square."
            ),
            verdict: format!(
                "The thesis says that by centroids the distance along a contour line rises almost as \
                 fast as across it. Here {said}."
            ),
        },
        Exhibit {
            id: "hillside-pictures".to_owned(),
            title: "Waves on a hillside".to_owned(),
            source: format!("{SOURCE}, picture 5.2"),
            body: Body::Pictures(shown(&files, &labels)),
            caption: "From the middle; the dearer to get to, the more saturated, in bands of equal price.".to_owned(),
            verdict: "A wave that follows contour lines is a flat lens; one that does not is round."
                .to_owned(),
        },
    ]
}

/// Building, memory and speed over sizes.
pub(super) fn sizes(report: &TerrainReport) -> Exhibit {
    let mut table = Table::new(&[
        "pixels",
        "triangles",
        "crossings (ms)",
        "merge (ms)",
        "price (ms)",
        "layers",
        "meshes",
        "bytes a triangle",
        "joint bytes a triangle",
        "A* (µs)",
        "full (µs)",
        "10 layers (µs)",
        "5 layers (µs)",
        "best over A*",
    ]);
    for cell in &report.sizes {
        let each = |bytes: usize| format!("{:.1}", bytes as f64 / cell.triangles as f64);
        let ms = |value: f64| format!("{value:.1}");
        let mut words = vec![
            format!("{0} x {0}", cell.size),
            cell.triangles.to_string(),
            ms(cell.crossings_ms),
            ms(cell.merge_ms),
            ms(cell.price_ms),
            cell.layers.to_string(),
            cell.meshes.to_string(),
            each(cell.bytes),
            each(cell.joint_bytes),
        ];
        words.extend(cell.path_us.iter().map(|&(_, time)| us(time)));
        let of = |is_astar: bool| {
            let some = cell.path_us.iter();
            let some =
                some.filter(move |(engine, _)| (*engine == TerrainEngine::Astar) == is_astar);
            some.map(|&(_, time)| time).fold(f64::INFINITY, f64::min)
        };
        words.push(times(of(true) / of(false)));
        table.rows.push(words);
    }
    let each: Vec<f64> = report
        .sizes
        .iter()
        .map(|cell| cell.joint_bytes as f64 / cell.triangles as f64)
        .collect();
    let [least, most] = [f64::min, f64::max].map(|pick| each.iter().copied().reduce(pick));
    Exhibit {
        id: "sizes".to_owned(),
        title: "Building over sizes".to_owned(),
        source: format!("{SOURCE}, chapter 7"),
        body: Body::Table(table),
        caption: "Hills of the same seed, four triangles a square. Bytes are of ground, crossings and \
                  full structure together. Times of paths are means over pairs all over the map."
            .to_owned(),
        verdict: least.zip(most).map_or_else(String::new, |(least, most)| {
            format!(
                "Joints take {least:.1} to {most:.1} bytes a triangle at every size: linear, where the \
                 thesis leaves them quadratic."
            )
        }),
    }
}
