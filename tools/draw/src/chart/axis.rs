//! From numbers to places along an axis.

/// An axis with its unit in the label.
#[derive(Clone, Debug)]
pub struct Axis {
    /// What is written beside it, with the unit.
    pub label: String,
    /// How numbers are spaced.
    pub scale: Scale,
    /// Ticks at these numbers instead of round ones.
    pub at: Vec<f64>,
    /// Numbers below this are shown there: a logarithmic axis has no 0.
    pub floor: Option<f64>,
}

/// How numbers are spaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// From the least to the most.
    Linear,
    /// The same from 0 on.
    FromZero,
    /// By their logarithms; numbers that have none are left out.
    Log,
}

impl Axis {
    /// An axis with round ticks and no floor.
    pub fn new(label: &str, scale: Scale) -> Self {
        Self {
            label: label.to_owned(),
            scale,
            at: Vec::new(),
            floor: None,
        }
    }

    /// Whether a number can be shown.
    pub(super) fn takes(&self, value: f64) -> bool {
        value.is_finite() && (self.scale != Scale::Log || self.shown(value) > 0.0)
    }

    /// A number, or the floor that it is below.
    fn shown(&self, value: f64) -> f64 {
        self.floor.map_or(value, |floor| value.max(floor))
    }

    /// What to show of these numbers: all of them and a little air.
    pub(super) fn range(&self, values: &[f64]) -> [f64; 2] {
        let values = values.iter().chain(&self.at).copied();
        let values = values.filter(|&value| self.takes(value));
        let values: Vec<f64> = values.map(|value| self.shown(value)).collect();
        let low = values.iter().copied().fold(f64::MAX, f64::min);
        let high = values.iter().copied().fold(f64::MIN, f64::max);
        if low > high {
            return [1.0, 10.0];
        }
        match self.scale {
            Scale::Log => [low / 1.3, high * 1.3],
            Scale::FromZero => {
                let air = 0.06 * (high - low.min(0.0)).max(1e-9);
                [if low < 0.0 { low - air } else { 0.0 }, high + air]
            }
            Scale::Linear => {
                let air = 0.04 * (high - low).max(1e-9);
                [low - air, high + air]
            }
        }
    }

    /// Where a number lies, 0 to 1.
    pub(super) fn share(&self, value: f64, [low, high]: [f64; 2]) -> f64 {
        let value = self.shown(value);
        if self.scale == Scale::Log {
            (value / low).ln() / (high / low).ln()
        } else {
            (value - low) / (high - low)
        }
    }

    /// Numbers to write at the axis.
    pub(crate) fn ticks(&self, [low, high]: [f64; 2]) -> Vec<(f64, String)> {
        let values = if !self.at.is_empty() {
            self.at.clone()
        } else if self.scale == Scale::Log {
            log_ticks(low, high)
        } else {
            let step = round_step((high - low) / 4.0);
            let first = (low / step).ceil() as i64;
            let ticks = (first..).map(|i| i as f64 * step);
            ticks.take_while(|&tick| tick <= high).take(20).collect()
        };
        let named = |value| match self.floor {
            Some(floor) if floor == value => (value, format!("≤{}", label(value))),
            _ => (value, label(value)),
        };
        values.into_iter().map(named).collect()
    }
}

/// The round number nearest below: 1, 2 or 5 and zeros.
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

/// Powers of ten; where these are few, 2 and 5 times them too.
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

/// A tick's number, without digits that say nothing.
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
    fn ticks_are_round_and_inside() {
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
    fn shares_reach_from_end_to_end() {
        for scale in [Scale::Linear, Scale::FromZero, Scale::Log] {
            let axis = Axis::new("", scale);
            let range = axis.range(&[2.0, 32.0, f64::NAN]);
            assert_eq!(
                (axis.share(range[0], range), axis.share(range[1], range)),
                (0.0, 1.0)
            );
            assert!((0.0..1.0).contains(&axis.share(8.0, range)));
        }
        assert!(!Axis::new("", Scale::Log).takes(0.0));
        let with_floor = Axis {
            floor: Some(0.01),
            at: vec![0.01, 1.0],
            ..Axis::new("", Scale::Log)
        };
        assert!(with_floor.takes(-1e-9));
        let range = with_floor.range(&[0.0, 1.0]);
        assert!(range[0] > 0.0);
        assert_eq!(with_floor.share(0.0, range), with_floor.share(0.01, range));
        assert_eq!(with_floor.ticks(range)[0].1, "≤0.01");
        assert_eq!(Axis::new("", Scale::Log).range(&[0.0]), [1.0, 10.0]);
    }
}
