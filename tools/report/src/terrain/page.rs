//! The page, and the files beside it.

use std::fmt::Write as _;
use std::path::Path;

use super::{TerrainMeasured, TerrainReport, exhibits, structure};
use crate::ReportError;
use crate::page::{
    STYLE, Section, contents, machine_words, make_folder, write_section, write_tables,
};
use portolan_draw::xml::escape;

/// Writes `terrain.json`, `index.html`, `pictures/*.png` and `tables/*.csv` into a folder, which is made
/// where there is none.
pub fn write_terrain(measured: &TerrainMeasured, folder: &Path) -> Result<(), ReportError> {
    let report = &measured.report;
    let sections = sections(report);
    let part = folder.join("pictures");
    make_folder(&part)?;
    for picture in &measured.pictures {
        portolan_files::save(&part.join(&picture.file), |out| picture.write(out))?;
    }
    write_tables(&sections, folder)?;
    portolan_files::save(&folder.join("terrain.json"), |out| {
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

fn sections(report: &TerrainReport) -> Vec<Section> {
    let mut sections = vec![Section {
        id: "verdict".to_owned(),
        title: "Verdict".to_owned(),
        exhibits: vec![exhibits::bars(report)],
    }];
    for ground in &report.grounds {
        let mut of_ground = exhibits::ground(ground);
        of_ground.extend(exhibits::tables(ground));
        sections.push(Section {
            id: ground.name.clone(),
            title: ground.title.clone(),
            exhibits: of_ground,
        });
    }
    let mut beyond = vec![
        structure::hills(report),
        structure::ties(report),
        structure::sizes(report),
        structure::entries(report),
    ];
    beyond.extend(structure::hillside(report));
    sections.push(Section {
        id: "structure".to_owned(),
        title: "The structure".to_owned(),
        exhibits: beyond,
    });
    sections
}

fn html(report: &TerrainReport, sections: &[Section]) -> String {
    let mut out = format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Portolan terrain report, {}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n\
         <h1>Portolan terrain report</h1>\n<p>Chapters 8 and 9 of the terrain thesis, remade by \
         <code>portolan terrain report</code>: every number below was measured in this run and stands in \
         <a href=\"terrain.json\">terrain.json</a>, but for those of the thesis, which are grey and in \
         italics.</p>\n",
        escape(&report.date)
    );
    facts(&mut out, report);
    contents(
        &mut out,
        sections,
        Some(("why", "Where numbers differ, and why")),
    );
    how_to_read(&mut out, report);
    for section in sections {
        write_section(&mut out, section);
    }
    out.push_str(WHY);
    out.push_str("</main>\n</body>\n</html>\n");
    out
}

fn facts(out: &mut String, report: &TerrainReport) {
    let effort = &report.effort;
    let rows = [
        ("Machine", machine_words(&report.machine)),
        ("Version", format!("Portolan {}", report.version)),
        ("Date", report.date.clone()),
        (
            "Run",
            format!(
                "{}: {size} x {size} pixels, seed {}; up to {} timed paths a wave, {} rounds; {:.0} s",
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

fn how_to_read(out: &mut String, report: &TerrainReport) {
    let quick = if report.effort.is_quick {
        "<p><strong>This is a quick run</strong> on smaller ground: run it without <code>--quick</code> \
         for numbers to rely on.</p>\n"
    } else {
        ""
    };
    let _ = write!(
        out,
        "<section>\n<h2 id=\"how-to-read\">How to read this</h2>\n{quick}{HOW_TO_READ}</section>\n"
    );
}

/// What no number of a run can say: where we do something else than the thesis.
const WHY: &str = "<section>\n<h2 id=\"why\">Where numbers differ, and why</h2>\n<ul>\n\
<li><em>Speed-ups are smaller.</em> Each is over its own A*, and ours is tuned: an integer heap, labels that \
need no clearing, an admissible heuristic. How large the thesis's map was, and how fast its computer, \
is not known.</li>\n\
<li><em>Compressed structures are closer to A*.</em> The thesis compresses the mesh with the fewest children \
first, of the chains that are too long. Ours keeps those meshes with which the largest number of children is as \
small as so many layers allow. Prices of all records are computed anew after that, as in the thesis.</li>\n\
<li><em>The search among children knows where the goal is.</em> Ours adds the least price from a child's box \
to the goal's; the thesis says A*, and its text not what the heuristic is.</li>\n\
<li><em>Ties.</em> Where many neighbours are equally near, as all around a cone, the thesis merges all of them \
at once; ours stops at 16 children a mesh, nearest and lowest ids first.</li>\n\
<li><em>Without ties only pairs merge,</em> and where every mesh has two children a search in it has no choice. If \
neighbours that are a little farther count as nearest, too, meshes have more children: see how near is a \
tie.</li>\n\
<li><em>One map is luck.</em> A High Mesh is left wherever its border to the next is nearest, whatever that \
costs later. Where a wave begins decides whether many paths pass such a border: see the table of other \
hills.</li>\n\
<li><em>Artefacts come from the triangulation.</em> The thesis has them on its cone near 1:30 and 7:30. With \
two triangles a square, whose diagonals all go from the top left to the bottom right, ours are in the top \
left and the bottom right, where diagonals cross contour lines at right angles: triangles stay alone there \
until the end. With four triangles a square contour lines become octagons, and artefacts are where their \
sides meet.</li>\n\
</ul>\n</section>\n";

const HOW_TO_READ: &str = "<p>Every triangle is a <em>Low Mesh</em>; those that are nearest by price are \
merged into <em>High Meshes</em>, iteration by iteration, up to one <em>Top Mesh</em>. <em>Full</em> is \
the structure with all layers that this makes; <em>10 layers</em> and <em>5 layers</em> are the same, \
compressed. <em>HNA*</em> and the <em>contraction</em> are other hierarchies over the very same triangles \
and prices, which the thesis does not have.</p>\n\
<p><em>Distance</em> is what a path costs. <em>XYZ</em> is its price base, before multipliers, <em>XY</em> \
the same without height, <em>Z</em> by height alone. A <em>wave</em> is a path from one place to every \
other; Q1 to Q3 are quartiles of prices over A*'s, Q4 is the maximum.</p>\n\
<p>The thesis's maps are not to be had, and it does not tell their size or their box. Prices of crossings are as it \
gives them (10 up, 5 down, 1.05 and 0.95 at edges). The cone here is one over a square, to its corners; \
realistic ground is hills from value noise with valleys. So prices do not compare with the thesis's, \
and shares of A* compare in magnitude.</p>\n\
<p>Times are of one thread, of warm memory; engines take turns, and the median of the rounds \
counts. The A* that all are compared with is Portolan's own, with an admissible heuristic (box to box), \
many times as fast as that of the thesis, so that speed-ups are smaller.</p>\n";
