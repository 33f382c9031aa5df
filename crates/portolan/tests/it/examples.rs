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

example!(first_path);
#[cfg(feature = "metis")]
example!(hierarchy);
example!(my_level);
example!(obstacle);
example!(terrain);

#[test]
fn my_level_has_at_most_thirty_lines() {
    let lines = include_str!("../../../../examples/my_level.rs").lines();
    assert!(lines.count() <= 30);
}
