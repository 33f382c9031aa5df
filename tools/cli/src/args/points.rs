//! Parses points on the command line: `--from 0,0,-5` and `--from 0 0 -5`.

use std::ffi::OsString;

use clap::{Command, CommandFactory};
use glam::Vec3;

use super::Cli;

/// Returns a parser of points. Its error shows an example with `option`.
pub(super) fn point(
    option: &str,
) -> impl Fn(&str) -> Result<Vec3, String> + Clone + Send + Sync + use<> {
    let read = numbers::<3>(&format!("{option} 0,0,-5"));
    move |text| read(text).map(Vec3::from)
}

/// Parses the half extents of a box, in metres.
pub(super) fn half_extents(text: &str) -> Result<Vec3, String> {
    let extents = Vec3::from(numbers::<3>("--snap 0.5,2,0.5")(text)?);
    if extents.min_element() < 0.0 || extents.max_element() > 1e8 {
        return Err("expected three numbers from 0 to 1e8".to_owned());
    }
    Ok(extents)
}

/// Returns a parser of `N` finite numbers separated by commas. Its error shows `example`, the option with a
/// valid value.
pub(super) fn numbers<const N: usize>(
    example: &str,
) -> impl Fn(&str) -> Result<[f32; N], String> + Clone + Send + Sync + use<N> {
    let read = reals::<N>(example);
    move |text| {
        let numbers = read(text)?.map(|number| number as f32);
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(numbers),
            false => Err("the numbers must be finite".to_owned()),
        }
    }
}

/// Returns a parser of `N` finite numbers as [`numbers`] does, for coordinates that need more digits than `f32` has.
pub(super) fn reals<const N: usize>(
    example: &str,
) -> impl Fn(&str) -> Result<[f64; N], String> + Clone + Send + Sync + use<N> {
    let count = ["no", "one", "two", "three", "four"]
        .get(N)
        .map_or_else(|| N.to_string(), |&word| word.to_owned());
    let expected = format!("expected {count} numbers separated by commas, as in {example}");
    move |text| {
        let words: Result<Vec<f64>, _> = text.split(',').map(|word| word.trim().parse()).collect();
        let numbers = words
            .ok()
            .and_then(|numbers| <[f64; N]>::try_from(numbers).ok());
        let numbers = numbers.ok_or_else(|| expected.clone())?;
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(numbers),
            false => Err("the numbers must be finite".to_owned()),
        }
    }
}

/// Joins points that are written as several arguments: `--from 0 0 -5` becomes `--from 0,0,-5`. An option takes
/// points if its value name has commas, such as `X,Y,Z`.
pub(crate) fn join_points(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let root = Cli::command();
    let mut command = &root;
    let mut joined: Vec<OsString> = Vec::new();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        if let Some(subcommand) = word.to_str().and_then(|name| command.find_subcommand(name)) {
            command = subcommand;
        }
        let Some(expected) = word.to_str().and_then(|word| numbers_of(command, word)) else {
            joined.push(word);
            continue;
        };
        joined.push(word);
        let mut point: Vec<String> = Vec::new();
        let mut found = 0;
        // A single argument with all numbers is complete. If there are several arguments, one number too many
        // is taken as well: the error is then about the point, not about an unknown argument.
        while found < expected || (point.len() > 1 && found == expected) {
            let next = words.next_if(|word| word.to_str().is_some_and(|word| count(word) > 0));
            let Some(next) = next.and_then(|next| next.into_string().ok()) else {
                break;
            };
            found += count(&next);
            point.push(next.trim_matches(',').to_owned());
        }
        if !point.is_empty() {
            joined.push(point.join(",").into());
        }
    }
    joined
}

/// Returns how many numbers the option `word` takes, or `None` if it takes no point.
fn numbers_of(command: &Command, word: &str) -> Option<usize> {
    let name = word.strip_prefix("--")?;
    let argument = command
        .get_arguments()
        .find(|a| a.get_long() == Some(name))?;
    let [value] = argument.get_value_names()? else {
        return None;
    };
    Some(value.split(',').count()).filter(|&count| count > 1)
}

/// Returns how many numbers `word` contains, separated or surrounded by commas. Returns 0 if it contains anything
/// else.
fn count(word: &str) -> usize {
    let numbers = || word.trim_matches(',').split(',');
    match numbers().all(|number| number.trim().parse::<f64>().is_ok()) {
        true => numbers().count(),
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_is_three_finite_numbers() {
        assert_eq!(point("--to")("1, -2.5,3"), Ok(Vec3::new(1.0, -2.5, 3.0)));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1;2;3", "1 2 3"] {
            let error = point("--to")(bad).unwrap_err();
            assert_eq!(
                error, "expected three numbers separated by commas, as in --to 0,0,-5",
                "{bad}"
            );
        }
        for bad in ["1,2,nan", "1,-inf,3"] {
            assert!(point("--to")(bad).unwrap_err().contains("finite"), "{bad}");
        }
        assert_eq!(numbers::<2>("")("1, -2.5"), Ok([1.0, -2.5]));
    }

    #[test]
    fn the_arguments_of_a_point_are_joined() {
        let join = |line: &str| {
            let joined = join_points(line.split(' ').map(OsString::from));
            let words: Vec<String> = joined
                .into_iter()
                .map(|w| w.into_string().unwrap())
                .collect();
            words.join(" ")
        };
        for (line, expected) in [
            ("path --from 0 0 -5 w", "path --from 0,0,-5 w"),
            ("path --from 0,0,-5 5", "path --from 0,0,-5 5"),
            (
                "path --from -1, -2, -3 --to 1 2 nan",
                "path --from -1,-2,-3 --to 1,2,nan",
            ),
            (
                "path --from 1 2 --to 1 2 3 4",
                "path --from 1,2 --to 1,2,3,4",
            ),
            ("path --from x --to --svg", "path --from x --to --svg"),
            ("path w --max-cost 1 2", "path w --max-cost 1 2"),
            (
                "terrain path t --from 1 2 --to 3 -4",
                "terrain path t --from 1,2 --to 3,-4",
            ),
            (
                "terrain build --window 1.5 42 1.6 42.1 -o t",
                "terrain build --window 1.5,42,1.6,42.1 -o t",
            ),
            (
                "terrain build --extent 1 2 3 4 --up z",
                "terrain build --extent 1,2,3,4 --up z",
            ),
            (
                "--quiet import a --holding 1 2 3",
                "--quiet import a --holding 1,2,3",
            ),
            ("report --from 1 2", "report --from 1 2"),
        ] {
            assert_eq!(join(line), expected);
        }
    }
}
