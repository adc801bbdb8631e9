// What stands beside the board: the list of moves, and what is known about one move.
import { el, fill, tame } from "./el.js";
import { seatTint } from "./picture.js";

/** A spot in the colour of a seat. */
const chip = (game, seat) => el("span", { class: `chip ${game.tints?.[seat] ?? seatTint(seat)}`, "aria-hidden": "true" });

const WORTH = { 1: ["win", "vw", "W"], 0: ["draw", "vd", "D"], "-1": ["loss", "vl", "L"] };

/** The word, the class and the letter of a value. */
export function worth([, value, margin]) {
  const [word, cls, letter] = WORTH[value];
  if (margin === undefined) return { word, cls, text: letter };
  const points = margin > 0 ? `+${margin}` : String(margin);
  return { word: `${word} by ${points}`, cls, text: points };
}

/** The plies (from 0) whose moves gave a better result away, by the proven values. */
export function mistakes(game) {
  const found = [];
  game.values?.forEach((values, ply) => {
    const mine = values && values.find(([move]) => move === game.moves[ply]?.[1]);
    if (mine && values.some(([, value]) => value > mine[1])) found.push(ply);
  });
  return found;
}

/** Microseconds in words. */
export function timeWords(us) {
  if (us < 1000) return `${us} µs`;
  if (us < 1e6) return `${(us / 1000).toFixed(us < 1e4 ? 1 : 0)} ms`;
  return `${(us / 1e6).toFixed(us < 1e7 ? 2 : 1)} s`;
}

/** What these eyes know of a move after so many plies: its text, or `null` before it is public. */
export function heardMove(game, view, at, ply) {
  const eyes = view === "referee" ? null : game.views?.[view];
  if (eyes?.public[at] !== undefined && ply < eyes.public[at] && view !== String(game.moves[at][0])) return null;
  return eyes?.heard[at] ?? game.moves[at][1];
}

/** May these eyes read the notes of a seat? Notes may reveal cards. */
export function readsNotes(game, view, seat) {
  return !game.views || view === "referee" || view === String(seat);
}

/** A name with a chip in the colour of its seat. */
export function botName(game, seat, most = 40) {
  return el("span", { class: "bot-name" }, chip(game, seat), tame(game.bots[seat] ?? `seat ${seat}`, most));
}

/**
 * The list of moves as a table. `last` is the last move in it: later moves are not in the page. The
 * arrows step through the moves too, so that a long list needs no tab stop for each of its moves.
 */
export function movesTable(game, view, last, ply, onPick) {
  const wrong = new Set(mistakes(game));
  const failed = new Set((game.faults ?? []).map((fault) => fault.ply));
  const hasScore = game.moves.some(([, , more]) => more?.info?.score !== undefined);
  const rows = game.moves.slice(0, last).map(([seat, , more], at) => {
    const text = heardMove(game, view, at, ply);
    const notes = [];
    if (more?.opening) notes.push("opening");
    if (more?.substitute) notes.push("by the arena");
    if (wrong.has(at)) notes.push("mistake");
    if (failed.has(at + 1)) notes.push("fault");
    const score = readsNotes(game, view, seat) ? more?.info?.score : undefined;
    const us = game.us[at];
    return el(
      "tr", { "aria-current": at + 1 === ply ? "step" : null },
      el("td", { class: "num" }, String(at + 1)),
      el("td", {}, chip(game, seat), el("span", { class: "away" }, `seat ${seat}`)),
      el("td", {}, el("button", { class: "move", tabindex: -1, click: () => onPick(at + 1) }, tame(text ?? "…", 80))),
      el("td", { class: "num soft" }, us === undefined || more?.opening ? "" : timeWords(us)),
      hasScore ? el("td", { class: "num" }, score === undefined ? "" : String(Math.round(score * 100) / 100)) : null,
      el("td", { class: notes.includes("mistake") || notes.includes("fault") ? "bad" : "soft" }, notes.join(", ")),
    );
  });
  const heads = ["", "seat", "move", "time", hasScore ? "score" : null, "note"].filter((head) => head !== null);
  return el(
    "table", { class: "moves" },
    el("caption", { class: "away" }, "Moves of the game"),
    el("thead", {}, el("tr", {}, heads.map((head) => (head === "" ? el("td", {}, el("span", { class: "away" }, "number")) : el("th", { scope: "col" }, head))))),
    el("tbody", {}, rows),
  );
}

/** All that is known about the move that led to this position. */
export function moveDetails(game, view, ply, isSecret) {
  const parts = [];
  const rows = [];
  const add = (name, ...value) => rows.push(el("tr", {}, el("th", { scope: "row" }, name), el("td", {}, value)));
  const faults = (game.faults ?? []).filter((fault) => fault.ply === ply || (ply === game.moves.length && fault.ply > ply));
  for (const fault of faults) {
    const text = readsNotes(game, view, fault.seat) ? fault.text : fault.code;
    parts.push(el("p", { class: "bad" }, `Seat ${fault.seat} failed at ply ${fault.ply}: ${tame(text, 600)}`));
    if (fault.stderr && readsNotes(game, view, fault.seat)) parts.push(el("p", {}, "Its standard error in that turn:"), stderrBox(fault.stderr));
  }
  if (ply > 0) {
    const at = ply - 1;
    const [seat, , more] = game.moves[at];
    add("move", tame(heardMove(game, view, at, ply) ?? "…", 200));
    add("by", botName(game, seat, 80));
    const us = game.us[at];
    if (us !== undefined && !more?.opening) {
      const limit = game.budgets?.[seat];
      const budget = limit ?? game.slowest;
      const bar = el("meter", { class: "time", min: 0, max: 1, value: Math.min(1, us / budget), "aria-label": limit ? "time against the budget" : "time against the slowest move" });
      add("time", `${timeWords(us)} of ${timeWords(budget)}${limit ? "" : " (slowest)"} `, bar);
    }
    if (!isSecret && readsNotes(game, view, seat)) notesRows(more ?? {}, add);
  }
  const values = isSecret ? null : game.values?.[ply];
  if (rows.length > 0) parts.push(el("table", { class: "facts" }, el("tbody", {}, rows)));
  if (values && values.length > 0) {
    const next = game.moves[ply]?.[1];
    const items = values.slice(0, 60).map((value) => el("li", { class: value[0] === next ? "next" : null }, el("span", { class: `word ${worth(value).cls}` }, worth(value).word), ` ${value[0]}${value[0] === next ? " (played next)" : ""}`));
    parts.push(el("h2", {}, "Proven values of the moves here"), el("ul", { class: "values" }, items));
    if (values.length > 60) parts.push(el("p", { class: "soft" }, `and ${values.length - 60} more`));
  }
  return parts;
}

/** What a bot wrote to standard error, line by line. */
function stderrBox(text) {
  return el("pre", { class: "log" }, text.split("\n").slice(0, 200).map((line) => tame(line, 400)).join("\n"));
}

function notesRows(more, add) {
  const info = more.info ?? {};
  for (const key of ["score", "depth", "nodes", "leaves", "cutoffs", "bound", "proven"]) {
    if (info[key] !== undefined) add(key, typeof info[key] === "number" ? info[key].toLocaleString("en") : tame(info[key], 40));
  }
  if (more.explored) add("explored", `${more.explored.toLocaleString("en")} nodes`);
  if (info.pv?.length > 0) add("line", tame(info.pv.slice(0, 30).join(" "), 400));
  if (info.text) add("text", tame(info.text, 2000));
  if (more.ignored) add("ignored", `${more.ignored} messages`);
  if (more.stderr) add("stderr", stderrBox(more.stderr));
  if (more.log) add("log", el("ul", { class: "log" }, more.log.slice(0, 100).map((text) => el("li", {}, tame(text, 1000)))));
}

/** Who plays, whose turn it is, and how the game ended. */
export function seatsTable(game, ply) {
  const isOver = ply === game.moves.length;
  const next = game.moves[ply]?.[0];
  const rows = game.bots.map((_, seat) => el(
    "tr", {},
    el("td", {}, botName(game, seat, 60)),
    el("td", { class: "num" }, isOver ? resultWords(game.result, seat) : seat === next ? "to move" : ""),
  ));
  return el("table", { class: "seats" }, el("caption", { class: "away" }, "Players"), el("tbody", {}, rows));
}

/** "won", and the points where they say more than the place. */
function resultWords({ places, scores }, seat) {
  if (places[seat] === undefined) return "";
  const first = places.filter((place) => place === 1).length;
  const word = places[seat] > 1 ? (places.length > 2 ? `place ${places[seat]}` : "lost") : first === 1 ? "won" : "drawn";
  const points = scores[seat] === 1 ? "1 point" : `${scores[seat] ?? 0} points`;
  return places.length === 1 ? points : `${word}, ${points}`;
}

/** Keeps the row of the current move in sight, without moving the page. */
export function keepInSight(box) {
  requestAnimationFrame(() => {
    const row = box.querySelector("[aria-current]");
    box.scrollTop = row ? row.offsetTop - box.clientHeight / 2 : 0;
  });
}

/** Marks another row as the current one, without drawing the list again. */
export function markRow(box, ply) {
  box.querySelector("tr[aria-current]")?.removeAttribute("aria-current");
  box.querySelectorAll("tbody tr")[ply - 1]?.setAttribute("aria-current", "step");
  keepInSight(box);
}

/** Fills a box, and hides the box if there is nothing to show. */
export function showIn(box, parts) {
  fill(box, parts);
  box.hidden = box.childNodes.length === 0;
}
