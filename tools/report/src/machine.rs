//! The computer and the date of a run.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// The computer that ran the measurements.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// The model name of the processor, or `unknown`.
    pub cpu: String,
    /// The number of hardware threads.
    pub cores: usize,
    /// The size of the memory, if the system reports it. [Units: bytes]
    pub memory: Option<u64>,
    /// The operating system and the architecture.
    pub system: String,
}

impl Machine {
    /// Describes the computer that runs this program.
    pub fn this() -> Self {
        Self {
            cpu: cpu().unwrap_or_else(|| "unknown".to_owned()),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory: memory(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
        }
    }
}

fn cpu() -> Option<String> {
    let text = std::fs::read_to_string("/proc/cpuinfo").ok()?;
    field(&text, "model name").map(str::to_owned)
}

fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let kibibytes = field(&text, "MemTotal")?.strip_suffix(" kB")?;
    Some(kibibytes.trim().parse::<u64>().ok()? * 1024)
}

/// Returns the value of the first line `name: value`.
fn field<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    let fields = text.lines().filter_map(|line| line.split_once(':'));
    let mut named = fields.filter(|(key, _)| key.trim() == name);
    named.next().map(|(_, value)| value.trim())
}

/// Returns the current time in the format `2026-11-16 04:05 UTC`.
pub(crate) fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    date(since.map_or(0, |since| since.as_secs()))
}

/// Formats seconds since 1970 as a date of the Gregorian calendar.
fn date(seconds: u64) -> String {
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    // The inverse of Hinnant's days_from_civil: years start in March, so the leap day is the last day.
    let days = days + 719_468;
    let (era, day_of_era) = (days / 146_097, days % 146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    let year = era * 400 + year_of_era + u64::from(month <= 2);
    let (hour, minute) = (rest / 3_600, rest % 3_600 / 60);
    format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_are_formatted_as_dates() {
        assert_eq!(date(0), "1970-01-01 00:00 UTC");
        assert_eq!(date(951_782_400), "2000-02-29 00:00 UTC");
        assert_eq!(date(1_794_802_740), "2026-11-16 04:19 UTC");
    }

    #[test]
    fn the_first_field_with_a_name_is_read() {
        let text = "processor\t: 0\nmodel name\t: A: B\nmodel name\t: C\n";
        assert_eq!(field(text, "model name"), Some("A: B"));
        assert_eq!(field(text, "MemTotal"), None);
    }
}
