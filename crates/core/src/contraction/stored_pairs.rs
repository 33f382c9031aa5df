//! The contraction of a graph that is not a portal graph in a file, together with its costs.

use super::arcs::Arcs;
use super::{Contraction, Shortcuts};
use crate::array::Array;
use crate::sections::{SectionError, SectionReader, SectionWriter};

/// Adds the sections of a contraction, without positions, and of its costs to a file.
pub fn write_sections(contraction: &Contraction, shortcuts: &Shortcuts, file: &mut SectionWriter) {
    contraction.write_arrays(&Array::default(), file);
    shortcuts.write_sections(file);
}

/// Reads the contraction of a graph with `vertices` vertices and its costs. `pairs` are the edges of the graph, and the
/// vertices in them must exist. Vertices have no positions.
///
/// Searches and customization are safe with what is returned, but the costs of arcs may be any numbers, and the
/// path of an arc may be no path of the graph if the file is forged: see
/// [`Shortcuts::search`]. Whoever needs to be sure compares the path with the graph.
pub fn read_sections(
    file: &mut SectionReader,
    vertices: usize,
    pairs: Array<[u32; 2]>,
) -> Result<(Contraction, Shortcuts), SectionError> {
    let contraction = Contraction::read_arrays(file, Arcs::of_pairs(pairs.clone()))?;
    let contraction = contraction.check_lengths(vertices, 0)?;
    let shortcuts = Shortcuts::read_sections(file, vertices)?;
    let is_valid = contraction.check().is_some_and(|subtrees| {
        pairs
            .iter()
            .all(|pair| subtrees.are_on_chain(pair.iter().copied()))
    }) && shortcuts.check(&contraction);
    SectionError::unless(is_valid, "its contraction does not fit its graph")?;
    Ok((contraction, shortcuts))
}
