//! Are the tiers as good and as fast as they should be?

use portolan_core::{Engine, Tier};
use serde::Serialize;

use crate::detour::WITH_ALL_NODES;
use crate::ours::{name_of, plan_name};
use crate::report::{EngineFigures, Excess, MapFigures, columns};

/// What a tier should come to. Excess is a share, not a percentage.
struct Bar {
    tier: Tier,
    mean: f64,
    /// How far the mean may be above Detour's, where that counts.
    mean_over_detour: Option<f64>,
    max: f64,
    /// Whether the largest may be Detour's largest where that is more.
    may_be_detours_max: bool,
    /// Detour's time over ours, on [`TIMED`] only.
    detour_ratio: f64,
}

const BARS: [Bar; 2] = [
    Bar {
        tier: Tier::Default,
        mean: 0.003,
        mean_over_detour: Some(0.0005),
        max: 0.06,
        may_be_detours_max: true,
        detour_ratio: 14.0,
    },
    Bar {
        tier: Tier::Best,
        mean: 0.001,
        mean_over_detour: None,
        max: 0.03,
        may_be_detours_max: false,
        detour_ratio: 8.0,
    },
];

/// The map whose times have a bar: on small ones everybody is fast.
const TIMED: &str = "vaduz";

/// A tier on a map.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Verdict {
    map: String,
    /// With `+plan` where costs are as seen from above.
    tier: String,
    mean_excess: Check,
    max_excess: Check,
    /// Where times have a bar.
    detour_ratio: Option<Check>,
    /// All that there are.
    is_met: bool,
}

/// A figure and what it is held against.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Check {
    value: f64,
    bar: f64,
    is_met: bool,
}

impl Check {
    fn at_most(value: f64, bar: f64) -> Self {
        let is_met = value <= bar;
        Self { value, bar, is_met }
    }

    fn at_least(value: f64, bar: f64) -> Self {
        let is_met = value >= bar;
        Self { value, bar, is_met }
    }
}

/// A verdict for each map and tier with bars; none where there is no optimum.
pub(crate) fn of_maps(maps: &[MapFigures]) -> Vec<Verdict> {
    let of_map = |map| {
        let rows = BARS.iter().flat_map(|bar| {
            let names = [name_of(Engine::Auto(bar.tier)), plan_name(bar.tier)];
            names.map(|name| (bar, name))
        });
        rows.filter_map(move |(bar, name)| bar.verdict(map, &name))
    };
    maps.iter().flat_map(of_map).collect()
}

impl Bar {
    /// On the row of a name.
    fn verdict(&self, map: &MapFigures, name: &str) -> Option<Verdict> {
        let row = |name: &str| map.engines.iter().find(|engine| engine.engine == name);
        let ours: &EngineFigures = row(name)?;
        let excess: Excess = ours.excess?;
        let detour = row(WITH_ALL_NODES).and_then(|detour| detour.excess);
        let beside_detour = detour.zip(self.mean_over_detour);
        let mean_bar = beside_detour.map_or(self.mean, |(detour, over)| {
            self.mean.min(detour.mean + over)
        });
        let beside_detour = detour.filter(|_| self.may_be_detours_max);
        let max_bar = beside_detour.map_or(self.max, |detour| self.max.max(detour.max));
        let mean_excess = Check::at_most(excess.mean, mean_bar);
        let max_excess = Check::at_most(excess.max, max_bar);
        let ratio = ours.detour_ratio.filter(|_| map.map == TIMED);
        let detour_ratio = ratio.map(|ratio| Check::at_least(ratio, self.detour_ratio));
        let is_met = [Some(mean_excess), Some(max_excess), detour_ratio]
            .iter()
            .flatten()
            .all(|check| check.is_met);
        Some(Verdict {
            map: map.map.clone(),
            tier: name.trim_start_matches("ours:").to_owned(),
            mean_excess,
            max_excess,
            detour_ratio,
            is_met,
        })
    }
}

/// All of them in one table, with what the bars are; empty where there are none.
pub(crate) fn table(verdicts: &[Verdict]) -> String {
    if verdicts.is_empty() {
        return String::new();
    }
    let headings = [
        "map", "tier", "mean", "bar", "", "max", "bar", "", "x Detour", "bar", "", "verdict",
    ];
    let mut rows = vec![headings.map(str::to_owned).to_vec()];
    for verdict in verdicts {
        let mut row = vec![verdict.map.clone(), verdict.tier.clone()];
        let percent = |check: Check| Check {
            value: check.value * 100.0,
            bar: check.bar * 100.0,
            ..check
        };
        let checks = [
            (Some(percent(verdict.mean_excess)), 3),
            (Some(percent(verdict.max_excess)), 2),
            (verdict.detour_ratio, 2),
        ];
        for (check, digits) in checks {
            row.extend(match check {
                None => ["-", "-", ""].map(str::to_owned),
                Some(Check { value, bar, is_met }) => [
                    format!("{value:.digits$}"),
                    format!("{bar:.digits$}"),
                    if is_met { "ok" } else { "NO" }.to_owned(),
                ],
            });
        }
        row.push(if verdict.is_met { "met" } else { "NOT MET" }.to_owned());
        rows.push(row);
    }
    let met = verdicts.iter().filter(|verdict| verdict.is_met).count();
    format!(
        "\nVerdicts: excess in %, mean and most, and Detour's time over ours (65 535 nodes; on {TIMED}), each \
         with its bar\n{}{met} of {} met\n",
        columns(&rows),
        verdicts.len()
    )
}

#[cfg(test)]
#[path = "verdict_test.rs"]
mod tests;
