//! What `cargo xtask peers --json` wrote, as far as figures need it.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::ReportError;

/// A run of others and us on the same navmeshes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeersRun {
    /// The navmeshes. [Limit: at least one]
    pub maps: Vec<PeersMap>,
}

/// One navmesh.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeersMap {
    /// Its name.
    pub map: String,
    /// Its polygons.
    pub polygons: usize,
    /// Whoever was measured.
    pub engines: Vec<PeersEngine>,
}

/// An engine of ours or a peer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeersEngine {
    /// Its name; `ours:TIER` is what a user of that tier gets.
    pub engine: String,
    /// Mean of whole queries. [Limit: above 0] [Units: µs]
    pub mean_us: f64,
    /// What its paths are above the optimum, where that is known.
    pub excess: Option<PeersExcess>,
}

/// Length over the optimum, less 1.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PeersExcess {
    /// Of all that were found.
    pub mean: f64,
}

impl PeersRun {
    /// Reads it.
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

    /// Reads its bytes; what is wrong is said in one line.
    pub fn from_json(bytes: &[u8]) -> Result<Self, String> {
        let run: Self = serde_json::from_slice(bytes)
            .map_err(|error| format!("not what `cargo xtask peers --json` writes: {error}"))?;
        if run.maps.is_empty() {
            return Err("a run of peers without a map".to_owned());
        }
        for map in &run.maps {
            for engine in &map.engines {
                let is_time = engine.mean_us.is_finite() && engine.mean_us > 0.0;
                let excess = engine.excess.map_or(0.0, |excess| excess.mean);
                if !is_time || !excess.is_finite() || excess <= -1.0 {
                    return Err(format!(
                        "{}, {}: {} µs with an excess of {excess} is no measurement",
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
            {"engine": "ours:fast", "mean_us": 2, "found": 2, "excess": {"mean": 0.01, "p99": 0.2, "max": 0.3}},
            {"engine": "ours:default", "mean_us": 3.5, "excess": {"mean": 0.002}},
            {"engine": "ours:best", "mean_us": 5.0, "excess": {"mean": -1e-9}},
            {"engine": "Detour, 65 535 nodes", "mean_us": 40, "excess": {"mean": 0.012}},
            {"engine": "Detour, 2 048 nodes", "mean_us": 39, "excess": {"mean": 0.012}},
            {"engine": "polyanya", "mean_us": 90, "excess": {"mean": 0}},
            {"engine": "landmass", "mean_us": 100, "excess": null}
        ]},
        {"map": "no optimum", "polygons": 3, "engines": [{"engine": "ours:fast", "mean_us": 2, "excess": null}]}
    ]}"#;

    #[test]
    fn a_panel_a_map_and_a_name_a_point() {
        let svg = peers_svg(&PeersRun::from_json(RUN.as_bytes()).unwrap());
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("a &lt;b&gt; &amp; c, 12 polygons"), "{svg}");
        assert!(!svg.contains("no optimum"));
        for name in [
            "ours:fast",
            "ours:default",
            "ours:best",
            "Detour",
            "polyanya",
        ] {
            assert_eq!(svg.matches(&format!(">{name}</text>")).count(), 1, "{name}");
        }
        for wrong in ["landmass", "2 048", "NaN", "inf"] {
            assert!(!svg.contains(wrong), "{wrong}");
        }
        assert_eq!(svg.matches("<g ").count(), svg.matches("</g>").count());
        assert!(svg.contains("µs") && svg.contains('%'));
    }

    #[test]
    fn garbage_is_refused_in_one_line() {
        let cut = &RUN[..RUN.len() / 2];
        let engine = |rest: &str| {
            format!(
                r#"{{"maps": [{{"map": "a", "polygons": 1, "engines": [{{"engine": "x", {rest}}}]}}]}}"#
            )
        };
        let cases = [
            (String::new(), "not what"),
            ("garbage".to_owned(), "not what"),
            ("[1, 2]".to_owned(), "not what"),
            ("{}".to_owned(), "maps"),
            (cut.to_owned(), "not what"),
            (r#"{"maps": []}"#.to_owned(), "without a map"),
            (engine(r#""mean_us": null, "excess": null"#), "not what"),
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
        // Bytes that are no text.
        assert!(PeersRun::from_json(&[0xff, 0x00, 0x80]).is_err());
    }
}
