//! Tables in LaTeX, in the style of the package `booktabs`.

use crate::text_report::TextTable;

/// Renders a table, which may continue on the next page, with its caption and its label.
pub(super) fn latex(table: &TextTable, label: &str) -> String {
    let columns = |index| if index < table.names { 'l' } else { 'r' };
    let columns: String = (0..table.heads.len()).map(columns).collect();
    let row = |cells: &Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        cells.join(" & ") + " \\\\\n"
    };
    let heads = row(&table.heads);
    let body: String = table.rows.iter().map(row).collect();
    let caption = format!("\\caption{{{}}}\\label{{tab:{label}}}", escaped(&table.title));
    format!(
        "\\begin{{longtable}}{{{columns}}}\n{caption}\\\\\n\\toprule\n{heads}\\midrule\n\\endhead\n\\bottomrule\n\\endfoot\n{body}\\end{{longtable}}\n"
    )
}

/// Returns a text that LaTeX prints as it stands, with fonts in the encoding T1. A letter that pdfLaTeX
/// lacks becomes its code point.
pub(super) fn escaped(text: &str) -> String {
    let letter = |letter: char| match letter {
        '`' => String::new(),
        '&' | '%' | '$' | '#' | '_' | '{' | '}' => format!("\\{letter}"),
        '\\' | '~' | '^' | '"' | '[' | ']' | '*' => format!("\\symbol{{{}}}", u32::from(letter)),
        '−' => "$-$".to_owned(),
        '≈' => "$\\approx$".to_owned(),
        '≤' => "$\\le$".to_owned(),
        '≥' => "$\\ge$".to_owned(),
        'α' => "$\\alpha$".to_owned(),
        ' '..='~' | '\u{a0}'..='ÿ' | '–' | '—' | '’' | '“' | '”' | '…' | '→' => {
            letter.to_string()
        }
        '\n' | '\t' => " ".to_owned(),
        other => format!("\\texttt{{U+{:04X}}}", u32::from(other)),
    };
    text.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_escaped() {
        let rows = [["a_b & {c}".to_owned(), "−1 ± 5 %".to_owned()]];
        let table = TextTable::of(1, ["name", "[#]"], rows).titled("A $1 ♠");
        insta::assert_snapshot!(latex(&table, "t"), @r"
        \begin{longtable}{lr}
        \caption{A \$1 \texttt{U+2660}}\label{tab:t}\\
        \toprule
        name & \symbol{91}\#\symbol{93} \\
        \midrule
        \endhead
        \bottomrule
        \endfoot
        a\_b \& \{c\} & $-$1 ± 5 \% \\
        \end{longtable}
        ");
    }
}
