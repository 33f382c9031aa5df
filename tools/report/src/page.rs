//! Renders the page and writes the files of a report.

mod csv_files;

use std::fmt::Write as _;
use std::path::Path;

use crate::figures::{
    FigureScene, batches, changes, comparison, device, hna, lengths, ma_hna, pccp_lengths,
    pccp_memory, trade_off, weights,
};
use crate::machine::Machine;
use crate::model::Report;
use crate::options::{ReportEffort, SCENES};
use crate::page_item::{ItemBody, PageItem, PagePicture, PageTable};
use crate::{ReportError, tables};
use portolan_draw::xml::escape;

/// A chapter of the page.
pub(crate) struct PageSection {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) items: Vec<PageItem>,
}

/// Writes `report.json`, `index.html`, `figures/*.svg` and `tables/*.csv` to a folder. Creates the folder if
/// it does not exist.
pub fn write(report: &Report, folder: &Path) -> Result<(), ReportError> {
    let sections = sections(report);
    create_folder(&folder.join("figures"))?;
    for item in sections.iter().flat_map(|section| &section.items) {
        if let ItemBody::Svg(svg) = &item.body {
            let file = folder.join("figures").join(format!("{}.svg", item.id));
            portolan_files::save(&file, |out| out.write_all(svg.as_bytes()))?;
        }
    }
    write_tables(&sections, folder)?;
    let cells = csv_files::cells(report);
    portolan_files::save(&folder.join("tables/cells.csv"), |out| {
        csv_files::write(&cells, out)
    })?;
    portolan_files::save(&folder.join("report.json"), |out| {
        serde_json::to_writer(&mut *out, report)?;
        writeln!(out)
    })?;
    // The page is written last, so that every file that it links to exists.
    let page = html(report, &sections);
    portolan_files::save(&folder.join("index.html"), |out| {
        out.write_all(page.as_bytes())
    })?;
    Ok(())
}

/// Creates a folder and its parents.
pub(crate) fn create_folder(folder: &Path) -> Result<(), ReportError> {
    std::fs::create_dir_all(folder).map_err(|error| ReportError::Folder {
        folder: folder.to_owned(),
        error,
    })
}

/// Writes the tables of all sections to `tables/*.csv`.
pub(crate) fn write_tables(sections: &[PageSection], folder: &Path) -> Result<(), ReportError> {
    create_folder(&folder.join("tables"))?;
    for item in sections.iter().flat_map(|section| &section.items) {
        if let ItemBody::Table(table) = &item.body {
            let file = folder.join("tables").join(format!("{}.csv", item.id));
            portolan_files::save(&file, |out| csv_files::write(table, out))?;
        }
    }
    Ok(())
}

/// Builds all sections of the page, in order.
fn sections(report: &Report) -> Vec<PageSection> {
    let figure = |paper| FigureScene::new(report, paper);
    let mut of_hna = vec![tables::sizes(report), hna::figure_7(report)];
    for (number, paper) in [(8, "city-islands"), (9, "serpentine"), (10, "tropical")] {
        let id = format!("hna-figure-{number}");
        of_hna.extend(figure(paper).map(|figure| hna::figure_times(report, &id, number, &figure)));
    }
    of_hna.push(hna::figure_11(report));
    of_hna.extend(figure("tropical").map(|figure| lengths::figure_13(report, &figure)));
    of_hna.extend(figure("tropical").map(|figure| lengths::figure_14(report, &figure)));
    of_hna.push(lengths::errors(report));
    of_hna.extend(figure("city-islands").map(|figure| weights::figure_15(report, &figure)));
    of_hna.push(weights::numbers(report));

    let mut of_ma_hna = vec![pccp_memory::figure_6(report), pccp_memory::numbers(report)];
    of_ma_hna.extend(figure("medieval").map(|figure| pccp_lengths::figure_7(report, &figure)));
    of_ma_hna.push(pccp_lengths::numbers(report));
    for (number, paper) in [(9, "city-islands"), (13, "tropical"), (14, "medieval")] {
        let id = format!("ma-hna-figure-{number}");
        of_ma_hna
            .extend(figure(paper).map(|figure| ma_hna::figure_times(report, &id, number, &figure)));
    }
    of_ma_hna.push(tables::agents(report));
    // Reports of older versions have no batches.
    if !report.batches.is_empty() {
        of_ma_hna.push(batches::figure_11(report));
        of_ma_hna.push(batches::figure_12(report));
        of_ma_hna.push(tables::batches(report));
    }
    if let Some(device) = &report.device {
        if !device.batches.is_empty() {
            of_ma_hna.push(device::figure_11(report, device));
            of_ma_hna.push(device::figure_12(device));
            of_ma_hna.push(tables::device_batches(device));
        }
        if !device.connects.is_empty() {
            of_ma_hna.push(tables::device_connects(report, device));
        }
        if !device.batches.is_empty() {
            of_ma_hna.push(tables::kernel_work(device));
            of_ma_hna.push(tables::estimate(device));
        }
    }

    let mut of_thesis = Vec::new();
    of_thesis.extend(
        figure("sirius").map(|figure| tables::portals(report, figure.scene, &figure.note())),
    );
    for scene in &report.scenes {
        of_thesis.push(tables::appendix_a(report, &scene.scene));
    }

    let mut comparisons = Vec::new();
    if report.comparisons.iter().any(|cell| cell.world.is_none()) {
        comparisons.push(tables::engines(report, false));
    }
    if report.comparisons.iter().any(|cell| cell.world.is_some()) {
        comparisons.push(comparison::times(report));
        comparisons.push(tables::engines(report, true));
    }
    if !report.comparisons.is_empty() {
        comparisons.push(comparison::profiles(report));
        comparisons.push(tables::builds(report));
    }
    comparisons.extend(trade_off::of_engines(report));
    comparisons.extend(report.peers.as_ref().map(trade_off::of_peers));

    let mut of_maps = Vec::new();
    for scene in report.scenes.iter().filter(|scene| scene.is_map) {
        let (figure, name) = (
            FigureScene::of_map(&scene.scene),
            tables::anchor(&scene.scene),
        );
        let id = format!("map-{name}-hna");
        of_maps.push(hna::figure_times(report, &id, 0, &figure));
        let id = format!("map-{name}-pccp");
        of_maps.push(ma_hna::figure_times(report, &id, 0, &figure));
    }

    let mut sections = vec![
        PageSection {
            id: "at-a-glance".to_owned(),
            title: "At a glance".to_owned(),
            items: vec![tables::summary(report)],
        },
        PageSection {
            id: "hna".to_owned(),
            title: "HNA* (Pelechano and Fuentes 2016)".to_owned(),
            items: of_hna,
        },
        PageSection {
            id: "ma-hna".to_owned(),
            title: "PCCP and many agents (Rahmani and Pelechano 2020, MA-HNA*)".to_owned(),
            items: of_ma_hna,
        },
        PageSection {
            id: "thesis".to_owned(),
            title: "Every merge factor and level (Fuentes 2014, master thesis)".to_owned(),
            items: of_thesis,
        },
    ];
    // Reports of older versions have no comparison of all engines.
    if !comparisons.is_empty() {
        sections.push(PageSection {
            id: "beyond".to_owned(),
            title: "Engines that the papers do not have".to_owned(),
            items: comparisons,
        });
    }
    if !report.changes.is_empty() {
        sections.push(PageSection {
            id: "changes".to_owned(),
            title: "Worlds that change".to_owned(),
            items: vec![changes::over_polygons(report), tables::changes(report)],
        });
    }
    if !of_maps.is_empty() {
        sections.push(PageSection {
            id: "maps".to_owned(),
            title: "Your maps".to_owned(),
            items: of_maps,
        });
    }
    sections
}

fn html(report: &Report, sections: &[PageSection]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Portolan report, {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Portolan report</h1>\n<p>This page repeats the published evaluation of hierarchical \
         path-finding on navigation meshes and compares the results with the published ones. Every number \
         was measured in this run, except those that are marked as published. <a \
         href=\"report.json\">report.json</a> has all numbers; <a \
         href=\"tables/cells.csv\">tables/cells.csv</a> has one row per scene, merge factor, level and \
         engine.</p>\n",
        escape(&report.date)
    );
    facts(&mut out, report);
    let last = [("not-here", "Not repeated"), ("references", "References")];
    contents(&mut out, sections, &last);
    how_to_read(&mut out, report);
    let command = command(report);
    for section in sections {
        write_section(&mut out, section, &command);
    }
    out.push_str(match report.device {
        Some(_) => NOT_HERE_ON_DEVICE,
        None => NOT_HERE,
    });
    out.push_str(REFERENCES);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Returns the command line that repeats this run.
fn command(report: &Report) -> String {
    let effort = &report.effort;
    let list = |numbers: &[u32]| {
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        words.join(",")
    };
    let mut command = "portolan report -o DIR".to_owned();
    let base = if effort.is_quick {
        command += " --quick";
        ReportEffort::quick()
    } else {
        ReportEffort::full()
    };
    let scenes = report.scenes.iter().filter(|scene| !scene.is_map);
    let scenes: Vec<&str> = scenes.map(|scene| scene.scene.as_str()).collect();
    if scenes.is_empty() {
        command += " --scenes none";
    } else if scenes != SCENES.map(|scene| scene.name()) {
        command += &format!(" --scenes {}", scenes.join(","));
    }
    if effort.merge_factors != base.merge_factors {
        command += &format!(" --mu {}", list(&effort.merge_factors));
    }
    if effort.queries != base.queries {
        command += &format!(" --queries {}", effort.queries);
    }
    if effort.world_sizes != base.world_sizes {
        command += &format!(" --world-sizes {}", list(&effort.world_sizes));
    }
    if effort.seed != base.seed {
        command += &format!(" --seed {}", effort.seed);
    }
    if report.scenes.iter().any(|scene| scene.is_map) {
        command += " --maps FILES";
    }
    if report.device.is_some() {
        command += " --gpu";
    }
    command
}

/// Writes a section. `command` is the command line that measured its items.
pub(crate) fn write_section(out: &mut String, section: &PageSection, command: &str) {
    let _ = write!(
        out,
        "<section>\n<h2 id=\"{}\">{}</h2>\n",
        section.id,
        escape(&section.title)
    );
    for item in &section.items {
        write_item(out, item, command);
    }
    out.push_str("</section>\n");
}

/// Describes a computer in one line.
pub(crate) fn machine_words(machine: &Machine) -> String {
    let memory = machine.memory.map_or(String::new(), |bytes| {
        format!(", {:.1} GB of memory", bytes as f64 / 1e9)
    });
    format!(
        "{}, {} cores{memory}, {}",
        machine.cpu, machine.cores, machine.system
    )
}

/// Writes the table of facts about the run.
fn facts(out: &mut String, report: &Report) {
    let effort = &report.effort;
    let list = |numbers: &[u32]| {
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        words.join(", ")
    };
    let mut rows = vec![
        ("Machine", machine_words(&report.machine)),
        ("Version", format!("Portolan {}", report.version)),
        ("Date", report.date.clone()),
        ("Command", command(report)),
        ("Seed", effort.seed.to_string()),
        (
            "Run",
            format!(
                "{}: {} scenes; merge factors μ {}; up to {} levels; {} queries per cell in up to {} rounds; \
                 path lengths of {} queries at μ {}; measured in {:.0} s",
                if effort.is_quick {
                    "quick, with fewer merge factors, levels and queries than a full run"
                } else {
                    "full"
                },
                report.scenes.len(),
                list(&effort.merge_factors),
                effort.max_levels,
                effort.queries,
                effort.rounds,
                effort.length_queries,
                list(&effort.length_factors),
                report.seconds
            ),
        ),
    ];
    if let Some(device) = &report.device {
        rows.insert(1, ("Graphics card", device.label()));
    }
    out.push_str("<table class=\"facts\">\n");
    for (name, value) in rows {
        let _ = writeln!(out, "<tr><th>{name}</th><td>{}</td></tr>", escape(&value));
    }
    out.push_str("</table>\n");
}

/// Writes the table of contents. `last` has the ids and titles of the parts after all sections.
pub(crate) fn contents(out: &mut String, sections: &[PageSection], last: &[(&str, &str)]) {
    out.push_str(
        "<nav id=\"contents\">\n<h2>Contents</h2>\n<ul>\n\
         <li><a href=\"#how-to-read\">How to read this</a></li>\n",
    );
    for section in sections {
        let _ = writeln!(
            out,
            "<li><a href=\"#{}\">{}</a>\n<ul>",
            section.id,
            escape(&section.title)
        );
        for item in &section.items {
            let _ = writeln!(
                out,
                "<li><a href=\"#{}\">{}</a> <span class=\"source\">{}</span></li>",
                item.id,
                escape(&item.title),
                escape(&item.source)
            );
        }
        out.push_str("</ul></li>\n");
    }
    for (id, title) in last {
        let _ = writeln!(out, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    out.push_str("</ul>\n</nav>\n");
}

/// Writes the explanations before the first section.
fn how_to_read(out: &mut String, report: &Report) {
    let quick = if report.effort.is_quick {
        "<p><strong>This is a quick run.</strong> It has fewer merge factors, levels and queries than the \
         papers. For reliable numbers run <code>portolan report</code> without <code>--quick</code>.</p>\n"
    } else {
        ""
    };
    let _ = write!(
        out,
        "<section>\n<h2 id=\"how-to-read\">How to read this</h2>\n{quick}{HOW_TO_READ}</section>\n"
    );
}

/// Writes a figure or table with its caption, its file, the command and the verdict.
fn write_item(out: &mut String, item: &PageItem, command: &str) {
    let id = &item.id;
    let _ = write!(
        out,
        "<figure id=\"{id}\">\n<h3>{} <span class=\"source\">{}</span></h3>\n",
        escape(&item.title),
        escape(&item.source)
    );
    let file = match &item.body {
        ItemBody::Svg(svg) => {
            let _ = writeln!(out, "<div class=\"scroll\">{svg}</div>");
            Some(format!("figures/{id}.svg"))
        }
        ItemBody::Pictures(pictures) => {
            write_pictures(out, pictures);
            None
        }
        ItemBody::Table(table) => {
            let is_long = table.rows.len() > 24;
            if is_long {
                let _ = writeln!(
                    out,
                    "<details{}><summary>{} rows</summary>",
                    if table.best.is_empty() { "" } else { " open" },
                    table.rows.len()
                );
            }
            write_table(out, table);
            if is_long {
                out.push_str("</details>\n");
            }
            Some(format!("tables/{id}.csv"))
        }
    };
    let link = file.map_or(String::new(), |file| {
        format!(" File: <a href=\"{file}\">{file}</a>.")
    });
    // The figure of other libraries has another command, which is its source.
    let command = Some(item.source.as_str())
        .filter(|source| source.starts_with("cargo "))
        .unwrap_or(command);
    let _ = write!(
        out,
        "<figcaption>\n<p>{}{link} Command: <code>{}</code>.</p>\n<p class=\"verdict\">{}</p>\n\
         </figcaption>\n</figure>\n",
        escape(&item.caption),
        escape(command),
        escape(&item.verdict)
    );
}

/// Writes a row of pictures with their labels.
fn write_pictures(out: &mut String, pictures: &[PagePicture]) {
    out.push_str("<div class=\"pictures\">\n");
    for picture in pictures {
        let (file, label) = (escape(&picture.file), escape(&picture.label));
        let _ = writeln!(
            out,
            "<a href=\"pictures/{file}\"><img src=\"pictures/{file}\" alt=\"{label}\"><br>{label}</a>"
        );
    }
    out.push_str("</div>\n");
}

/// Returns the heading of a CSV column on the page. The names of CSV columns are stable, so a few of them are
/// spelled differently on the page.
fn heading(column: &str) -> &str {
    match column {
        "99% (µs)" => "99th percentile (µs)",
        "µs a portal" => "µs per portal",
        "bytes a polygon" => "bytes per polygon",
        "PCCP a polygon (bytes)" => "PCCP per polygon (bytes)",
        "inter-edges a node, mean" => "inter-edges per node, mean",
        "inter-edges a node, most" => "inter-edges per node, maximum",
        "published costs: least" => "published costs: min",
        "costs over portals: mean" => "portal costs: mean",
        "costs over portals: max" => "portal costs: max",
        "costs over portals: least" => "portal costs: min",
        "over centres, above 100 m" => "via centres, above 100 m",
        "over centres, below" => "via centres, below",
        "bytes a triangle" => "bytes per triangle",
        "joint bytes a triangle" => "joint bytes per triangle",
        "what" => "criterion",
        "wanted" => "required",
        "tie" => "tie tolerance",
        _ => column,
    }
}

/// Writes a table as HTML.
fn write_table(out: &mut String, table: &PageTable) {
    out.push_str("<div class=\"scroll\"><table>\n<thead><tr>");
    for column in &table.columns {
        let class = if column.starts_with("paper") {
            " class=\"paper\""
        } else {
            ""
        };
        let _ = write!(out, "<th{class}>{}</th>", escape(heading(column)));
    }
    out.push_str("</tr></thead>\n<tbody>\n");
    for (i, row) in table.rows.iter().enumerate() {
        let is_best = table.best.contains(&i);
        out.push_str(if is_best {
            "<tr class=\"best\">"
        } else {
            "<tr>"
        });
        for (j, cell) in row.iter().enumerate() {
            let is_paper = table.columns.get(j).is_some_and(|c| c.starts_with("paper"));
            let class = if is_paper { " class=\"paper\"" } else { "" };
            // The star is visible without colours, too.
            let mark = if is_best && j == 0 { "★ " } else { "" };
            let _ = write!(out, "<td{class}>{mark}{}</td>", escape(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

const HOW_TO_READ: &str = "<p>A <em>level</em> is a coarser view of the navmesh. The nodes of level 0 are \
the polygons. A node of level 1 has about μ polygons, and a node of level 2 has about μ nodes of level 1; μ \
(mu) is the <em>merge factor</em>. \"L2, μ 10\" means level 2 at merge factor 10. The portals between nodes \
are <em>inter-edges</em>; the stored paths between the inter-edges of one node are <em>intra-edges</em>. \
HNA* answers a query in four steps: it <em>gets</em> the nodes of start S and goal G, <em>connects</em> S \
and G to the inter-edges of their nodes, searches over inter-edges by <em>A*</em>, and <em>extracts</em> \
the path from the intra-edges.</p>\n\
<p>Connecting methods: <em>astar</em> runs one A* per portal, as published. <em>parallel</em> runs the same \
searches on all cores. <em>dijkstra</em> runs one Dijkstra for all portals. <em>table</em> looks up stored \
paths from every portal and is exact. <em>pccp</em> (pre-calculated connecting paths) looks up stored paths \
from the centre of each polygon, as published, and is not exact.</p>\n\
<p>Times are means over all queries of a cell, in microseconds (µs), of the search alone, without point \
location and waypoints. Each query runs in several rounds, and its median counts. <em>Speed-up</em> is \
relative to Portolan's own A* on the same queries, timed in alternation with the other engines; its time is \
the median over all μ. This A* is many times as fast as the papers' A*, so the speed-ups of HNA* tend to be \
smaller than the published ones. <em>Noise</em> is the spread of the rounds of a cell relative to their \
median; smaller differences mean nothing. Noise does not include effects that are constant within a run, \
such as the memory layout, which is randomized at program start: in some runs, A* alone took 1.4 times as \
long for that reason, which increases every speed-up. Before you rely on a ratio, compare two runs with \
<code>portolan report --diff</code>, or disable the randomization (<code>setarch -R</code> on Linux).</p>\n\
<p>Engines that the papers do not have: <em>contraction</em> is a customizable contraction hierarchy \
(Dibbelt, Strasser, Wagner 2016). <em>labels</em> are hub labels (Abraham, Delling, Goldberg, Werneck \
2011), which store the distances of a contraction query. <em>auto</em> chooses an engine. All three are \
exact at the quality tier <em>fast</em>. The tiers <em>default</em> and <em>best</em> measure shortcuts \
along the line that an agent walks, so they are compared by path length.</p>\n\
<p>Published numbers come from the texts and tables of the papers. They are in separate columns, grey and in \
italics, and appear as hollow stars in the figures. The marked sentence below each figure compares this run \
with the paper and is generated from this run's numbers. The papers' maps are not available. Built-in \
scenes of the same names and similar polygon counts replace them, and queries are random pairs of points in \
the largest connected component.</p>\n\
<p>To choose settings for a game, find a scene like yours in the tables of appendix A, take a row marked ★, \
and check its memory. <code>portolan report -o DIR --maps yours.pnav</code> measures your own map.</p>\n";

const NOT_HERE: &str = "<section>\n<h2 id=\"not-here\">Not repeated</h2>\n\
<p>The CUDA columns and curves of Rahmani and Pelechano 2020 are not repeated: this report runs on the CPU. \
Batches of many agents run on all of its threads.</p>\n</section>\n";

const NOT_HERE_ON_DEVICE: &str = "<section>\n<h2 id=\"not-here\">Not repeated</h2>\n\
<p>The CUDA columns and curves of Rahmani and Pelechano 2020 are repeated on the device that the table at the top names, not with \
CUDA and not on the paper's graphics card.</p>\n</section>\n";

const REFERENCES: &str = "<section>\n<h2 id=\"references\">References</h2>\n<ul>\n\
<li>N. Pelechano, C. Fuentes: <em>Hierarchical path-finding for Navigation Meshes (HNA*)</em>, 2016.</li>\n\
<li>C. Fuentes Paredes: <em>Study and Development of Hierarchical Path Finding to Speed Up Crowd \
Simulation</em>, master thesis, Universitat Politècnica de Catalunya, 2014.</li>\n\
<li>V. Rahmani, N. Pelechano: <em>Multi-agent parallel hierarchical path finding in navigation meshes \
(MA-HNA*)</em>, 2020.</li>\n\
<li>J. Dibbelt, B. Strasser, D. Wagner: <em>Customizable Contraction Hierarchies</em>, 2016.</li>\n\
<li>I. Abraham, D. Delling, A. V. Goldberg, R. F. Werneck: <em>A Hub-Based Labeling Algorithm for Shortest \
Paths in Road Networks</em>, 2011.</li>\n\
</ul>\n</section>\n";

pub(crate) const STYLE: &str = "\
body { font: 16px/1.5 sans-serif; color: #222; background: #fff; margin: 0; }\n\
main { max-width: 1240px; margin: 0 auto; padding: 1rem 1.5rem 4rem; }\n\
h1 { margin-bottom: 0; } h2 { margin-top: 2.5rem; border-bottom: 2px solid #222; }\n\
h3 { margin: 0 0 .5rem; }\n\
.source { color: #666; font-weight: normal; font-size: .85rem; }\n\
figure { margin: 2rem 0; } figcaption { max-width: 60rem; font-size: .95rem; }\n\
figcaption p { margin: .4rem 0; }\n\
.verdict { border-left: 4px solid #0072B2; padding-left: .8rem; }\n\
.scroll { overflow-x: auto; }\n\
svg { max-width: 100%; height: auto; }\n\
table { border-collapse: collapse; font-size: .85rem; font-variant-numeric: tabular-nums; }\n\
th, td { padding: .15rem .55rem; text-align: right; border-bottom: 1px solid #ddd; }\n\
th { vertical-align: bottom; background: #f4f4f4; } td:first-child, th:first-child { text-align: left; }\n\
.facts th, .facts td { text-align: left; }\n\
.pictures { display: flex; flex-wrap: wrap; gap: .8rem; font-size: .85rem; }\n\
.pictures img { width: 280px; image-rendering: auto; }\n\
.paper { color: #666; font-style: italic; }\n\
.best td { font-weight: bold; background: #fff3cc; }\n\
nav ul { margin: .2rem 0; } a { color: #0059a0; }\n\
@media print { .scroll { overflow: visible; } figure { break-inside: avoid; } }\n";
