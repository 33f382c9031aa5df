//! A figure or a table of the page.

/// What is shown, where it comes from, and what it says.
#[derive(Debug)]
pub(crate) struct Exhibit {
    /// Its anchor on the page and its name as a file.
    pub(crate) id: String,
    pub(crate) title: String,
    /// Paper and number of what it remakes.
    pub(crate) source: String,
    pub(crate) body: Body,
    /// What is drawn.
    pub(crate) caption: String,
    /// What agrees with the paper, what does not, and why.
    pub(crate) verdict: String,
}

#[derive(Debug)]
pub(crate) enum Body {
    Svg(String),
    Table(Table),
    Pictures(Vec<Shown>),
}

/// A picture in the folder `pictures`.
#[derive(Debug)]
pub(crate) struct Shown {
    pub(crate) file: String,
    pub(crate) label: String,
}

/// Headings and rows of text.
#[derive(Debug, Default)]
pub(crate) struct Table {
    pub(crate) columns: Vec<String>,
    pub(crate) rows: Vec<Vec<String>>,
    /// Rows to mark: the best of their kind.
    pub(crate) best: Vec<usize>,
}

impl Table {
    pub(crate) fn new(columns: &[&str]) -> Self {
        Self {
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            ..Self::default()
        }
    }
}

/// Microseconds, with as many digits as mean anything.
pub(crate) fn us(value: f64) -> String {
    if value >= 100.0 {
        format!("{value:.0}")
    } else if value >= 10.0 {
        format!("{value:.1}")
    } else {
        format!("{value:.2}")
    }
}

/// `2.7x`.
pub(crate) fn times(ratio: f64) -> String {
    if ratio >= 100.0 {
        format!("{ratio:.0}x")
    } else if ratio >= 0.95 {
        format!("{ratio:.1}x")
    } else {
        format!("{ratio:.2}x")
    }
}

/// A share in percent.
pub(crate) fn percent(value: f64) -> String {
    if value.abs() >= 10.0 {
        format!("{value:.1}%")
    } else {
        format!("{value:.2}%")
    }
}

/// Bytes, kilobytes or megabytes, decimal as the papers'.
pub(crate) fn bytes(count: usize) -> String {
    let count = count as f64;
    if count >= 1e6 {
        format!("{:.1} MB", count / 1e6)
    } else if count >= 1e3 {
        format!("{:.1} kB", count / 1e3)
    } else {
        format!("{count} B")
    }
}
