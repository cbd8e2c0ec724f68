//! What a command has to show, sentences and tables in their order: on a terminal no line is wider than
//! the screen, in Markdown the same tables have pipes.

use comfy_table::{CellAlignment, Table, presets};

/// A table: its first columns are names, the others numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Grid {
    /// What stands above it; empty for nothing.
    pub title: String,
    /// How many columns are names.
    pub names: usize,
    /// The heads of the columns.
    pub heads: Vec<String>,
    /// The rows, a cell for each head.
    pub rows: Vec<Vec<String>>,
}

impl Grid {
    /// A table of these rows, without a title.
    pub fn of<R: IntoIterator<Item = String>>(
        names: usize,
        heads: impl IntoIterator<Item: ToString>,
        rows: impl IntoIterator<Item = R>,
    ) -> Grid {
        let heads = heads.into_iter().map(|head| head.to_string()).collect();
        let rows = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        Grid { title: String::new(), names, heads, rows }
    }

    /// The same under a title.
    #[must_use]
    pub fn under(self, title: impl Into<String>) -> Grid {
        Grid { title: title.into(), ..self }
    }

    /// As text of at most so many letters a line, where the names and one column fit: as many tables
    /// as that needs, each with the names.
    pub fn folded(&self, wide: usize) -> String {
        let letters = |text: &String| text.chars().count();
        let width = |column: usize| {
            let cells = self.rows.iter().map(|row| &row[column]).chain([&self.heads[column]]);
            cells.map(letters).max().unwrap_or(0) + 3
        };
        let base: usize = 1 + (0..self.names).map(width).sum::<usize>();
        let (mut tables, mut columns, mut used) = (Vec::new(), Vec::new(), base);
        for column in self.names..self.heads.len() {
            if !columns.is_empty() && used + width(column) > wide {
                tables.push(std::mem::take(&mut columns));
                used = base;
            }
            columns.push(column);
            used += width(column);
        }
        tables.push(columns);
        tables.iter().map(|columns| self.drawn(columns)).collect::<Vec<_>>().join("\n\n")
    }

    /// The names beside some of the other columns.
    fn drawn(&self, columns: &[usize]) -> String {
        let all = || (0..self.names).chain(columns.iter().copied());
        let row = |row: &Vec<String>| all().map(|at| row[at].clone()).collect::<Vec<_>>();
        let mut table = Table::new();
        table
            .load_style(presets::ASCII_MARKDOWN)
            .set_header(all().map(|at| &self.heads[at]))
            .add_rows(self.rows.iter().map(row));
        for column in table.column_iter_mut().skip(self.names) {
            column.set_cell_alignment(CellAlignment::Right);
        }
        table.to_string()
    }

    /// As a table of Markdown.
    fn in_markdown(&self) -> String {
        let line = |cells: &[String]| {
            let cells = cells.iter().map(|cell| cell.replace('|', "\\|").replace('\n', " "));
            format!("| {} |", cells.collect::<Vec<_>>().join(" | "))
        };
        let side = |column| if column < self.names { "---" } else { "---:" };
        let sides = (0..self.heads.len()).map(side).collect::<Vec<_>>().join("|");
        let rows = self.rows.iter().map(|row| line(row));
        let lines = [line(&self.heads), format!("|{sides}|")].into_iter().chain(rows);
        lines.collect::<Vec<_>>().join("\n")
    }
}

/// A part of a sheet.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Part {
    /// The question that all else answers.
    Question(String),
    /// Sentences, each on lines of its own.
    Said(Vec<String>),
    /// A table.
    Table(Grid),
    /// Names under a title, each with what is said of it.
    Names(String, Vec<(String, String)>),
}

/// What a command has to show.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Sheet(Vec<Part>);

impl Sheet {
    /// With the question that all else answers.
    #[must_use]
    pub fn asking(mut self, question: impl Into<String>) -> Sheet {
        self.0.push(Part::Question(question.into()));
        self
    }

    /// With a sentence, or several.
    #[must_use]
    pub fn saying(self, text: impl Into<String>) -> Sheet {
        self.listing([text.into()])
    }

    /// With sentences, each on lines of its own.
    #[must_use]
    pub fn listing(mut self, texts: impl IntoIterator<Item = String>) -> Sheet {
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        self.0.extend((!texts.is_empty()).then_some(Part::Said(texts)));
        self
    }

    /// With a table, unless it has no rows.
    #[must_use]
    pub fn showing(mut self, grid: Grid) -> Sheet {
        self.0.extend((!grid.rows.is_empty()).then_some(Part::Table(grid)));
        self
    }

    /// With names under a title, each with what is said of it.
    #[must_use]
    pub fn naming(mut self, title: &str, names: Vec<(String, String)>) -> Sheet {
        self.0.extend((!names.is_empty()).then(|| Part::Names(title.to_owned(), names)));
        self
    }

    /// With all of another.
    #[must_use]
    pub fn then(mut self, other: Sheet) -> Sheet {
        self.0.extend(other.0);
        self
    }

    /// As text of at most so many letters a line, where a table's names and one column fit.
    pub fn on_screen(&self, wide: usize) -> String {
        let lines = |texts: &[String]| {
            texts.iter().map(|text| wrapped(text, wide)).collect::<Vec<_>>().join("\n")
        };
        let part = |part: &Part| match part {
            Part::Question(text) => wrapped(text, wide),
            Part::Said(texts) => lines(texts),
            Part::Table(grid) if grid.title.is_empty() => grid.folded(wide),
            Part::Table(grid) => format!("{}\n{}", wrapped(&grid.title, wide), grid.folded(wide)),
            Part::Names(title, names) => named(title, names, wide),
        };
        let text = self.0.iter().map(part).collect::<Vec<_>>().join("\n\n");
        // An experiment's words may hold what would write over the terminal.
        text.chars().filter(|c| *c == '\n' || !c.is_control()).collect()
    }

    /// As Markdown.
    pub fn in_markdown(&self) -> String {
        let plain = |text: &String| text.replace('\n', " ");
        let part = |part: &Part| match part {
            Part::Question(text) => format!("# {}", plain(text)),
            Part::Said(texts) if texts.len() == 1 => plain(&texts[0]),
            Part::Said(texts) => {
                texts.iter().map(|text| format!("- {}", plain(text))).collect::<Vec<_>>().join("\n")
            }
            Part::Table(grid) if grid.title.is_empty() => grid.in_markdown(),
            Part::Table(grid) => format!("## {}\n\n{}", grid.title, grid.in_markdown()),
            Part::Names(title, names) => {
                let rows = names.iter().map(|(name, said)| [format!("`{name}`"), said.clone()]);
                format!("## {title}\n\n{}", Grid::of(2, ["name", "about"], rows).in_markdown())
            }
        };
        self.0.iter().map(part).collect::<Vec<_>>().join("\n\n") + "\n"
    }
}

/// Names, each with what is said of it beside it.
fn named(title: &str, names: &[(String, String)], wide: usize) -> String {
    let longest = names.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let indent = longest + 4;
    let line = |(name, said): &(String, String)| {
        let said = wrapped(said, wide.saturating_sub(indent).max(24));
        let said = said.replace('\n', &format!("\n{:indent$}", ""));
        format!("  {name:longest$}  {said}")
    };
    let lines = std::iter::once(title.to_owned()).chain(names.iter().map(line));
    lines.collect::<Vec<_>>().join("\n")
}

/// A text in lines of at most so many letters.
pub fn wrapped(text: &str, wide: usize) -> String {
    let (mut lines, mut line, mut length) = (Vec::new(), String::new(), 0);
    // No line begins with the sign of a number before it.
    let text = text.replace(" %", "\u{a0}%");
    for word in text.split(' ') {
        let letters = word.chars().count();
        if length > 0 && length + 1 + letters > wide {
            lines.push(std::mem::take(&mut line));
            length = 0;
        }
        if length > 0 {
            line.push(' ');
            length += 1;
        }
        line.push_str(word);
        length += letters;
    }
    lines.push(line);
    lines.join("\n").replace('\u{a0}', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_do_not_fit_go_into_a_table_below() {
        let grid = Grid::of(
            1,
            ["name", "one", "two", "three"],
            [["a", "1", "22222222", "3"].map(str::to_owned)],
        );
        let whole = grid.folded(80);
        assert_eq!(whole.lines().count(), 3);
        let narrow = grid.folded(27);
        assert!(narrow.lines().all(|line| line.chars().count() <= 27), "{narrow}");
        assert_eq!(narrow.matches("name").count(), 2);
        for text in ["22222222", "three"] {
            assert!(narrow.contains(text), "{narrow}");
        }
    }

    #[test]
    fn lines_are_wrapped_between_words_and_not_before_a_percent_sign() {
        assert_eq!(wrapped("aa bb 50 % cc", 8), "aa bb\n50 % cc");
        assert_eq!(wrapped("50 % of it", 3), "50 %\nof\nit");
    }

    #[test]
    fn a_sheet_is_the_same_on_a_screen_and_in_markdown() {
        let rows = [["a|b", "1"], ["c", "22"]].map(|row| row.map(str::to_owned));
        let names = vec![("one".to_owned(), "said of it at some length".to_owned())];
        let sheet = Sheet::default()
            .asking("Is it so?")
            .saying("It is.")
            .showing(Grid::of(1, ["name", "n"], rows).under("Rows"))
            .showing(Grid::of(1, ["none"], Vec::<[String; 1]>::new()).under("Empty"))
            .listing(["One.".to_owned(), "Two.".to_owned()])
            .naming("Names", names);
        insta::assert_snapshot!(sheet.on_screen(30), @r"
        Is it so?

        It is.

        Rows
        | name |  n |
        |------|----|
        | a|b  |  1 |
        | c    | 22 |

        One.
        Two.

        Names
          one  said of it at some
               length
        ");
        insta::assert_snapshot!(sheet.in_markdown(), @r"
        # Is it so?

        It is.

        ## Rows

        | name | n |
        |---|---:|
        | a\|b | 1 |
        | c | 22 |

        - One.
        - Two.

        ## Names

        | name | about |
        |---|---|
        | `one` | said of it at some length |
        ");
    }
}
