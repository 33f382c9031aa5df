//! Renders the page of a terrain report and writes its files.

use std::fmt::Write as _;
use std::path::Path;

use super::{
    TerrainEffort, TerrainMeasured, TerrainReport, comparison_items, page_items, structure_items,
};
use crate::ReportError;
use crate::page::{
    PageSection, STYLE, contents, create_folder, machine_words, write_section, write_tables,
};
use portolan_draw::xml::escape;

/// Writes `terrain.json`, `index.html`, `pictures/*.png` and `tables/*.csv` to a folder. Creates the folder
/// if it does not exist.
pub fn write_terrain(measured: &TerrainMeasured, folder: &Path) -> Result<(), ReportError> {
    let report = &measured.report;
    let sections = sections(report);
    let part = folder.join("pictures");
    create_folder(&part)?;
    for picture in &measured.pictures {
        portolan_files::save(&part.join(&picture.file), |out| picture.write(out))?;
    }
    write_tables(&sections, folder)?;
    portolan_files::save(&folder.join("terrain.json"), |out| {
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

fn sections(report: &TerrainReport) -> Vec<PageSection> {
    let mut sections = vec![PageSection {
        id: "verdict".to_owned(),
        title: "Verdict".to_owned(),
        items: vec![page_items::criteria(report)],
    }];
    for ground in &report.grounds {
        let mut of_ground = page_items::ground(ground);
        of_ground.extend(page_items::tables(ground));
        sections.push(PageSection {
            id: ground.name.clone(),
            title: ground.title.clone(),
            items: of_ground,
        });
    }
    sections.push(PageSection {
        id: "simple-map".to_owned(),
        title: "Simple map".to_owned(),
        items: comparison_items::simple(report),
    });
    let mut of_structure = vec![
        structure_items::hills(report),
        comparison_items::compression(report),
        comparison_items::bad(report),
        comparison_items::edits(report),
        comparison_items::contours(report),
        comparison_items::units(report),
        structure_items::ties(report),
        structure_items::sizes(report),
        structure_items::entries(report),
    ];
    of_structure.extend(structure_items::hillside(report));
    sections.push(PageSection {
        id: "structure".to_owned(),
        title: "Properties of the structure".to_owned(),
        items: of_structure,
    });
    sections
}

fn html(report: &TerrainReport, sections: &[PageSection]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Portolan terrain report, {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Portolan terrain report</h1>\n<p>This page repeats the evaluation of the terrain thesis \
         (chapters 8 and 9) and compares the results with the published ones. Every number was measured in \
         this run and is in <a href=\"terrain.json\">terrain.json</a>, except the thesis's numbers, which \
         are grey and in italics.</p>\n",
        escape(&report.date)
    );
    facts(&mut out, report);
    contents(
        &mut out,
        sections,
        &[("why", "Where the results differ, and why")],
    );
    how_to_read(&mut out, report);
    let command = command(report);
    for section in sections {
        write_section(&mut out, section, &command);
    }
    out.push_str(WHY);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

/// Returns the command line that repeats this run.
fn command(report: &TerrainReport) -> String {
    let effort = &report.effort;
    let mut command = "portolan terrain report -o DIR".to_owned();
    let base = if effort.is_quick {
        command += " --quick";
        TerrainEffort::quick()
    } else {
        TerrainEffort::full()
    };
    if effort.size != base.size {
        command += &format!(" --size {}", effort.size);
    }
    if effort.seed != base.seed {
        command += &format!(" --seed {}", effort.seed);
    }
    let has_map = report
        .grounds
        .iter()
        .any(|ground| ground.name.starts_with("map-"));
    if has_map {
        command += " --map FILE";
    }
    command
}

/// Writes the table of facts about the run.
fn facts(out: &mut String, report: &TerrainReport) {
    let effort = &report.effort;
    let rows = [
        ("Machine", machine_words(&report.machine)),
        ("Version", format!("Portolan {}", report.version)),
        ("Date", report.date.clone()),
        ("Command", command(report)),
        (
            "Run",
            format!(
                "{}: {size} x {size} pixels; seed {}; up to {} timed paths per wave in {} rounds; took {:.0} s",
                if effort.is_quick { "quick" } else { "full" },
                effort.seed,
                effort.timed_targets,
                effort.rounds,
                report.seconds,
                size = effort.size
            ),
        ),
    ];
    out.push_str("<table class=\"facts\">\n");
    for (name, value) in rows {
        let _ = writeln!(out, "<tr><th>{name}</th><td>{}</td></tr>", escape(&value));
    }
    out.push_str("</table>\n");
}

/// Writes the explanations before the first section.
fn how_to_read(out: &mut String, report: &TerrainReport) {
    let quick = if report.effort.is_quick {
        "<p><strong>This is a quick run</strong> on smaller ground. For reliable numbers run <code>portolan terrain \
         report</code> without <code>--quick</code>.</p>\n"
    } else {
        ""
    };
    let _ = write!(
        out,
        "<section>\n<h2 id=\"how-to-read\">How to read this</h2>\n{quick}{HOW_TO_READ}</section>\n"
    );
}

/// The differences from the thesis that the numbers do not show.
const WHY: &str = "<section>\n<h2 id=\"why\">Where the results differ, and why</h2>\n<ul>\n\
<li><em>Speed-ups are smaller.</em> Each is relative to its own A*, and Portolan's A* is optimized: an integer \
heap, labels that need no clearing, and an admissible heuristic. The size of the thesis's map and the speed \
of its computer are not known.</li>\n\
<li><em>Compressed structures are closer to A*.</em> In chains that are too long, the thesis first removes \
the mesh with the fewest children. Portolan keeps the meshes that minimize the largest number of children \
for the given number of layers. As in the thesis, all records are recomputed afterwards.</li>\n\
<li><em>The search among children has a heuristic.</em> Portolan adds the lower bound of the cost from a \
child's box to the goal's box. The thesis names A* and does not describe its heuristic.</li>\n\
<li><em>Ties.</em> If many neighbours are equally near, as around a cone, the thesis merges all of them at \
once. Portolan stops at 16 children per mesh, nearest and lowest ids first.</li>\n\
<li><em>Without ties only pairs merge.</em> A search inside a mesh with two children has no choice. A tie \
tolerance, which also accepts slightly farther neighbours as nearest, produces meshes with more children: \
see the table of tie tolerances.</li>\n\
<li><em>The results depend on the map.</em> A path leaves a High Mesh where the border to the next one is \
nearest, regardless of the cost after that. The start of a wave determines how many of its paths cross such \
a border: see the table of other hills.</li>\n\
<li><em>Artefacts come from the triangulation.</em> The thesis has artefacts on its cone near 1:30 and 7:30 \
(on a clock face). With two triangles per square, all diagonals go from the top left to the bottom right. \
Portolan's artefacts are then in the top left and the bottom right, where diagonals cross contour lines at \
right angles, and triangles there stay unmerged until the end. With four triangles per square, contour \
lines become octagons, and the artefacts are at the corners of the octagons.</li>\n\
</ul>\n</section>\n";

const HOW_TO_READ: &str = "<p>Every triangle is a <em>Low Mesh</em>. Neighbouring meshes that are nearest \
to each other are merged into <em>High Meshes</em>, iteration by iteration, up to one <em>Top Mesh</em>. A \
<em>top</em> is a mesh that has no parent after a given iteration. <em>Full</em> is the \
structure with all resulting layers; <em>10 layers</em> and <em>5 layers</em> are compressed versions of \
it. <em>HNA*</em> and the <em>contraction</em> are other hierarchies over the same triangles and costs, \
which the thesis does not have.</p>\n\
<p><em>Distance</em> is the cost of a path, which the thesis also calls its price. <em>XYZ</em> is the base \
cost before multipliers, <em>XY</em> the base cost without height, and <em>Z</em> that of height alone. A \
<em>wave</em> consists of the paths from one triangle to every other one. Q1 to Q3 are quartiles of the \
costs relative to A*'s, and Q4 is the maximum.</p>\n\
<p>The thesis's maps are not available, and it gives neither their size nor their extent. The parameters of \
crossing costs are the thesis's (10 up, 5 down, 1.05 and 0.95 at edges). The cone here covers a square up \
to its corners. The realistic ground is generated: hills and valleys from value noise. So absolute costs \
are not comparable with the thesis's, and costs relative to A* are comparable in magnitude only.</p>\n\
<p>Times are of one thread with warm caches. Engines alternate, and the median of the rounds counts. The \
reference is Portolan's own A*, with an admissible heuristic from box to box. It is many times as fast as \
the thesis's A*, so speed-ups are smaller than the published ones.</p>\n";
