//! Reads the results of `cargo xtask peers --json`, as far as the figures need them.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::ReportError;

/// The results of Portolan and of other libraries on the same navmeshes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeersRun {
    /// The results per navmesh. [Limit: at least one]
    pub maps: Vec<PeersMap>,
}

/// The results on one navmesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeersMap {
    /// The name of the navmesh.
    pub map: String,
    /// The number of polygons.
    pub polygons: usize,
    /// The measured engines and libraries.
    pub engines: Vec<PeersEngine>,
}

/// The results of an engine of Portolan or of another library.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeersEngine {
    /// The name of the engine; `auto:TIER` is Portolan's `auto` at that quality tier.
    pub engine: String,
    /// The mean time of a full query. [Limit: above 0] [Units: µs]
    pub mean_us: f64,
    /// The excess of the path lengths over the optimum, if the optimum is known.
    pub excess: Option<PeersExcess>,
}

/// The excess of path lengths: the length divided by the optimum, minus 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeersExcess {
    /// The mean over all found paths.
    pub mean: f64,
}

impl PeersRun {
    /// Reads the file that `cargo xtask peers --json` wrote.
    pub fn open(file: &Path) -> Result<Self, ReportError> {
        let no_run = |why: String| ReportError::NoReport {
            file: file.to_owned(),
            why,
        };
        let bytes = std::fs::read(file).map_err(|error| no_run(error.to_string()))?;
        if bytes.is_empty() {
            return Err(no_run("the file is empty".to_owned()));
        }
        Self::from_json(&bytes).map_err(no_run)
    }

    /// Parses the contents of such a file. The error is one line.
    pub fn from_json(bytes: &[u8]) -> Result<Self, String> {
        let run: Self = serde_json::from_slice(bytes)
            .map_err(|error| format!("not an output of `cargo xtask peers --json`: {error}"))?;
        if run.maps.is_empty() {
            return Err(
                "a peers run without a map; run `cargo xtask peers --json` again".to_owned(),
            );
        }
        for map in &run.maps {
            for engine in &map.engines {
                let is_time = engine.mean_us.is_finite() && engine.mean_us > 0.0;
                let excess = engine.excess.map_or(0.0, |excess| excess.mean);
                if !is_time || !excess.is_finite() || excess <= -1.0 {
                    return Err(format!(
                        "{}, {}: {} µs with an excess of {excess} is not a valid measurement",
                        map.map, engine.engine, engine.mean_us
                    ));
                }
            }
        }
        Ok(run)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figures::trade_off::peers_svg;

    const RUN: &str = r#"{"processes": 3, "maps": [
        {"map": "a <b> & c", "polygons": 12, "queries": 2, "engines": [
            {"engine": "auto:fast", "mean_us": 2, "found": 2, "excess": {"mean": 0.01, "p99": 0.2, "max": 0.3}},
            {"engine": "contraction", "mean_us": 3.5, "excess": {"mean": 0.002}},
            {"engine": "auto:best", "mean_us": 5.0, "excess": {"mean": -1e-9}},
            {"engine": "Detour, 65 535 nodes", "mean_us": 40, "excess": {"mean": 0.012}},
            {"engine": "Detour, 2 048 nodes", "mean_us": 39, "excess": {"mean": 0.012}},
            {"engine": "polyanya", "mean_us": 90, "excess": {"mean": 0}},
            {"engine": "landmass", "mean_us": 100, "excess": null}
        ]},
        {"map": "no optimum", "polygons": 3, "engines": [{"engine": "auto:fast", "mean_us": 2, "excess": null}]}
    ]}"#;

    #[test]
    fn each_map_has_a_panel_and_each_engine_a_label() {
        let svg = peers_svg(&PeersRun::from_json(RUN.as_bytes()).unwrap());
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("a &lt;b&gt; &amp; c, 12 polygons"), "{svg}");
        assert!(!svg.contains("no optimum"));
        for name in [
            "auto:fast",
            "contraction",
            "auto:best",
            "Detour",
            "polyanya",
        ] {
            assert_eq!(svg.matches(&format!(">{name}</text>")).count(), 1, "{name}");
        }
        for forbidden in ["landmass", "2 048", "NaN", "inf"] {
            assert!(!svg.contains(forbidden), "{forbidden}");
        }
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert!(svg.contains("µs") && svg.contains('%'));
    }

    #[test]
    fn garbage_is_rejected_in_one_line() {
        let cut = &RUN[..RUN.len() / 2];
        let engine = |rest: &str| {
            format!(
                r#"{{"maps": [{{"map": "a", "polygons": 1, "engines": [{{"engine": "x", {rest}}}]}}]}}"#
            )
        };
        let cases = [
            (String::new(), "not an output"),
            ("garbage".to_owned(), "not an output"),
            ("[1, 2]".to_owned(), "not an output"),
            ("{}".to_owned(), "maps"),
            (cut.to_owned(), "not an output"),
            (r#"{"maps": []}"#.to_owned(), "without a map"),
            (
                engine(r#""mean_us": null, "excess": null"#),
                "not an output",
            ),
            (engine(r#""mean_us": 0, "excess": null"#), "a, x: 0 µs"),
            (engine(r#""mean_us": -3, "excess": null"#), "a, x: -3 µs"),
            (
                engine(r#""mean_us": 3, "excess": {"mean": -1}"#),
                "excess of -1",
            ),
            (engine(r#""mean_us": 3, "excess": {}"#), "mean"),
        ];
        for (text, word) in cases {
            let why = PeersRun::from_json(text.as_bytes()).unwrap_err();
            assert!(why.contains(word) && !why.contains('\n'), "{text}: {why}");
        }
        // Bytes that are not UTF-8.
        assert!(PeersRun::from_json(&[0xff, 0x00, 0x80]).is_err());
    }
}
