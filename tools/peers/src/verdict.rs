//! Comparison of the tiers of the contraction with their targets for quality and speed.

use portolan_core::Tier;
use serde::Serialize;

use crate::detour::WITH_ALL_NODES;
use crate::portolan::{engine_of_tier, plan_name};
use crate::report::{EngineFigures, Excess, MapFigures, columns};

/// The targets of a tier. Excess is a fraction, not a percentage.
struct TierTarget {
    tier: Tier,
    /// The mean excess must not be higher.
    mean: f64,
    /// By how much the mean excess may be higher than that of Detour, if that is a target.
    mean_over_detour: Option<f64>,
    /// The maximum excess must not be higher.
    max: f64,
    /// Whether the maximum excess may be as high as that of Detour, even if that exceeds `max`.
    may_be_detours_max: bool,
    /// The minimum for the time of Detour divided by that of the tier, on [`TIMED_MAP`] only.
    detour_ratio: f64,
}

const TARGETS: [TierTarget; 2] = [
    TierTarget {
        tier: Tier::Default,
        mean: 0.003,
        mean_over_detour: Some(0.0005),
        max: 0.06,
        may_be_detours_max: true,
        detour_ratio: 14.0,
    },
    TierTarget {
        tier: Tier::Best,
        mean: 0.001,
        mean_over_detour: None,
        max: 0.03,
        may_be_detours_max: false,
        detour_ratio: 8.0,
    },
];

/// The map with a target for times. On smaller maps every library is fast.
const TIMED_MAP: &str = "vaduz";

/// The comparison of a tier on a map with its targets.
#[derive(Debug, PartialEq, Serialize)]
pub(crate) struct Verdict {
    map: String,
    /// The name of the tier, followed by `+plan` if costs are lengths in the (x, z) plane.
    tier: String,
    mean_excess: TargetCheck,
    max_excess: TargetCheck,
    /// Only on the map with a target for times.
    detour_ratio: Option<TargetCheck>,
    /// Whether all targets are met.
    is_met: bool,
}

/// A value and its target.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct TargetCheck {
    pub(crate) value: f64,
    #[serde(rename = "bar")]
    pub(crate) target: f64,
    pub(crate) is_met: bool,
}

impl TargetCheck {
    pub(crate) fn at_most(value: f64, target: f64) -> Self {
        let is_met = value <= target;
        Self {
            value,
            target,
            is_met,
        }
    }

    pub(crate) fn at_least(value: f64, target: f64) -> Self {
        let is_met = value >= target;
        Self {
            value,
            target,
            is_met,
        }
    }
}

/// Returns a verdict per map and tier with targets. Maps without an optimum are skipped.
pub(crate) fn of_maps(maps: &[MapFigures]) -> Vec<Verdict> {
    let of_map = |map| {
        let rows = TARGETS.iter().flat_map(|target| {
            let tier = target.tier;
            let names = [
                (engine_of_tier(tier).to_string(), tier.to_string()),
                (plan_name(tier), format!("{tier}+plan")),
            ];
            names.map(|(row, name)| (target, row, name))
        });
        rows.filter_map(move |(target, row, name)| target.verdict(map, &row, name))
    };
    maps.iter().flat_map(of_map).collect()
}

impl TierTarget {
    /// Compares a row with the targets. `tier` is the name of the tier in the verdict.
    fn verdict(&self, map: &MapFigures, engine: &str, tier: String) -> Option<Verdict> {
        let row = |name: &str| map.engines.iter().find(|engine| engine.engine == name);
        let engine: &EngineFigures = row(engine)?;
        let excess: Excess = engine.excess?;
        let detour = row(WITH_ALL_NODES).and_then(|detour| detour.excess);
        let relative_to_detour = detour.zip(self.mean_over_detour);
        let mean_target = relative_to_detour.map_or(self.mean, |(detour, over)| {
            self.mean.min(detour.mean + over)
        });
        let detour = detour.filter(|_| self.may_be_detours_max);
        let max_target = detour.map_or(self.max, |detour| self.max.max(detour.max));
        let mean_excess = TargetCheck::at_most(excess.mean, mean_target);
        let max_excess = TargetCheck::at_most(excess.max, max_target);
        let ratio = engine.detour_ratio.filter(|_| map.map == TIMED_MAP);
        let detour_ratio = ratio.map(|ratio| TargetCheck::at_least(ratio, self.detour_ratio));
        let is_met = [Some(mean_excess), Some(max_excess), detour_ratio]
            .iter()
            .flatten()
            .all(|check| check.is_met);
        Some(Verdict {
            map: map.map.clone(),
            tier,
            mean_excess,
            max_excess,
            detour_ratio,
            is_met,
        })
    }
}

/// Formats all verdicts as one table. Returns an empty string if there are none.
pub(crate) fn table(verdicts: &[Verdict]) -> String {
    if verdicts.is_empty() {
        return String::new();
    }
    let headings = [
        "map", "tier", "mean", "target", "", "max", "target", "", "x Detour", "target", "",
        "verdict",
    ];
    let mut rows = vec![headings.map(str::to_owned).to_vec()];
    for verdict in verdicts {
        let mut row = vec![verdict.map.clone(), verdict.tier.clone()];
        let percent = |check: TargetCheck| TargetCheck {
            value: check.value * 100.0,
            target: check.target * 100.0,
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
                Some(TargetCheck {
                    value,
                    target,
                    is_met,
                }) => [
                    format!("{value:.digits$}"),
                    format!("{target:.digits$}"),
                    if is_met { "ok" } else { "NO" }.to_owned(),
                ],
            });
        }
        row.push(if verdict.is_met { "met" } else { "NOT MET" }.to_owned());
        rows.push(row);
    }
    let met = verdicts.iter().filter(|verdict| verdict.is_met).count();
    format!(
        "\nVerdicts: mean and maximum excess in %, and the time of Detour (65 535 nodes) divided by that of\n\
         Portolan (only on {TIMED_MAP}), each with its target\n{}{met} of {} met\n",
        columns(&rows),
        verdicts.len()
    )
}

#[cfg(test)]
#[path = "verdict_test.rs"]
mod tests;
