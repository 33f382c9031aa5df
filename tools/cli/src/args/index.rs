//! Options of the verbs that build indices.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args)]
#[command(
    after_help = "Examples:\n  portolan index level.pnav -o level.pidx\n  \
                        portolan index level.pnav -o level.pidx --mu 8 --levels 2\n  \
                        portolan index level.pnav -o level.pidx --engines contraction\n  \
                        portolan index level.pnav -o level.pidx --engines contraction --tiers fast,default,best\n  \
                        portolan index level.pnav -o level.pidx --engines labels --labels-limit 500M\n  \
                        portolan index level.pnav -o level.pidx --profile tank.toml --table-levels 2\n\n\
                        The index holds the navmesh, so it is all that `path` and `bench` need. \
                        `portolan tune` measures which --mu and --levels suit a world; \
                        `portolan info` tells what an index was made with.\n\
                        Too large? The tables are most of it: --table-levels leaves out those of the \
                        high levels, --engines contraction,hna all of them, and --engines contraction \
                        the whole hierarchy, which the default engine does without. --tiers leaves out tiers."
)]
pub(crate) struct IndexArgs {
    /// The navmesh: .pnav
    pub(crate) world: PathBuf,
    /// Where to write it: .pidx
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: PathBuf,
    /// Merge factor: nodes of one level that become one of the next, about (2 to 1000). More gives
    /// fewer nodes with more inter-edges each: shorter searches above, longer connecting below, and
    /// memory with the square of the inter-edges of a node
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = clap::value_parser!(u32).range(2..=1000), allow_hyphen_values = true)]
    pub(crate) mu: u32,
    /// Most levels above the polygons (1 to 16); there are fewer where nothing is left to merge.
    /// Each costs its time and memory and pays on long paths only
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16), allow_hyphen_values = true)]
    pub(crate) levels: u32,
    /// What to make it for: contraction is the default engine of queries, at the tiers of --tiers; hna
    /// is the hierarchy, and pccp the hierarchy with its connect tables, for hna:LEVEL:table and pccp;
    /// labels are hub labels, for distances without a search in worlds that stay as they are: they take
    /// much memory, and come with a contraction.
    /// The options of the hierarchy are --mu, --levels, --table-levels and --weights
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "contraction,hna,pccp"
    )]
    pub(crate) engines: Vec<String>,
    /// Most memory that hub labels may take: bytes, or with K, M or G thousands, millions or billions of
    /// them. Where they would need more there is no index. While they are made they may take twice
    /// as much
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = size, allow_hyphen_values = true)]
    pub(crate) labels_limit: usize,
    /// Connect tables for the levels up to this one only [default: all]. The table of a level grows
    /// with polygons times the inter-edges of their nodes
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(0..=16), allow_hyphen_values = true)]
    pub(crate) table_levels: Option<u8>,
    /// Quality tiers of the contraction: fast is the graph of portals' middles with exact sums; default and
    /// best have samples of their own, and shortcuts that cost what their ways do when pulled taut: shorter
    /// paths for more memory and a longer build, best more so than default. A query says which it wants:
    /// contraction:fast, auto:best [default: fast,default, or with --cost-model published fast]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) tiers: Option<Vec<String>>,
    /// Another seed gives another partition and another order, about as good
    #[arg(
        long,
        value_name = "S",
        default_value_t = 0,
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
    /// What polygons and portals count for in the partition
    #[arg(long, default_value = "balanced")]
    pub(crate) weights: WeightsName,
    /// What paths cost on the graph
    #[arg(long, default_value = "portals")]
    pub(crate) cost_model: ModelName,
    /// The agent that intra-edges, tables and shortcuts are made for, as TOML; queries without a
    /// profile of their own get it
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Leave the build times out of the file: then the same world and options give the same bytes
    #[arg(long)]
    pub(crate) no_times: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum WeightsName {
    /// 1 each: nodes of about the same size, few portals between them
    Balanced,
    /// Polygons a random number: nodes of different sizes, to show what that costs
    Nodes,
    /// Portals a random number: more portals between nodes, to show what that costs
    Edges,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum ModelName {
    /// From portal to portal, and to where agents really start and end
    Portals,
    /// From polygons' centre to centre, as in the papers: longer paths, for comparison
    Published,
    /// From portal to portal as seen from above: heights cost nothing
    Plan,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan tune level.pnav\n  \
                        portolan tune level.pnav -o level.pidx\n  \
                        portolan tune level.pnav --mu 8,12,16 --levels 2 --random 500 --json tune.json\n\n\
                        For each merge factor and number of levels the index is built and the \
                        engines are measured on the same queries, in turn with A*. The best setting \
                        is the smallest index whose exact engine is within 5% of the fastest. Other \
                        programs on the machine disturb the times: more --rounds make up for it.")]
pub(crate) struct TuneArgs {
    /// The navmesh: .pnav
    pub(crate) world: PathBuf,
    /// Write the index with the best setting, and a contraction: .pidx
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// Merge factors to try (2 to 1000)
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "5,8,10,15,20,30", value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub(crate) mu: Vec<u32>,
    /// Most levels to try (1 to 16); each number of levels up to it is an index of its own
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=16), allow_hyphen_values = true)]
    pub(crate) levels: u32,
    /// Ask this many random queries, spread over the ground of the largest component
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=1_000_000), allow_hyphen_values = true)]
    pub(crate) random: u32,
    /// Another seed asks other queries
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
    /// How often each query is timed
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=100), allow_hyphen_values = true)]
    pub(crate) rounds: u32,
    /// The agent to tune for, as TOML
    #[arg(long, value_name = "FILE")]
    pub(crate) profile: Option<PathBuf>,
    /// Write all figures
    #[arg(long, value_name = "OUT.json")]
    pub(crate) json: Option<PathBuf>,
}

/// Reads `500`, `500K`, `500M` or `2G`.
fn size(text: &str) -> Result<usize, String> {
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
        .ok_or("a size is a whole number of bytes, or one with K, M or G after it: 500M")?;
    let bytes = number.parse().ok().and_then(|n: usize| n.checked_mul(unit));
    bytes.ok_or_else(|| "that is more than any memory".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
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
