use super::*;

const BENCH: &str = r#"{
  "world": "a.pnav",
  "polygons": 118,
  "queries": 3,
  "engines": [
    {
      "engine": "astar",
      "found": 2,
      "mean_us": 4.5,
      "locate_us": 0.5,
      "search_us": 3e0,
      "waypoints_us":1,
      "cost_mismatches": 0
    }
  ]
}"#;

const LENGTHS: &str = "\
query,engine,status,length,length_xz,cost,polygons,waypoints
0,astar,found,9,10,11,3,2
1,astar,no_path,,,,0,0
2,astar,found,31,30,33,3,2
";

const QUERIES: &str = "\
# start_poly sx sy sz goal_poly gx gy gz detour_xz detour_3d optimum
99 6.5 10 2 61 3.5 10.25 -16 20 20 10

  1 0 0 0 2 1 0 1 9 9 8 # the goal is an island
1 -1e1 0 0 2 1 0 1 9 9 20\r
";

fn passing() -> MapResults {
    MapResults {
        map: "a".to_owned(),
        polygons: 118.0,
        queries: 3,
        found: 3.0,
        mismatches: 0.0,
        ratio: RatioSummary {
            mean: 1.01,
            min: 0.9995,
            max: 1.2,
        },
        micros: [4.5, 0.5, 3.0, 1.0],
    }
}

#[test]
fn references_are_converted_to_queries() {
    let references = references(QUERIES).unwrap();
    let optima: Vec<f64> = references.iter().map(|r| r.optimum_xz).collect();
    assert_eq!(optima, [10.0, 8.0, 20.0]);
    assert_eq!(
        queries_csv(&references),
        "sx,sy,sz,gx,gy,gz\n6.5,10,2,3.5,10.25,-16\n0,0,0,1,0,1\n-1e1,0,0,1,0,1\n"
    );
}

#[test]
fn an_error_in_a_reference_names_its_line() {
    for (line, problem) in [
        ("1 2 3", "line 2: 3 columns instead of 11"),
        ("1 0 0 0 2 1 0 x 9 9 8", "line 2: `x` is not a number"),
        ("1 0 0 0 2 1 0 1 9 9 inf", "line 2: `inf` is not a number"),
        ("1 0 0 0 2 1 0 1 9 9 0", "line 2: the optimum is 0"),
    ] {
        let error = references(&format!("# heading\n{line}\n")).unwrap_err();
        assert!(error.starts_with(problem), "{error}");
    }
}

#[test]
fn only_found_paths_have_lengths() {
    assert_eq!(lengths_xz(LENGTHS), Ok(vec![Some(10.0), None, Some(30.0)]));
    for wrong in ["", "status,length\n", "status,length_xz\nfound\n"] {
        assert!(lengths_xz(wrong).is_err(), "{wrong}");
    }
    let nan = lengths_xz("length_xz,status\nNaN,found\n").unwrap_err();
    assert_eq!(nan, "line 2 of the lengths: `NaN` is not a number");
}

#[test]
fn a_number_is_found_by_its_full_key() {
    assert_eq!(number(BENCH, "polygons"), Some(118.0));
    assert_eq!(number(BENCH, "search_us"), Some(3.0));
    assert_eq!(number(BENCH, "waypoints_us"), Some(1.0));
    for absent in ["us", "bytes", "engine", "engines", "astar"] {
        assert_eq!(number(BENCH, absent), None, "{absent}");
    }
    assert_eq!(number(r#"["a", {"a" : -2.5e-1}]"#, "a"), Some(-0.25));
    assert_eq!(number(r#"{"a": null}"#, "a"), None);
}

#[test]
fn the_results_of_a_map_are_summarized() {
    let figures = summarize("a", &references(QUERIES).unwrap(), LENGTHS, BENCH).unwrap();
    assert_eq!((figures.queries, figures.found), (3, 2.0));
    assert_eq!(figures.micros, [4.5, 0.5, 3.0, 1.0]);
    let ratio = RatioSummary {
        mean: 1.25,
        min: 1.0,
        max: 1.5,
    };
    assert_eq!(figures.ratio, ratio);
    let too_few = summarize("a", &[], LENGTHS, BENCH).unwrap_err();
    assert_eq!(too_few, "3 lengths for 0 queries");
}

#[test]
fn failed_checks_are_reported() {
    assert!(faults(&passing()).is_empty());
    let reported = |change: fn(&mut MapResults)| {
        let mut figures = passing();
        change(&mut figures);
        faults(&figures).join("; ")
    };
    assert_eq!(
        reported(|f| f.found = 2.0),
        "a: 1 of 3 queries find no path"
    );
    assert_eq!(
        reported(|f| f.mismatches = 4.0),
        "a: 4 costs differ from Dijkstra's algorithm"
    );
    assert!(reported(|f| f.ratio.mean = 1.021).contains("1.0210 times"));
    assert!(reported(|f| f.ratio.min = 0.998).contains("0.99800 times"));
    assert!(reported(|f| f.ratio = RatioSummary::of(std::iter::empty())).contains("inf"));
}

#[test]
fn the_columns_of_the_table_are_aligned() {
    let mut long = passing();
    long.map = "a_long_name".to_owned();
    let text = table(&[passing(), long]);
    let rows: Vec<&str> = text.lines().rev().take(3).collect();
    assert!(rows.iter().all(|row| row.len() == rows[0].len()), "{text}");
    assert!(rows[1].starts_with("a  "), "{text}");
    assert!(rows[1].contains(" 3/3 "), "{text}");
}

#[test]
fn a_missing_folder_is_not_a_failure() {
    let absent = Path::new("there is no such folder");
    let outcome = run(Path::new("."), absent);
    assert!(matches!(outcome, Ok(StepOutcome::Skipped(reason)) if reason.contains("no such")));
}

#[test]
fn a_map_needs_both_files() {
    let folder = TemporaryFolder::new().unwrap();
    for name in [
        "b.navmesh.obj",
        "b.queries.txt",
        "a.navmesh.obj",
        "c.queries.txt",
    ] {
        fs::write(folder.0.join(name), "").unwrap();
    }
    assert_eq!(maps_in(&folder.0), Ok(vec!["b".to_owned()]));
    let path = folder.0.clone();
    drop(folder);
    assert!(!path.exists());
}
