//! What `portolan heightmap` takes.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan heightmap --list\n  \
                        portolan heightmap hills -o hills.png\n  \
                        portolan heightmap hills -o other.png --seed 7 --width 513 --height 513\n  \
                        portolan heightmap maze -o maze.png --width 65 --height 65 --bits 8\n  \
                        portolan heightmap --formula 'sin(4*PI*x) * cos(2*PI*y)' -o waves.png\n  \
                        portolan heightmap --formula '1 - sqrt((x-0.5)^2 + (y-0.5)^2)' -o cone.png\n\n\
                        A map has the north at its top: x goes from 0 at the left to 1 at the right, y from \
                        0 at the bottom to 1 at the top. Black is low, white is high.\n\
                        A formula has x, y, numbers, PI, TAU and E; + - * / ^ and brackets; abs, sqrt, cbrt, \
                        exp, ln, log2, log10, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, floor, \
                        ceil, trunc, fract and signum; min(a, b), max(a, b) and atan2(a, b). A sign binds \
                        more tightly than a power: -x^2 is (-x)^2, so write -(x^2) or 0-x^2. Heights \
                        within 0 to 1 stay as they are; if any lies outside, the lowest of all becomes 0 and \
                        the highest 1.\n\
                        With --colours every channel is another magnitude: red the coarsest, blue the \
                        finest, together 24 bits; what reads height maps reads that, too.")]
pub(crate) struct HeightmapArgs {
    /// Which function; --list names them
    #[arg(required_unless_present_any = ["list", "formula"])]
    pub(crate) name: Option<String>,
    /// Where to write it: .png
    #[arg(long, short, value_name = "FILE", required_unless_present = "list")]
    pub(crate) output: Option<PathBuf>,
    /// Name the functions there are
    #[arg(long)]
    pub(crate) list: bool,
    /// A function of your own instead of a built-in one, of x and y within 0 to 1
    #[arg(
        long,
        value_name = "EXPR",
        conflicts_with_all = ["name", "seed"],
        allow_hyphen_values = true
    )]
    pub(crate) formula: Option<String>,
    /// Pixels a row, 2 to 8193; n pixels are n - 1 squares
    #[arg(long, value_name = "N", default_value_t = 257, value_parser = clap::value_parser!(u32).range(2..=8193), allow_hyphen_values = true)]
    pub(crate) width: u32,
    /// Rows, 2 to 8193
    #[arg(long, value_name = "N", default_value_t = 257, value_parser = clap::value_parser!(u32).range(2..=8193), allow_hyphen_values = true)]
    pub(crate) height: u32,
    /// How finely heights are told apart: 256 or 65 536 shades of grey
    #[arg(long, value_name = "8|16", default_value = "16")]
    pub(crate) bits: Bits,
    /// 16 777 216 heights, their magnitudes in red, green and blue
    #[arg(long, conflicts_with = "bits")]
    pub(crate) colours: bool,
    /// Another seed gives another map of the same kind, where the list says so
    #[arg(
        long,
        default_value_t = 1,
        value_name = "N",
        allow_hyphen_values = true
    )]
    pub(crate) seed: u64,
}

#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Bits {
    #[value(name = "8")]
    Eight,
    #[value(name = "16")]
    Sixteen,
}
