//! Queries with reference answers, from the file `NAME.queries.txt` next to a map.
//!
//! A line is `start_polygon sx sy sz goal_polygon gx gy gz detour_xz detour_3d optimum_xz`. Points and
//! lengths are in metres. `_xz` lengths are in plan. `#` starts a comment.

use glam::{DVec3, Vec3};

/// A query and the lengths of two known paths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReferenceQuery {
    /// The start. [Units: m]
    pub from: Vec3,
    /// The goal. [Units: m]
    pub to: Vec3,
    /// The length of Detour's path in plan. [Units: m]
    pub detour_xz: f64,
    /// The length of the shortest path in plan. [Units: m]
    pub optimum_xz: f64,
}

/// A line that is not a valid query.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: expected 11 finite numbers, found {found:?}")]
pub struct ReferenceError {
    /// The number of the line, counted from 1.
    pub line: usize,
    /// The text of the line.
    pub found: String,
}

/// Reads the text of a file of reference queries.
pub fn read_references(text: &str) -> Result<Vec<ReferenceQuery>, ReferenceError> {
    let lines = (1..).zip(text.lines());
    let lines = lines.map(|(number, line)| (number, line.split('#').next().unwrap_or("").trim()));
    let queries = lines
        .filter(|(_, line)| !line.is_empty())
        .map(|(line, text)| {
            query(text).ok_or_else(|| ReferenceError {
                line,
                found: text.to_owned(),
            })
        });
    queries.collect()
}

fn query(line: &str) -> Option<ReferenceQuery> {
    let number = |word: &str| word.parse().ok().filter(|number: &f64| number.is_finite());
    let numbers: Vec<f64> = line.split_whitespace().map(number).collect::<Option<_>>()?;
    let &[_, sx, sy, sz, _, gx, gy, gz, detour_xz, _, optimum_xz] = numbers.as_slice() else {
        return None;
    };
    Some(ReferenceQuery {
        from: DVec3::new(sx, sy, sz).as_vec3(),
        to: DVec3::new(gx, gy, gz).as_vec3(),
        detour_xz,
        optimum_xz,
    })
}

#[cfg(test)]
mod tests {
    use glam::vec3;

    use super::*;

    #[test]
    fn comments_and_empty_lines_are_skipped() {
        let text = "# heading\n\n1 0 0 0 2 3 0 4 5.5 5.6 5 # five\n";
        let expected = ReferenceQuery {
            from: Vec3::ZERO,
            to: vec3(3.0, 0.0, 4.0),
            detour_xz: 5.5,
            optimum_xz: 5.0,
        };
        assert_eq!(read_references(text), Ok(vec![expected]));
    }

    #[test]
    fn an_error_names_the_line() {
        for line in [
            "1 2 3",
            "1 0 0 0 2 3 0 4 5 5 inf",
            "1 0 0 0 2 3 0 4 5 5 5 5",
        ] {
            let error = read_references(&format!("# heading\n{line}\n")).unwrap_err();
            assert_eq!((error.line, error.found.as_str()), (2, line));
        }
    }
}
