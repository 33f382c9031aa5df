//! Runs the examples.

/// Includes an example as a module, with a test that runs it.
macro_rules! example {
    ($name:ident) => {
        mod $name {
            include!(concat!("../../../../examples/", stringify!($name), ".rs"));

            #[test]
            fn the_example_runs() {
                main().expect("the example succeeds");
            }
        }
    };
}

example!(anytime);
example!(batch);
example!(budget);
example!(doors);
example!(first_path);
example!(flow_field);
example!(follow);
#[cfg(feature = "metis")]
example!(hierarchy);
example!(matrix);
example!(my_level);
example!(nearest_exit);
example!(obstacle);
example!(probe);
example!(terrain);

#[test]
fn examples_of_frame_calls_have_at_most_forty_lines() {
    for source in [
        include_str!("../../../../examples/anytime.rs"),
        include_str!("../../../../examples/batch.rs"),
        include_str!("../../../../examples/budget.rs"),
        include_str!("../../../../examples/doors.rs"),
        include_str!("../../../../examples/flow_field.rs"),
        include_str!("../../../../examples/follow.rs"),
        include_str!("../../../../examples/matrix.rs"),
        include_str!("../../../../examples/nearest_exit.rs"),
        include_str!("../../../../examples/probe.rs"),
    ] {
        assert!(source.lines().count() <= 40, "{source}");
    }
}

#[test]
fn my_level_has_at_most_thirty_lines() {
    let lines = include_str!("../../../../examples/my_level.rs").lines();
    assert!(lines.count() <= 30);
}
