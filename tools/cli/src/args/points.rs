//! Points on the command line: `--from 0,0,-5` and `--from 0 0 -5`.

use std::ffi::OsString;

use clap::{Command, CommandFactory};
use glam::Vec3;

use super::Cli;

/// Reads a point; `option` is what it belongs to.
pub(super) fn point(
    option: &str,
) -> impl Fn(&str) -> Result<Vec3, String> + Clone + Send + Sync + use<> {
    let read = numbers::<3>(&format!("{option} 0,0,-5"));
    move |text| read(text).map(Vec3::from)
}

/// Reads half the sizes of a box: `X,Y,Z`, none of them negative.
pub(super) fn half_sizes(text: &str) -> Result<Vec3, String> {
    let sizes = Vec3::from(numbers::<3>("--snap 0.5,2,0.5")(text)?);
    if sizes.min_element() < 0.0 || sizes.max_element() > 1e8 {
        return Err("the sizes of a box are 0 to 1e8".to_owned());
    }
    Ok(sizes)
}

/// Reads `N` finite numbers separated by commas. `example` is the option with numbers that are right.
pub(super) fn numbers<const N: usize>(
    example: &str,
) -> impl Fn(&str) -> Result<[f32; N], String> + Clone + Send + Sync + use<N> {
    let count = ["no", "one", "two", "three", "four"]
        .get(N)
        .map_or_else(|| N.to_string(), |&word| word.to_owned());
    let wanted = format!("{count} numbers separated by commas, as in {example}");
    move |text| {
        let words: Result<Vec<f32>, _> = text.split(',').map(|word| word.trim().parse()).collect();
        let numbers = words
            .ok()
            .and_then(|numbers| <[f32; N]>::try_from(numbers).ok());
        let numbers = numbers.ok_or_else(|| wanted.clone())?;
        match numbers.iter().all(|number| number.is_finite()) {
            true => Ok(numbers),
            false => Err("its numbers must be finite".to_owned()),
        }
    }
}

/// Joins points that are written in several words: `--from 0 0 -5` becomes `--from 0,0,-5`. The options
/// that take points are those whose value has a name with commas, such as `X,Y,Z`.
pub(crate) fn join_points(words: impl Iterator<Item = OsString>) -> Vec<OsString> {
    let root = Cli::command();
    let mut command = &root;
    let mut joined: Vec<OsString> = Vec::new();
    let mut words = words.peekable();
    while let Some(word) = words.next() {
        if let Some(verb) = word.to_str().and_then(|name| command.find_subcommand(name)) {
            command = verb;
        }
        let Some(wanted) = word.to_str().and_then(|word| numbers_of(command, word)) else {
            joined.push(word);
            continue;
        };
        joined.push(word);
        let mut point: Vec<String> = Vec::new();
        let mut found = 0;
        // One word with all numbers is complete. Of several words also one too many is taken, so that the
        // error is about the point and not about a word that nobody knows.
        while found < wanted || (point.len() > 1 && found == wanted) {
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

/// How many numbers an option takes that takes a point.
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

/// How many numbers a word consists of, with commas between and around them; 0 where it is anything else.
fn count(word: &str) -> usize {
    let numbers = || word.trim_matches(',').split(',');
    match numbers().all(|number| number.trim().parse::<f32>().is_ok()) {
        true => numbers().count(),
        false => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_three_finite_numbers() {
        assert_eq!(point("--to")("1, -2.5,3"), Ok(Vec3::new(1.0, -2.5, 3.0)));
        for bad in ["", "1,2", "1,2,3,4", "1,2,x", "1;2;3", "1 2 3"] {
            let why = point("--to")(bad).unwrap_err();
            assert_eq!(
                why, "three numbers separated by commas, as in --to 0,0,-5",
                "{bad}"
            );
        }
        for bad in ["1,2,nan", "1,-inf,3"] {
            assert!(point("--to")(bad).unwrap_err().contains("finite"), "{bad}");
        }
        assert_eq!(numbers::<2>("")("1, -2.5"), Ok([1.0, -2.5]));
    }

    #[test]
    fn words_of_a_point_are_joined() {
        let join = |line: &str| {
            let joined = join_points(line.split(' ').map(OsString::from));
            let words: Vec<String> = joined
                .into_iter()
                .map(|w| w.into_string().unwrap())
                .collect();
            words.join(" ")
        };
        for (line, wanted) in [
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
                "terrain build --extent 1 2 3 4 --up z",
                "terrain build --extent 1,2,3,4 --up z",
            ),
            (
                "--quiet import a --holding 1 2 3",
                "--quiet import a --holding 1,2,3",
            ),
            ("report --from 1 2", "report --from 1 2"),
        ] {
            assert_eq!(join(line), wanted);
        }
    }
}
