//! The examples run.

/// A module with an example in it, and a test that runs it.
macro_rules! example {
    ($name:ident) => {
        mod $name {
            include!(concat!("../../../../examples/", stringify!($name), ".rs"));

            #[test]
            fn it_runs() {
                main().expect("an example that succeeds");
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
fn a_level_file_becomes_a_walking_agent_in_thirty_lines() {
    let lines = include_str!("../../../../examples/my_level.rs").lines();
    assert!(lines.count() <= 30);
}
