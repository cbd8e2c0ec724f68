//! Charts of a page as pictures: SVG files without a style sheet, and PDF files.

use std::collections::BTreeMap;

use maud::html;
use pdf_writer::{Content, Finish, Name, Pdf, Rect, Ref, Str, TextStr};
use roxmltree::{Document, Node};
use simplecss::{AttributeOperator, PseudoClass, StyleSheet};

use parlour_stats::number;

/// The style sheet of a page.
const PAGE_CSS: &str = include_str!("../report/page.css");

/// The margin around a chart.
const MARGIN: f64 = 8.0;

/// A chart of a page.
pub(super) struct Picture {
    /// Heading of the chart.
    pub title: String,
    /// Caption; may be empty.
    pub caption: String,
    /// Its text alternative.
    alt: String,
    width: f64,
    height: f64,
    shapes: Vec<Shape>,
}

/// A line, a rectangle, a circle, a path or a text, with its attributes and its style.
struct Shape {
    kind: String,
    attributes: BTreeMap<String, String>,
    style: BTreeMap<String, String>,
    text: String,
}

impl Shape {
    fn number(&self, name: &str) -> f32 {
        let value = self.attributes.get(name).or(self.style.get(name));
        value.and_then(|value| value.trim_end_matches("px").parse().ok()).unwrap_or(0.0)
    }

    /// Returns a colour in RGB; `None` if nothing is drawn.
    fn color(&self, name: &str) -> Option<[f32; 3]> {
        let hex = u32::from_str_radix(self.style.get(name)?.strip_prefix('#')?, 16).ok()?;
        Some([16, 8, 0].map(|shift| (hex >> shift & 0xff) as f32 / 255.0))
    }
}

/// Returns the charts of a page in their order.
pub(super) fn pictures(page: &str) -> Vec<Picture> {
    let css = style_sheet();
    let sheet = StyleSheet::parse(&css);
    let starts = page.match_indices("<figure>");
    starts.filter_map(|(start, _)| picture(&page[start..], &sheet)).collect()
}

/// Returns the styles of charts in the light theme, with the colours in place of their names.
fn style_sheet() -> String {
    let is_of_charts = |line: &&str| line.starts_with("svg ") || line.starts_with(".fill-");
    let css: String = PAGE_CSS.lines().filter(is_of_charts).collect();
    let names = PAGE_CSS.split("svg.paper {").nth(1).and_then(|rest| rest.split('}').next());
    let colors = names.unwrap_or_default().split(';').filter_map(|name| name.split_once(':'));
    colors.fold(css.replace("^=\"line-\"", "|=\"line\""), |css, (name, color)| {
        css.replace(&format!("var({})", name.trim()), color.trim())
    })
}

/// Reads the chart at the start of a part of a page. Its legend stands in it, or below its group of
/// charts.
fn picture(page: &str, sheet: &StyleSheet<'_>) -> Option<Picture> {
    let end = page.find("</figure>")? + "</figure>".len();
    let document = Document::parse(&page[..end]).ok()?;
    let text = |tag| Some(text_of(document.descendants().find(|node| node.has_tag_name(tag))?));
    let chart = document.descendants().find(|node| node.has_tag_name("svg"))?;
    let size: Vec<f64> =
        chart.attribute("viewBox")?.split(' ').filter_map(|side| side.parse().ok()).collect();
    let &[_, _, width, height] = size.as_slice() else { return None };
    let group = ["<h3 style", "</section>", "</details>"].map(|end| page.find(end));
    let group = &page[..group.into_iter().flatten().min().unwrap_or(end).max(end)];
    let legend = group.find("<ul class=\"key\">").and_then(|at| {
        Document::parse(&group[at..group[at..].find("</ul>")? + at + "</ul>".len()]).ok()
    });
    let (legend, height) =
        legend.map_or((String::new(), height), |it| draw_legend(&it, width, height));
    let with_legend = page[chart.range()].replace("</svg>", &(legend + "</svg>"));
    let document = Document::parse(&with_legend).ok()?;
    let is_drawn = |node: &Node<'_, '_>| {
        ["line", "rect", "circle", "path", "text"].contains(&node.tag_name().name())
    };
    let shapes = document.descendants().filter(is_drawn).map(|node| shape(node, sheet)).collect();
    let (heading, alt) = (text("h3")?, chart.attribute("aria-label").unwrap_or_default());
    // In a group, the heading is a variant, and the text says of what.
    let title = alt.find(&heading).map(|at| alt[..at + heading.len()].to_owned());
    Some(Picture {
        title: title.unwrap_or(heading),
        caption: text("figcaption").unwrap_or_default(),
        alt: alt.to_owned(),
        width: width + 2.0 * MARGIN,
        height: height + 2.0 * MARGIN,
        shapes,
    })
}

fn text_of(node: Node<'_, '_>) -> String {
    node.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect()
}

/// Draws the legend below the chart. Returns it with the height of the whole picture.
fn draw_legend(legend: &Document<'_>, width: f64, height: f64) -> (String, f64) {
    let (mut x, mut y, mut drawn) = (0.0, height + 14.0, String::new());
    for item in legend.descendants().filter(|node| node.has_tag_name("li")) {
        let name = text_of(item);
        let room = f64::from(text_width(&name, 11.0)) + 16.0;
        if x > 0.0 && x + room > width {
            (x, y) = (0.0, y + 18.0);
        }
        let chip = item.descendants().find_map(|node| node.attribute("class")).unwrap_or_default();
        drawn += &html! {
            rect class=(chip) x=(number(x, 1)) y=(number(y - 9.0, 1)) width="10" height="10" {}
            text.tick x=(number(x + 15.0, 1)) y=(number(y, 1)) { (name) }
        }
        .into_string();
        x += room + 14.0;
    }
    (drawn, y + 6.0)
}

/// Reads a shape and its style, of which a part comes from the elements around it.
fn shape(node: Node<'_, '_>, sheet: &StyleSheet<'_>) -> Shape {
    let owned = |(name, value): (&str, &str)| (name.to_owned(), value.to_owned());
    let mut style: BTreeMap<String, String> =
        [("fill", "#000000"), ("stroke", "none"), ("stroke-width", "1")].map(owned).into();
    let around: Vec<Node<'_, '_>> = node.ancestors().filter(Node::is_element).collect();
    for element in around.into_iter().rev() {
        let given = element.attribute("fill-opacity").map(|value| ("fill-opacity", value));
        style.extend(given.map(owned));
        for rule in sheet.rules.iter().filter(|rule| rule.selector.matches(&Element(element))) {
            for declaration in &rule.declarations {
                let (name, value) = (declaration.name, declaration.value);
                match name {
                    // The size comes first.
                    "font" => style
                        .extend(value.split("px").next().map(|size| owned(("font-size", size)))),
                    _ if name.starts_with("stroke") || name.starts_with("fill") => {
                        style.extend([owned((name, value))]);
                    }
                    "font-size" => style.extend([owned((name, value.trim_end_matches("px")))]),
                    _ => {}
                }
            }
        }
    }
    let kind = node.tag_name().name().to_owned();
    style.retain(|name, _| (kind == "text") || !name.starts_with("font"));
    let is_place = |name: &str| !["class", "fill-opacity"].contains(&name);
    let attributes = node.attributes().map(|it| (it.name(), it.value()));
    let attributes = attributes.filter(|(name, _)| is_place(name)).map(owned).collect();
    Shape { kind, attributes, style, text: text_of(node) }
}

/// An element to which selectors are applied.
struct Element<'a, 'input>(Node<'a, 'input>);

impl simplecss::Element for Element<'_, '_> {
    fn parent_element(&self) -> Option<Self> {
        self.0.parent_element().map(Element)
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        self.0.prev_sibling_element().map(Element)
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.0.tag_name().name() == name
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        self.0.attribute(name).is_some_and(|value| operator.matches(value))
    }

    fn pseudo_class_matches(&self, _: PseudoClass<'_>) -> bool {
        false
    }
}

impl Picture {
    /// Renders the picture as SVG. Every shape has its style in its attributes.
    pub fn svg(&self) -> String {
        let [width, height] = [self.width, self.height].map(|side| number(side, 1));
        let shapes: String = self.shapes.iter().map(svg_shape).collect();
        let place = format!("-{MARGIN} -{MARGIN} {width} {height}");
        let head = html! { title { (self.title) } desc { (self.alt) } }.into_string();
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{place}\" width=\"{width}\" height=\"{height}\" font-family=\"Arial, Helvetica, sans-serif\">{head}<rect x=\"-{MARGIN}\" y=\"-{MARGIN}\" width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>{shapes}</svg>\n"
        )
    }

    /// Renders the picture as PDF. Texts are in Helvetica, which every reader of PDF has.
    pub fn pdf(&self) -> Vec<u8> {
        let [catalog, tree, page_id, font, contents, info] = [1, 2, 3, 4, 5, 6].map(Ref::new);
        let (mut pdf, mut content) = (Pdf::new(), Content::new());
        pdf.catalog(catalog).pages(tree);
        pdf.pages(tree).kids([page_id]).count(1);
        pdf.document_info(info).title(TextStr(&self.title));
        let mut page = pdf.page(page_id);
        page.media_box(Rect::new(0.0, 0.0, self.width as f32, self.height as f32));
        page.parent(tree).contents(contents);
        let mut resources = page.resources();
        resources.fonts().pair(Name(b"F"), font);
        let opacity = |shape: &Shape, name: &str| match shape.number(name) {
            0.0 => 1.0,
            share => share,
        };
        let mut states = resources.ext_g_states();
        for (index, shape) in self.shapes.iter().enumerate() {
            let mut state = states
                .insert(Name(format!("S{index}").as_bytes()))
                .start::<pdf_writer::writers::ExtGraphicsState<'_>>();
            state.non_stroking_alpha(opacity(shape, "fill-opacity"));
            state.stroking_alpha(opacity(shape, "stroke-opacity"));
        }
        states.finish();
        resources.finish();
        page.finish();
        let up = (self.height - MARGIN) as f32;
        content.transform([1.0, 0.0, 0.0, -1.0, MARGIN as f32, up]);
        for (index, shape) in self.shapes.iter().enumerate() {
            content.save_state().set_parameters(Name(format!("S{index}").as_bytes()));
            draw(&mut content, shape);
            content.restore_state();
        }
        pdf.stream(contents, &content.finish());
        pdf.type1_font(font)
            .base_font(Name(b"Helvetica"))
            .encoding_predefined(Name(b"WinAnsiEncoding"));
        pdf.finish()
    }
}

fn svg_shape(shape: &Shape) -> String {
    let Shape { kind, attributes, style, text } = shape;
    let attributes = attributes.iter().chain(style).filter(|(_, value)| !value.is_empty());
    let attributes: String =
        attributes.map(|(name, value)| format!(" {name}=\"{value}\"")).collect();
    format!("<{kind}{attributes}>{}</{kind}>", html! { (text) }.into_string())
}

/// Draws a shape in coordinates whose second axis points down.
fn draw(content: &mut Content, shape: &Shape) {
    let at = |name| shape.number(name);
    let (fill, stroke) = (shape.color("fill"), shape.color("stroke"));
    fill.map(|[r, g, b]| content.set_fill_rgb(r, g, b));
    stroke.map(|[r, g, b]| content.set_stroke_rgb(r, g, b));
    content.set_line_width(at("stroke-width"));
    if let Some(dashes) = shape.style.get("stroke-dasharray") {
        content.set_dash_pattern(dashes.split(' ').filter_map(|dash| dash.parse().ok()), 0.0);
    }
    match shape.kind.as_str() {
        "line" => _ = content.move_to(at("x1"), at("y1")).line_to(at("x2"), at("y2")),
        "rect" => _ = content.rect(at("x"), at("y"), at("width"), at("height")),
        "circle" => draw_circle(content, [at("cx"), at("cy")], at("r")),
        "path" => draw_path(content, shape.attributes.get("d").map_or("", String::as_str)),
        _ => {
            let (size, bytes) = (at("font-size"), win_ansi(&shape.text));
            let share = match shape.attributes.get("text-anchor").map(String::as_str) {
                Some("middle") => 0.5,
                Some("end") => 1.0,
                _ => 0.0,
            };
            let x = at("x") - share * text_width(&shape.text, size);
            content.begin_text().set_font(Name(b"F"), size);
            content.set_text_matrix([1.0, 0.0, 0.0, -1.0, x, at("y")]).show(Str(&bytes)).end_text();
            return;
        }
    }
    match (fill.filter(|_| shape.kind != "line"), stroke) {
        (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
        (Some(_), None) => content.fill_nonzero(),
        (None, Some(_)) => content.stroke(),
        (None, None) => content.end_path(),
    };
}

/// Adds a circle of four curves.
fn draw_circle(content: &mut Content, [x, y]: [f32; 2], r: f32) {
    // The curve of a quarter differs from it by less than 0.03 %.
    let k = 0.5523 * r;
    content.move_to(x + r, y);
    content.cubic_to(x + r, y + k, x + k, y + r, x, y + r);
    content.cubic_to(x - k, y + r, x - r, y + k, x - r, y);
    content.cubic_to(x - r, y - k, x - k, y - r, x, y - r);
    content.cubic_to(x + k, y - r, x + r, y - k, x + r, y).close_path();
}

/// Adds a path of straight lines.
fn draw_path(content: &mut Content, path: &str) {
    let (mut x, mut y) = (0.0, 0.0);
    let starts = path.match_indices(|letter: char| letter.is_ascii_alphabetic());
    for (start, letter) in starts {
        let rest = &path[start + 1..];
        let end = rest.find(|letter: char| letter.is_ascii_alphabetic()).unwrap_or(rest.len());
        let numbers: Vec<f32> =
            rest[..end].split([' ', ',']).filter_map(|number| number.parse().ok()).collect();
        match (letter, numbers.as_slice()) {
            ("M" | "L", &[to_x, to_y]) => (x, y) = (to_x, to_y),
            ("H", &[to]) => x = to,
            ("V", &[to]) => y = to,
            ("h", &[by]) => x += by,
            ("v", &[by]) => y += by,
            _ => {
                content.close_path();
                continue;
            }
        }
        if letter == "M" {
            content.move_to(x, y)
        } else {
            content.line_to(x, y)
        };
    }
}

/// Encodes a text for a font of PDF; what the encoding lacks becomes a question mark.
fn win_ansi(text: &str) -> Vec<u8> {
    let byte = |letter: char| match letter {
        '−' | '–' => 0x96,
        '…' => 0x85,
        '’' => 0x92,
        ' '..='~' | '\u{a0}'..='ÿ' => letter as u8,
        _ => b'?',
    };
    text.chars().map(byte).collect()
}

/// Widths of the letters of Helvetica from the space to `~`, in thousandths of the size (Adobe Font
/// Metrics).
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Returns the width of a text in Helvetica.
fn text_width(text: &str, size: f32) -> f32 {
    let width = |byte: &u8| WIDTHS.get(usize::from(*byte).wrapping_sub(32)).copied();
    let width = |byte| f32::from(width(byte).unwrap_or(556));
    win_ansi(text).iter().map(width).sum::<f32>() * size / 1000.0
}
