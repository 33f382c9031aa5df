//! The options of `portolan index` and `portolan tune`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan index level.pnav -o level.pidx\n  \
                        portolan index level.pnav -o level.pidx --mu 8 --levels 2\n  \
                        portolan index level.pnav -o level.pidx --engines contraction\n  \
                        portolan index level.pnav -o level.pidx --engines contraction --tiers fast,default,best\n  \
                        portolan index level.pnav -o level.pidx --tiers fast,default,exact\n  \
                        portolan index level.pnav -o level.pidx --engines labels --labels-limit 500M\n  \
                        portolan index level.pnav -o level.pidx --profile tank.toml --table-levels 2\n\n\
                        An index contains its navmesh: `path` and `bench` need no other file. `portolan info` \
                        shows the options of an index and whether auto is exact on it. `portolan tune` measures which --mu and --levels are best \
                        for a navmesh.\n\n\
                        If the index is too large: --engines contraction leaves out the hierarchy, which the \
                        default engine does not use; --engines contraction,hna leaves out its tables, the largest \
                        part; --table-levels 1 leaves out the tables of higher levels; --tiers default keeps a \
                        single tier.\n\n\
                        Exact paths: without --tiers, the index gets the tier exact if queries at it cost no more \
                        than at the tier default, by a count of their work on sample queries, and if its paths are \
                        no longer in space. auto then finds exact paths. A list without exact, such as --tiers \
                        fast,default, leaves them out; a list with exact builds them in any case, for auto:exact."
)]
pub(crate) struct IndexArgs {
    /// Navmesh: .pnav
    pub(crate) world: PathBuf,
    /// Index to write: .pidx
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Merge factor of the hierarchy: about how many nodes of one level form a node of the next, 2 to
    /// 1000. More gives fewer nodes with more inter-edges each: the search over nodes gets shorter,
    /// connecting start and goal takes longer, and memory grows with the square of the inter-edges per
    /// node
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(2..=1000), allow_hyphen_values = true)]
    pub(crate) mu: u32,
    /// Largest number of levels of the hierarchy above the polygons, 1 to 16. There are fewer if nothing
    /// is left to merge. Each level takes time and memory to build, and helps on long paths only
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16), allow_hyphen_values = true)]
    pub(crate) levels: u32,
    /// Engines to build the index for, separated by commas. contraction: the default engine of queries.
    /// hna: the hierarchy of HNA*. pccp: the hierarchy with tables of connecting paths, for pccp and for
    /// hna with tables. labels: hub labels and the contraction that they need, for very many distances on a
    /// navmesh that does not change; they take much memory. --mu, --levels, --table-levels and --weights
    /// are options of the hierarchy
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "contraction,hna,pccp"
    )]
    pub(crate) engines: Vec<String>,
    /// Largest size of the hub labels in memory, in bytes; K, M and G stand for thousands, millions and
    /// billions. If they need more, the command fails. Building them may take twice as much memory
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = size, allow_hyphen_values = true)]
    pub(crate) labels_limit: usize,
    /// Highest level with a table of connecting paths, 0 to 16 [default: all levels]. The size of a
    /// level's table is proportional to polygons times inter-edges per node
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=16), allow_hyphen_values = true)]
    pub(crate) table_levels: Option<u8>,
    /// Quality tiers, separated by commas: fast, default, best, exact. fast searches the graph of portal
    /// midpoints, and its costs are exact there. default and best place more vertices on portals, and the
    /// cost of a shortcut is the length of its path after string pulling: paths get shorter, the build takes
    /// longer, and the index is larger, with best more so than with default. exact finds the shortest path
    /// in plan, that is in (x, z), by the corners of obstacles; it needs the same cost per metre on all open
    /// ground, so a profile that gives areas different costs is an error. A query selects a tier, as in
    /// contraction:fast or auto:exact [default: fast,default, and exact where it costs no more than default;
    /// auto is then exact. fast with --cost-model published]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) tiers: Option<Vec<String>>,
    /// Seed of the random choices in the partition and in the contraction order. Other seeds give
    /// indices of similar quality
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0,
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
    /// Weights of polygons and portals in the partition of the hierarchy
    #[arg(long, default_value = "balanced")]
    pub(crate) weights: WeightsName,
    /// How the cost of an arc of the graph is measured
    #[arg(long, default_value = "portals")]
    pub(crate) cost_model: ModelName,
    /// Costs of the agent to precompute for, as TOML; see `portolan path --help`. It is the default
    /// profile of queries on this index [default: each metre costs 1, everything is open]
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Store no build times. The same navmesh and options then give the same file, byte by byte
    #[arg(long)]
    pub(crate) no_times: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum WeightsName {
    /// All weights are 1: nodes of about the same size with few portals between them
    Balanced,
    /// Random weights for polygons: nodes of different sizes, to measure how much that slows queries
    Nodes,
    /// Random weights for portals: more portals between nodes, to measure how much that slows queries
    Edges,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ModelName {
    /// Length between portals, and to the exact start and goal
    Portals,
    /// Length between the centres of polygons, as in the HNA* papers: longer paths, for comparison
    Published,
    /// Length between portals in plan, so that heights cost nothing
    Plan,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan tune level.pnav\n  \
                        portolan tune level.pnav -o level.pidx\n  \
                        portolan tune level.pnav --mu 8,12,16 --levels 2 --random 500 --json tune.json\n\n\
                        For each merge factor and number of levels, the command builds an index and measures the engines \
                        hna and pccp on the same queries, alternating with A*. The best setting is the smallest \
                        index whose fastest exact engine is within 5% of the fastest of all. If other programs \
                        use the machine, increase --rounds. The default engine, contraction, needs no tuning.")]
pub(crate) struct TuneArgs {
    /// Navmesh: .pnav
    pub(crate) world: PathBuf,
    /// Index to write (.pidx), with the best setting and with a contraction
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Merge factors to try, 2 to 1000 each, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "5,8,10,15,20,30", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub(crate) mu: Vec<u32>,
    /// Largest number of levels to try, 1 to 16; an index is built for each number from 1 on
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16), allow_hyphen_values = true)]
    pub(crate) levels: u32,
    /// Number of random queries, 1 to 1 000 000. Their starts and goals are spread evenly over the
    /// largest component
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_hyphen_values = true)]
    pub(crate) random: u32,
    /// Seed of the random queries; another seed gives other queries
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
    /// Number of times that each query is timed, 1 to 100
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100), allow_hyphen_values = true)]
    pub(crate) rounds: u32,
    /// Costs of the agent to tune for, as TOML; see `portolan path --help` [default: each metre costs 1,
    /// everything is open]
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Write all results as JSON
    #[arg(long, value_name = "OUT.json")]
    pub(crate) json: Option<PathBuf>,
}

/// Parses a number of bytes: `500`, `500K`, `500M` or `2G`.
pub(super) fn size(text: &str) -> Result<usize, String> {
    let number = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[number.len()..].to_ascii_uppercase().as_str() {
        "" | "B" => Some(1),
        "K" | "KB" => Some(1_000),
        "M" | "MB" => Some(1_000_000),
        "G" | "GB" => Some(1_000_000_000),
        _ => None,
    };
    let is_number = !number.is_empty() && number.bytes().all(|b| b.is_ascii_digit());
    let unit: usize = unit
        .filter(|_| is_number)
        .ok_or("expected a whole number of bytes, optionally with K, M or G, such as 500M")?;
    let bytes = number.parse().ok().and_then(|n: usize| n.checked_mul(unit));
    bytes.ok_or_else(|| "the size is too large for this computer".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed_with_their_unit() {
        for (text, bytes) in [
            ("0", 0),
            ("17", 17),
            ("17b", 17),
            ("3K", 3_000),
            ("500M", 500_000_000),
            ("500mb", 500_000_000),
            ("2G", 2_000_000_000),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in [
            "",
            "G",
            "-1",
            "+1",
            "1.5G",
            "2T",
            "2 G",
            "2GG",
            "2µ",
            "M2",
            "1e9",
            "99999999999999999999",
            "99999999999999G",
        ] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
