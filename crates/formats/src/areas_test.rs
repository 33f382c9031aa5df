#![allow(
    clippy::disallowed_methods,
    reason = "tests compare within a tolerance"
)]

use glam::{vec2, vec3};
use proptest::prelude::*;

use super::*;

fn message(text: &str) -> String {
    read_areas(text.as_bytes()).unwrap_err().to_string()
}

#[test]
fn an_empty_file_has_no_rules() {
    assert_eq!(read_areas(b"").unwrap(), AreaRules::default());
}

#[test]
fn areas_and_links_have_flags() {
    let rules = read_areas(
        br#"
        [flag_names]
        swim = 0x10
        dark = 0x20
        [area_flags]
        0 = 0
        3 = 0xffff
        62 = ["swim", "dark"]
        [[link]]
        from = [1, 0, 2]
        to = [9, 4, 2]
        flags = ["swim"]
        "#,
    )
    .unwrap();
    assert_eq!(rules.flags, [(0, 0), (3, 0xffff), (62, 0x30)].into());
    assert_eq!(rules.flags_of(1), 1);
    assert_eq!(rules.links[0].flags, 0x10);
    let unknown = "line 2: area_flags: there is no flag 'swim'; add it to [flag_names]";
    assert_eq!(message("[area_flags]\n3 = [\"swim\"]"), unknown);
    for area in ["63", "-1", "grass"] {
        let error = message(&format!("[area_flags]\n{area} = 1"));
        let expected = format!("line 2: area_flags: '{area}' is not an area; areas are 0 to 62");
        assert_eq!(error, expected);
    }
    for flags in ["65536", "-1", "\"swim\"", "[1]"] {
        let error = message(&format!("[area_flags]\n3 = {flags}"));
        assert!(error.starts_with("line 2: flags are a number"), "{error}");
    }
    let link = "[[link]]\nfrom = [1, 0, 2]\nto = [9, 4, 2]\nflags = [\"fly\"]";
    assert!(message(link).contains("no flag 'fly'"), "{}", message(link));
}

#[test]
fn every_key_is_read() {
    let rules = read_areas(
        br#"
        [[volume]]
        outline = [[0, 0], [0, 4], [4, 4], [4, 2], [4, 0]]
        bottom = 1.5
        top = 1.5
        area = 62

        [[box]]
        min = [0, -1, 0.5]
        max = [10, -1, 5]
        hole = true

        [[volume]]
        outline = [[0, 0], [4, 0], [4, 4]]
        bottom = -1
        top = 3
        area = 0
        hole = false

        [[link]]
        from = [1, 0, 2]
        to = [9, 4, 2]

        [[link]]
        from = [0, 0, 0]
        to = [0, 0, 0]
        both_ways = true
        cost = 12.5
        area = 3
        flags = 0xffff
        snap = [0, 1, 2]

        [materials]
        grass = 2
        "deep water" = "hole"
        "#,
    )
    .unwrap();
    assert_eq!(rules.materials["grass"], Ground::Area(2));
    assert_eq!(rules.materials["deep water"], Ground::Hole);
    let grounds: Vec<_> = rules.volumes.iter().map(|volume| volume.ground).collect();
    assert_eq!(grounds, [Ground::Area(62), Ground::Hole, Ground::Area(0)]);
    assert_eq!(rules.volumes[0].outline[3], vec2(4., 2.));
    let cuboid = Volume::cuboid(vec3(0., -1., 0.5), vec3(10., -1., 5.), Ground::Hole);
    assert_eq!(rules.volumes[1], cuboid);
    let first = RawLink {
        start: vec3(1., 0., 2.),
        end: vec3(9., 4., 2.),
        ..RawLink::default()
    };
    let second = RawLink {
        both_ways: true,
        cost: Some(12.5),
        area: 3,
        flags: 0xffff,
        snap: vec3(0., 1., 2.),
        id: 1,
        ..RawLink::default()
    };
    assert_eq!(rules.links, [first, second]);
}

#[test]
fn errors_name_the_line() {
    assert!(message("\nboxes = 1").starts_with("line 2: unknown field `boxes`"));
    assert!(
        message("[[box]]\nmin = [0, 0, 0]\nsize = 1").starts_with("line 3: unknown field `size`")
    );
    assert!(message("[[box]]\nmin = [0, 0, 0]").starts_with("line 1: missing field `max`"));
    assert!(message("[[box]]\nmin = [0, 0]").starts_with("line 2: invalid length 2"));
    assert_eq!(
        message("[materials]\na = 1\nb = 63"),
        "line 3: 63 is not an area; areas are 0 to 62"
    );
    assert_eq!(
        message("[materials]\na = -1"),
        "line 2: -1 is not an area; areas are 0 to 62"
    );
    assert_eq!(
        message("[materials]\na = \"holes\""),
        "line 2: invalid value: string \"holes\", expected an area or \"hole\""
    );
    assert_eq!(
        message("[materials]\na = 1.5"),
        "line 2: invalid type: floating point `1.5`, expected an area or \"hole\""
    );
    assert!(message("[materials]\na = 1\na = 2").starts_with("line 3: duplicate key"));
    assert_eq!(
        message("[[link]]\nfrom = [0, 0, 0]\nto = [0, 0, 1]\narea = 255"),
        "line 4: 255 is not an area; areas are 0 to 62"
    );
    assert!(message("x").starts_with("line 1: "));
    assert!(
        read_areas(b"\xff")
            .unwrap_err()
            .to_string()
            .starts_with("not a file of area rules: ")
    );
}

#[test]
fn invalid_boxes_are_errors() {
    let good = "[[box]]\nmin = [0, 0, 0]\nmax = [1, 1, 1]\nhole = true\n";
    let bad = |entry: &str| message(&format!("{good}[[box]]\n{entry}"));
    assert_eq!(
        bad("min = [5, 0, 0]\nmax = [3, 1, 1]\nhole = true"),
        "line 5: box 2: min.x 5 is larger than max.x 3"
    );
    assert_eq!(
        bad("min = [0, 0, 1]\nmax = [3, 0, 1]\nhole = true"),
        "line 5: box 2: min.z and max.z are both 1"
    );
    assert_eq!(
        bad("min = [0, nan, 0]\nmax = [3, 1, 1]\nhole = true"),
        "line 5: box 2: min [0.0, NaN, 0.0] is not finite"
    );
    assert_eq!(
        bad("min = [0, 0, 0]\nmax = [3, 1, 1e39]\nhole = true"),
        "line 5: box 2: max [3.0, 1.0, inf] is not finite"
    );
    assert_eq!(
        bad("min = [0, 0, 0]\nmax = [3, 1, 1]"),
        "line 5: box 2: it needs an area, or hole = true"
    );
    assert_eq!(
        bad("min = [0, 0, 0]\nmax = [3, 1, 1]\narea = 1\nhole = true"),
        "line 5: box 2: it cannot have an area and be a hole"
    );
}

#[test]
fn invalid_volumes_are_errors() {
    let bad = |outline: &str, heights: &str| {
        message(&format!(
            "\n[[volume]]\noutline = [{outline}]\n{heights}\narea = 1"
        ))
    };
    let with_outline = |outline: &str| {
        let message = bad(outline, "bottom = 0\ntop = 1");
        message
            .strip_prefix("line 2: volume 1: ")
            .unwrap()
            .to_owned()
    };
    assert_eq!(
        bad("[0, 0], [1, 0], [0, 1]", "bottom = 2\ntop = 1"),
        "line 2: volume 1: bottom 2 is larger than top 1"
    );
    assert_eq!(
        bad("[0, 0], [1, 0], [0, 1]", "bottom = -inf\ntop = 1"),
        "line 2: volume 1: bottom -inf is not finite"
    );
    assert_eq!(
        bad("[0, 0], [1, 0], [0, 1]", "bottom = 0\ntop = nan"),
        "line 2: volume 1: top NaN is not finite"
    );
    assert_eq!(
        with_outline("[0, 0], [1, 0]"),
        "an outline has 3 to 256 corners, this one has 2"
    );
    let many: Vec<String> = (0..257).map(|x| format!("[{x}, {}]", x * x)).collect();
    assert_eq!(
        with_outline(&many.join(", ")),
        "an outline has 3 to 256 corners, this one has 257"
    );
    assert!(
        read_areas(
            format!(
                "[[volume]]\noutline = [{}]\nbottom = 0\ntop = 0\nhole = true",
                many[..256].join(", ")
            )
            .as_bytes()
        )
        .is_ok()
    );
    assert_eq!(
        with_outline("[0, 0], [1, inf], [0, 1]"),
        "corner 2 [1.0, inf] is not finite"
    );
    assert_eq!(
        with_outline("[0, 0], [1, 0], [0, 1], [0, 0]"),
        "corners 1 and 4 are the same"
    );
    assert_eq!(
        with_outline("[0, 0], [1, 1], [3, 3]"),
        "the outline has no area"
    );
    assert_eq!(
        with_outline("[0, 0], [4, 0], [1, 1], [0, 4]"),
        "the outline is not convex: corner 4 is outside the side from corner 2 to 3"
    );
    // A star turns in the same direction at every corner, but winds around its centre twice.
    let star = "[10, 0], [-8, 6], [3, -9.5], [3, 9.5], [-8, -6]";
    assert!(with_outline(star).starts_with("the outline is not convex: "));
}

#[test]
fn invalid_links_are_errors() {
    let bad = |more: &str| {
        message(&format!(
            "[[link]]\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n{more}"
        ))
    };
    assert_eq!(bad("cost = -1"), "line 1: link 1: cost -1 is negative");
    assert_eq!(bad("cost = inf"), "line 1: link 1: cost inf is not finite");
    assert_eq!(
        bad("snap = [1, -2, 1]"),
        "line 1: link 1: snap -2 is negative"
    );
    assert_eq!(
        bad("snap = [1, nan, 1]"),
        "line 1: link 1: snap [1.0, NaN, 1.0] is not finite"
    );
    assert!(bad("flags = 65536").starts_with("line 4: "));
    assert_eq!(
        message("[[link]]\nfrom = [0, 0, nan]\nto = [1, 0, 0]"),
        "line 1: link 1: from [0.0, 0.0, NaN] is not finite"
    );
    assert_eq!(
        message("[[link]]\nfrom = [0, 0, 0]\nto = [inf, 0, 0]"),
        "line 1: link 1: to [inf, 0.0, 0.0] is not finite"
    );
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn circles_are_convex_in_either_orientation(corners in 3..40usize, start in 0f32..6.0, reversed in any::<bool>()) {
        let mut outline: Vec<String> = (0..corners)
            .map(|i| start + i as f32 * std::f32::consts::TAU / corners as f32)
            .map(|angle| format!("[{}, {}]", 10.0 * angle.cos(), 10.0 * angle.sin()))
            .collect();
        if reversed {
            outline.reverse();
        }
        let text = format!("[[volume]]\noutline = [{}]\nbottom = 0\ntop = 1\nhole = true", outline.join(", "));
        prop_assert!(read_areas(text.as_bytes()).is_ok(), "{}", text);
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let _ = read_areas(&bytes);
    }
}
