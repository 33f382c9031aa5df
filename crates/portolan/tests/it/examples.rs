//! The example of the README runs.

mod my_level {
    include!("../../../../examples/my_level.rs");

    #[test]
    fn a_level_file_becomes_a_walking_agent() {
        main().expect("a path through the yard");
    }

    #[test]
    fn it_stays_within_thirty_lines() {
        let lines = include_str!("../../../../examples/my_level.rs").lines();
        assert!(lines.count() <= 30);
    }
}
