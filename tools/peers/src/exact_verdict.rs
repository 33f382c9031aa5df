//! Comparison of the exact tier, and of `auto`, with their targets for quality and speed.

use portolan_core::{Engine, Tier};
use serde::Serialize;

use crate::exactness::{Exactness, MAX_DIFFERENCE, MAX_FRACTION_LONGER};
use crate::portolan::{EXACT, EXACT_WITH_CORRIDOR, engine_of_tier};
use crate::report::{EngineFigures, MapFigures, columns};
use crate::verdict::TargetCheck;

/// The maps with a target for the time of `polyanya` divided by that of the exact tier.
const POLYANYA_RATIOS: [(&str, f64); 2] = [("lq_e1m1", 20.0), ("vaduz", 10.0)];

/// The maps on which `auto` must be exact, and faster than the default tier of the contraction.
const MAPS_WITH_EXACT_AUTO: [&str; 2] = ["lq_e1m1", "lqdm5"];

/// The minimum for the time of the default tier of the contraction divided by that of `auto`, on these maps.
const CONTRACTION_RATIO: f64 = 2.0;

/// The maximum for the time of the slowest query divided by the mean time of A*.
const MAX_OVER_ASTAR: f64 = 10.0;

/// The comparison of the exact tier, or of `auto`, with a target on a map.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct ExactVerdict {
    map: String,
    target: ExactTarget,
    #[serde(flatten)]
    check: TargetCheck,
    /// What explains the value.
    details: String,
}

/// What is compared with a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum ExactTarget {
    /// The largest relative difference from the interval search, over the queries of the map.
    Difference,
    /// The largest fraction by which an exact path is longer than that of another row.
    Longer,
    /// The number of wrong or missing paths between points on vertices and borders.
    LostOnBorders,
    /// The largest relative difference from the interval search, over points on vertices and borders.
    DifferenceOnBorders,
    /// The time of the slowest query divided by the mean time of A*.
    SlowestOverAStar,
    /// The time of `polyanya` divided by that of `auto:exact`.
    PolyanyaRatio,
    /// Whether `auto` is exact, as 0 or 1.
    AutoIsExact,
    /// The time of the default tier of the contraction divided by that of `auto`.
    ContractionRatio,
}

impl ExactTarget {
    fn name(self) -> &'static str {
        match self {
            Self::Difference => "difference from the interval search",
            Self::Longer => "longer than another row",
            Self::LostOnBorders => "lost or invalid on vertices, borders",
            Self::DifferenceOnBorders => "difference on vertices, borders",
            Self::SlowestOverAStar => "slowest query / mean of astar",
            Self::PolyanyaRatio => "polyanya / auto:exact",
            Self::AutoIsExact => "auto is exact",
            Self::ContractionRatio => "contraction / auto",
        }
    }

    /// Formats a value or a target.
    fn format(self, value: f64) -> String {
        match self {
            Self::Difference | Self::Longer | Self::DifferenceOnBorders => format!("{value:.1e}"),
            Self::LostOnBorders => format!("{value:.0}"),
            Self::AutoIsExact => if value == 0.0 { "no" } else { "yes" }.to_owned(),
            Self::SlowestOverAStar | Self::PolyanyaRatio | Self::ContractionRatio => {
                format!("{value:.2}")
            }
        }
    }
}

/// Returns all verdicts on each map. A map has no verdicts on lengths if the reference search does not support it.
pub(crate) fn of_maps(maps: &[MapFigures]) -> Vec<ExactVerdict> {
    maps.iter()
        .flat_map(|map| {
            let lengths = map.exactness.iter().flat_map(of_lengths);
            let checks = lengths.chain(of_auto(map)).chain(of_times(map));
            checks.map(|(target, check, details)| ExactVerdict {
                map: map.map.clone(),
                target,
                check,
                details,
            })
        })
        .collect()
}

type Check = (ExactTarget, TargetCheck, String);

fn of_lengths(exactness: &Exactness) -> [Check; 4] {
    let Exactness {
        queries,
        borders,
        longer,
        longer_as_returned,
    } = exactness;
    // A lost or invalid path has no length, but it is not exact, either.
    let difference = match queries.lost + queries.invalid {
        0 => queries.max_difference,
        _ => f64::INFINITY,
    };
    let shorter = match (longer.queries, longer_as_returned.queries) {
        (0, 0) => String::new(),
        (0, queries) => format!(
            "as returned: {} {:.1e}, {queries} queries",
            longer_as_returned.row, longer_as_returned.fraction
        ),
        (queries, _) => format!(
            "{}, query {}, {:.1e} m; {queries} queries",
            longer.row, longer.query, longer.metres
        ),
    };
    let wrong_on_borders = (borders.lost + borders.invalid) as f64;
    [
        (
            ExactTarget::Difference,
            TargetCheck::at_most(difference, MAX_DIFFERENCE),
            format!("{} queries, both directions", queries.queries),
        ),
        (
            ExactTarget::Longer,
            TargetCheck::at_most(longer.fraction, MAX_FRACTION_LONGER),
            shorter,
        ),
        (
            ExactTarget::LostOnBorders,
            TargetCheck::at_most(wrong_on_borders, 0.0),
            format!("{} pairs, both directions", borders.queries),
        ),
        (
            ExactTarget::DifferenceOnBorders,
            TargetCheck::at_most(borders.max_difference, MAX_DIFFERENCE),
            String::new(),
        ),
    ]
}

/// Returns whether `auto` is exact, on the maps on which it must be.
fn of_auto(map: &MapFigures) -> Option<Check> {
    let must_be_exact = MAPS_WITH_EXACT_AUTO.contains(&map.map.as_str());
    must_be_exact.then(|| {
        let is_exact = f64::from(u8::from(map.exact_tier.is_auto));
        let method = map.exact_tier.auto_method.clone();
        let check = TargetCheck::at_least(is_exact, 1.0);
        (ExactTarget::AutoIsExact, check, method.unwrap_or_default())
    })
}

fn of_times(map: &MapFigures) -> impl Iterator<Item = Check> {
    let row = |name: &str| map.engines.iter().find(|engine| engine.engine == name);
    let exact = row(&EXACT.to_string());
    let astar = row(&Engine::AStar.to_string());
    let max_us = exact.map_or(f64::NAN, |exact| exact.times.max_us);
    let mean_us = astar.map_or(f64::NAN, |astar| astar.times.mean_us);
    let slowest = (
        ExactTarget::SlowestOverAStar,
        TargetCheck::at_most(max_us / mean_us, MAX_OVER_ASTAR),
        format!("{max_us:.1} / {mean_us:.1} µs"),
    );

    // A ratio without one of its rows is not a number, which meets no target.
    let ratio = |target, slow: Option<&EngineFigures>, fast: Option<&EngineFigures>, min| {
        let mean = |row: Option<&EngineFigures>| row.map_or(f64::NAN, |row| row.times.mean_us);
        let (slow, fast) = (mean(slow), mean(fast));
        let with_corridor = slow / mean(row(EXACT_WITH_CORRIDOR));
        let details = format!("{slow:.1} / {fast:.1} µs; {with_corridor:.2} with the corridor");
        (target, TargetCheck::at_least(slow / fast, min), details)
    };
    let polyanya = POLYANYA_RATIOS.iter().find(|(name, _)| *name == map.map);
    let polyanya =
        polyanya.map(|&(_, min)| ratio(ExactTarget::PolyanyaRatio, row("polyanya"), exact, min));
    let has_exact_auto = MAPS_WITH_EXACT_AUTO.contains(&map.map.as_str());
    let contraction = has_exact_auto.then(|| {
        let contraction = row(&engine_of_tier(Tier::Default).to_string());
        let auto = row(&Engine::default().to_string());
        ratio(
            ExactTarget::ContractionRatio,
            contraction,
            auto,
            CONTRACTION_RATIO,
        )
    });
    [Some(slowest), polyanya, contraction].into_iter().flatten()
}

/// Formats all verdicts as one table. Returns an empty string if there are none.
pub(crate) fn table(verdicts: &[ExactVerdict]) -> String {
    if verdicts.is_empty() {
        return String::new();
    }
    let headings = ["map", "value", "target", "verdict"];
    let mut rows = vec![headings.map(str::to_owned).to_vec()];
    rows.extend(verdicts.iter().map(|verdict| {
        let ExactVerdict {
            map, target, check, ..
        } = verdict;
        vec![
            format!("{map}: {}", target.name()),
            target.format(check.value),
            target.format(check.target),
            if check.is_met { "met" } else { "NOT MET" }.to_owned(),
        ]
    }));
    // The details are of different lengths, so they are not a column.
    let details = [""].into_iter();
    let details = details.chain(verdicts.iter().map(|verdict| verdict.details.as_str()));
    let table = columns(&rows);
    let lines = table.lines().zip(details);
    let lines: String = lines
        .map(|(line, details)| format!("{}\n", format!("{line}  {details}").trim_end()))
        .collect();
    let met = verdicts.iter().filter(|verdict| verdict.check.is_met);
    format!(
        "\nVerdicts on the exact tier: lengths in the (x, z) plane as fractions, and ratios of times.\n\
         A bend of another row within 3 mm of a vertex is measured at the vertex: polyanya's navmesh has moved vertices.\n\
         {lines}{} of {} met\n",
        met.count(),
        verdicts.len()
    )
}

#[cfg(test)]
#[path = "exact_verdict_test.rs"]
mod tests;
