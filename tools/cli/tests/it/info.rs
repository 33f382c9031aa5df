//! Tests of `portolan info` on a navmesh.

use crate::common::{Folder, count, fields, ground, number, two_islands};
use serde_json::json;

#[test]
fn json_has_the_documented_fields() {
    let folder = Folder::with_world(&two_islands());
    let info = folder.run("info world.pnav --json").succeeded().json();
    assert_eq!(info["kind"], "navmesh");
    assert!(count(&info, "version") >= 1);
    assert_eq!(count(&info, "polygons"), 5);
    assert_eq!(count(&info, "portals"), 3);
    assert_eq!(count(&info, "components"), 2);
    assert_eq!(count(&info, "largest_component"), 3);
    assert_eq!(
        count(&info, "bytes"),
        folder.bytes("world.pnav").len() as u64
    );
    assert_eq!(number(&info, "ground_m2"), 20.0);
    assert_eq!(info["min"], json!([0.0, 0.0, 0.0]));
    assert_eq!(info["max"], json!([14.0, 0.0, 2.0]));
    assert_eq!(info["areas"], json!([{"area": 0, "polygons": 5}]));

    let levels = info["levels"].as_array().unwrap();
    assert_eq!(levels.len(), 1);
    assert_eq!(fields(&levels[0]), ["inter_edges", "level", "nodes"]);
    assert_eq!(count(&levels[0], "level"), 0);
    assert_eq!(count(&levels[0], "nodes"), 5);
    assert_eq!(count(&levels[0], "inter_edges"), 3);
    assert_eq!(folder.names(), ["world.pnav"]);
}

#[test]
fn links_count_as_inter_edges() {
    let folder = Folder::with_scene("rooms --size small --links");
    let info = folder.run("info world.pnav --json").succeeded().json();
    let edges = count(&info, "portals") + count(&info, "links");
    assert_eq!(count(&info["levels"][0], "inter_edges"), edges);
}

#[test]
fn the_text_has_counts_and_sizes() {
    let folder = Folder::with_world(&[ground([0.0, 0.0], [2.0, 2.0])]);
    let text = folder.run("info world.pnav").succeeded().stdout;
    assert!(text.starts_with("world.pnav: navmesh, version "), "{text}");
    for part in ["1 polygon, 0 portals, 1 component", "4.0 m²", "bytes"] {
        assert!(text.contains(part), "no '{part}' in {text}");
    }
    // With --quiet the text stays, because it is the result.
    assert_eq!(folder.run("info world.pnav -q").succeeded().stdout, text);
}

#[test]
fn wrong_usage_is_an_error() {
    let folder = Folder::with_world(&two_islands());
    folder.run("info").failed_with(&["FILE"]);
    folder.run("info none.pnav").failed_with(&["none.pnav"]);
    folder.run("info .").failed_with(&[".: "]);
    folder
        .run("info world.pnav --json yes")
        .failed_with(&["yes"]);
    folder.run("info world.pnav --xml").failed_with(&["--xml"]);
}
