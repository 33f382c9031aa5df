//! The page, and the files beside it.

mod csv_files;

use std::fmt::Write as _;
use std::path::Path;

use crate::exhibit::{Body, Exhibit, Shown, Table};
use crate::figures::{
    Role, beyond, hna, lengths, ma_hna, pccp_lengths, pccp_memory, trade_off, weights,
};
use crate::machine::Machine;
use crate::model::Report;
use crate::{ReportError, tables};
use portolan_draw::xml::escape;

/// A part of the page.
pub(crate) struct Section {
    pub(crate) id: String,
    pub(crate) title: String,
    pub(crate) exhibits: Vec<Exhibit>,
}

/// Writes `report.json`, `index.html`, `figures/*.svg` and `tables/*.csv` into a folder, which is made
/// where there is none.
pub fn write(report: &Report, folder: &Path) -> Result<(), ReportError> {
    let sections = sections(report);
    make_folder(&folder.join("figures"))?;
    for exhibit in sections.iter().flat_map(|section| &section.exhibits) {
        if let Body::Svg(svg) = &exhibit.body {
            let file = folder.join("figures").join(format!("{}.svg", exhibit.id));
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
    // Last: whoever sees it finds the rest.
    let page = html(report, &sections);
    portolan_files::save(&folder.join("index.html"), |out| {
        out.write_all(page.as_bytes())
    })?;
    Ok(())
}

/// A folder, with those it lies in.
pub(crate) fn make_folder(folder: &Path) -> Result<(), ReportError> {
    std::fs::create_dir_all(folder).map_err(|error| ReportError::Folder {
        folder: folder.to_owned(),
        error,
    })
}

/// Writes `tables/*.csv`.
pub(crate) fn write_tables(sections: &[Section], folder: &Path) -> Result<(), ReportError> {
    make_folder(&folder.join("tables"))?;
    for exhibit in sections.iter().flat_map(|section| &section.exhibits) {
        if let Body::Table(table) = &exhibit.body {
            let file = folder.join("tables").join(format!("{}.csv", exhibit.id));
            portolan_files::save(&file, |out| csv_files::write(table, out))?;
        }
    }
    Ok(())
}

/// All exhibits, in order.
fn sections(report: &Report) -> Vec<Section> {
    let role = |paper| Role::new(report, paper);
    let mut of_hna = vec![tables::sizes(report), hna::figure_7(report)];
    for (number, paper) in [(8, "city-islands"), (9, "serpentine"), (10, "tropical")] {
        let id = format!("hna-figure-{number}");
        of_hna.extend(role(paper).map(|role| hna::figure_times(report, &id, number, &role)));
    }
    of_hna.push(hna::figure_11(report));
    of_hna.extend(role("tropical").map(|role| lengths::figure_13(report, &role)));
    of_hna.extend(role("tropical").map(|role| lengths::figure_14(report, &role)));
    of_hna.push(lengths::errors(report));
    of_hna.extend(role("city-islands").map(|role| weights::figure_15(report, &role)));
    of_hna.push(weights::numbers(report));

    let mut of_ma_hna = vec![pccp_memory::figure_6(report), pccp_memory::numbers(report)];
    of_ma_hna.extend(role("medieval").map(|role| pccp_lengths::figure_7(report, &role)));
    of_ma_hna.push(pccp_lengths::numbers(report));
    for (number, paper) in [(9, "city-islands"), (13, "tropical"), (14, "medieval")] {
        let id = format!("ma-hna-figure-{number}");
        of_ma_hna.extend(role(paper).map(|role| ma_hna::figure_times(report, &id, number, &role)));
    }
    of_ma_hna.push(tables::agents(report));

    let mut of_thesis = Vec::new();
    of_thesis.extend(role("sirius").map(|role| tables::portals(report, role.scene, &role.note())));
    for scene in &report.scenes {
        of_thesis.push(tables::appendix_a(report, &scene.scene));
    }

    let mut of_beyond = Vec::new();
    if report.beyond.iter().any(|cell| cell.world.is_none()) {
        of_beyond.push(tables::engines(report, false));
    }
    if report.beyond.iter().any(|cell| cell.world.is_some()) {
        of_beyond.push(beyond::times(report));
        of_beyond.push(tables::engines(report, true));
    }
    if !report.beyond.is_empty() {
        of_beyond.push(beyond::profiles(report));
        of_beyond.push(tables::builds(report));
    }
    of_beyond.extend(trade_off::of_engines(report));
    of_beyond.extend(report.peers.as_ref().map(trade_off::of_peers));

    let mut of_maps = Vec::new();
    for scene in report.scenes.iter().filter(|scene| scene.is_map) {
        let (role, name) = (Role::of_map(&scene.scene), tables::anchor(&scene.scene));
        let id = format!("map-{name}-hna");
        of_maps.push(hna::figure_times(report, &id, 0, &role));
        let id = format!("map-{name}-pccp");
        of_maps.push(ma_hna::figure_times(report, &id, 0, &role));
    }

    let mut sections = vec![
        Section {
            id: "at-a-glance".to_owned(),
            title: "At a glance".to_owned(),
            exhibits: vec![tables::summary(report)],
        },
        Section {
            id: "hna".to_owned(),
            title: "Pelechano and Fuentes: HNA*".to_owned(),
            exhibits: of_hna,
        },
        Section {
            id: "ma-hna".to_owned(),
            title: "Rahmani and Pelechano: PCCP".to_owned(),
            exhibits: of_ma_hna,
        },
        Section {
            id: "thesis".to_owned(),
            title: "The thesis: every cell".to_owned(),
            exhibits: of_thesis,
        },
    ];
    // Reports from before that have none.
    if !of_beyond.is_empty() {
        sections.push(Section {
            id: "beyond".to_owned(),
            title: "Beyond the papers".to_owned(),
            exhibits: of_beyond,
        });
    }
    if !of_maps.is_empty() {
        sections.push(Section {
            id: "maps".to_owned(),
            title: "Your maps".to_owned(),
            exhibits: of_maps,
        });
    }
    sections
}

fn html(report: &Report, sections: &[Section]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Portolan report, {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Portolan report</h1>\n<p>The evaluation of hierarchical path-finding on navigation \
         meshes, remade by <code>portolan report</code>: every number below was measured in this run \
         and stands in <a href=\"report.json\">report.json</a>; \
         <a href=\"tables/cells.csv\">tables/cells.csv</a> has a row for every scene, μ, level and \
         engine.</p>\n",
        escape(&report.date)
    );
    facts(&mut out, report);
    let last = ("not-here", "What is not here yet");
    contents(&mut out, sections, Some(last));
    how_to_read(&mut out, report);
    for section in sections {
        write_section(&mut out, section);
    }
    out.push_str(NOT_HERE);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

pub(crate) fn write_section(out: &mut String, section: &Section) {
    let _ = write!(
        out,
        "<section>\n<h2 id=\"{}\">{}</h2>\n",
        section.id,
        escape(&section.title)
    );
    for exhibit in &section.exhibits {
        write_exhibit(out, exhibit);
    }
    out.push_str("</section>\n");
}

pub(crate) fn machine_words(machine: &Machine) -> String {
    let memory = machine.memory.map_or(String::new(), |bytes| {
        format!(", {:.1} GB of memory", bytes as f64 / 1e9)
    });
    format!(
        "{}, {} cores{memory}, {}",
        machine.cpu, machine.cores, machine.system
    )
}

fn facts(out: &mut String, report: &Report) {
    let effort = &report.effort;
    let list = |numbers: &[u32]| {
        let words: Vec<String> = numbers.iter().map(u32::to_string).collect();
        words.join(", ")
    };
    let rows = [
        ("Machine", machine_words(&report.machine)),
        ("Version", format!("Portolan {}", report.version)),
        ("Date", report.date.clone()),
        ("Seed", effort.seed.to_string()),
        (
            "Run",
            format!(
                "{}: {} scenes, μ of {}, up to {} levels; {} paths a cell, up to {} rounds; lengths of \
                 {} paths at μ of {}; {:.0} s of measuring",
                if effort.is_quick {
                    "quick, with fewer merge factors, levels and paths than the full run has"
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
    out.push_str("<table class=\"facts\">\n");
    for (name, value) in rows {
        let _ = writeln!(out, "<tr><th>{name}</th><td>{}</td></tr>", escape(&value));
    }
    out.push_str("</table>\n");
}

/// `last` is a part after all sections: its id and title.
pub(crate) fn contents(out: &mut String, sections: &[Section], last: Option<(&str, &str)>) {
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
        for exhibit in &section.exhibits {
            let _ = writeln!(
                out,
                "<li><a href=\"#{}\">{}</a> <span class=\"source\">{}</span></li>",
                exhibit.id,
                escape(&exhibit.title),
                escape(&exhibit.source)
            );
        }
        out.push_str("</ul></li>\n");
    }
    if let Some((id, title)) = last {
        let _ = writeln!(out, "<li><a href=\"#{id}\">{title}</a></li>");
    }
    out.push_str("</ul>\n</nav>\n");
}

fn how_to_read(out: &mut String, report: &Report) {
    let quick = if report.effort.is_quick {
        "<p><strong>This is a quick run.</strong> It has fewer merge factors, levels and paths than the \
         papers; run <code>portolan report</code> without <code>--quick</code> for numbers to rely \
         on.</p>\n"
    } else {
        ""
    };
    let _ = write!(
        out,
        "<section>\n<h2 id=\"how-to-read\">How to read this</h2>\n{quick}{HOW_TO_READ}</section>\n"
    );
}

fn write_exhibit(out: &mut String, exhibit: &Exhibit) {
    let id = &exhibit.id;
    let _ = write!(
        out,
        "<figure id=\"{id}\">\n<h3>{} <span class=\"source\">{}</span></h3>\n",
        escape(&exhibit.title),
        escape(&exhibit.source)
    );
    let file = match &exhibit.body {
        Body::Svg(svg) => {
            let _ = writeln!(out, "<div class=\"scroll\">{svg}</div>");
            Some(format!("figures/{id}.svg"))
        }
        Body::Pictures(pictures) => {
            write_pictures(out, pictures);
            None
        }
        Body::Table(table) => {
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
        format!(" <a href=\"{file}\">{file}</a>")
    });
    let _ = write!(
        out,
        "<figcaption>\n<p>{}{link}</p>\n<p class=\"verdict\">{}</p>\n</figcaption>\n</figure>\n",
        escape(&exhibit.caption),
        escape(&exhibit.verdict)
    );
}

fn write_pictures(out: &mut String, pictures: &[Shown]) {
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

fn write_table(out: &mut String, table: &Table) {
    out.push_str("<div class=\"scroll\"><table>\n<thead><tr>");
    for column in &table.columns {
        let class = if column.starts_with("paper") {
            " class=\"paper\""
        } else {
            ""
        };
        let _ = write!(out, "<th{class}>{}</th>", escape(column));
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
            // The mark is a sign, too: colour alone would be lost in grey.
            let mark = if is_best && j == 0 { "★ " } else { "" };
            let _ = write!(out, "<td{class}>{mark}{}</td>", escape(cell));
        }
        out.push_str("</tr>\n");
    }
    out.push_str("</tbody>\n</table></div>\n");
}

const HOW_TO_READ: &str = "<p>A <em>level</em> is a coarser view of the navmesh: level 0 are its \
polygons, and each node of level 1 holds about μ (mu, the merge factor) of them, each node of level 2 \
about μ of those. HNA* finds a path in four steps: <em>get</em> the nodes of start S and goal G, \
<em>connect</em> both to the borders (inter-edges, one a portal) of their nodes, search over these by \
<em>A*</em>, and <em>extract</em> what lies under the result.</p>\n\
<p>Ways to connect: <em>astar</em> is one A* a portal, as published; <em>parallel</em> the same on all \
cores; <em>dijkstra</em> one Dijkstra for all portals; <em>table</em> looks up paths stored \
beforehand for every portal, and is exact; <em>pccp</em> looks up paths stored for the centre of each \
polygon, as published, and is not exact.</p>\n\
<p>Times are means over all queries of a cell, in microseconds (µs), of the search alone; of each query \
the median of its rounds counts. <em>Speed-up</em> is over Portolan's own A* on the same queries, \
measured in turn with the others, the median over all μ; that A* is many times as fast as those of the \
papers, so that speed-ups are smaller and honest. <em>Noise</em> is how far the rounds of a cell lie apart, over \
their median: differences below it mean nothing. It does not show what one whole run has in common: \
where a program lies in memory is drawn by lot when it starts, and in some runs A* alone took 1.4 times \
as long for that reason, which makes every speed-up larger. Compare two runs (<code>portolan report \
--diff</code>) before you rely on a factor, or switch the lot off (<code>setarch -R</code> on \
Linux).</p>\n\
<p>Beyond the papers: <em>contraction</em> is a customizable contraction hierarchy, in which a query \
walks from S and from G to the root of a tree and needs no heap; <em>labels</em> have those walks \
written down, a hub a line; <em>auto</em> chooses by itself. All three are exact at the tier \
<em>fast</em>; the tiers <em>default</em> and <em>best</em> measure shortcuts along the line that an agent \
walks, and are compared by the length of paths instead.</p>\n\
<p>Numbers of the papers come from their texts and stand in columns of their own, grey and in italics, or \
are hollow stars in the figures. The sentence under each figure says what agrees with the paper; it \
is made of this run's numbers. The papers' maps are not to be had: scenes of the same names and sizes \
stand in for them, and queries are random points of their largest connected part.</p>\n\
<p>Choosing settings for a game: look up a scene like yours under appendix A, take the row marked ★, then \
look at its memory. Or let <code>portolan report --maps yours.pnav</code> measure your own map.</p>\n";

const NOT_HERE: &str = "<section>\n<h2 id=\"not-here\">What is not here yet</h2>\n\
<p>Figures 11 and 12 of MA-HNA* (many agents at once) join with the batch engine; the CUDA columns and \
curves, figure 10's use among them, join with the device.</p>\n</section>\n";

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
