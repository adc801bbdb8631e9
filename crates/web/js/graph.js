// The score of the bots and the proven value of the game, ply by ply.
import { el, svgEl, tame } from "./el.js";

const GRAPH = { width: 360, height: 110, left: 6, right: 354, top: 8, bottom: 98 };

/** A score from any scale between -1 and 1. */
export function squeezed(score, scale) {
  return score / (Math.abs(score) + scale);
}

/**
 * The lines of a game, for side 0: for each line a list of `[ply, value]` with values from -1 to 1.
 * The score of a bot is from its own view, so it is turned for the other side.
 */
export function graphLines(game) {
  const scores = [];
  const lines = game.bots.map((_, seat) => ({ cls: `bot ${["a", "b"][game.teams[seat] % 2]}`, seat, points: [] }));
  game.moves.forEach(([seat, , more], at) => {
    const score = more?.info?.score;
    if (typeof score === "number" && Number.isFinite(score)) scores.push([seat, at + 1, score]);
  });
  const sizes = scores.map(([, , score]) => Math.abs(score)).filter((size) => size > 0).sort((a, b) => a - b);
  const scale = sizes[Math.floor(sizes.length / 2)] ?? 1;
  for (const [seat, ply, score] of scores) {
    lines[seat]?.points.push([ply, squeezed(score, scale) * (game.teams[seat] === 0 ? 1 : -1)]);
  }
  const truth = { cls: "truth", seat: null, points: [] };
  game.values?.forEach((values, ply) => {
    const seat = game.moves[ply]?.[0];
    if (!values || values.length === 0 || seat === undefined) return;
    const best = Math.max(...values.map(([, value]) => value));
    truth.points.push([ply, best * (game.teams[seat] === 0 ? 1 : -1)]);
  });
  return [...lines, truth].filter((one) => one.points.length > 0);
}

/** Which line is whose. */
export function graphKey(game) {
  const names = graphLines(game).map(({ cls, seat }) => [cls, seat === null ? "proven value" : game.bots[seat] ?? `seat ${seat}`]);
  const swatch = (cls) => svgEl("svg", { class: "graph swatch", viewBox: "0 0 26 8", "aria-hidden": "true" }, svgEl("path", { class: cls, d: "M1 4h24" }));
  return el("p", { class: "soft key" }, names.map(([cls, name]) => el("span", {}, swatch(cls), tame(name, 30))));
}

/**
 * Draws the lines. `onPick(ply)` is called for clicks. Returns `{ at }`: `at(ply)` is the drawing with
 * a line at this ply. Null where nothing is known.
 */
export function drawGraph(game, onPick) {
  const lines = graphLines(game);
  if (lines.length === 0) return null;
  const last = Math.max(1, game.moves.length);
  const x = (at) => GRAPH.left + ((GRAPH.right - GRAPH.left) * at) / last;
  const y = (value) => (GRAPH.top + GRAPH.bottom) / 2 - (value * (GRAPH.bottom - GRAPH.top)) / 2;
  const path = (points, isStep) =>
    points.map(([at, value], n) => (n === 0 ? `M${x(at).toFixed(1)} ${y(value).toFixed(1)}` : isStep ? `H${x(at).toFixed(1)}V${y(value).toFixed(1)}` : `L${x(at).toFixed(1)} ${y(value).toFixed(1)}`)).join("");
  const drawn = lines.map(({ cls, points }) => [
    svgEl("path", { class: cls, d: path(points, cls === "truth") }),
    cls === "truth" ? null : points.map(([at, value]) => svgEl("circle", { class: `${cls} knot`, cx: x(at).toFixed(1), cy: y(value).toFixed(1), r: 2 })),
  ]);
  const now = svgEl("line", { class: "now", y1: GRAPH.top - 4, y2: GRAPH.bottom + 4 });
  const svg = svgEl(
    "svg",
    { class: "graph", viewBox: `0 0 ${GRAPH.width} ${GRAPH.height}`, role: "img", "aria-label": "Scores of the bots and the proven value, ply by ply. Up is good for seat 0. The numbers are in the list of moves." },
    svgEl("line", { class: "zero", x1: GRAPH.left, x2: GRAPH.right, y1: y(0), y2: y(0) }),
    drawn,
    now,
  );
  svg.addEventListener("click", (event) => {
    const frame = svg.getBoundingClientRect();
    const at = ((event.clientX - frame.left) / frame.width) * GRAPH.width;
    onPick(Math.min(last, Math.max(0, Math.round(((at - GRAPH.left) / (GRAPH.right - GRAPH.left)) * last))));
  });
  const at = (ply) => {
    for (const end of ["x1", "x2"]) now.setAttribute(end, x(ply));
    return svg;
  };
  return { at };
}
