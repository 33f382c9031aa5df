//! The nodes of a scene and their transforms.

use std::ops::RangeInclusive;

use glam::{DAffine3, DMat4, DQuat, DVec3};
use gltf_json::scene::Node;
use gltf_json::{Index, Root};

use super::label;
use crate::ReadError;

/// The accepted lengths of a rotation quaternion. It should be 1, but exporters round their numbers.
const ROTATION_LENGTHS: RangeInclusive<f64> = 0.99..=1.01;

/// Calls `visit` with every node of the scene and its transform into the world, parents before children.
///
/// The specification requires strict trees: no node has two parents, and no root of a scene has one. Both are
/// errors here, so no cycle can be entered and no node is visited twice.
pub(super) fn for_each_node(
    root: &Root,
    mut visit: impl FnMut(usize, &DAffine3) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    let parents = parents(root)?;
    let mut stack: Vec<_> = roots(root, &parents)?
        .into_iter()
        .map(|node| (node, DAffine3::IDENTITY))
        .collect();
    stack.reverse();
    let mut visited = 0;
    while let Some((index, parent_transform)) = stack.pop() {
        visited += 1;
        let Some(node) = root.nodes.get(index) else {
            continue;
        };
        let transform = local(node)
            .map(|local| parent_transform * local)
            .and_then(|transform| match transform.is_finite() {
                true => Ok(transform),
                false => Err("its transform is not finite".into()),
            })
            .map_err(|what| at_node(root, index, what))?;
        visit(index, &transform)?;
        let children = node.children.iter().flatten().rev();
        stack.extend(children.map(|child| (child.value(), transform)));
    }
    if root.scenes.is_empty() && visited < root.nodes.len() {
        return Err(ReadError::Element {
            element: "nodes".into(),
            what: format!(
                "{} of them are their own ancestors",
                root.nodes.len() - visited
            ),
        });
    }
    Ok(())
}

fn at_node(root: &Root, index: usize, what: String) -> ReadError {
    let name = root.nodes.get(index).and_then(|node| node.name.as_ref());
    ReadError::Element {
        element: label("node", index, name),
        what,
    }
}

/// Returns the parent of each node.
fn parents(root: &Root) -> Result<Vec<Option<usize>>, ReadError> {
    let mut parents = vec![None; root.nodes.len()];
    for (index, node) in root.nodes.iter().enumerate() {
        for child in node.children.iter().flatten().map(Index::value) {
            let Some(parent) = parents.get_mut(child) else {
                return Err(at_node(root, index, format!("there is no node {child}")));
            };
            if let Some(other) = parent.replace(index) {
                let what = format!("it is a child of node {other} and of node {index}");
                return Err(at_node(root, child, what));
            }
        }
    }
    Ok(parents)
}

/// Returns the roots of the scenes to read, each once.
fn roots(root: &Root, parents: &[Option<usize>]) -> Result<Vec<usize>, ReadError> {
    let scenes = match root.scene.map(|scene| scene.value()) {
        Some(index) => root.scenes.get(index..=index).ok_or(ReadError::Element {
            element: format!("scene {index}"),
            what: format!(
                "it is the default scene, but the file has only {} scenes",
                root.scenes.len()
            ),
        })?,
        None if root.scenes.is_empty() => {
            let is_root = |&node: &usize| parents[node].is_none();
            return Ok((0..parents.len()).filter(is_root).collect());
        }
        None => &root.scenes,
    };
    let mut is_listed = vec![false; parents.len()];
    let mut roots = Vec::new();
    for node in scenes.iter().flat_map(|scene| &scene.nodes) {
        let index = node.value();
        let (Some(is_listed), Some(parent)) = (is_listed.get_mut(index), parents.get(index)) else {
            return Err(ReadError::Element {
                element: "scenes".into(),
                what: format!("there is no node {index}"),
            });
        };
        if let Some(parent) = parent {
            let what = format!("it is a root of a scene and a child of node {parent}");
            return Err(at_node(root, index, what));
        }
        if !std::mem::replace(is_listed, true) {
            roots.push(index);
        }
    }
    Ok(roots)
}

/// Returns the transform from a node to its parent. It is in `f64`, so that a long chain of nodes adds no
/// rounding errors to positions.
fn local(node: &Node) -> Result<DAffine3, String> {
    if let Some(matrix) = node.matrix {
        let matrix = DMat4::from_cols_array(&matrix.map(f64::from));
        if matrix.row(3).to_array() != [0.0, 0.0, 0.0, 1.0] {
            return Err("the last row of its matrix is not 0, 0, 0, 1".into());
        }
        return Ok(DAffine3::from_mat4(matrix));
    }
    let vector = |array: Option<[f32; 3]>, default| {
        array.map_or(default, |array| DVec3::from(array.map(f64::from)))
    };
    let rotation = match node.rotation {
        Some(rotation) => DQuat::from_array(rotation.0.map(f64::from)),
        None => DQuat::IDENTITY,
    };
    let length = rotation.length();
    if !ROTATION_LENGTHS.contains(&length) {
        return Err(format!("its rotation has length {length}, not 1"));
    }
    Ok(DAffine3::from_scale_rotation_translation(
        vector(node.scale, DVec3::ONE),
        rotation.normalize(),
        vector(node.translation, DVec3::ZERO),
    ))
}
