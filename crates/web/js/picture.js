// Draws a frame as SVG, like the crate `draw`: the same classes, forms and sizes.
//
// The parts that can be seen lie in layers and say nothing to a screen reader. Above them lies a
// grid of invisible cells with words: one for each site, card, pile and line that a move can name.
import { svgEl, tame } from "./el.js";
import { openFrame } from "./frames.js";
import { CARD_HEIGHT, CARD_WIDTH, cardWords, drawCard } from "./cards.js";

const AXIS = 20;
const NAME_ROOM = 15;
const BOARD_SIZE = 400;
const CELL_SIZE = [30, 42];
const MARGIN = 14;
const CAPTION_LINE = 19;
const LETTER = 6.9;
const FIGURES = {
  queen: "M-10 11L-14-8L-6.5 0L0-13L6.5 0L14-8L10 11Z",
  king: "M-9 12L-12-1C-12-6-5-6-2-2V-6H-5V-9H-2V-13H2V-9H5V-6H2V-2C5-6 12-6 12-1L9 12Z",
  knight: "M-8 12H11C12 2 9-8 1-10L-1-14L-4-10C-8-8-10-3-12 1L-10 5L-5 3L0 1C0 5-8 7-8 12Z",
};
const TILE = 2.1;
const ROUND = 4;
const SEAT_TINTS = ["first", "second", "green", "red", "yellow", "blue"];
const BRIGHT = ["second", "yellow", "white", "neutral", "empty"];
const PILE = { letter: 7.4, fan: 22, counter: 8, step: 20, line: 24, gap: 7, bar: 10, count: 34 };

const round1 = (value) => Math.round(value * 10) / 10;
const circle = (cls, [x, y], r) => svgEl("circle", { class: cls, cx: round1(x), cy: round1(y), r: round1(r) });
const box = (cls, x, y, w, h, rx) =>
  svgEl("rect", { class: cls, x: round1(x), y: round1(y), width: round1(w), height: round1(h), rx });
const square = (cls, [x, y], side, rx) => box(cls, x - side / 2, y - side / 2, side, side, rx);
const line = (cls, [x1, y1], [x2, y2]) =>
  svgEl("line", { class: cls, x1: round1(x1), y1: round1(y1), x2: round1(x2), y2: round1(y2) });
const polygon = (cls, corners) => svgEl("polygon", { class: cls, points: corners.map((c) => c.map(round1).join()).join(" ") });
const words = (cls, [x, y], text, anchor = "middle") =>
  svgEl("text", { class: cls || null, x: round1(x), y: round1(y), "text-anchor": anchor === "start" ? null : anchor }, text);

/** The colour of the pieces of each side, where all have one: what a reader looks for on the board. */
export function sideTints(frames, book) {
  const found = new Map();
  for (const frame of frames) {
    const { sites, piles } = openFrame(frame, book);
    for (const { owner, tint } of [...sites, ...piles.flatMap((pile) => pile.items)]) {
      if (typeof owner === "number") found.set(owner, tint === (found.get(owner) ?? tint) ? tint : "many");
    }
  }
  return (side) => (["many", undefined].includes(found.get(side)) ? null : found.get(side));
}

/** The class of the colour of a seat. */
export function seatTint(seat) {
  return SEAT_TINTS[seat % SEAT_TINTS.length];
}

/** Where the sites of a picture are, and how large the board is. */
function boardPlan(picture, flip) {
  const { sites } = picture;
  if (sites.length === 0) return null;
  const xs = sites.map((site) => site.x);
  const ys = sites.map((site) => site.y);
  const low = [Math.min(...xs), Math.min(...ys)];
  const high = [Math.max(...xs), Math.max(...ys)];
  const points = picture.ground === "points";
  const ratio = points ? picture.scale[0] / Math.max(1, picture.scale[1]) / 2 : 1;
  let gap = Infinity;
  sites.forEach((site, at) => {
    for (let other = 0; other < at; other++) {
      gap = Math.min(gap, Math.hypot((site.x - sites[other].x) * ratio, site.y - sites[other].y));
    }
  });
  gap = Number.isFinite(gap) ? Math.max(gap, 0.1) : 1;
  const longer = Math.max((high[0] - low[0]) * ratio, high[1] - low[1]) / gap + 1;
  const step = Math.min(Math.max(BOARD_SIZE / longer, CELL_SIZE[0]), CELL_SIZE[1]);
  const below = picture.names && !points ? NAME_ROOM : 0;
  const unit = [(step / gap) * ratio, step / gap + below];
  const left = picture.axes ? AXIS : 0;
  const bottom = below || left;
  const around = picture.names && points ? NAME_ROOM : 0;
  const size = [
    left + (high[0] - low[0]) * unit[0] + step + around * 2,
    (high[1] - low[1]) * unit[1] + step + bottom + around * 2,
  ];
  const half = step / 2 + around;
  const place = (x, y) => [
    left + half + (flip ? high[0] - x : x - low[0]) * unit[0],
    half + (flip ? y - low[1] : high[1] - y) * unit[1],
  ];
  return { step, size, low, high, place };
}

/** How the items of a pile lie in a drawing of this width. */
function pileRows(pile, room) {
  const count = pile.items.length;
  const wide = CARD_WIDTH + 4;
  const step = pile.counters ? PILE.step : count * wide <= room ? wide : PILE.fan;
  const end = pile.counters ? PILE.count : CARD_WIDTH - step;
  const long = Math.max(1, Math.floor((room - end) / step));
  const high = pile.counters ? PILE.line : CARD_HEIGHT + 4;
  const rows = Math.max(1, Math.ceil(count / long));
  const used = Math.min(count, long) * step;
  const width = pile.counters ? used + PILE.count : Math.max(used + CARD_WIDTH - step, CARD_WIDTH);
  return { step, long, high, height: rows * high, width };
}

function pilesPlan(picture, widest) {
  const letters = Math.max(0, ...picture.piles.map((pile) => Array.from(tame(pile.label, 40)).length));
  const head = PILE.bar + letters * PILE.letter + 12;
  const rows = picture.piles.map((pile) => pileRows(pile, Math.max(CARD_WIDTH * 2, widest - head)));
  if (rows.length === 0) return { head, rows, size: [0, 0] };
  const height = rows.reduce((sum, row) => sum + row.height + PILE.gap, 0);
  return { head, rows, size: [head + Math.max(...rows.map((row) => row.width)), height] };
}

function broken(text, most) {
  const lines = [];
  for (const word of tame(text, 400).split(/\s+/)) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= most) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(tame(word, most));
  }
  return lines;
}

function plan(picture, options) {
  const widest = options.widest ?? 560;
  const board = boardPlan(picture, options.flip);
  const piles = pilesPlan(picture, widest);
  const inner = Math.max(board?.size[0] ?? 0, piles.size[0], 172);
  const captions = options.captions ? picture.captions.flatMap((text) => broken(text, Math.floor(Math.max(inner, 300) / LETTER))) : [];
  const gaps = (board ? 8 : 0) + (piles.size[1] > 0 ? 8 : 0);
  const height = (board?.size[1] ?? 0) + piles.size[1] + gaps + captions.length * CAPTION_LINE + MARGIN * 2;
  const width = Math.max(inner, ...captions.map((text) => text.length * LETTER)) + MARGIN * 2;
  return { board, piles, captions, size: [Math.ceil(width), Math.ceil(height)] };
}

/** The width and height that a frame needs. */
export function measureFrame(frame, book, options = {}) {
  return plan(openFrame(frame, book), options).size;
}

/**
 * Draws a frame and returns an `<svg>`.
 *
 * options, all of which may be missing:
 * - `flip`: turn the board by half;
 * - `size`: `[width, height]`, so that all frames of a game have the same size;
 * - `widest`: the widest pile;
 * - `captions`: write the captions below the board;
 * - `label`: what the drawing shows;
 * - `lit`: a Set of names that can be picked, such as `c3`, `7H`, `hand 0` or `a1-b1`. A name with
 *   its kind, such as `site:c3`, means only that kind. Or a function of kind, name and `more` that
 *   returns classes: `lit` for what can be picked, `picked` for what is picked, an empty text for the
 *   rest;
 * - `onPick(kind, name, more)`: kind is `site`, `card`, `pile` or `link`. The name of a pile is its
 *   key; `more` has `label`, `pile` and `at`, the number of the card or counter in its pile;
 * - `badges`: a Map from names to `{ text, cls, title }`, written on the corner of what has the name;
 * - `heat`: a Map from names of sites to `{ heat, text }`;
 * - `arrows`: a list of pairs of names of sites.
 *
 * The `<svg>` has `places`, a Map from names to `[x, y]`, and `pieces`, for motion.
 */
export function drawBoard(frame, book, options = {}) {
  const picture = openFrame(frame, book);
  const planned = plan(picture, options);
  const [width, height] = options.size ?? planned.size;
  const sheet = { layers: Array.from({ length: 9 }, () => []), pieces: [], places: new Map(), rows: [], options };
  let top = MARGIN + 4;
  if (planned.board) {
    drawSites(picture, planned.board, [(width - planned.board.size[0]) / 2, top], sheet);
    top += planned.board.size[1] + 8;
  }
  drawPiles(picture, planned.piles, top, sheet);
  if (planned.piles.size[1] > 0) top += planned.piles.size[1] + 8;
  for (const text of planned.captions) {
    sheet.layers[LAYER.word].push(words("s", [MARGIN, top + 10], text, "start"));
    top += CAPTION_LINE;
  }
  drawNotes(sheet, planned.board?.step ?? 34);
  const layers = sheet.layers.map((parts) => (parts.length > 0 ? svgEl("g", { "aria-hidden": "true" }, parts) : null));
  const cells = sheet.rows.filter((row) => row.length > 0).map((row) => svgEl("g", { role: "row" }, row));
  const svg = svgEl(
    "svg",
    {
      viewBox: `0 0 ${width} ${height}`, width, height, class: "board", role: cells.length > 0 ? "grid" : "img",
      "aria-label": options.label ?? "The board", "aria-readonly": cells.length > 0 && !options.onPick ? "true" : null,
    },
    layers,
    cells,
  );
  steer(svg);
  return Object.assign(svg, { places: sheet.places, pieces: sheet.pieces });
}

const LAYER = { ground: 0, area: 1, mark: 2, heat: 3, line: 4, join: 5, piece: 6, word: 7, note: 8 };

/** Puts a cell for a screen reader, a mouse and a keyboard above what is drawn. */
function hitCell(sheet, row, shape, kind, name, label, more) {
  const { lit, onPick, badges } = sheet.options;
  const state = typeof lit === "function" ? lit(kind, name, more) : lit && (lit.has(name) || lit.has(`${kind}:${name}`)) ? "lit" : "";
  const note = badges?.get(name)?.title;
  const pick = () => onPick?.(kind, name, more);
  const attributes = {
    role: "gridcell", tabindex: -1, class: state ? `hit ${state}` : "hit", "aria-label": label + (note ? `, ${note}` : ""),
    "aria-selected": state.includes("picked") ? "true" : null, "data-kind": kind, "data-name": name,
  };
  if (state && onPick) {
    Object.assign(attributes, { click: pick, keydown: (event) => (event.key === "Enter" || event.key === " ") && (event.preventDefault(), event.stopPropagation(), pick()) });
  }
  const cell = svgEl("g", attributes, shape);
  sheet.rows[row] ??= [];
  sheet.rows[row].push(cell);
}

function pieceWords(site) {
  if (site.tint === "empty") return "empty";
  if (site.tint === "blocked") return "blocked";
  if (site.shape === "dot") return "point";
  const whose = site.owner !== null ? ` of seat ${site.owner}` : "";
  const colour = ["first", "second", "neutral"].includes(site.tint) ? "" : `${site.tint} `;
  const form = ["lettered", "mark"].includes(site.shape) ? site.glyph : site.shape;
  return `${colour}${form}${site.label ? ` ${site.label}` : ""}${whose}`;
}

function drawSites(picture, board, [left, top], sheet) {
  const { sites, ground } = picture;
  const { step } = board;
  const { layers } = sheet;
  const at = (x, y) => {
    const [px, py] = board.place(x, y);
    return [px + left, py + top];
  };
  const spots = sites.map((site) => at(site.x, site.y));
  const points = ground === "points";
  const radius = (site) =>
    site.shape === "dot" ? 4 : site.tint === "empty" && points ? step * 0.24 : step * 0.38;
  if (picture.axes) {
    const letter = (col) => (col < 26 ? String.fromCharCode(97 + col) : String.fromCharCode(65 + col - 26));
    for (let col = 0; col <= board.high[0]; col++) {
      layers[LAYER.word].push(words("ax", [at(col, 0)[0], top + board.size[1] - 5], letter(col)));
    }
    for (let row = 0; row <= board.high[1]; row++) {
      layers[LAYER.word].push(words("ax", [left + AXIS - 6, at(0, row)[1] + 4], String(row + 1), "end"));
    }
  }
  for (const area of picture.areas) {
    layers[LAYER.area].push(polygon(`${area.tint} area`, area.corners.map((corner) => spots[corner])));
  }
  const joined = new Set(picture.links.filter((link) => link.kind === "join").flatMap((link) => link.ends));
  const heights = [...new Set(spots.map(([, y]) => Math.round(y)))].sort((a, b) => a - b);
  // Readers go through a row from left to right.
  const order = sites.map((_, n) => n).sort((a, b) => spots[a][1] - spots[b][1] || spots[a][0] - spots[b][0]);
  for (const n of order) {
    const site = sites[n];
    const spot = spots[n];
    const nowhere = site.shape === "word" || site.glyph === " ";
    if (points) {
      if (site.marked && !nowhere) layers[LAYER.mark].push(circle("mark", spot, radius(site) + 4.5));
    } else if (!nowhere) {
      const dark = ground === "chequered" && Math.floor(site.x + site.y) % 2 === 0;
      layers[LAYER.ground].push(square(site.tint === "blocked" ? "blocked" : dark ? "dark" : "cell", spot, step, 0));
      const inset = site.shape === "tile" ? 0 : 3;
      if (site.marked && !(site.shape === "tile" && joined.has(n))) {
        layers[LAYER.mark].push(square("mark", spot, step - inset, inset));
      }
    }
    if (nowhere) continue;
    sheet.places.set(site.name, spot);
    const shape = points ? circle(null, spot, Math.max(radius(site) + 4, 12)) : square(null, spot, step, 0);
    const label = `${site.name}: ${pieceWords(site)}${site.marked ? ", last move" : ""}`;
    hitCell(sheet, heights.indexOf(Math.round(spot[1])), shape, "site", site.name, label, { label: site.name });
  }
  drawLinks(picture, spots, step, radius, sheet, heights.length);
  sites.forEach((site, n) => {
    const key = [site.tint, site.shape, site.glyph, site.owner, site.label].join();
    if (site.tint === "empty" || site.tint === "blocked") {
      if (site.tint === "blocked" && !points) return;
      if (points) layers[LAYER.piece].push(picture.names ? circle("empty", spots[n], radius(site)) : circle("dot", spots[n], 3));
    } else {
      const node = drawPiece(site, site.label, spots[n], radius(site));
      layers[site.shape === "word" ? LAYER.word : LAYER.piece].push(node);
      if (site.shape !== "dot" && site.shape !== "word") sheet.pieces.push({ key, id: site.name, spot: spots[n], node });
    }
    if (picture.names) drawName(picture, site, spots[n], step, board, [left, top], layers);
  });
}

function drawLinks(picture, spots, step, radius, sheet, row) {
  for (const link of picture.links) {
    const [from, to] = link.ends.map((end) => spots[end]);
    const ends = link.ends.map((end) => picture.sites[end]);
    const { layers } = sheet;
    if (link.marked) layers[LAYER.mark].push(line("band", from, to));
    if (link.kind === "open") layers[LAYER.line].push(line("open", from, to));
    else if (link.kind !== "join") layers[LAYER.line].push(line(`${link.tint} ln`, from, to));
    else if (ends[0].shape === "tile") {
      const tile = TILE * radius(ends[0]);
      const hot = ends.some((end) => end.marked) ? " hot" : "";
      const corner = [Math.min(from[0], to[0]) - tile / 2, Math.min(from[1], to[1]) - tile / 2];
      const size = [Math.abs(from[0] - to[0]) + tile, Math.abs(from[1] - to[1]) + tile];
      layers[LAYER.word].unshift(box(link.tint + hot, ...corner, ...size, ROUND));
    } else {
      const length = Math.max(0.1, Math.hypot(to[0] - from[0], to[1] - from[1]));
      const across = [(-(to[1] - from[1]) / length) * step * 0.15, ((to[0] - from[0]) / length) * step * 0.15];
      const corner = (end, side) => [end[0] + side * across[0], end[1] + side * across[1]];
      layers[LAYER.join].push(polygon(`${link.tint} join`, [corner(from, 1), corner(to, 1), corner(to, -1), corner(from, -1)]));
    }
    if (link.name === null) continue;
    const middle = [(from[0] + to[0]) / 2, (from[1] + to[1]) / 2];
    sheet.places.set(link.name, middle);
    const state = link.kind === "open" ? "not drawn" : link.marked ? "last move" : "drawn";
    hitCell(sheet, row, line("thick", from, to), "link", link.name, `${link.name}: ${state}`, { label: link.name });
  }
}

function drawName(picture, site, [x, y], step, board, [left, top], layers) {
  if (picture.ground !== "points") {
    layers[LAYER.word].push(words("n", [x, y + step / 2 + 11], site.name));
    return;
  }
  if (site.shape === "lettered" && site.name === site.glyph) return;
  let [right, down] = [x - left - board.size[0] / 2, y - top - board.size[1] / 2];
  const away = Math.hypot(right, down);
  [right, down] = away < step / 2 ? [0.6, 0.8] : [right / away, down / away];
  const reach = step * 0.38 + 12;
  layers[LAYER.word].push(words("n", [x + right * reach, y + down * reach + 3.5], site.name));
}

/** A piece that may be as large as a circle with this radius. */
export function drawPiece(piece, label, spot, radius) {
  const { tint, glyph } = piece;
  const [x, y] = spot;
  const ink = BRIGHT.includes(tint) ? "g u" : "g i";
  const parts = [];
  const letter = label ?? (piece.shape === "lettered" ? glyph : null);
  const reach = radius * 0.68;
  switch (piece.shape) {
    case "word":
      return words("", [x, y + 4.5], glyph);
    case "dot":
      return circle("dot", spot, 4);
    case "tile":
      parts.push(square(tint, spot, radius * TILE, ROUND));
      break;
    case "mark":
      if (glyph === "X") {
        const way = round1(reach * 2);
        parts.push(svgEl("path", { class: `x ${tint}`, d: `M${round1(x - reach)} ${round1(y - reach)}l${way} ${way}m-${way} 0l${way}-${way}` }));
      } else if (glyph === "O") parts.push(circle(`x ${tint}`, spot, reach * 1.1));
      else if (tint === "neutral") parts.push(words("h1", [x, y + 5.3], glyph));
      else parts.push(circle(tint, spot, radius), words(ink, [x, y + 4.6], glyph));
      break;
    case "disc":
    case "lettered":
      parts.push(circle(tint, spot, radius));
      if (piece.owner === 1 && tint !== "white" && tint !== "black") {
        parts.push(circle(BRIGHT.includes(tint) ? "ring ru" : "ring ri", spot, radius * 0.78));
      }
      break;
    default:
      parts.push(svgEl("path", { class: tint, d: FIGURES[piece.shape], transform: `translate(${round1(x)} ${round1(y)}) scale(${Math.round((radius / 14) * 1000) / 1000})` }));
  }
  if (letter !== null) parts.push(words(ink, [x, y + 4.6], letter));
  return svgEl("g", {}, parts);
}

function drawPiles(picture, piles, start, sheet) {
  const { layers } = sheet;
  let top = start;
  picture.piles.forEach((pile, n) => {
    const rows = piles.rows[n];
    const row = sheet.rows.length;
    const label = tame(pile.label, 40);
    if (pile.marked) layers[LAYER.mark].push(box("mark", MARGIN - 2, top - 1, piles.head - 8, rows.height, 4));
    if (pile.owner !== null && pile.owner !== undefined && !pile.counters) {
      layers[LAYER.ground].push(box(seatTint(pile.owner), MARGIN + 1, top, 4, rows.height - 2, 2));
    }
    const middle = top + (pile.counters ? PILE.line : CARD_HEIGHT) / 2;
    layers[LAYER.word].push(words("", [MARGIN + PILE.bar, middle + 4], label, "start"));
    sheet.places.set(pile.key, [MARGIN + PILE.bar + 8, middle]);
    const what = pile.counters ? "counter" : "card";
    const count = `${pile.items.length} ${what}${pile.items.length === 1 ? "" : "s"}`;
    const more = { label: pile.label, pile: pile.key };
    hitCell(sheet, row, box(null, MARGIN - 2, top - 1, piles.head - 8, rows.height, 4), "pile", pile.key, `${label}: ${count}`, more);
    const left = MARGIN + piles.head;
    const place = (at) => [left + (at % rows.long) * rows.step, top + Math.floor(at / rows.long) * rows.high];
    pile.items.forEach((item, at) => {
      const [x, y] = place(at);
      const isCounter = !item.card && !item.back;
      const spot = isCounter ? [x + PILE.counter, y + PILE.line / 2] : [x, y];
      const marked = pile.markedItems.includes(at);
      const node = isCounter ? drawPiece(item, null, spot, PILE.counter) : drawCard(item, x, y, marked);
      layers[LAYER.piece].push(node);
      const key = item.card ?? (item.back ? "back" : [item.tint, item.shape, item.glyph, item.owner, null].join());
      sheet.pieces.push({ key, id: `${pile.key}/${item.card ?? at}`, spot, node });
      if (item.card) sheet.places.set(item.card, [x + CARD_WIDTH / 2, y + CARD_HEIGHT / 2]);
      const shape = isCounter ? box(null, x, y, PILE.step, PILE.line, 0) : box(null, x, y, CARD_WIDTH, CARD_HEIGHT, 4);
      // A counter is picked as a part of its pile, and a hidden card as a part of its pile too.
      if (item.card) hitCell(sheet, row, shape, "card", item.card, `${cardWords(item.card)}${marked ? ", last move" : ""}`, { ...more, at });
      else if (isCounter || sheet.options.onPick) hitCell(sheet, row, shape, "pile", pile.key, `${what} ${at + 1} of ${label}`, { ...more, at });
    });
    if (pile.items.length === 0 && !pile.counters) layers[LAYER.ground].push(box("slot", left, top, CARD_WIDTH, CARD_HEIGHT, 4));
    if (pile.counters && (pile.items.length === 0 || pile.items.length > 5)) {
      const [x, y] = place(Math.max(0, pile.items.length - 1));
      const shift = pile.items.length === 0 ? 0 : PILE.step + 4;
      layers[LAYER.word].push(words("s", [x + shift, y + PILE.line / 2 + 4.5], String(pile.items.length), "start"));
    }
    top += rows.height + PILE.gap;
  });
}

/** The notes of bots and solvers: heat, badges and arrows. */
function drawNotes(sheet, step) {
  const { heat, badges, arrows } = sheet.options;
  for (const [name, { heat: warmth = 0, text }] of heat ?? []) {
    const spot = sheet.places.get(name);
    if (!spot) continue;
    const glow = square("heat", spot, step - 2, 3);
    glow.style.fillOpacity = String(0.12 + 0.68 * Math.min(1, Math.max(0, warmth)));
    sheet.layers[LAYER.heat].push(glow);
    if (text) sheet.layers[LAYER.note].push(words("mn", [spot[0], spot[1] + step / 2 - 3], tame(text, 6)));
  }
  for (const [from, to] of arrows ?? []) {
    const [a, b] = [sheet.places.get(from), sheet.places.get(to)];
    if (!a || !b || from === to) continue;
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [dx, dy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    const tip = [b[0] - dx * 6, b[1] - dy * 6];
    const back = [tip[0] - dx * 10, tip[1] - dy * 10];
    sheet.layers[LAYER.note].push(line("arrow", a, back), polygon("tip", [tip, [back[0] - dy * 6, back[1] + dx * 6], [back[0] + dy * 6, back[1] - dx * 6]]));
  }
  for (const [name, { text, cls }] of badges ?? []) {
    const spot = sheet.places.get(name);
    if (!spot) continue;
    const [x, y] = [spot[0] + step * 0.3, spot[1] - step * 0.3];
    const wide = Math.max(13, text.length * 7 + 5);
    sheet.layers[LAYER.note].push(box(`badge ${cls}`, x - wide / 2, y - 6.5, wide, 13, 6), words("bn", [x, y + 3.6], text));
  }
}

/** One tab stop for the whole board. Arrows go to the nearest cell in their direction. */
function steer(svg) {
  const cells = [...svg.querySelectorAll(".hit")];
  const first = cells.find((cell) => cell.classList.contains("lit")) ?? cells[0];
  first?.setAttribute("tabindex", "0");
  const ways = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
  const centre = (cell) => {
    const { x, y, width, height } = cell.getBBox();
    return [x + width / 2, y + height / 2];
  };
  svg.addEventListener("keydown", (event) => {
    const way = ways[event.key];
    const from = event.target.closest?.(".hit");
    if (!way || !from || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const [x, y] = centre(from);
    let best = null;
    for (const cell of cells) {
      const [cx, cy] = centre(cell);
      const ahead = (cx - x) * way[0] + (cy - y) * way[1];
      if (ahead <= 0.5) continue;
      const aside = Math.abs((cx - x) * way[1]) + Math.abs((cy - y) * way[0]);
      if (!best || ahead + aside * 2 < best.far) best = { cell, far: ahead + aside * 2 };
    }
    best?.cell.focus();
  });
  svg.addEventListener("focusin", (event) => {
    const cell = event.target.closest?.(".hit");
    if (!cell) return;
    cells.forEach((other) => other.setAttribute("tabindex", other === cell ? "0" : "-1"));
  });
}

/** A board grows with its stage and with the letters of a large screen, but only as far as it stays in sight. */
const LARGEST = 2.2;
const LETTER_PX = 15;

export function growBoard(svg, [width, height], stage) {
  const letters = parseFloat(getComputedStyle(stage).fontSize) / LETTER_PX;
  const scale = Math.min(LARGEST * letters, Math.max(letters, (innerHeight * 0.66) / height));
  svg.style.maxWidth = `${Math.round(width * scale)}px`;
}

/** Puts a new board in the place of an old one. The focus stays where it was. */
export function replaceBoard(old, board) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  // A pile has several cells with its name: the focus stays on the same one, if it is still there.
  const alike = (svg) => [...svg.querySelectorAll(".hit")].filter((cell) => ["data-kind", "data-name"].every((key) => cell.getAttribute(key) === focused?.getAttribute(key)));
  const place = focused ? alike(old).indexOf(focused) : -1;
  old.replaceWith(board);
  if (place < 0) return;
  const cells = alike(board);
  (cells[place] ?? cells.at(-1) ?? board.querySelector(".hit[tabindex='0']"))?.focus();
}
