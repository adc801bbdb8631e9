//! Boards: cells or points, links between them, and areas.

use crate::canvas::{Anchor, Canvas, Layer, circle, class, line, polygon, rect, square};
use crate::piece;
use rules::boards::Cell;
use rules::{Ground, LinkKind, Picture, Piece, Shape, Site, Tint};

/// The room for the letters and numbers at the sides.
const AXIS: f64 = 20.0;
/// The room for a name below a cell.
const NAME: f64 = 15.0;
/// The widest and highest board, if its cells have at least the smallest size.
const BOARD: f64 = 400.0;
const CELL: (f64, f64) = (30.0, 42.0);

/// Where a board is drawn.
pub(crate) struct Board<'a> {
    picture: &'a Picture,
    /// The side of a cell, or the distance between points that are neighbours.
    step: f64,
    /// Pixels to the right, and up, for one unit of a picture.
    units: (f64, f64),
    lowest: (f64, f64),
    highest: (f64, f64),
    corner: (f64, f64),
}

impl<'a> Board<'a> {
    /// `None` for a picture without sites.
    pub fn new(picture: &'a Picture) -> Option<Board<'a>> {
        let first = picture.sites.first()?;
        let (mut lowest, mut highest) = (point(first), point(first));
        for (x, y) in picture.sites.iter().map(point) {
            lowest = (lowest.0.min(x), lowest.1.min(y));
            highest = (highest.0.max(x), highest.1.max(y));
        }
        let ratio = ratio(picture);
        let gap = smallest_gap(picture, ratio);
        let longer = ((highest.0 - lowest.0) * ratio).max(highest.1 - lowest.1) / gap + 1.0;
        let step = (BOARD / longer).clamp(CELL.0, CELL.1);
        let below = if picture.names && picture.ground != Ground::Points { NAME } else { 0.0 };
        let units = (step / gap * ratio, step / gap + below);
        Some(Board { picture, step, units, lowest, highest, corner: (0.0, 0.0) })
    }

    pub fn size(&self) -> (f64, f64) {
        let wide = (self.highest.0 - self.lowest.0) * self.units.0;
        let high = (self.highest.1 - self.lowest.1) * self.units.1;
        let (left, below) = self.margins();
        let around = self.around();
        (left + wide + self.step + around * 2.0, high + self.step + below + around * 2.0)
    }

    /// The room to the left of the outermost sites and below them, for axes and names.
    fn margins(&self) -> (f64, f64) {
        let axis = if self.picture.axes { AXIS } else { 0.0 };
        (axis, if self.picture.names && self.picture.ground != Ground::Points { NAME } else { axis })
    }

    /// The room on all sides for names outside a ring.
    fn around(&self) -> f64 {
        if self.picture.names && self.picture.ground == Ground::Points { NAME } else { 0.0 }
    }

    pub fn draw(mut self, corner: (f64, f64), canvas: &mut Canvas) {
        self.corner = corner;
        self.axes(canvas);
        for area in &self.picture.areas {
            let corners: Vec<_> =
                area.corners.iter().map(|&at| self.place(&self.picture.sites[at])).collect();
            canvas.add(Layer::Area, polygon(&format!("{} area", class(area.tint)), &corners));
        }
        self.picture.sites.iter().for_each(|site| self.ground(site, canvas));
        self.links(canvas);
        for site in &self.picture.sites {
            self.piece(site, canvas);
            if self.picture.names {
                self.name(site, canvas);
            }
        }
    }

    fn place(&self, site: &Site) -> (f64, f64) {
        let (x, y) = point(site);
        let half = self.step / 2.0 + self.around();
        (
            self.corner.0 + self.margins().0 + half + (x - self.lowest.0) * self.units.0,
            self.corner.1 + half + (self.highest.1 - y) * self.units.1,
        )
    }

    fn axes(&self, canvas: &mut Canvas) {
        if !self.picture.axes {
            return;
        }
        let at = |x: f32, y: f32| self.place(&Site::new("", x, y, Piece::EMPTY));
        let bottom = self.corner.1 + self.size().1 - 5.0;
        for col in 0..=self.highest.0 as u8 {
            let letter = Cell::new(col, 0).column_letter().to_string();
            canvas.words("ax", (at(f32::from(col), 0.0).0, bottom), Anchor::Middle, &letter);
        }
        for row in 0..=self.highest.1 as u8 {
            let middle = at(0.0, f32::from(row)).1;
            let number = (row + 1).to_string();
            canvas.words("ax", (self.corner.0 + AXIS - 6.0, middle + 4.0), Anchor::End, &number);
        }
    }

    /// The place itself, and the mark of the last move.
    fn ground(&self, site: &Site, canvas: &mut Canvas) {
        let at = self.place(site);
        let is_nowhere = site.piece.shape == Shape::Word || site.piece.glyph == ' ';
        if self.picture.ground == Ground::Points {
            if site.marked && !is_nowhere {
                canvas.add(Layer::Mark, circle("mark", at, self.radius(site) + 4.5));
            }
            return;
        }
        if is_nowhere {
            return;
        }
        let is_dark =
            self.picture.ground == Ground::Chequered && ((site.x + site.y) as u32).is_multiple_of(2);
        let colour = match site.piece.tint {
            Tint::Blocked => "blocked",
            _ if is_dark => "dark",
            _ => "cell",
        };
        canvas.add(Layer::Ground, square(colour, at, self.step, 0.0));
        // A tile hides the mark, unless the mark is as large as the cell.
        let inset = if site.piece.shape == Shape::Tile { 0.0 } else { 3.0 };
        if site.marked && !self.is_joined(site) {
            canvas.add(Layer::Mark, square("mark", at, self.step - inset, inset));
        }
    }

    /// Is the piece a part of a larger tile? Then the whole tile is marked.
    fn is_joined(&self, site: &Site) -> bool {
        let is_end = |at: usize| self.picture.sites[at].name == site.name;
        let mut joins = self.picture.links.iter().filter(|link| link.kind == LinkKind::Join);
        site.piece.shape == Shape::Tile && joins.any(|link| is_end(link.ends.0) || is_end(link.ends.1))
    }

    fn links(&self, canvas: &mut Canvas) {
        for link in &self.picture.links {
            let ends = [link.ends.0, link.ends.1].map(|at| &self.picture.sites[at]);
            let [from, to] = ends.map(|site| self.place(site));
            let colour = class(link.tint);
            if link.marked {
                canvas.add(Layer::Mark, line("band", from, to));
            }
            match link.kind {
                LinkKind::Line | LinkKind::Guide => {
                    canvas.add(Layer::Line, line(&format!("{colour} ln"), from, to));
                }
                LinkKind::Open => canvas.add(Layer::Line, line("open", from, to)),
                LinkKind::Join if ends[0].piece.shape == Shape::Tile => {
                    canvas.add_at(Layer::Piece, 1, self.long_tile(ends, colour));
                }
                LinkKind::Join => {
                    let bridge = bar(from, to, self.step * 0.3);
                    canvas.add(Layer::Join, polygon(&format!("{colour} join"), &bridge));
                }
            }
        }
    }

    /// Two tiles that are one.
    fn long_tile(&self, ends: [&Site; 2], colour: &str) -> String {
        let [from, to] = ends.map(|site| self.place(site));
        let tile = piece::TILE * self.radius(ends[0]);
        let corner = (from.0.min(to.0) - tile / 2.0, from.1.min(to.1) - tile / 2.0);
        let size = ((from.0 - to.0).abs() + tile, (from.1 - to.1).abs() + tile);
        let hot = if ends.iter().any(|end| end.marked) { " hot" } else { "" };
        rect(&format!("{colour}{hot}"), corner, size, piece::ROUND)
    }

    fn radius(&self, site: &Site) -> f64 {
        match (site.piece.shape, site.piece.tint, self.picture.ground) {
            (Shape::Dot, _, _) => piece::DOT,
            (_, Tint::Empty, Ground::Points) => self.step * 0.24,
            _ => self.step * 0.38,
        }
    }

    fn piece(&self, site: &Site, canvas: &mut Canvas) {
        let at = self.place(site);
        match (site.piece.tint, self.picture.ground) {
            (Tint::Empty, Ground::Points) if self.picture.names => {
                canvas.add(Layer::Piece, circle("empty", at, self.radius(site)));
            }
            (Tint::Empty, Ground::Points) => canvas.add(Layer::Piece, circle("dot", at, 3.0)),
            (Tint::Empty | Tint::Blocked, _) => {}
            _ => piece::piece(canvas, site.piece, site.label.as_deref(), at, self.radius(site)),
        }
    }

    /// The name of a site: below a cell, or outside a ring of points.
    fn name(&self, site: &Site, canvas: &mut Canvas) {
        let (x, y) = self.place(site);
        if self.picture.ground != Ground::Points {
            canvas.words("n", (x, y + self.step / 2.0 + 11.0), Anchor::Middle, &site.name);
            return;
        }
        if site.piece.shape == Shape::Lettered && site.name == site.piece.glyph.to_string() {
            return;
        }
        let (wide, high) = self.size();
        let (right, down) = (x - self.corner.0 - wide / 2.0, y - self.corner.1 - high / 2.0);
        let away = right.hypot(down);
        // A name in the centre stands to the lower right.
        let (right, down) = if away < self.step / 2.0 { (0.6, 0.8) } else { (right / away, down / away) };
        let reach = self.step * 0.38 + 12.0;
        canvas.words("n", (x + right * reach, y + down * reach + 3.5), Anchor::Middle, &site.name);
    }
}

fn point(site: &Site) -> (f64, f64) {
    (f64::from(site.x), f64::from(site.y))
}

/// How wide one unit is, if it is 1 high. Characters are twice as high as wide, and a picture of
/// points is laid out for characters.
fn ratio(picture: &Picture) -> f64 {
    let (columns, lines) = picture.scale;
    if picture.ground == Ground::Points { f64::from(columns) / f64::from(lines.max(1)) / 2.0 } else { 1.0 }
}

/// The smallest distance between two sites.
fn smallest_gap(picture: &Picture, ratio: f64) -> f64 {
    let mut smallest = f64::INFINITY;
    for (at, site) in picture.sites.iter().enumerate() {
        for other in &picture.sites[..at] {
            let ((ax, ay), (bx, by)) = (point(site), point(other));
            smallest = smallest.min(((ax - bx) * ratio).hypot(ay - by));
        }
    }
    if smallest.is_finite() { smallest.max(0.1) } else { 1.0 }
}

/// A broad line as a shape that can be filled.
fn bar(from: (f64, f64), to: (f64, f64), width: f64) -> [(f64, f64); 4] {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let length = dx.hypot(dy).max(0.1);
    let (across, down) = (-dy / length * width / 2.0, dx / length * width / 2.0);
    [
        (from.0 + across, from.1 + down),
        (to.0 + across, to.1 + down),
        (to.0 - across, to.1 - down),
        (from.0 - across, from.1 - down),
    ]
}
