//! The options of `portolan heightmap`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan heightmap --list\n  \
                        portolan heightmap hills -o hills.png\n  \
                        portolan heightmap hills -o other.png --seed 7 --width 513 --height 513\n  \
                        portolan heightmap maze -o maze.png --width 65 --height 65 --bits 8\n  \
                        portolan heightmap --formula 'sin(4*PI*x) * cos(2*PI*y)' -o waves.png\n  \
                        portolan heightmap --formula '1 - sqrt((x-0.5)^2 + (y-0.5)^2)' -o cone.png\n\n\
                        North is at the top of the map: x goes from 0 at the left to 1 at the right, and y from 0 \
                        at the bottom to 1 at the top. Black is low, white is high.\n\n\
                        A formula may contain x, y, numbers, PI, TAU and E; + - * / ^ and parentheses; abs, sqrt, \
                        cbrt, exp, ln, log2, log10, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh, floor, \
                        ceil, trunc, fract and signum; min(a, b), max(a, b) and atan2(a, b). A minus sign binds \
                        more tightly than a power: -x^2 is (-x)^2, so write -(x^2) or 0-x^2. If all heights are \
                        within 0 to 1 they are used as they are; otherwise they are scaled so that the lowest is \
                        0 and the highest is 1.\n\n\
                        With --colours a height is a number of 24 bits: red has the highest eight, blue the \
                        lowest. `portolan terrain build` reads such maps, too.")]
pub(crate) struct HeightmapArgs {
    /// Name of the function; see --list
    #[arg(required_unless_present_any = ["list", "formula"])]
    pub(crate) name: Option<String>,
    /// File to write: .png
    #[arg(long, short, value_name = "FILE", required_unless_present = "list")]
    pub(crate) output: Option<PathBuf>,
    /// List the functions
    #[arg(long)]
    pub(crate) list: bool,
    /// Height as a formula of x and y, both from 0 to 1, instead of a built-in function
    #[arg(
        long,
        value_name = "EXPR",
        conflicts_with_all = ["name", "seed"],
        allow_hyphen_values = true
    )]
    pub(crate) formula: Option<String>,
    /// Pixels per row, 2 to 8193. N pixels become N - 1 squares of terrain
    #[arg(long, value_name = "N", default_value_t = 257, value_parser = clap::value_parser!(u32).range(2..=8193), allow_hyphen_values = true)]
    pub(crate) width: u32,
    /// Number of rows, 2 to 8193
    #[arg(long, value_name = "N", default_value_t = 257, value_parser = clap::value_parser!(u32).range(2..=8193), allow_hyphen_values = true)]
    pub(crate) height: u32,
    /// Bits per height: 256 or 65 536 shades of grey
    #[arg(long, value_name = "8|16", default_value = "16")]
    pub(crate) bits: Bits,
    /// Use 24 bits per height, split into red, green and blue
    #[arg(long, conflicts_with = "bits")]
    pub(crate) colours: bool,
    /// Seed of functions that are marked `seed` by --list; another seed gives another map of the same
    /// kind
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
