//! Axes: the transform from numbers to positions, and ticks.

/// An axis of a panel.
#[derive(Clone, Debug)]
pub struct Axis {
    /// The label beside the axis, with the unit.
    pub label: String,
    /// How numbers are spaced.
    pub scale: Scale,
    /// The numbers with a tick. If the list is empty, the axis chooses round numbers.
    pub fixed_ticks: Vec<f64>,
    /// The lowest number that is shown. Lower numbers are shown as this one, because a logarithmic axis has no
    /// 0. With `None`, no number is raised.
    pub floor: Option<f64>,
}

/// How the numbers of an axis are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Linear, from the lowest to the highest number.
    Linear,
    /// Linear, from 0 or the lowest number, whichever is lower.
    FromZero,
    /// Logarithmic. Numbers that are not positive are left out.
    Log,
}

impl Axis {
    /// Returns an axis with round ticks and no floor.
    pub fn new(label: &str, scale: Scale) -> Self {
        Self {
            label: label.to_owned(),
            scale,
            fixed_ticks: Vec::new(),
            floor: None,
        }
    }

    /// Returns whether the axis can show a number.
    pub(super) fn can_show(&self, value: f64) -> bool {
        value.is_finite() && (self.scale != Scale::Log || self.clamped_to_floor(value) > 0.0)
    }

    /// Returns a number, or the floor if the number is lower.
    fn clamped_to_floor(&self, value: f64) -> f64 {
        self.floor.map_or(value, |floor| value.max(floor))
    }

    /// Returns the range of the axis for these numbers: all of them and a margin.
    pub(super) fn range(&self, values: &[f64]) -> [f64; 2] {
        let values = values.iter().chain(&self.fixed_ticks).copied();
        let values = values.filter(|&value| self.can_show(value));
        let values: Vec<f64> = values.map(|value| self.clamped_to_floor(value)).collect();
        let low = values.iter().copied().fold(f64::MAX, f64::min);
        let high = values.iter().copied().fold(f64::MIN, f64::max);
        if low > high {
            return [1.0, 10.0];
        }
        match self.scale {
            Scale::Log => [low / 1.3, high * 1.3],
            Scale::FromZero => {
                let margin = 0.06 * (high - low.min(0.0)).max(1e-9);
                [if low < 0.0 { low - margin } else { 0.0 }, high + margin]
            }
            Scale::Linear => {
                let margin = 0.04 * (high - low).max(1e-9);
                [low - margin, high + margin]
            }
        }
    }

    /// Returns the position of a number along the axis, from 0 to 1.
    pub(super) fn fraction(&self, value: f64, [low, high]: [f64; 2]) -> f64 {
        let value = self.clamped_to_floor(value);
        if self.scale == Scale::Log {
            (value / low).ln() / (high / low).ln()
        } else {
            (value - low) / (high - low)
        }
    }

    /// Returns the ticks and their labels.
    pub(crate) fn ticks(&self, [low, high]: [f64; 2]) -> Vec<(f64, String)> {
        let values = if !self.fixed_ticks.is_empty() {
            self.fixed_ticks.clone()
        } else if self.scale == Scale::Log {
            log_ticks(low, high)
        } else {
            let step = round_step((high - low) / 4.0);
            let first = (low / step).ceil() as i64;
            let ticks = (first..).map(|i| i as f64 * step);
            ticks.take_while(|&tick| tick <= high).take(20).collect()
        };
        let with_label = |value| match self.floor {
            Some(floor) if floor == value => (value, format!("≤{}", label(value))),
            _ => (value, label(value)),
        };
        values.into_iter().map(with_label).collect()
    }
}

/// Rounds a positive number down to 1, 2 or 5 times a power of ten.
pub fn round_step(value: f64) -> f64 {
    let decade = 10f64.powf(value.max(1e-12).log10().floor());
    let digit = value / decade;
    decade
        * if digit >= 5.0 {
            5.0
        } else if digit >= 2.0 {
            2.0
        } else {
            1.0
        }
}

/// Returns the powers of ten in a range, and also 2 and 5 times these if there are few.
fn log_ticks(low: f64, high: f64) -> Vec<f64> {
    let decades = (high / low).log10();
    let digits: &[f64] = if decades < 2.5 {
        &[1.0, 2.0, 5.0]
    } else {
        &[1.0]
    };
    let powers = low.log10().floor() as i32..=high.log10().ceil() as i32;
    powers
        .flat_map(|power| digits.iter().map(move |digit| digit * 10f64.powi(power)))
        .filter(|tick| (low..=high).contains(tick))
        .collect()
}

/// Formats the number of a tick without trailing zeros, with K or M for thousands and millions.
fn label(value: f64) -> String {
    let size = value.abs();
    if size >= 1e6 {
        return format!("{}M", trimmed(value / 1e6));
    }
    if size >= 1e4 {
        return format!("{}K", trimmed(value / 1e3));
    }
    trimmed(value)
}

fn trimmed(value: f64) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" {
        "0".to_owned()
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_within_the_range() {
        let axis = Axis::new("ms", Scale::FromZero);
        let labels: Vec<String> = axis.ticks([0.0, 3.1]).into_iter().map(|t| t.1).collect();
        assert_eq!(labels, ["0", "0.5", "1", "1.5", "2", "2.5", "3"]);
        let axis = Axis::new("us", Scale::Log);
        let labels: Vec<String> = axis
            .ticks([0.9, 30_000.0])
            .into_iter()
            .map(|t| t.1)
            .collect();
        assert_eq!(labels, ["1", "10", "100", "1000", "10K"]);
    }

    #[test]
    fn fractions_go_from_0_to_1() {
        for scale in [Scale::Linear, Scale::FromZero, Scale::Log] {
            let axis = Axis::new("", scale);
            let range = axis.range(&[2.0, 32.0, f64::NAN]);
            assert_eq!(
                (
                    axis.fraction(range[0], range),
                    axis.fraction(range[1], range)
                ),
                (0.0, 1.0)
            );
            assert!((0.0..1.0).contains(&axis.fraction(8.0, range)));
        }
        assert!(!Axis::new("", Scale::Log).can_show(0.0));
        let with_floor = Axis {
            floor: Some(0.01),
            fixed_ticks: vec![0.01, 1.0],
            ..Axis::new("", Scale::Log)
        };
        assert!(with_floor.can_show(-1e-9));
        let range = with_floor.range(&[0.0, 1.0]);
        assert!(range[0] > 0.0);
        assert_eq!(
            with_floor.fraction(0.0, range),
            with_floor.fraction(0.01, range)
        );
        assert_eq!(with_floor.ticks(range)[0].1, "≤0.01");
        assert_eq!(Axis::new("", Scale::Log).range(&[0.0]), [1.0, 10.0]);
    }
}
