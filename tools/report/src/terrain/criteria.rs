//! The criteria of the evaluation, and whether a run meets them.

use super::published::mean_range;
use super::{
    Criterion, GroundCell, GroundKind, TerrainReport, TerrainVariant, WaveAnswer, WaveCell,
};

/// The required speed-up of High Meshes over A* on realistic ground.
const MIN_SPEED_UP: f64 = 3.0;

/// The relative rounding error up to which a cost counts as exact.
const MAX_ROUNDING: f64 = 1e-5;

/// The ratio up to which two times count as equal. It allows for the noise of a machine that runs other
/// programs.
const EQUAL_TIME_RATIO: f64 = 1.1;

/// Evaluates all criteria from the numbers of a report. A criterion without a measurement is not met.
pub fn terrain_criteria(report: &TerrainReport) -> Vec<Criterion> {
    let mut criteria = Vec::new();
    let of = |kind| {
        report
            .grounds
            .iter()
            .filter(move |ground| ground.kind == kind)
    };
    for ground in of(GroundKind::Realistic) {
        criteria.extend(TerrainVariant::HIGH_MESHES.map(|engine| mesh_speed_up(ground, engine)));
    }
    let kinds = [GroundKind::Cone, GroundKind::Realistic];
    for ground in kinds.into_iter().flat_map(of) {
        criteria.extend(TerrainVariant::HIGH_MESHES.map(|engine| mesh_mean_cost(ground, engine)));
    }
    for ground in &report.grounds {
        criteria.push(contraction_exact(ground));
        criteria.push(contraction_speed(ground));
    }
    criteria
}

impl WaveCell {
    /// Returns the results of an engine.
    pub fn answer(&self, engine: TerrainVariant) -> Option<&WaveAnswer> {
        self.answers.iter().find(|answer| answer.engine == engine)
    }
}

/// Returns a number per wave; `None` if a wave has no such number, or one that is not finite.
fn by_wave(ground: &GroundCell, of: impl Fn(&WaveCell) -> Option<f64>) -> Option<Vec<f64>> {
    let numbers: Option<Vec<f64>> = ground.waves.iter().map(of).collect();
    numbers.filter(|numbers| !numbers.is_empty() && numbers.iter().all(|n| n.is_finite()))
}

/// Formats the numbers of both waves: `4.0 and 3.5 times`.
fn describe(numbers: Option<&[f64]>, format: impl Fn(f64) -> String, unit: &str) -> String {
    let Some(numbers) = numbers else {
        return "not measured".to_owned();
    };
    let words: Vec<String> = numbers.iter().map(|&number| format(number)).collect();
    words.join(" and ") + unit
}

/// Checks the speed-up of a structure of High Meshes over A*.
fn mesh_speed_up(ground: &GroundCell, engine: TerrainVariant) -> Criterion {
    let factors = by_wave(ground, |wave| {
        let [astar, mesh] = [TerrainVariant::Astar, engine].map(|engine| wave.answer(engine));
        Some(astar?.path_us / mesh?.path_us)
    });
    Criterion {
        requirement: format!("speed-up over A*, {}", structure_name(engine)),
        ground: ground.title.clone(),
        measured: describe(
            factors.as_deref(),
            |factor| format!("{factor:.1}"),
            " times",
        ),
        threshold: format!("at least {MIN_SPEED_UP} times in both waves"),
        is_met: factors.is_some_and(|factors| factors.iter().all(|&factor| factor >= MIN_SPEED_UP)),
        is_of_time: true,
    }
}

/// Checks that the mean cost of a structure, relative to A*, is within or below the thesis's range.
fn mesh_mean_cost(ground: &GroundCell, engine: TerrainVariant) -> Criterion {
    let means = by_wave(ground, |wave| {
        let answer = wave.answer(engine)?;
        // If paths are missing, the mean of the other paths is not comparable.
        (answer.missing == 0).then_some(answer.mean)
    });
    let range = mean_range(ground.kind, engine);
    let is_met = means.as_ref().zip(range).is_some_and(|(means, [_, max])| {
        // The published numbers are rounded to percents.
        means.iter().all(|&mean| mean < max + 0.005)
    });
    Criterion {
        requirement: format!("mean cost relative to A*, {}", structure_name(engine)),
        ground: ground.title.clone(),
        measured: describe(means.as_deref(), |mean| format!("{mean:.2}"), ""),
        threshold: range.map_or("-".to_owned(), |[min, max]| {
            format!("within or below {min:.2} to {max:.2}")
        }),
        is_met,
        is_of_time: false,
    }
}

/// Checks that the contraction has the same costs as A*.
fn contraction_exact(ground: &GroundCell) -> Criterion {
    let errors = by_wave(ground, |wave| {
        let answer = wave.answer(TerrainVariant::Contraction)?;
        let error = (answer.min - 1.0)
            .abs()
            .max((answer.quartiles[3] - 1.0).abs());
        (answer.missing == 0).then_some(error)
    });
    Criterion {
        requirement: "contraction is exact".to_owned(),
        ground: ground.title.clone(),
        measured: describe(
            errors.as_deref(),
            |error| format!("{error:.1e}"),
            " relative to A*",
        ),
        threshold: format!("at most {MAX_ROUNDING:.0e}"),
        is_met: errors.is_some_and(|errors| errors.iter().all(|&error| error <= MAX_ROUNDING)),
        is_of_time: false,
    }
}

/// Checks that the contraction is at least as fast as the fastest structure of High Meshes.
fn contraction_speed(ground: &GroundCell) -> Criterion {
    let ratios = by_wave(ground, |wave| {
        let contraction = wave.answer(TerrainVariant::Contraction)?.path_us;
        let meshes = TerrainVariant::HIGH_MESHES.map(|engine| wave.answer(engine));
        let fastest = meshes.iter().flatten().map(|mesh| mesh.path_us);
        Some(contraction / fastest.fold(f64::INFINITY, f64::min))
    });
    Criterion {
        requirement: "contraction is at least as fast as High Meshes".to_owned(),
        ground: ground.title.clone(),
        measured: describe(
            ratios.as_deref(),
            |ratio| format!("{ratio:.2}"),
            " times the time of the fastest High Meshes",
        ),
        threshold: format!("at most {EQUAL_TIME_RATIO}, which allows 10% of noise"),
        is_met: ratios.is_some_and(|ratios| ratios.iter().all(|&ratio| ratio <= EQUAL_TIME_RATIO)),
        is_of_time: true,
    }
}

/// Returns the name of a High Mesh structure.
fn structure_name(engine: TerrainVariant) -> String {
    match engine {
        TerrainVariant::Full => "High Meshes, full structure".to_owned(),
        other => format!("High Meshes, {}", other.name()),
    }
}
