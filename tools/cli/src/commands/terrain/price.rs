//! `portolan terrain price`: writes a price file.

use portolan_terrain::Price;

use super::open;
use crate::args::{Common, PriceArgs};
use crate::commands::{check_outputs, extension};
use crate::outcome::{ExitKind, Failure};
use crate::terminal::say;

pub(super) fn run(args: &PriceArgs, common: &Common) -> Result<ExitKind, Failure> {
    if let Some(file) = args
        .output
        .as_ref()
        .filter(|file| extension(file) != "toml")
    {
        let file = file.display();
        return Err(Failure::new(format!("{file}: a price is a .toml file")));
    }
    let inputs: Vec<&std::path::Path> = args.terrain.as_deref().into_iter().collect();
    check_outputs(&inputs, &[args.output.as_deref()])?;
    let price = match &args.terrain {
        Some(file) => *open(file, common)?.graph().price(),
        None => Price::default(),
    };
    let text = portolan_formats::price_text(&price);
    match &args.output {
        None => say!("{}", text.trim_end()),
        Some(file) => portolan_files::save(file, |out| out.write_all(text.as_bytes()))?,
    }
    Ok(ExitKind::Success)
}
