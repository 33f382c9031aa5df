//! A builder of glTF files for tests.

use std::io;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use portolan_core::Triangles;

use super::read;
use crate::ReadError;

/// A glTF file under construction.
#[derive(Clone, Debug, Default)]
pub(super) struct GltfFile {
    pub(super) binary: Vec<u8>,
    pub(super) views: Vec<String>,
    pub(super) accessors: Vec<String>,
    pub(super) meshes: Vec<String>,
    pub(super) nodes: Vec<String>,
    pub(super) materials: Vec<String>,
    /// More fields of the root object, each after a comma.
    pub(super) more: String,
}

impl GltfFile {
    pub(super) fn view(&mut self, bytes: &[u8]) -> usize {
        let (offset, length) = (self.binary.len(), bytes.len());
        self.binary.extend(bytes);
        self.binary.resize(self.binary.len().next_multiple_of(4), 0);
        self.views.push(format!(
            r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}}}"#
        ));
        self.views.len() - 1
    }

    pub(super) fn accessor(
        &mut self,
        bytes: &[u8],
        component: u32,
        shape: &str,
        count: usize,
    ) -> usize {
        let view = self.view(bytes);
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"componentType":{component},"type":"{shape}","count":{count},"min":[0,0,0],"max":[9,9,9]}}"#
        ));
        self.accessors.len() - 1
    }

    pub(super) fn positions(&mut self, points: &[[f32; 3]]) -> usize {
        let bytes: Vec<u8> = points
            .as_flattened()
            .iter()
            .flat_map(|x| x.to_le_bytes())
            .collect();
        self.accessor(&bytes, 5126, "VEC3", points.len())
    }

    pub(super) fn mesh(&mut self, primitives: &str) {
        self.meshes
            .push(format!(r#"{{"name":"m","primitives":[{primitives}]}}"#));
    }

    pub(super) fn node(&mut self, fields: &str) {
        self.nodes.push(format!("{{{fields}}}"));
    }

    /// Returns the JSON, whose buffer has the given URI, if any.
    pub(super) fn json(&self, uri: Option<&str>) -> String {
        let uri = uri.map_or(String::new(), |uri| format!(r#","uri":"{uri}""#));
        let list = |name: &str, items: &[String]| match items {
            [] => String::new(),
            _ => format!(",\n\"{name}\":[{}]", items.join(",")),
        };
        [
            r#"{"asset":{"version":"2.0"}"#.into(),
            format!(
                ",\n\"buffers\":[{{\"byteLength\":{}{uri}}}]",
                self.binary.len()
            ),
            list("bufferViews", &self.views),
            list("accessors", &self.accessors),
            list("materials", &self.materials),
            list("meshes", &self.meshes),
            list("nodes", &self.nodes),
            self.more.clone(),
            "}".into(),
        ]
        .concat()
    }

    pub(super) fn gltf(&self) -> String {
        let text = STANDARD.encode(&self.binary);
        self.json(Some(&format!(
            "data:application/octet-stream;base64,{text}"
        )))
    }

    pub(super) fn glb(&self) -> Vec<u8> {
        glb(&self.json(None), &self.binary)
    }
}

fn glb(json: &str, binary: &[u8]) -> Vec<u8> {
    let chunk = |kind: &[u8; 4], bytes: &[u8], filler: u8| {
        let mut bytes = bytes.to_vec();
        bytes.resize(bytes.len().next_multiple_of(4), filler);
        [&(bytes.len() as u32).to_le_bytes()[..], kind, &bytes].concat()
    };
    let chunks = [
        chunk(b"JSON", json.as_bytes(), b' '),
        chunk(b"BIN\0", binary, 0),
    ]
    .concat();
    let header = [2, chunks.len() as u32 + 12].map(u32::to_le_bytes);
    [b"glTF", header.as_flattened(), &chunks].concat()
}

pub(super) fn no_files(_: &str) -> io::Result<Vec<u8>> {
    Err(io::ErrorKind::NotFound.into())
}

pub(super) fn load(bytes: impl AsRef<[u8]>) -> Result<Triangles, ReadError> {
    read(bytes.as_ref(), &mut no_files)
}

pub(super) fn message(bytes: impl AsRef<[u8]>) -> String {
    load(bytes).unwrap_err().to_string()
}

pub(super) const SQUARE: [[f32; 3]; 4] = [[0., 0., 0.], [0., 0., 1.], [1., 0., 1.], [1., 0., 0.]];

/// Returns a file with an indexed square (positions in accessor 0, indices in accessor 1) as a mesh without a
/// node.
pub(super) fn square() -> GltfFile {
    let mut file = GltfFile::default();
    file.positions(&SQUARE);
    file.accessor(&[0, 1, 2, 0, 2, 3], 5121, "SCALAR", 6);
    file.mesh(r#"{"attributes":{"POSITION":0},"indices":1}"#);
    file
}

/// Returns the file of [`square`] with a node.
pub(super) fn in_scene(node: &str) -> GltfFile {
    let mut file = square();
    file.node(node);
    file
}
