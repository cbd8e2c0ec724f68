//! Output of commands: sentences and tables, rendered for a terminal of limited width or as Markdown.

use itertools::Itertools;

/// A table of text. Its first columns are names, the others numbers.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextTable {
    /// Title; may be empty.
    pub title: String,
    /// Number of columns that are names.
    pub names: usize,
    /// Column headers.
    pub heads: Vec<String>,
    /// The rows, one cell per header.
    pub rows: Vec<Vec<String>>,
}

impl TextTable {
    /// Creates a table without a title.
    pub fn of<R: IntoIterator<Item = String>>(
        names: usize,
        heads: impl IntoIterator<Item: ToString>,
        rows: impl IntoIterator<Item = R>,
    ) -> TextTable {
        let heads = heads.into_iter().map(|head| head.to_string()).collect();
        let rows = rows.into_iter().map(|row| row.into_iter().collect()).collect();
        TextTable { title: String::new(), names, heads, rows }
    }

    /// Sets the title.
    #[must_use]
    pub fn titled(self, title: impl Into<String>) -> TextTable {
        TextTable { title: title.into(), ..self }
    }

    /// Renders the table with at most `width` characters per line, if the names and one column fit.
    /// Columns that do not fit go into further tables, each with the names.
    pub fn folded(&self, width: usize) -> String {
        let column_width = |column: usize| self.width(column) + 3;
        let base: usize = 1 + (0..self.names).map(column_width).sum::<usize>();
        let (mut tables, mut columns, mut used) = (Vec::new(), Vec::new(), base);
        for column in self.names..self.heads.len() {
            if !columns.is_empty() && used + column_width(column) > width {
                tables.push(std::mem::take(&mut columns));
                used = base;
            }
            columns.push(column);
            used += column_width(column);
        }
        tables.push(columns);
        let names = || 0..self.names;
        tables.into_iter().map(|columns| self.rendered(names().chain(columns), false)).join("\n\n")
    }

    /// The number of characters of the longest cell of a column.
    fn width(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| &row[column]).chain([&self.heads[column]]);
        cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
    }

    /// Renders some of the columns: in Markdown, or aligned for the screen.
    fn rendered(&self, columns: impl Iterator<Item = usize> + Clone, is_markdown: bool) -> String {
        let cell = |row: &[String], column: usize| {
            let (text, width) = (&row[column], self.width(column));
            match (is_markdown, column < self.names) {
                (true, _) => text.replace('|', "\\|").replace('\n', " "),
                (false, true) => format!("{text:<width$}"),
                (false, false) => format!("{text:>width$}"),
            }
        };
        let row = |row: &Vec<String>| {
            format!("| {} |", columns.clone().map(|column| cell(row, column)).join(" | "))
        };
        let rule = |column| match (is_markdown, column < self.names) {
            (true, true) => "---".to_owned(),
            (true, false) => "---:".to_owned(),
            (false, _) => "-".repeat(self.width(column) + 2),
        };
        let rule = format!("|{}|", columns.clone().map(rule).join("|"));
        [row(&self.heads), rule].into_iter().chain(self.rows.iter().map(row)).join("\n")
    }
}

/// A part of a report.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Block {
    /// The question that the report answers.
    Question(String),
    /// Sentences, each on its own line.
    Sentences(Vec<String>),
    Table(TextTable),
    /// A title and names with descriptions.
    Definitions(String, Vec<(String, String)>),
}

/// A sequence of sentences and tables.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TextReport(Vec<Block>);

impl TextReport {
    /// Adds the question that the report answers.
    #[must_use]
    pub fn question(mut self, question: impl Into<String>) -> TextReport {
        self.0.push(Block::Question(question.into()));
        self
    }

    /// Adds a paragraph, unless it is empty.
    #[must_use]
    pub fn paragraph(self, text: impl Into<String>) -> TextReport {
        self.sentences([text.into()])
    }

    /// Adds sentences, each on its own line.
    #[must_use]
    pub fn sentences(mut self, texts: impl IntoIterator<Item = String>) -> TextReport {
        let texts: Vec<String> = texts.into_iter().filter(|text| !text.is_empty()).collect();
        self.0.extend((!texts.is_empty()).then_some(Block::Sentences(texts)));
        self
    }

    /// Adds a table, unless it has no rows.
    #[must_use]
    pub fn table(mut self, table: TextTable) -> TextReport {
        self.0.extend((!table.rows.is_empty()).then_some(Block::Table(table)));
        self
    }

    /// Adds names with descriptions under a title.
    #[must_use]
    pub fn definitions(mut self, title: &str, names: Vec<(String, String)>) -> TextReport {
        self.0.extend((!names.is_empty()).then(|| Block::Definitions(title.to_owned(), names)));
        self
    }

    /// Appends another report.
    #[must_use]
    pub fn then(mut self, other: TextReport) -> TextReport {
        self.0.extend(other.0);
        self
    }

    /// Renders the report with at most `width` characters per line, if a table's names and one column
    /// fit.
    pub fn on_screen(&self, width: usize) -> String {
        let block = |block: &Block| match block {
            Block::Question(text) => wrapped(text, width),
            Block::Sentences(texts) => texts.iter().map(|text| wrapped(text, width)).join("\n"),
            Block::Table(table) if table.title.is_empty() => table.folded(width),
            Block::Table(table) => {
                format!("{}\n{}", wrapped(&table.title, width), table.folded(width))
            }
            Block::Definitions(title, names) => definitions(title, names, width),
        };
        let text = self.0.iter().map(block).join("\n\n");
        // Texts of an experiment could contain terminal control sequences.
        text.chars().filter(|c| *c == '\n' || !c.is_control()).collect()
    }

    /// Renders the report as Markdown.
    pub fn to_markdown(&self) -> String {
        let plain = |text: &String| text.replace('\n', " ");
        let block = |block: &Block| match block {
            Block::Question(text) => format!("# {}", plain(text)),
            Block::Sentences(texts) if texts.len() == 1 => plain(&texts[0]),
            Block::Sentences(texts) => {
                texts.iter().map(|text| format!("- {}", plain(text))).join("\n")
            }
            Block::Table(table) if table.title.is_empty() => {
                table.rendered(0..table.heads.len(), true)
            }
            Block::Table(table) => {
                format!("## {}\n\n{}", table.title, table.rendered(0..table.heads.len(), true))
            }
            Block::Definitions(title, names) => {
                let rows = names.iter().map(|(name, text)| [format!("`{name}`"), text.clone()]);
                let table = TextTable::of(2, ["name", "about"], rows);
                format!("## {title}\n\n{}", table.rendered(0..table.heads.len(), true))
            }
        };
        self.0.iter().map(block).join("\n\n") + "\n"
    }
}

/// Renders names with descriptions in a second column.
fn definitions(title: &str, names: &[(String, String)], width: usize) -> String {
    let longest = names.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    let indent = longest + 4;
    let line = |(name, text): &(String, String)| {
        let text = wrapped(text, width.saturating_sub(indent).max(24));
        let text = text.replace('\n', &format!("\n{:indent$}", ""));
        format!("  {name:longest$}  {text}")
    };
    std::iter::once(title.to_owned()).chain(names.iter().map(line)).join("\n")
}

/// Breaks a text into lines of at most `width` characters, between words.
pub fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    // A percent sign stays on the line of its number.
    for word in text.replace(" %", "\u{a0}%").split(' ') {
        let has_room =
            |line: &&mut String| line.chars().count() + 1 + word.chars().count() <= width;
        match lines.last_mut().filter(has_room) {
            Some(line) => *line = format!("{line} {word}"),
            None => lines.push(word.to_owned()),
        }
    }
    lines.join("\n").replace('\u{a0}', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_that_do_not_fit_go_into_a_second_table() {
        let table = TextTable::of(
            1,
            ["name", "one", "two", "three"],
            [["a", "1", "22222222", "3"].map(str::to_owned)],
        );
        let whole = table.folded(80);
        assert_eq!(whole.lines().count(), 3);
        let narrow = table.folded(27);
        assert!(narrow.lines().all(|line| line.chars().count() <= 27), "{narrow}");
        assert_eq!(narrow.matches("name").count(), 2);
        for text in ["22222222", "three"] {
            assert!(narrow.contains(text), "{narrow}");
        }
    }

    #[test]
    fn lines_break_between_words_and_not_before_a_percent_sign() {
        assert_eq!(wrapped("aa bb 50 % cc", 8), "aa bb\n50 % cc");
        assert_eq!(wrapped("50 % of it", 3), "50 %\nof\nit");
    }

    #[test]
    fn a_report_renders_for_the_screen_and_as_markdown() {
        let rows = [["a|b", "1"], ["c", "22"]].map(|row| row.map(str::to_owned));
        let names = vec![("one".to_owned(), "a description of some length".to_owned())];
        let report = TextReport::default()
            .question("Is it so?")
            .paragraph("It is.")
            .table(TextTable::of(1, ["name", "n"], rows).titled("Rows"))
            .table(TextTable::of(1, ["none"], Vec::<[String; 1]>::new()).titled("Empty"))
            .sentences(["One.".to_owned(), "Two.".to_owned()])
            .definitions("Names", names);
        insta::assert_snapshot!(report.on_screen(30), @r"
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
          one  a description of some
               length
        ");
        insta::assert_snapshot!(report.to_markdown(), @r"
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
        | `one` | a description of some length |
        ");
    }
}
