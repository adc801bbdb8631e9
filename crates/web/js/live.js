// The page of a tournament that is being played: standings, and a sample of boards.
//
// Every message of the server is a full replacement of the one before it. So the stream can be closed
// while nobody looks, and opened again later.
import { el, fill, svgEl, tame } from "./el.js";
import { measureFrame, drawBoard, replaceBoard } from "./picture.js";
import { animateBoard, wantsMotion } from "./motion.js";
import { startTheme } from "./theme.js";

const STEP_MS = 650;
const HOLD_STEPS = 5;
const RETRY_MS = [500, 1000, 2000, 5000];
const RATE_MS = 10000;

/** Points as people write them. */
export function pointWords(points) {
  return Number.isInteger(points) ? String(points) : points.toFixed(1);
}

/** `+12` or `-7` */
export function signedWords(elo) {
  return `${elo < 0 ? "−" : "+"}${Math.abs(Math.round(elo))}`;
}

/** Games in a second over the last moments, from pairs of milliseconds and games. */
export function rate(moments) {
  const [first, last] = [moments[0], moments.at(-1)];
  if (!first || last[0] - first[0] < 1000) return null;
  return ((last[1] - first[1]) * 1000) / (last[0] - first[0]);
}

/** Which game a free board shows next: the newest that no board shows or has shown last. */
export function nextGame(games, shown) {
  return games.find((game) => !shown.includes(game.key)) ?? null;
}

/** Who won, in words. */
export function endWords(game) {
  const first = game.bots.filter((_, seat) => game.places[seat] === 1).map((bot) => tame(bot, 40));
  if (game.bots.length === 1) return `ended: ${tame(game.reason, 40)}`;
  if (first.length === game.bots.length) return `a draw: ${tame(game.reason, 40)}`;
  return `${first.join(" and ")} won: ${tame(game.reason, 40)}`;
}

/** The interval of a rating, on an axis that all rows share. */
function intervalChart([value, low, high], [from, to]) {
  const x = (at) => Math.round(4 + (172 * (Math.min(to, Math.max(from, at)) - from)) / Math.max(1, to - from));
  const line = (cls, x1, x2, y1, y2) => svgEl("line", { class: cls, x1, x2, y1, y2 });
  return svgEl("svg", { class: "span", viewBox: "0 0 180 18", "aria-hidden": "true" },
    line("mean", x(0), x(0), 0, 18), line(null, x(low), x(high), 9, 9), line(null, x(low), x(low), 5, 13),
    line(null, x(high), x(high), 5, 13), svgEl("circle", { cx: x(value), cy: 9, r: 4 }));
}

function table(caption, heads, rows) {
  return el("div", { class: "wide" }, el("table", {},
    el("caption", { class: "away" }, caption),
    el("thead", {}, el("tr", {}, heads.map(([head, cls]) => el("th", { scope: "col", class: cls }, head)))),
    el("tbody", {}, rows)));
}

function standings(state) {
  const ends = state.rows.flatMap((row) => (row.elo ? [row.elo[1], row.elo[2]] : []));
  const axis = [Math.min(0, ...ends), Math.max(0, ...ends)];
  const number = (text) => el("td", { class: "number" }, text);
  const rows = state.rows.map((row) => el("tr", {},
    number(String(row.place)), el("th", { scope: "row" }, tame(row.bot, 60)),
    number(`${pointWords(row.points)} / ${row.played}`),
    number(row.score === null ? "–" : `${(row.score * 100).toFixed(1)} %`),
    number(row.elo ? signedWords(row.elo[0]) : "–"),
    el("td", {}, row.elo && intervalChart(row.elo, axis)),
    el("td", { class: row.faults > 0 ? "number bad" : "number" }, String(row.faults))));
  const heads = [["place", "number"], ["bot", null], ["points", "number"], ["score", "number"], ["Elo", "number"], ["95 % interval", null], ["faults", "number"]];
  const solo = state.solitaire.map((of) => [el("h3", {}, of.game), table(`Standings in ${of.game}`,
    [["place", "number"], ["bot", null], ["mean", "number"], ["decks", "number"], ["faults", "number"]],
    of.rows.map((row) => el("tr", {}, number(String(row.place)), el("th", { scope: "row" }, tame(row.bot, 60)),
      number(row.error === null ? row.mean.toFixed(2) : `${row.mean.toFixed(2)} ± ${row.error.toFixed(2)}`),
      number(String(row.decks)), number(String(row.faults)))))]);
  return [
    state.rows.length > 0 && table("Standings", heads, rows), solo,
    state.left_out > 0 && el("p", { class: "soft" }, `${state.left_out} more bots are left out. The report has them all.`),
  ];
}

/** A board that plays one game after the other. */
function liveBoard() {
  const stage = el("div", {});
  const caption = el("figcaption", {});
  const slot = { node: el("figure", { hidden: true }, caption, stage), key: null, game: null, book: null, ply: 0, held: 0 };
  const draw = (quick) => {
    const { game, ply } = slot;
    const label = `${game.name}, game ${tame(game.match, 20)}`;
    const old = stage.firstElementChild;
    const board = drawBoard(game.frames[ply], slot.book, { label, captions: true, size: slot.size });
    if (old) replaceBoard(old, board);
    else stage.append(board);
    if (!quick && old) animateBoard(old.pieces ?? [], board, "", STEP_MS / 2);
    const isOver = ply === game.frames.length - 1;
    const moves = Math.min(game.plies, ply * game.step);
    fill(caption, el("b", {}, game.bots.map((bot) => tame(bot, 40)).join(" – ")), el("br", {}),
      `${game.name}, game ${tame(game.match, 20)}`, el("br", {}),
      el("span", { class: "soft" }, isOver ? endWords(game) : `move ${moves} of ${game.plies}`));
  };
  /** Begins a game. A reader who wants no motion sees its end. */
  slot.begin = (game, book) => {
    const sizes = game.frames.map((frame) => measureFrame(frame, book, { captions: true }));
    Object.assign(slot, { game, book, key: game.key, held: 0, ply: wantsMotion() ? 0 : game.frames.length - 1 });
    slot.size = [0, 1].map((side) => Math.max(...sizes.map((size) => size[side])));
    slot.node.hidden = false;
    draw(true);
  };
  /** One step. True if the board is free for another game. */
  slot.step = () => {
    if (!slot.game) return true;
    if (slot.ply < slot.game.frames.length - 1) {
      slot.ply += 1;
      draw(false);
      return false;
    }
    slot.held += 1;
    return slot.held > HOLD_STEPS;
  };
  return slot;
}

export function startLive() {
  startTheme();
  const meta = JSON.parse(document.getElementById("meta").textContent);
  const told = document.getElementById("told");
  const root = document.getElementById("live");
  const facts = el("p", { class: "facts" });
  const tables = el("div", { id: "standings" });
  const note = el("p", { class: "soft" });
  const slots = Array.from({ length: 6 }, liveBoard);
  let sample = { boards: [], book: null };
  let state = null;
  let source = null;
  let retry = 0;
  let failures = 0;
  let paused = false;
  let moments = [];

  const pause = el("button", { type: "button", "aria-pressed": "false", click: () => {
    paused = !paused;
    pause.setAttribute("aria-pressed", String(paused));
    if (!paused && state) show();
  } }, "Pause");
  fill(root,
    el("div", { class: "bar live-head" }, facts, el("div", { class: "bar" }, pause, el("a", { href: meta.report }, "Report"))),
    el("section", { "aria-labelledby": "table-head" }, el("h2", { id: "table-head" }, "Standings"), tables),
    el("section", { "aria-labelledby": "boards-head" }, el("h2", { id: "boards-head" }, "Newest games"), note, el("div", { class: "boards" }, slots.map((slot) => slot.node))));

  /** Says something, once. A screen reader hears it too. */
  function tell(words) {
    if (told.textContent !== words) told.textContent = words;
  }

  function stateWords() {
    if (state.problem) return `The journal can't be read: ${tame(state.problem, 300)}`;
    if (state.state === "running") return state.games === 0 ? "The tournament has begun. No game has ended yet." : "The tournament is being played.";
    if (state.state === "complete") return "The tournament has ended.";
    return "The tournament has stopped before its end. The same command goes on with it, and this page follows.";
  }

  function show() {
    tell(stateWords());
    const speed = state.state === "running" ? rate(moments) : null;
    const games = state.games.toLocaleString("en");
    fill(facts, el("b", {}, games), state.games === 1 ? " game" : " games",
      state.round ? `, round ${state.round}` : null,
      speed === null ? null : `, ${speed < 10 ? speed.toFixed(1) : Math.round(speed).toLocaleString("en")} games/s`,
      state.void > 0 ? `, ${state.void} not counted` : null);
    fill(tables, state.test && el("p", {}, tame(state.test, 300)), standings(state));
  }

  function takeState(text) {
    const before = state;
    state = JSON.parse(text);
    if (before && state.games < before.games) moments = [];
    const now = performance.now();
    moments = [...moments.filter(([at]) => now - at < RATE_MS), [now, state.games]];
    if (!paused) show();
  }

  function takeBoards(text) {
    const { boards, book } = JSON.parse(text);
    sample = { boards, book };
    note.textContent = boards.some((game) => game.sealed)
      ? "Games that have just ended, as a spectator sees them. Hidden cards are shown when the tournament has ended."
      : boards.length > 0 ? "Games that have just ended, move by move." : "";
    for (const slot of slots) if (!slot.game) refill(slot);
  }

  function refill(slot) {
    const game = nextGame(sample.boards, slots.map((other) => other.key));
    if (game) slot.begin(game, sample.book);
  }

  function open() {
    close();
    source = new EventSource(meta.events);
    source.addEventListener("state", (event) => {
      failures = 0;
      takeState(event.data);
    });
    source.addEventListener("boards", (event) => takeBoards(event.data));
    source.addEventListener("error", () => {
      close();
      tell("The connection is lost. Trying again.");
      retry = setTimeout(open, RETRY_MS[Math.min(failures, RETRY_MS.length - 1)]);
      failures += 1;
    });
  }

  function close() {
    clearTimeout(retry);
    source?.close();
    source = null;
  }

  // A browser has few connections to one server, so a page that nobody sees keeps none.
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close();
    else open();
  });
  addEventListener("pagehide", close);
  setInterval(() => {
    if (paused || document.hidden) return;
    for (const slot of slots) if (slot.step()) refill(slot);
  }, STEP_MS);
  if (!document.hidden) open();
}
