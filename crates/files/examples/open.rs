//! Measures opening an index: `cargo run --release -p portolan-files --example open -- W.pidx [ROUNDS]`.
//!
//! It prints the shortest and the median time of all rounds: checked as by default, trusted, and read instead of mapped.
//! The first round brings the file into the page cache.

use std::path::Path;
use std::time::Instant;

use portolan_files::OpenOptions;

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("the name of an index");
    let rounds: usize = args
        .next()
        .map_or(10, |rounds| rounds.parse().expect("the number of rounds"));
    let default = OpenOptions::default();
    let ways = [
        ("checked", default),
        ("trusted", OpenOptions::trusted()),
        ("checked, read", default.with_map(false)),
    ];
    let mut times = ways.map(|_| Vec::new());
    for _ in 0..rounds {
        for ((_, options), times) in ways.iter().zip(&mut times) {
            let start = Instant::now();
            let world = portolan_files::open_index_with(Path::new(&file), *options);
            times.push(start.elapsed().as_secs_f64() * 1e3);
            world.expect("the index can be opened");
        }
    }
    for ((name, _), times) in ways.iter().zip(&mut times) {
        times.sort_by(f64::total_cmp);
        let (shortest, median) = (times[0], times[times.len() / 2]);
        println!("{name}: {shortest:.1} ms, median {median:.1} ms");
    }
}
