//! What walking costs on a slope, after three models that people know.
//!
//! Each model is a function of the slope, which is rise divided by run, per metre of run. Run is distance in plan.
//! The models are not meant for slopes beyond a limit. There, a metre up or down costs as much as at the limit, so
//! that the cost of a leg is finite and continuous up to a vertical wall.

/// A model of the cost of walking.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Walking {
    /// Time after Tobler (1993), "Three presentations on geographical analysis and modeling": the speed is
    /// 6 exp(-3.5 |slope + 0.05|) km/h. [Units: s]
    Tobler,
    /// Time after Naismith (1892) in the metric form, with the correction of Langmuir (1984), "Mountaincraft and
    /// leadership": 5 km/h, half an hour more per 300 m of ascent, 10 minutes less per 300 m of descent at 5 to 12
    /// degrees, and 10 minutes more per 300 m of descent at more than 12 degrees. [Units: s]
    Naismith,
    /// Energy after Minetti, Moia, Roi, Susta and Ferretti (2002), "Energy cost of walking and running at extreme
    /// uphill and downhill slopes": 280.5 i⁵ - 58.7 i⁴ - 76.8 i³ + 51.9 i² + 19.6 i + 2.5 per metre of the inclined
    /// path at the slope i. [Units: J per kg of body mass]
    Minetti,
}

/// Lower bounds of the cost of a leg. Each is a sum over legs of terms that do not decrease when a path is straightened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct WalkingBounds {
    /// The lowest cost per metre of run.
    pub(super) run: f32,
    /// The cost per metre upwards that comes on top of [`run`](Self::run).
    pub(super) climb: f32,
    /// The lowest cost per metre upwards, including its run.
    pub(super) up: f32,
    /// The lowest cost per metre downwards, including its run.
    pub(super) down: f32,
}

/// The tangents of 5 and of 12 degrees, where Langmuir's corrections start and change.
const GENTLE: f64 = 0.087_488_663_525_924;
const STEEP: f64 = 0.212_556_561_670_022;

impl Walking {
    /// Returns the cost of a straight leg on the ground. It has `run` metres in plan and goes up by `rise` metres, down
    /// if that is negative.
    pub(super) fn cost(self, run: f64, rise: f64) -> f64 {
        let limit = self.max_slope();
        if rise.abs() > limit * run {
            let per_metre = self.cost_per_run(limit.copysign(rise)) / limit;
            return rise.abs() * per_metre;
        }
        if run == 0.0 {
            return 0.0;
        }
        run * self.cost_per_run(rise / run)
    }

    /// Returns the slope beyond which costs are proportional to the rise. For Minetti, it is the steepest that was
    /// measured.
    fn max_slope(self) -> f64 {
        match self {
            Self::Tobler | Self::Naismith => 2.0,
            Self::Minetti => 0.45,
        }
    }

    /// Returns the cost per metre of run at a slope within the limit.
    fn cost_per_run(self, slope: f64) -> f64 {
        match self {
            // 6 km/h are 0.6 s per metre.
            Self::Tobler => 0.6 * exp(3.5 * (slope + 0.05).abs()),
            Self::Naismith => {
                let per_rise = if slope > 0.0 {
                    6.0
                } else if slope > -GENTLE {
                    0.0
                } else if slope >= -STEEP {
                    2.0
                } else {
                    -2.0
                };
                0.72 + per_rise * slope
            }
            Self::Minetti => {
                let i = slope;
                let per_metre = ((((280.5 * i - 58.7) * i - 76.8) * i + 51.9) * i + 19.6) * i + 2.5;
                per_metre * (1.0 + i * i).sqrt()
            }
        }
    }

    /// Returns lower bounds, which are rounded down. A test compares them with the costs of all slopes.
    pub(super) const fn bounds(self) -> WalkingBounds {
        let [run, climb, up, down] = match self {
            Self::Tobler => [0.5999, 4.04, 6.79, 4.79],
            Self::Naismith => [0.2948, 6.21, 6.35, 1.387],
            Self::Minetti => [0.945, 35.2, 38.8, 5.51],
        };
        WalkingBounds {
            run,
            climb,
            up,
            down,
        }
    }
}

impl WalkingBounds {
    /// Returns a lower bound of the cost of all paths between two points that are `run` metres apart in plan. The second
    /// is `up` metres higher or `down` metres lower.
    ///
    /// Every leg costs at least as much as each of the three terms for its own run, rise and fall. The run of a path is at
    /// least the distance in plan of its ends, and it goes up or down by at least the difference of their heights.
    #[inline]
    pub(super) fn cost(&self, run: f32, up: f32, down: f32) -> f32 {
        let forward = self.run * run + self.climb * up;
        forward.max(self.up * up).max(self.down * down)
    }
}

/// Returns the exponential of a number from 0 to 10 with a relative error below 1e-12, by operations that IEEE 754 defines
/// exactly.
fn exp(x: f64) -> f64 {
    const HALVINGS: u32 = 9;
    let x = x / f64::from(1 << HALVINGS);
    // The Taylor series of a number below 0.02. Its first omitted term is below 1e-18.
    let mut sum = 1.0;
    for term in (1..=8).rev() {
        sum = 1.0 + x / f64::from(term) * sum;
    }
    for _ in 0..HALVINGS {
        sum *= sum;
    }
    sum
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "compared within a tolerance")]
mod tests {
    use super::*;

    const ALL: [Walking; 3] = [Walking::Tobler, Walking::Naismith, Walking::Minetti];

    #[test]
    fn exp_agrees_with_the_standard_library() {
        for step in 0..=1000 {
            let x = f64::from(step) / 100.0;
            assert!((exp(x) / x.exp() - 1.0).abs() < 1e-12, "{x}");
        }
    }

    /// The values are computed by hand from the published formulas.
    #[test]
    fn costs_are_those_of_the_publications() {
        for (model, run, rise, cost) in [
            // 6 exp(-0.175) km/h on the level, 6 km/h at a slope of -5%, 6 exp(-0.525) km/h at 10%.
            (Walking::Tobler, 5_036.742_53, 0.0, 3600.0),
            (Walking::Tobler, 6000.0, -300.0, 3600.0),
            (Walking::Tobler, 100.0, 10.0, 101.427_53),
            // An hour for 5 km, and another one for 600 m up.
            (Walking::Naismith, 5000.0, 600.0, 7200.0),
            // 12 minutes for 1 km. 50 m down are too gentle for a correction, 100 m are 200 s less, and 300 m are
            // 600 s more.
            (Walking::Naismith, 1000.0, -50.0, 720.0),
            (Walking::Naismith, 1000.0, -100.0, 520.0),
            (Walking::Naismith, 1000.0, -300.0, 1320.0),
            (Walking::Minetti, 1000.0, 0.0, 2500.0),
            // 4.899135 and 1.127065 J/kg per metre of the inclined path, which is sqrt(1.01) times as long as its run.
            (Walking::Minetti, 100.0, 10.0, 489.913_5 * 1.004_987_562),
            (Walking::Minetti, 100.0, -10.0, 112.712_5 * 1.004_987_562),
        ] {
            let found = model.cost(run, rise);
            assert!(
                (found / cost - 1.0).abs() < 1e-5,
                "{model:?} {run} {rise}: {found}"
            );
        }
    }

    #[test]
    fn costs_are_finite_up_to_a_wall_and_scale_with_the_leg() {
        for model in ALL {
            assert_eq!(model.cost(0.0, 0.0), 0.0);
            for rise in [-7.0, 7.0] {
                let wall = model.cost(0.0, rise);
                assert!(wall.is_finite() && wall > 0.0);
                let limit = model.max_slope();
                let [below, above] =
                    [1.000_001, 0.999_999].map(|f| model.cost(7.0 / limit * f, rise));
                assert!(
                    (below / above - 1.0).abs() < 1e-4,
                    "{model:?} {below} {above}"
                );
                assert!((model.cost(20.0, 2.0 * rise) / model.cost(10.0, rise) - 2.0).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn bounds_are_below_the_cost_of_every_slope_and_close_to_the_lowest() {
        for model in ALL {
            let bounds = model.bounds();
            let mut lowest = [f64::INFINITY; 4];
            for step in -40_000..=40_000 {
                let slope = f64::from(step) / 10_000.0;
                let cost = model.cost(1.0, slope);
                let bound = bounds.cost(1.0, slope.max(0.0) as f32, (-slope).max(0.0) as f32);
                assert!(
                    f64::from(bound) <= cost,
                    "{model:?} {slope}: {bound} > {cost}"
                );
                let rise = slope.abs();
                let terms = match slope > 0.0 {
                    true => [
                        cost,
                        (cost - f64::from(bounds.run)) / rise,
                        cost / rise,
                        f64::INFINITY,
                    ],
                    false => [cost, f64::INFINITY, f64::INFINITY, cost / rise],
                };
                for (lowest, term) in lowest.iter_mut().zip(terms) {
                    *lowest = lowest.min(term);
                }
            }
            let WalkingBounds {
                run,
                climb,
                up,
                down,
            } = bounds;
            for (bound, lowest) in [run, climb, up, down].into_iter().zip(lowest) {
                assert!(
                    (0.99..=1.0).contains(&(f64::from(bound) / lowest)),
                    "{model:?}: {bound} {lowest}"
                );
            }
            // A wall has no run.
            assert!(f64::from(bounds.cost(0.0, 1.0, 0.0)) <= model.cost(0.0, 1.0));
            assert!(f64::from(bounds.cost(0.0, 0.0, 1.0)) <= model.cost(0.0, -1.0));
        }
    }
}
