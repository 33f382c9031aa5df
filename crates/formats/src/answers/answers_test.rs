use glam::{Vec3, vec3};
use portolan_core::{BatchOptions, BatchQueries, NavMeshOptions, World};
use portolan_scenes::{WorldOptions, WorldScene};

use super::*;

fn world() -> World {
    let raw = WorldScene::Rooms.build(&WorldOptions::default());
    World::build(raw, &NavMeshOptions::default()).unwrap()
}

/// Returns two batches of answers; one query of each has no path.
fn answers(world: &World, want: Want) -> [BatchAnswers; 2] {
    let goal = vec3(40.0, 0.0, 30.0);
    let starts = [vec3(3.0, 0.0, 3.0), Vec3::splat(-99.0), goal];
    let batches = [&starts[..2], &starts[1..]];
    batches.map(|starts| {
        let queries: Vec<_> = starts.iter().map(|&start| [start, goal]).collect();
        let options = BatchOptions {
            engine: portolan_core::Engine::AStar,
            ..BatchOptions::new(want)
        };
        let mut answers = BatchAnswers::default();
        world
            .find_paths(BatchQueries::Points(&queries), &options, &mut answers)
            .unwrap();
        answers
    })
}

fn csv_of(world: &World, want: Want) -> Vec<Vec<String>> {
    let mut table = Vec::new();
    let mut writer = CsvAnswers::new(&mut table, want).unwrap();
    for answers in answers(world, want) {
        writer.write(world.mesh(), &answers).unwrap();
    }
    writer.finish().unwrap();
    let text = String::from_utf8(table).unwrap();
    let row = |line: &str| line.split(',').map(str::to_owned).collect();
    text.lines().map(row).collect()
}

#[test]
fn rows_are_numbered_over_all_batches_and_empty_without_a_path() {
    let world = world();
    for want in Want::ALL {
        let rows = csv_of(&world, want);
        let columns = columns(want);
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        assert_eq!(rows[0], names);
        assert_eq!(rows.len(), 5);
        for (i, row) in rows[1..].iter().enumerate() {
            assert_eq!(row.len(), names.len());
            assert_eq!(row[0], i.to_string());
            let has_path = matches!(i, 0 | 3);
            let status = if has_path { "found" } else { "start_off_mesh" };
            assert_eq!(row[1], status);
            let is_filled = |field: &String| field.is_empty() != has_path;
            assert!(row[2..].iter().all(is_filled), "{want:?} {row:?}");
        }
    }
}

/// The Arrow file has the values of the CSV.
#[cfg(feature = "arrow")]
#[test]
fn arrow_and_csv_hold_the_same() {
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float32Type, UInt64Type};
    use arrow_array::{Array, RecordBatch};

    fn numbers(array: &dyn Array) -> Vec<String> {
        let values = array.as_primitive::<Float32Type>().values();
        values.iter().map(f32::to_string).collect()
    }
    fn shown(column: AnswerColumn, array: &dyn Array, row: usize) -> String {
        if array.is_null(row) {
            return String::new();
        }
        match column {
            AnswerColumn::Query | AnswerColumn::Polygon => {
                array.as_primitive::<UInt64Type>().value(row).to_string()
            }
            AnswerColumn::Status => array.as_string::<i32>().value(row).to_owned(),
            AnswerColumn::Number(_) => array.as_primitive::<Float32Type>().value(row).to_string(),
            AnswerColumn::Polygons => {
                let list = array.as_list::<i64>().value(row);
                let ids = list.as_primitive::<UInt64Type>().values();
                ids.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
            }
            AnswerColumn::Waypoints => {
                let list = array.as_list::<i64>().value(row);
                let points = list.as_fixed_size_list();
                let point = |i| numbers(&*points.value(i)).join(";");
                (0..points.len()).map(point).collect::<Vec<_>>().join(" ")
            }
        }
    }

    let world = world();
    for want in Want::ALL {
        let mut file = Vec::new();
        let mut writer = ArrowAnswers::new(&mut file, want).unwrap();
        for answers in answers(&world, want) {
            writer.write(world.mesh(), &answers).unwrap();
        }
        writer.finish().unwrap();
        let file = std::io::Cursor::new(file);
        let reader = arrow_ipc::reader::FileReader::try_new(file, None).unwrap();
        let columns = columns(want);
        let mut rows: Vec<Vec<String>> =
            vec![columns.iter().map(|(name, _)| (*name).to_owned()).collect()];
        let schema = reader.schema();
        let names: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
        assert!(names.into_iter().eq(&rows[0]));
        let batches: Vec<RecordBatch> = reader.map(Result::unwrap).collect();
        assert_eq!(batches.len(), 2);
        for batch in &batches {
            rows.extend((0..batch.num_rows()).map(|row| {
                let cells = columns.iter().zip(batch.columns());
                let cells = cells.map(|((_, column), array)| shown(*column, array, row));
                cells.collect::<Vec<_>>()
            }));
        }
        assert_eq!(rows, csv_of(&world, want), "{want:?}");
    }
}
