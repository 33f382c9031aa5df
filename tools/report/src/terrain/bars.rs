//! What had to be shown, held against what was measured.

use super::published::mean_range;
use super::{Bar, GroundCell, GroundKind, TerrainReport, TerrainVariant, WaveAnswer, WaveCell};

/// How many times as fast as A* High Meshes have to be on realistic ground.
const FASTER: f64 = 3.0;

/// How far an exact answer may be from A*'s: rounding.
const EXACT: f64 = 1e-5;

/// Times closer than this are the same: the noise of a machine that does other things besides.
const SAME_SPEED: f64 = 1.1;

/// All bars, from the numbers alone. One that nothing was measured for is not met.
pub fn terrain_bars(report: &TerrainReport) -> Vec<Bar> {
    let mut bars = Vec::new();
    let of = |kind| {
        report
            .grounds
            .iter()
            .filter(move |ground| ground.kind == kind)
    };
    for ground in of(GroundKind::Realistic) {
        bars.extend(TerrainVariant::HIGH_MESHES.map(|engine| speed(ground, engine)));
    }
    let kinds = [GroundKind::Cone, GroundKind::Realistic];
    for ground in kinds.into_iter().flat_map(of) {
        bars.extend(TerrainVariant::HIGH_MESHES.map(|engine| mean(ground, engine)));
    }
    for ground in &report.grounds {
        bars.push(exact(ground));
        bars.push(contraction_speed(ground));
    }
    bars
}

impl WaveCell {
    /// What an engine made of it.
    pub fn answer(&self, engine: TerrainVariant) -> Option<&WaveAnswer> {
        self.answers.iter().find(|answer| answer.engine == engine)
    }
}

/// A number of each wave; none where one of them has none.
fn by_wave(ground: &GroundCell, of: impl Fn(&WaveCell) -> Option<f64>) -> Option<Vec<f64>> {
    let numbers: Option<Vec<f64>> = ground.waves.iter().map(of).collect();
    numbers.filter(|numbers| !numbers.is_empty() && numbers.iter().all(|n| n.is_finite()))
}

/// `4.0 and 3.5 times`.
fn words(numbers: Option<&[f64]>, say: impl Fn(f64) -> String, unit: &str) -> String {
    let Some(numbers) = numbers else {
        return "not measured".to_owned();
    };
    let words: Vec<String> = numbers.iter().map(|&number| say(number)).collect();
    words.join(" and ") + unit
}

fn speed(ground: &GroundCell, engine: TerrainVariant) -> Bar {
    let factors = by_wave(ground, |wave| {
        let [astar, mesh] = [TerrainVariant::Astar, engine].map(|engine| wave.answer(engine));
        Some(astar?.path_us / mesh?.path_us)
    });
    Bar {
        what: format!("{} faster than A*", high(engine)),
        ground: ground.title.clone(),
        measured: words(
            factors.as_deref(),
            |factor| format!("{factor:.1}"),
            " times",
        ),
        wanted: format!("{FASTER} times in both waves"),
        is_met: factors.is_some_and(|factors| factors.iter().all(|&factor| factor >= FASTER)),
        is_of_time: true,
    }
}

fn mean(ground: &GroundCell, engine: TerrainVariant) -> Bar {
    let means = by_wave(ground, |wave| {
        let answer = wave.answer(engine)?;
        // The mean of those that arrive is no mean of all.
        (answer.missing == 0).then_some(answer.mean)
    });
    let range = mean_range(ground.kind, engine);
    let is_met = means.as_ref().zip(range).is_some_and(|(means, [_, most])| {
        // The published numbers are whole percents.
        means.iter().all(|&mean| mean < most + 0.005)
    });
    Bar {
        what: format!("mean price over A*, {}", high(engine)),
        ground: ground.title.clone(),
        measured: words(means.as_deref(), |mean| format!("{mean:.2}"), ""),
        wanted: range.map_or("-".to_owned(), |[least, most]| {
            format!("within or below {least:.2} to {most:.2}")
        }),
        is_met,
        is_of_time: false,
    }
}

fn exact(ground: &GroundCell) -> Bar {
    let apart = by_wave(ground, |wave| {
        let answer = wave.answer(TerrainVariant::Contraction)?;
        let apart = (answer.least - 1.0)
            .abs()
            .max((answer.quartiles[3] - 1.0).abs());
        (answer.missing == 0).then_some(apart)
    });
    Bar {
        what: "contraction exact".to_owned(),
        ground: ground.title.clone(),
        measured: words(apart.as_deref(), |apart| format!("{apart:.1e}"), " from A*"),
        wanted: format!("{EXACT:.0e} at most"),
        is_met: apart.is_some_and(|apart| apart.iter().all(|&apart| apart <= EXACT)),
        is_of_time: false,
    }
}

fn contraction_speed(ground: &GroundCell) -> Bar {
    let shares = by_wave(ground, |wave| {
        let contraction = wave.answer(TerrainVariant::Contraction)?.path_us;
        let meshes = TerrainVariant::HIGH_MESHES.map(|engine| wave.answer(engine));
        let fastest = meshes.iter().flatten().map(|mesh| mesh.path_us);
        Some(contraction / fastest.fold(f64::INFINITY, f64::min))
    });
    Bar {
        what: "contraction at the speed of High Meshes or better".to_owned(),
        ground: ground.title.clone(),
        measured: words(
            shares.as_deref(),
            |share| format!("{share:.2}"),
            " of the time of the fastest High Meshes",
        ),
        wanted: format!("{SAME_SPEED} at most, a tenth being noise"),
        is_met: shares.is_some_and(|shares| shares.iter().all(|&share| share <= SAME_SPEED)),
        is_of_time: true,
    }
}

fn high(engine: TerrainVariant) -> String {
    match engine {
        TerrainVariant::Full => "High Meshes, full structure".to_owned(),
        other => format!("High Meshes, {}", other.name()),
    }
}
