//! Charts of a page as pictures: SVG files with their style sheet, and PDF files.

use std::collections::BTreeMap;

use kurbo::{BezPath, Circle, Line, PathEl, Rect, Shape};
use maud::{PreEscaped, html};
use pdf_writer::writers::ExtGraphicsState;
use pdf_writer::{Content, Finish, Name, Pdf, Ref, Str, TextStr};
use roxmltree::{Document, Node};
use simplecss::{AttributeOperator, PseudoClass, StyleSheet};

use crate::chart::WIDE;
use parlour_stats::number;

/// The style sheet of a page.
const PAGE_CSS: &str = include_str!("../report/page.css");

/// The start of a legend.
const LEGEND: &str = "<ul class=\"key\">";

/// The margin around a chart.
const MARGIN: f64 = 8.0;

/// A chart of a page.
pub(super) struct Picture {
    /// The numbers that it shows, and the variant.
    pub title: String,
    /// Caption; may be empty.
    pub caption: String,
    pub svg: String,
    pub pdf: Vec<u8>,
}

/// The attributes and the style of an element and of the elements around it.
type Style<'a> = BTreeMap<&'a str, &'a str>;

/// Returns the charts of a page in their order.
pub(super) fn pictures(page: &str) -> Vec<Picture> {
    let css = style_sheet();
    let starts = page.match_indices("<figure>");
    starts.filter_map(|(start, _)| picture(&page[start..], &css)).collect()
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

/// Reads the chart at the start of a part of a page. Its legend stands in its figure, or below its
/// group of figures.
fn picture(page: &str, css: &str) -> Option<Picture> {
    let (figure, rest) = page.split_at(page.find("</figure>")? + "</figure>".len());
    let document = Document::parse(figure).ok()?;
    let find = |tag| document.descendants().find(|node| node.has_tag_name(tag));
    let chart = find("svg")?;
    let alt = chart.attribute("aria-label")?;
    let mut bottom: f64 = chart.attribute("viewBox")?.rsplit(' ').next()?.parse().ok()?;
    let mut body = figure[chart.range()].split_once('>')?.1.trim_end_matches("</svg>").to_owned();
    let below = rest.split_once("</div>").map_or("", |(_, below)| below);
    let place = if below.starts_with(LEGEND) { below } else { figure };
    let legend = place.split(LEGEND).nth(1).and_then(|rest| rest.split("</ul>").next());
    for item in legend.unwrap_or_default().split("<li>").skip(1) {
        let (chip, name) = item.split_once("\"></span>")?;
        let (chip, name) = (chip.rsplit(' ').next()?, name.trim_end_matches("</li>"));
        bottom += 16.0;
        let [top, base] = [bottom - 9.0, bottom].map(|y| number(y, 1));
        body += &format!(
            "<rect class=\"{chip}\" x=\"0\" y=\"{top}\" width=\"10\" height=\"10\"/><text class=\"tick\" x=\"15\" y=\"{base}\">{name}</text>"
        );
    }
    // The alternative begins with a title and a colon. The heading in the title may have a colon, too.
    let heading = find("h3").and_then(|node| node.text()).unwrap_or_default();
    let after = alt.find(heading).map_or(0, |at| at + heading.len());
    let title = &alt[..after + alt[after..].find(": ")?];
    let [width, height] = [WIDE, bottom].map(|side| number(side + 2.0 * MARGIN, 1));
    let svg = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox=(format!("-{MARGIN} -{MARGIN} {width} {height}")) {
            title { (title) }
            desc { (alt) }
            style { (PreEscaped(css)) }
            rect.card x=(format!("-{MARGIN}")) y=(format!("-{MARGIN}")) width=(width) height=(height) {}
            (PreEscaped(body))
        }
    };
    let svg = svg.into_string() + "\n";
    let pdf = pdf(&svg, css, title, (bottom + 2.0 * MARGIN) as f32)?;
    let caption = find("figcaption").and_then(|node| node.text()).unwrap_or_default().to_owned();
    Some(Picture { title: title.to_owned(), caption, svg, pdf })
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

/// Returns the style of an element, of which a part comes from the elements around it.
fn style<'a>(node: Node<'a, '_>, sheet: &'a StyleSheet<'a>) -> Style<'a> {
    let opaque = [("fill-opacity", "1"), ("stroke-opacity", "1"), ("stroke-width", "1")];
    let mut style = Style::from(opaque);
    let around: Vec<Node<'a, '_>> = node.ancestors().filter(Node::is_element).collect();
    for element in around.into_iter().rev() {
        style.extend(element.attributes().map(|it| (it.name(), it.value())));
        let rules = sheet.rules.iter().filter(|rule| rule.selector.matches(&Element(element)));
        style.extend(rules.flat_map(|rule| &rule.declarations).map(|it| match it.name {
            // The size comes first.
            "font" => ("font-size", it.value),
            name => (name, it.value),
        }));
    }
    style
}

/// Renders a picture as PDF. Texts are in Helvetica, which every reader of PDF has.
fn pdf(svg: &str, css: &str, title: &str, height: f32) -> Option<Vec<u8>> {
    let document = Document::parse(svg).ok()?;
    let sheet = StyleSheet::parse(css);
    let (mut content, mut opacities) = (Content::new(), BTreeMap::new());
    let margin = MARGIN as f32;
    content.transform([1.0, 0.0, 0.0, -1.0, margin, height - margin]);
    for node in document.descendants().filter(Node::is_element) {
        content.save_state();
        draw(&mut content, node, &style(node, &sheet), &mut opacities);
        content.restore_state();
    }
    let [catalog, tree, page_id, font, contents, info] = [1, 2, 3, 4, 5, 6].map(Ref::new);
    let mut pdf = Pdf::new();
    pdf.catalog(catalog).pages(tree);
    pdf.pages(tree).kids([page_id]).count(1);
    pdf.document_info(info).title(TextStr(title));
    let mut page = pdf.page(page_id);
    page.media_box(pdf_writer::Rect::new(0.0, 0.0, WIDE as f32 + 2.0 * margin, height));
    page.parent(tree).contents(contents);
    let mut resources = page.resources();
    resources.fonts().pair(Name(b"F"), font);
    let mut states = resources.ext_g_states();
    for (name, [fill, stroke]) in opacities {
        let mut state = states.insert(Name(name.as_bytes())).start::<ExtGraphicsState<'_>>();
        state.non_stroking_alpha(fill).stroking_alpha(stroke);
    }
    states.finish();
    resources.finish();
    page.finish();
    pdf.stream(contents, &content.finish());
    let mut helvetica = pdf.type1_font(font);
    helvetica.base_font(Name(b"Helvetica")).encoding_predefined(Name(b"WinAnsiEncoding"));
    helvetica.finish();
    Some(pdf.finish())
}

/// Draws an element in coordinates whose second axis points down. Collects the opacities of all elements.
fn draw(
    content: &mut Content,
    node: Node<'_, '_>,
    style: &Style<'_>,
    opacities: &mut BTreeMap<String, [f32; 2]>,
) {
    let at = |name| -> f64 {
        let value = style.get(name).and_then(|value| value.split("px").next());
        value.and_then(|value| value.parse().ok()).unwrap_or(0.0)
    };
    let kind = node.tag_name().name();
    let path = match kind {
        "line" => Line::new((at("x1"), at("y1")), (at("x2"), at("y2"))).to_path(0.1),
        "rect" => {
            Rect::from_origin_size((at("x"), at("y")), (at("width"), at("height"))).to_path(0.1)
        }
        "circle" => Circle::new((at("cx"), at("cy")), at("r")).to_path(0.1),
        "path" => style.get("d").and_then(|d| BezPath::from_svg(d).ok()).unwrap_or_default(),
        "text" => BezPath::new(),
        _ => return,
    };
    let color = |name| -> Option<[f32; 3]> {
        let hex = u32::from_str_radix(style.get(name)?.strip_prefix('#')?, 16).ok()?;
        Some([16, 8, 0].map(|shift| (hex >> shift & 0xff) as f32 / 255.0))
    };
    let (fill, stroke) = (color("fill").filter(|_| kind != "line"), color("stroke"));
    fill.map(|[r, g, b]| content.set_fill_rgb(r, g, b));
    stroke.map(|[r, g, b]| content.set_stroke_rgb(r, g, b));
    content.set_line_width(at("stroke-width") as f32);
    if let Some(dashes) = style.get("stroke-dasharray") {
        content.set_dash_pattern(dashes.split(' ').filter_map(|dash| dash.parse().ok()), 0.0);
    }
    let opacity = ["fill-opacity", "stroke-opacity"].map(|name| at(name) as f32);
    let name = opacity.map(|share| share.to_string()).join("-");
    content.set_parameters(Name(name.as_bytes()));
    opacities.insert(name, opacity);
    if kind == "text" {
        let text = node.text().unwrap_or_default();
        let (size, bytes) = (at("font-size") as f32, win_ansi(text));
        let share = match style.get("text-anchor") {
            Some(&"middle") => 0.5,
            Some(&"end") => 1.0,
            _ => 0.0,
        };
        let (x, y) = (at("x") as f32 - share * text_width(&bytes, size), at("y") as f32);
        content.begin_text().set_font(Name(b"F"), size);
        content.set_text_matrix([1.0, 0.0, 0.0, -1.0, x, y]).show(Str(&bytes)).end_text();
        return;
    }
    for element in path {
        match element {
            PathEl::MoveTo(to) => content.move_to(to.x as f32, to.y as f32),
            PathEl::LineTo(to) => content.line_to(to.x as f32, to.y as f32),
            PathEl::CurveTo(a, b, to) => {
                let [a, b, to] = [a, b, to].map(|at| (at.x as f32, at.y as f32));
                content.cubic_to(a.0, a.1, b.0, b.1, to.0, to.1)
            }
            _ => content.close_path(),
        };
    }
    match (fill, stroke) {
        (Some(_), Some(_)) => content.fill_nonzero_and_stroke(),
        (Some(_), None) => content.fill_nonzero(),
        (None, Some(_)) => content.stroke(),
        (None, None) => content.end_path(),
    };
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
fn text_width(text: &[u8], size: f32) -> f32 {
    let width = |byte: &u8| WIDTHS.get(usize::from(*byte).wrapping_sub(32)).copied();
    text.iter().map(|byte| f32::from(width(byte).unwrap_or(556))).sum::<f32>() * size / 1000.0
}
