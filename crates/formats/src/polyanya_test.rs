use proptest::prelude::*;

use super::*;

fn message(text: &str) -> String {
    read(text.as_bytes()).unwrap_err().to_string()
}

/// Returns a square of two triangles that meet at the diagonal from vertex 1 to vertex 3, with the neighbour of
/// each across the diagonal.
fn square(across_diagonal: [&str; 2]) -> String {
    let [first, second] = across_diagonal;
    format!(
        "mesh\n2\n4 2\n0 0 2 0 -1\n1.5 0 3 0 1 -1\n1.5 2 2 1 -1\n0 2 3 -1 1 0\n\
         3 0 1 3 -1 -1 {first}\n3 1 2 3 {second} -1 -1\n"
    )
}

#[test]
fn a_square_of_two_triangles_is_read() {
    let Imported { raw, options } = read(square(["1", "0"]).as_bytes()).unwrap();
    assert_eq!(raw.vertices[2], vec3(1.5, 0.0, 2.0));
    assert_eq!(
        raw.polygons.iter().collect::<Vec<_>>(),
        [[0, 1, 3], [1, 2, 3]]
    );
    assert_eq!(options.borders, None);
}

#[test]
fn any_white_space_separates_words() {
    let text = square(["1", "0"]);
    let spread = text.replace(' ', "\r\n\t");
    let joined = text.replace('\n', " ");
    assert_eq!(read(spread.as_bytes()), read(text.as_bytes()));
    assert_eq!(read(joined.trim().as_bytes()), read(text.as_bytes()));
}

#[test]
fn a_thin_wall_between_two_polygons_stays_closed() {
    let raw = read(square(["-1", "-1"]).as_bytes()).unwrap().raw;
    assert_eq!(
        raw.polygons.iter().collect::<Vec<_>>(),
        [&[0, 1, 3][..], &[1, 2, 3, 4]]
    );
    assert_eq!(raw.vertices[4], vec3(0.75, 0.0, 1.0));
}

#[test]
fn neighbours_must_name_each_other() {
    assert_eq!(
        message(&square(["1", "-1"])),
        "line 8: polygon 0 names polygon 1 as its neighbour between the vertices 1 and 3, \
         which does not name it in return"
    );
    // In version 1 of the format the first neighbour belongs to the border between the first two corners.
    let version_1 = square(["1", "0"]).replace("-1 -1 1\n", "-1 1 -1\n");
    assert_eq!(
        message(&version_1),
        "line 8: polygon 0 names polygon 1 as its neighbour between the vertices 0 and 1, \
         which has no such border"
    );
    let three = "mesh 2 3 4 0 0 0 1 0 0 0 1 0
        3 0 1 2 -1 1 -1\n3 0 1 2 -1 0 -1\n3 0 1 2 -1 3 -1\n3 0 1 2 -1 2 -1";
    assert!(message(three).contains("more than two polygons meet there"));
    assert!(message(&square(["0", "0"])).contains("its own neighbour"));
}

#[test]
fn errors_name_the_line() {
    assert_eq!(
        message("solid"),
        "not a Polyanya mesh: it does not start with the word mesh"
    );
    assert_eq!(
        message("mesh 1 0 0"),
        "a Polyanya mesh of version '1', but only version 2 is supported; export it again"
    );
    assert_eq!(message("mesh 2 0 0"), "the file has no polygons");
    let changed = |from: &str, to: &str| message(&square(["1", "0"]).replace(from, to));
    assert_eq!(
        changed("1.5 0 3", "1.5 y 3"),
        "line 5: expected y of vertex 1, found 'y'"
    );
    assert_eq!(
        changed("1.5 0 3", "1.5 inf 3"),
        "line 5: expected y of vertex 1, found 'inf'"
    );
    assert_eq!(
        changed("3 0 1 -1", "3 0 2 -1"),
        "line 5: neighbour polygon 2 does not exist; the header says 2"
    );
    assert_eq!(
        changed("3 0 1 3 ", "3 0 1 4 "),
        "line 8: vertex 4 does not exist; the header says 4"
    );
    assert_eq!(
        changed("3 0 1 3 ", "3 0 3 3 "),
        "line 8: polygon 0 has the same corner twice in a row"
    );
    assert_eq!(
        changed("3 0 1 3 -1 -1 1", "2 0 1 -1 -1"),
        "line 8: polygon 0 has 2 corners; 3 are needed"
    );
    assert_eq!(
        changed("3 1 2 3 0 -1 -1", "3 1 2 3 0 -2 -1"),
        "line 9: expected neighbour polygon, found '-2'"
    );
    assert_eq!(
        changed("3 1 2 3 0 -1 -1", "3 1 2 3 0 -1 -1 7"),
        "line 9: '7' after the last polygon"
    );
    assert!(changed("3 1 2 3 0 -1 -1", "3 1 2 3 0").contains("incomplete"));
    assert!(message("mesh 2 4294967295 4294967295 0 0 4294967295").contains("incomplete"));
}

proptest! {
    #![proptest_config(portolan_oracle::cases(256))]

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let _ = read(&bytes);
        let _ = read(&[b"mesh 2 ", &bytes[..]].concat());
    }

    #[test]
    fn arbitrary_numbers_never_panic(text in "mesh 2 3 3 ([0-4] [0-4] 0 ){3}((3 [0-2] [0-2] [0-2] )?(-1 |[0-3] ){3}){3}") {
        let _ = read(text.as_bytes());
    }

    #[test]
    fn changed_bytes_never_panic(
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = square(["1", "0"]).into_bytes();
        for (position, value) in changes {
            let position = position.index(bytes.len());
            bytes[position] = value;
        }
        let _ = read(&bytes);
    }
}
