//! A drawing that needs no other tool: rows by distance from the start, arrows between them.

use super::Picture;
use crate::escape::{visible, xml};
use std::fmt::Write;

const LINE: usize = 16;
const CHAR: usize = 7;
const GAP_X: usize = 50;
const GAP_Y: usize = 90;
const MARGIN: usize = 40;
/// Longer lines are cut.
const MAX_CHARS: usize = 60;
/// Of more texts at one arrow, the others are counted.
const MAX_TEXTS: usize = 3;

/// Where a box stands.
#[derive(Clone, Copy, Default)]
struct Place {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
}

impl Place {
    fn middle(self) -> usize {
        self.x + self.width / 2
    }
}

fn escaped(text: &str) -> String {
    let short: String = visible(text).chars().take(MAX_CHARS).collect();
    let short = if text.chars().count() > MAX_CHARS { short + "…" } else { short };
    xml(&short)
}

impl Picture {
    /// The picture in SVG.
    pub fn svg(&self) -> String {
        let places = self.places();
        let width = places.iter().map(|p| p.x + p.width).max().unwrap_or(0) + MARGIN + GAP_X;
        let height = places.iter().map(|p| p.y + p.height).max().unwrap_or(0) + MARGIN;
        let mut out = String::new();
        let _ = writeln!(
            out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"Helvetica, sans-serif\" \
             font-size=\"12\">"
        );
        let _ = writeln!(out, "<title>{}</title>", escaped(&self.title));
        out.push_str(
            "<defs><marker id=\"arrow\" viewBox=\"0 0 10 10\" refX=\"10\" refY=\"5\" \
             markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\"/>\
             </marker></defs>\n",
        );
        let _ = writeln!(out, "<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>");
        for ((from, to), texts) in self.arrows() {
            arrow(places[from], places[to], from == to, &texts, &mut out);
        }
        for (node, place) in self.nodes.iter().zip(&places) {
            if node.initial {
                let (x, y) = (place.middle(), place.y);
                path(&format!("M{x} {}L{x} {y}", y.saturating_sub(24)), &mut out);
            }
            frame(*place, 0, &mut out);
            if node.double {
                frame(*place, 3, &mut out);
            }
            for (i, line) in node.lines.iter().enumerate() {
                let y = place.y + LINE * (i + 1) + 2;
                text(place.middle(), y, line, "black", &mut out);
            }
        }
        out.push_str("</svg>\n");
        out
    }

    /// Rows from top to bottom, boxes from left to right.
    fn places(&self) -> Vec<Place> {
        let rows = self.nodes.iter().map(|n| n.row + 1).max().unwrap_or(0);
        let mut places = vec![Place::default(); self.nodes.len()];
        let (mut y, mut widest) = (MARGIN, 0);
        for row in 0..rows {
            let (mut x, mut tallest) = (MARGIN, 0);
            for (i, node) in self.nodes.iter().enumerate().filter(|(_, n)| n.row == row) {
                let chars = node.lines.iter().map(|l| l.chars().count().min(MAX_CHARS + 1));
                let width = chars.max().unwrap_or(0) * CHAR + 24;
                let height = node.lines.len().max(1) * LINE + 12;
                places[i] = Place { x, y, width, height };
                x += width + GAP_X;
                tallest = tallest.max(height);
            }
            widest = widest.max(x);
            y += tallest + GAP_Y;
        }
        for row in 0..rows {
            let of_row = |i: &usize| self.nodes[*i].row == row;
            let end = (0..places.len()).filter(of_row).map(|i| places[i].x + places[i].width).max();
            let shift = widest.saturating_sub(end.unwrap_or(widest) + GAP_X) / 2;
            (0..places.len()).filter(of_row).for_each(|i| places[i].x += shift);
        }
        places
    }
}

fn frame(p: Place, inset: usize, out: &mut String) {
    let fill = if inset == 0 { "#f5f7fa" } else { "none" };
    let _ = writeln!(
        out,
        "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{fill}\" \
         stroke=\"#223\"/>",
        p.x + inset,
        p.y + inset,
        p.width - 2 * inset,
        p.height - 2 * inset
    );
}

fn path(d: &str, out: &mut String) {
    let _ =
        writeln!(out, "<path d=\"{d}\" fill=\"none\" stroke=\"#667\" marker-end=\"url(#arrow)\"/>");
}

fn text(x: usize, y: usize, line: &str, colour: &str, out: &mut String) {
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{colour}\">{}</text>",
        escaped(line)
    );
}

fn arrow(from: Place, to: Place, own: bool, texts: &[&str], out: &mut String) {
    let (x, y) = if own {
        let (x, y) = (from.x + from.width, from.y + from.height / 2);
        path(
            &format!("M{x} {}C{} {} {} {} {x} {}", y - 6, x + 36, y - 24, x + 36, y + 24, y + 6),
            out,
        );
        (x + 30, y.saturating_sub(18))
    } else if to.y > from.y {
        let (x1, y1, x2, y2) = (from.middle(), from.y + from.height, to.middle(), to.y);
        let bend = (y2 - y1) / 2;
        path(&format!("M{x1} {y1}C{x1} {} {x2} {} {x2} {y2}", y1 + bend, y2 - bend), out);
        ((x1 + 2 * x2) / 3, y1 + 2 * (y2 - y1) / 3)
    } else if to.y < from.y {
        let (x1, y1) = (from.middle() + from.width / 4, from.y);
        let (x2, y2) = (to.middle() + to.width / 4, to.y + to.height);
        let bend = (y1.saturating_sub(y2)) / 2;
        path(&format!("M{x1} {y1}C{x1} {} {x2} {} {x2} {y2}", y1 - bend, y2 + bend), out);
        ((x1 + 2 * x2) / 3, y2 + (y1.saturating_sub(y2)) / 3)
    } else {
        let (x1, x2, y) = (from.middle(), to.middle(), from.y + from.height);
        path(&format!("M{x1} {y}C{x1} {} {x2} {} {x2} {y}", y + 40, y + 40), out);
        ((x1 + x2) / 2, y + 34)
    };
    let shown = texts.iter().take(MAX_TEXTS);
    for (i, line) in shown.enumerate() {
        text(x, y + i * 13, line, "#345", out);
    }
    if texts.len() > MAX_TEXTS {
        let more = format!("and {} more", texts.len() - MAX_TEXTS);
        text(x, y + MAX_TEXTS * 13, &more, "#345", out);
    }
}
