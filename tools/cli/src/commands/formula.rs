//! Height maps from a formula.

use exmex::{Express, FlatEx};

use crate::outcome::Failure;

/// A function of x and y.
pub(super) struct Formula {
    expression: FlatEx<f64>,
    /// The variables of the expression, in the order in which it takes their values.
    variables: Vec<Variable>,
}

#[derive(Clone, Copy)]
enum Variable {
    X,
    Y,
}

impl Formula {
    /// The largest length of a formula. [Units: bytes]
    const MAX_LENGTH: usize = 4096;

    pub(super) fn new(text: &str) -> Result<Self, Failure> {
        if text.len() > Self::MAX_LENGTH {
            return Err(Failure::new(format!(
                "the formula has {} bytes, more than the limit of {}",
                text.len(),
                Self::MAX_LENGTH
            )));
        }
        let expression = exmex::parse::<f64>(text).map_err(|error| {
            let reason = error.msg().replace('\n', " ");
            Failure::new(format!("{text:?} is not a formula: {reason}"))
        })?;
        let variable = |name: &String| match name.as_str() {
            "x" => Ok(Variable::X),
            "y" => Ok(Variable::Y),
            _ => Err(Failure::new(format!(
                "{text:?} is not a formula: {name:?} is neither x nor y nor a function; \
                 `portolan heightmap --help` lists the functions"
            ))),
        };
        let variables = expression.var_names().iter().map(variable);
        let variables = variables.collect::<Result<_, _>>()?;
        Ok(Self {
            expression,
            variables,
        })
    }

    /// Evaluates the formula for a map, row by row from the top, where y is 1. Fails if a height is not finite.
    pub(super) fn heights(&self, width: u32, height: u32) -> Result<Vec<f64>, Failure> {
        let mut heights = Vec::with_capacity(width as usize * height as usize);
        let mut values = Vec::new();
        for row in 0..height {
            let y = f64::from(height - 1 - row) / f64::from(height - 1);
            for column in 0..width {
                let x = f64::from(column) / f64::from(width - 1);
                values.clear();
                values.extend(self.variables.iter().map(|variable| match variable {
                    Variable::X => x,
                    Variable::Y => y,
                }));
                let value = self.expression.eval(&values);
                let value = value.map_err(|error| Failure::new(error.msg().replace('\n', " ")))?;
                if !value.is_finite() {
                    return Err(Failure::new(format!(
                        "the formula is {value} at x = {x}, y = {y} (column {column}, row {row}); \
                         heights must be finite"
                    )));
                }
                // Turns -0 into 0, so that it is also printed as 0.
                heights.push(value + 0.0);
            }
        }
        Ok(heights)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x_points_right_and_y_points_up() {
        let formula = Formula::new("x + 10 * y").unwrap();
        assert_eq!(
            formula.heights(3, 2).unwrap(),
            [10.0, 10.5, 11.0, 0.0, 0.5, 1.0]
        );
        let only_y = Formula::new("y").unwrap();
        assert_eq!(only_y.heights(2, 2).unwrap(), [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(Formula::new("7").unwrap().heights(2, 2).unwrap(), [7.0; 4]);
    }

    #[test]
    fn all_functions_in_the_help_work() {
        for (text, expected) in [
            ("abs(0-2) + sqrt(4) + cbrt(8)", 6.0),
            ("exp(0) + ln(1) + log2(8) + log10(100)", 6.0),
            (
                "sin(0) + cos(0) + tan(0) + asin(0) + acos(1) + atan(0)",
                1.0,
            ),
            ("sinh(0) + cosh(0) + tanh(0)", 1.0),
            (
                "floor(1.5) + ceil(1.5) + trunc(1.5) + fract(1.5) + signum(3)",
                5.5,
            ),
            ("min(1, 2) + max(1, 2) + atan2(0, 1)", 3.0),
            ("2^3^1 * (1 + 1) / 4 - 1", 3.0),
            ("-2^2", 4.0),
            ("-(2^2)", -4.0),
            ("0-2^2", -4.0),
            ("PI - PI + TAU - TAU + E - E", 0.0),
        ] {
            let formula = Formula::new(text).unwrap();
            let value = formula.heights(2, 2).unwrap()[0];
            assert!((value - expected).abs() < 1e-12, "{text}: {value}");
        }
    }

    #[test]
    fn an_invalid_formula_is_an_error() {
        let nested = format!("{}x{}", "(".repeat(2000), ")".repeat(2000));
        // Some of these are valid, some are not. None may panic.
        for text in [
            "",
            " ",
            "x +",
            "+",
            "*",
            "x x",
            "(",
            ")",
            "()",
            "(x",
            "x)",
            "sin",
            "sin()",
            "sin(x,y)",
            "min(x)",
            "min(x,y,x)",
            "min(,)",
            "{x}",
            "{",
            "}",
            "1..2",
            "1e",
            "1e999",
            "x^",
            "^x",
            "x,y",
            ",",
            "--x",
            "x--y",
            "\u{1f600}",
            "x\u{0}",
            "é",
            "π",
            "PI()",
            "x;y",
            "x\ny",
            "atan2",
            "x atan2",
            "0x10",
            "inf",
            "nan",
            &nested,
        ] {
            let _ = Formula::new(text).map(|formula| formula.heights(3, 3));
        }
        for text in [
            "",
            "x +",
            "z",
            "x + height",
            "(x",
            "sin",
            &"x+".repeat(5000),
        ] {
            assert!(Formula::new(text).is_err(), "{text}");
        }
        let error = Formula::new("1/x").unwrap().heights(3, 2).unwrap_err();
        assert!(
            error.to_string().contains("x = 0, y = 1 (column 0, row 0)"),
            "{error}"
        );
        assert!(
            Formula::new("sqrt(x - 0.5)")
                .unwrap()
                .heights(3, 3)
                .is_err()
        );
    }
}
