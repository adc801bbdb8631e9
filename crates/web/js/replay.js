// Replays one game: board, controls, moves, notes.
import { el, fill, svgEl, tame } from "./el.js";
import { drawBoard, growBoard, measureFrame, replaceBoard, sideTints } from "./picture.js";
import { animateBoard, moveNames } from "./motion.js";
import { drawGraph, graphKey } from "./graph.js";
import { fileName, gifBytes, saveFile, savePng, saveSvg } from "./export.js";
import { botName, heardMove, keepInSight, markRow, mistakes, moveDetails, movesTable, readsNotes, seatsTable, showIn, worth } from "./side.js";

/** Moves in a second. */
const SPEEDS = [0.5, 1, 2, 4, 10];
const KEYS = [
  ["left, right", "one move back, one move on"],
  ["Home, End", "the start, the end"],
  ["space", "play, stop"],
  ["1 to 5", "slow to fast"],
  ["N, P", "next or previous mistake or fault"],
  ["F", "flip the board"],
  ["V", "see with other eyes"],
  ["T, Escape", "guess the moves, and stop"],
  ["?", "this list"],
];

/** A word for a shell. */
export function shellWord(text) {
  return /^[\w.:/?=&%+,@-]+$/.test(text) && !/[?&]/.test(text) ? text : `'${String(text).replaceAll("'", "'\\''")}'`;
}

/** Keeps the link to a position in the address. In a notebook a page has no address of its own. */
export function keepLink(link) {
  try {
    history.replaceState(null, "", link);
  } catch {
    return;
  }
}

/** The command that plays a game again: the same deal, opening and seats. */
export function matchCommand({ id, bots, seed, params, moves }, runOf) {
  const opening = moves.filter(([, , more]) => more?.opening).map(([, move]) => move).join(" ");
  const words = [id, ...bots.map(runOf), "--games", "1", "--deal", seed, "--params", JSON.stringify(params), ...(opening === "" ? [] : ["--position", opening])];
  return `arena match ${words.map(shellWord).join(" ")}`;
}

/** The best value for each name on the board that ends a move. */
export function valueBadges(values, places) {
  const badges = new Map();
  for (const value of values ?? []) {
    const names = [value[0], ...moveNames(value[0]).reverse()];
    const name = names.find((one) => places.has(one));
    if (name === undefined) continue;
    const known = badges.get(name);
    const { word, cls, text } = worth(value);
    if (!known || value[1] > known.value || (value[1] === known.value && (value[2] ?? 0) > known.margin)) {
      badges.set(name, { text, cls, title: `${value[0]}: ${word}`, value: value[1], margin: value[2] ?? 0 });
    }
  }
  return badges;
}

/** Signs of buttons, drawn because many fonts lack them. */
const ICONS = { start: "M2 2v12M13 2L5 8l8 6z", back: "M11 2L5 8l6 6", on: "M5 2l6 6-6 6", end: "M14 2v12M3 2l8 6-8 6z", play: "M4 2l9 6-9 6z", pause: "M5 2v12M11 2v12" };

function icon(name) {
  return svgEl("svg", { class: `icon ${name}`, viewBox: "0 0 16 16", "aria-hidden": "true" }, svgEl("path", { d: ICONS[name] }));
}

/**
 * Shows a game in `root`. Returns `{ show, close, ply }`.
 *
 * options: `ply` and `view` to begin with, `source` for commands, `known` with the command `run` and
 * the microseconds `move_us` of bots by name, and `onChange(ply, view)`.
 */
export function openReplay(root, game, book, options = {}) {
  const last = game.moves.length;
  const views = ["referee", ...Object.keys(game.views ?? {}).sort((a, b) => (a === "spectator" ? -1 : b === "spectator" ? 1 : a - b))];
  const state = { ply: -1, view: views.includes(options.view) ? options.view : "referee", flip: false, speed: 1, timer: 0, guess: null };
  const stops = [...new Set([...mistakes(game).map((at) => at + 1), ...(game.faults ?? []).map((fault) => Math.min(last, fault.ply))])].sort((a, b) => a - b);

  const tint = sideTints([0, Math.floor(last / 2), last].map((at) => game.frames[at]), book);
  game.tints = game.teams.map(tint);
  const known = new Map(Object.entries(options.known ?? {}));
  game.budgets = game.bots.map((bot) => known.get(bot)?.move_us);
  game.slowest = Math.max(1, ...game.us);
  const framesOf = (view) => game.frames.map((frame, at) => (view === "referee" ? frame : game.views[view].frames[at] || frame));
  let frames = framesOf(state.view);
  let size = [1, 1];
  let board = null;

  const stage = el("div", { class: "stage" });
  const captions = el("div", { class: "captions" });
  const live = el("div", { class: "away", role: "status", "aria-live": "polite" });
  const moves = el("div", { class: "scroll moves-box", tabindex: 0, role: "region", "aria-label": "Moves" });
  const details = el("div", { class: "details" });
  const graph = el("div", { class: "graph-box" });
  const seats = el("div", {});
  const guess = el("div", { class: "guess", hidden: true });
  const told = el("p", { class: "soft told" });

  const button = (text, title, act, more = {}) => el("button", { type: "button", title, "aria-label": title, click: act, ...more }, text);
  const slider = el("input", { type: "range", min: 0, max: last, value: 0, "aria-label": "Ply", list: null, input: () => show(Number(slider.value), { quick: true }) });
  const ticks = el("div", { class: "ticks", "aria-hidden": "true" });
  const playButton = button(icon("play"), "Play", () => toggle());
  const speed = el("select", { "aria-label": "Speed", change: () => setSpeed(Number(speed.value)) }, SPEEDS.map((value, at) => el("option", { value: at }, `${value}/s`)));
  const viewSelect = el("select", { "aria-label": "See as", change: () => setView(viewSelect.value) }, views.map((view) => el("option", { value: view }, viewWords(view))));
  const flipButton = button("Flip", "Flip the board", () => flip(), { "aria-pressed": "false" });
  const tryButton = button("Guess", "Guess the moves", () => toggleGuess(), { "aria-pressed": "false" });
  const helpBox = el("dialog", { class: "help", "aria-label": "Keys" }, el("h2", {}, "Keys"), el("table", {}, el("tbody", {}, KEYS.map(([key, what]) => el("tr", {}, el("th", { scope: "row" }, key), el("td", {}, what))))), el("form", { method: "dialog" }, el("button", {}, "Close")));
  const counter = el("output", { class: "counter", "aria-live": "off" });

  function viewWords(view) {
    if (view === "referee") return game.views ? "all cards" : "everything";
    return view === "spectator" ? "a spectator" : `seat ${view}`;
  }

  const name = fileName(game.id, game.match);
  const drawn = () => ({ flip: state.flip, label: label() });
  const copies = [
    ["position", () => JSON.stringify({ game: game.id, params: game.params, seed: game.seed, moves: game.moves.slice(0, state.ply).map(([seat, move]) => [seat, move]) })],
    ["moves", () => game.moves.slice(0, state.ply).map(([, move]) => move).join(" ")],
    ["seed", () => game.seed],
    ["show command", () => `arena show ${shellWord(options.source ?? "games.jsonl")} --match ${shellWord(game.match)}`],
    ["match command", () => matchCommand(game, (bot) => known.get(bot)?.run ?? bot)],
  ];
  const copyBar = el("div", { class: "bar" }, el("span", { class: "soft" }, "Copy"), copies.map(([what, text]) => el("button", { type: "button", click: () => copy(what, text()) }, what)));
  const saveBar = el(
    "div", { class: "bar" }, el("span", { class: "soft" }, "Save"),
    el("button", { type: "button", click: () => saveSvg(`${name}-${state.ply}`, frames[state.ply], book, drawn()) }, "SVG"),
    el("button", { type: "button", click: () => savePng(`${name}-${state.ply}`, frames[state.ply], book, drawn()) }, "PNG"),
    el("button", { type: "button", click: (event) => gif(event.currentTarget) }, "GIF"),
  );

  fill(
    root,
    el("div", { class: "replay" },
      el("section", { class: "left", "aria-label": "Board" },
        stage, captions,
        el("div", { class: "slide" }, slider, ticks),
        el("div", { class: "bar controls" },
          button(icon("start"), "To the start", () => show(0)), button(icon("back"), "One move back", () => show(state.ply - 1)), playButton,
          button(icon("on"), "One move on", () => show(state.ply + 1)), button(icon("end"), "To the end", () => show(last)), counter, speed),
        el("div", { class: "bar" }, flipButton, tryButton, views.length > 1 ? el("label", {}, "See as ", viewSelect) : null,
          stops.length > 0 ? [button("‹ !", "Previous mistake or fault", () => jump(-1)), button("! ›", "Next mistake or fault", () => jump(1))] : null,
          button("?", "Keys", () => helpBox.showModal())),
        guess),
      el("section", { class: "right", "aria-label": "Moves and notes" }, seats, graph, moves, details, copyBar, saveBar, told),
    ),
    live, helpBox,
  );
  const failed = new Set((game.faults ?? []).map((fault) => Math.min(last, fault.ply)));
  fill(ticks, stops.map((ply) => {
    const tick = el("span", { class: failed.has(ply) ? "tick fault" : "tick" });
    tick.style.left = `${(100 * ply) / Math.max(1, last)}%`;
    return tick;
  }));

  function label() {
    const at = state.ply;
    const move = at > 0 ? heardMove(game, state.view, at - 1, at) : null;
    return `${game.name}, ply ${at} of ${last}${move ? `, last move ${tame(move, 60)}` : ""}`;
  }

  /** All frames of a game have the same size, so that the board stands still. */
  function measure() {
    const widest = Math.max(300, Math.min(560, (stage.clientWidth || 560) - 30));
    const sizes = frames.map((frame) => measureFrame(frame, book, { widest }));
    size = [0, 1].map((at) => Math.max(...sizes.map((one) => one[at])));
    state.widest = widest;
  }

  function draw(ms, move) {
    const frame = frames[state.ply];
    const isSecret = state.guess !== null;
    const [seat, , more] = game.moves[state.ply] ?? [null, null, null];
    const { marks, pv } = (state.ply < last && !isSecret && readsNotes(game, state.view, seat) && more?.info) || {};
    const setting = { size, widest: state.widest, flip: state.flip, label: label() };
    if (marks) setting.heat = new Map(marks.map((mark) => [mark.cell, { heat: mark.heat ?? 0.3, text: mark.text }]));
    const values = isSecret ? null : game.values?.[state.ply];
    if (values || isSecret) {
      const { places } = drawBoard(frame, book, setting);
      if (values) setting.badges = valueBadges(values, places);
      if (isSecret && state.ply < last) Object.assign(setting, { lit: new Set(places.keys()), onPick: (_, picked) => pickGuess(picked, places) });
    }
    if (pv) setting.arrows = pv.slice(0, 2).map((move) => moveNames(move).slice(-2));
    const next = drawBoard(frame, book, setting);
    growBoard(next, size, stage);
    const before = board?.pieces;
    if (board) replaceBoard(board, next);
    else fill(stage, next);
    board = next;
    if (before && ms > 0) animateBoard(before, next, move, ms);
    fill(captions, captionsOf(frame).map((text) => el("p", {}, tame(text, 400))));
  }

  function captionsOf(frame) {
    return frame[5] ?? [];
  }

  function show(wanted, how = {}) {
    const ply = Math.max(0, Math.min(last, Math.round(wanted) || 0));
    if (ply === state.ply && !how.force) return;
    const step = ply - state.ply;
    state.ply = ply;
    const moved = step === 1 ? ply - 1 : step === -1 ? ply : null;
    const isFast = how.quick || how.force || moved === null || state.speed >= 4;
    draw(isFast ? 0 : 200, moved === null ? "" : game.moves[moved][1]);
    slider.value = ply;
    slider.setAttribute("aria-valuetext", label());
    counter.textContent = `${ply} / ${state.guess ? "?" : last}`;
    if (state.guess || how.force || Object.keys(game.views?.[state.view]?.public ?? {}).length > 0) listMoves();
    else markRow(moves, ply);
    showIn(details, moveDetails(game, state.view, ply, state.guess !== null));
    graph.hidden = curve === null || state.guess !== null;
    if (!graph.hidden) fill(graph, curve.at(ply), key);
    else fill(graph);
    fill(seats, seatsTable(game, ply), ply === last ? el("p", { class: "soft" }, `The end: ${tame(game.result.reason, 80)}`) : null);
    if (state.guess) drawGuess();
    speak();
    // Browsers refuse an address that changes a hundred times in a few seconds.
    clearTimeout(state.link);
    state.link = setTimeout(() => options.onChange?.(state.ply, state.view), 150);
  }

  function listMoves() {
    fill(moves, movesTable(game, state.view, state.guess ? state.ply : last, state.ply, (ply) => show(ply)));
    keepInSight(moves);
  }

  /** Says the move, but not while the game plays by itself, and not before the reader pauses. */
  function speak() {
    clearTimeout(state.voice);
    if (state.timer) return;
    state.voice = setTimeout(() => {
      const text = label() + (captionsOf(frames[state.ply])[0] ? `. ${tame(captionsOf(frames[state.ply])[0], 200)}` : "");
      live.textContent = live.textContent === text ? `${text} ` : text;
    }, 400);
  }

  function toggle(isOn = !state.timer) {
    clearInterval(state.timer);
    state.timer = 0;
    if (isOn && !state.guess && last > 0) {
      if (state.ply === last) show(0);
      state.timer = setInterval(() => (state.ply >= last ? toggle(false) : show(state.ply + 1)), 1000 / SPEEDS[state.speed]);
    }
    fill(playButton, icon(state.timer ? "pause" : "play"));
    playButton.setAttribute("aria-label", state.timer ? "Stop" : "Play");
    playButton.title = state.timer ? "Stop" : "Play";
    speak();
  }

  function setSpeed(at) {
    state.speed = at;
    speed.value = at;
    if (state.timer) toggle(true);
  }

  function setView(view) {
    state.view = view;
    viewSelect.value = view;
    frames = framesOf(view);
    measure();
    show(state.ply, { force: true });
  }

  function flip() {
    state.flip = !state.flip;
    flipButton.setAttribute("aria-pressed", String(state.flip));
    show(state.ply, { force: true });
  }

  function jump(way) {
    const list = way > 0 ? stops.filter((ply) => ply > state.ply) : stops.filter((ply) => ply < state.ply).reverse();
    if (list.length > 0) show(list[0]);
  }

  // Guessing: later moves are not in the page.

  function toggleGuess() {
    toggle(false);
    state.guess = state.guess ? null : { right: 0, wrong: 0, picked: [], text: "" };
    tryButton.setAttribute("aria-pressed", String(state.guess !== null));
    guess.hidden = !state.guess;
    slider.disabled = state.guess !== null;
    ticks.hidden = state.guess !== null;
    if (state.guess && state.ply === last) state.ply = 0;
    show(state.ply, { force: true });
    if (state.guess) guess.querySelector("input")?.focus();
    else tryButton.focus();
  }

  function drawGuess() {
    const { right, wrong, text, picked } = state.guess;
    const score = `${right} right, ${wrong} wrong.`;
    if (state.ply === last) {
      fill(guess, el("p", {}, text, " The end. ", score));
      return;
    }
    const field = el("input", { "aria-label": "Your guess", autocomplete: "off", size: 12 });
    const form = el("form", { class: "bar", submit: (event) => (event.preventDefault(), answer(field.value.trim())) }, "What does ", botName(game, game.moves[state.ply][0]), " play? ", field, el("button", {}, "Guess"), el("button", { type: "button", click: () => answer(null) }, "Show"));
    fill(guess, el("p", { "aria-live": "polite" }, text, " ", score), form, el("p", { class: "soft" }, picked.length > 0 ? `Picked: ${picked.join(", ")}` : "Type a move, or pick its places on the board."));
  }

  function pickGuess(name, places) {
    const { picked } = state.guess;
    const namesOf = (move) => moveNames(move).filter((one) => places.has(one));
    const move = game.moves[state.ply][1];
    picked.push(name);
    if (picked.length < namesOf(move).length) return show(state.ply, { force: true });
    // Where the legal moves are known, a wrong guess is one of them, and has a value.
    const known = [move, ...(game.values?.[state.ply] || []).map(([other]) => other)];
    answer(known.find((other) => namesOf(other).join() === picked.join()) ?? picked.join("-"));
  }

  function answer(text) {
    const move = game.moves[state.ply][1];
    const values = game.values?.[state.ply];
    const mine = values && values.find(([other]) => other === text);
    if (text === move) state.guess.right++;
    else state.guess.wrong++;
    const verdict = text === null ? "" : text === move ? "Right: " : `Not ${tame(text, 30)}${mine ? ` (a ${worth(mine).word})` : ""}: `;
    state.guess.text = `${verdict}${tame(move, 60)} was played.`;
    state.guess.picked = [];
    show(state.ply + 1);
    guess.querySelector("input")?.focus();
  }

  async function copy(what, text) {
    try {
      await navigator.clipboard.writeText(text);
      told.textContent = `Copied: ${what}`;
    } catch {
      // A page from a disk may not be allowed to use the clipboard.
      fill(told, `${what}: `, el("code", {}, tame(text, 3000)));
    }
  }

  async function gif(pressed) {
    pressed.disabled = true;
    const tell = (part) => (told.textContent = `GIF: ${Math.round(part * 100)} %`);
    try {
      saveFile(`${name}.gif`, [await gifBytes(frames, book, drawn(), tell)], "image/gif");
      told.textContent = "GIF: done";
    } finally {
      pressed.disabled = false;
    }
  }

  const acts = {
    ArrowLeft: () => show(state.ply - 1), ArrowRight: () => !state.guess && show(state.ply + 1),
    Home: () => show(0), End: () => !state.guess && show(last), " ": () => toggle(),
    n: () => !state.guess && jump(1), p: () => jump(-1), f: flip, t: toggleGuess,
    v: () => setView(views[(views.indexOf(state.view) + 1) % views.length]), "?": () => helpBox.showModal(),
  };
  function onKey(event) {
    if (event.ctrlKey || event.altKey || event.metaKey || helpBox.open) return;
    const target = event.target;
    if (event.key === "Escape" && state.guess) return toggleGuess();
    if (target.closest?.("input:not([type=range]), select, textarea")) return;
    if (event.key === " " && target.closest?.("button, [role=gridcell], summary, a")) return;
    const act = /^[1-5]$/.test(event.key) ? () => setSpeed(Number(event.key) - 1) : acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }
  document.addEventListener("keydown", onKey);
  let room = 0;
  const watcher = new ResizeObserver(() => {
    if (Math.abs(stage.clientWidth - room) < 8) return;
    room = stage.clientWidth;
    measure();
    show(state.ply, { force: true });
  });

  const curve = drawGraph(game, (at) => show(at));
  const key = curve && graphKey(game);
  viewSelect.value = state.view;
  speed.value = state.speed;
  measure();
  room = stage.clientWidth;
  const first = Number.isFinite(options.ply) ? options.ply : 0;
  state.ply = Math.max(0, Math.min(last, first));
  show(state.ply, { force: true });
  watcher.observe(stage);

  return {
    show, setView,
    get ply() {
      return state.ply;
    },
    close() {
      toggle(false);
      clearTimeout(state.voice);
      clearTimeout(state.link);
      watcher.disconnect();
      document.removeEventListener("keydown", onKey);
      fill(root);
    },
  };
}
