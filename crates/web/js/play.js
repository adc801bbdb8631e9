// A table at which people play: board, gestures, moves, clocks, the end.
//
// The server sends the whole scene after each change. The page keeps nothing of a game but what is
// picked for the next move.
import { el, fill, svgEl, tame } from "./el.js";
import { openFrame } from "./frames.js";
import { cardWords } from "./cards.js";
import { drawBoard, drawPiece, growBoard, measureFrame, replaceBoard, seatTint } from "./picture.js";
import { animateBoard } from "./motion.js";
import { startTheme } from "./theme.js";
import { buttonKeys, gestureTree, goesOn, keysOf, keyWords, meaningOf, movesWith, readKey, walkTree, withImplied } from "./touches.js";

/** The most moves in the list. The others are found by typing. */
const MOST_LISTED = 300;
/** A page that nobody sees lets the server rest after so many milliseconds. */
const HIDDEN_MS = 30000;
const MOTION_MS = 180;

/** `95000` as `1:35`, and `4200` as `4.2`. */
export function clockWords(ms) {
  if (ms < 10000) return (Math.max(0, ms) / 1000).toFixed(1);
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Who must do something, in a sentence. */
export function statusWords(scene) {
  const name = (seat) => `${tame(scene.seats[seat].name, 40)} (seat ${seat})`;
  const list = (seats) => seats.map(name).join(", ");
  const missing = scene.seats.flatMap((seat, at) => (seat.missing ? [at] : []));
  if (scene.stage === "over") return scene.end.words;
  if (scene.stage === "closed") return `The table is closed: ${tame(scene.closed, 200)}.`;
  if (scene.stage === "gathering") return `Waiting until these open their links: ${list(missing)}.`;
  if (scene.yours) return scene.turn.length > 1 ? "Your turn. The others decide at the same time." : "Your turn.";
  const busy = scene.seats.flatMap((seat, at) => (seat.thinks ? [at] : []));
  const others = (busy.length > 0 ? busy : scene.turn).filter((seat) => seat !== scene.seat);
  const own = scene.decided === undefined ? "" : `You have played ${tame(scene.decided, 60)}. `;
  const end = scene.resigned ? " You give up at your next turn." : "";
  if (others.length === 0) return `${own}One moment …${end}`;
  const areBots = others.every((seat) => !scene.seats[seat].person);
  const verb = others.length > 1 ? "are thinking" : "is thinking";
  return `${own}${areBots ? `${list(others)} ${verb} …` : `Waiting for ${list(others)}.`}${end}`;
}

/** What a screen reader says of a new scene: the moves of others, then whose turn it is. */
export function newsWords(before, scene) {
  const known = before && before.moves.length <= scene.moves.length ? before.moves.length : scene.moves.length;
  const fresh = scene.moves.slice(known).filter(([seat]) => seat !== scene.seat);
  const moves = fresh.slice(-6).map(([seat, move]) => `Seat ${seat} played ${tame(move, 60)}.`);
  return [...moves, statusWords(scene)].join(" ");
}

/** Starts the page. */
export function startPlay() {
  startTheme();
  const root = document.getElementById("table");
  const base = location.pathname.replace(/\/+$/, "");
  const state = { scene: null, tree: gestureTree([]), keys: [], before: [], labels: new Map(), drawn: new Set(), flip: false, size: [0, 0], hinted: [], busy: false, again: false, came: 0, voice: 0, rest: 0, source: null, sure: 0 };
  let board = null;

  const say = el("p", { class: "say" });
  const stage = el("div", { class: "stage" });
  const captions = el("div", { class: "captions" });
  const picks = el("div", { class: "bar picks", role: "group", "aria-label": "Your move" });
  const told = el("p", { class: "told bad" });
  const hint = el("p", { class: "soft told" });
  const players = el("div", { class: "players" });
  const field = el("input", { id: "move", autocomplete: "off", autocapitalize: "off", spellcheck: "false", size: 14, input: () => listMoves() });
  const form = el("form", { class: "bar", submit: (event) => (event.preventDefault(), submit()) }, el("label", { for: "move" }, "Move"), field, el("button", {}, "Play"));
  const list = el("ol", { class: "legal" });
  const summary = el("summary", {}, "Legal moves");
  const choices = el("details", { class: "choices" }, summary, el("div", { class: "scroll legal-box", tabindex: 0, role: "group", "aria-label": "Legal moves" }, list));
  const moves = el("ol", { class: "scroll moves-box history", tabindex: 0, "aria-label": "Moves of the game" });
  const end = el("section", { class: "end", "aria-label": "The end", hidden: true });
  const live = el("div", { class: "away", role: "status", "aria-live": "polite" });
  const button = (text, act) => el("button", { type: "button", click: act }, text);
  const undo = button("Undo", () => send("undo"));
  const advice = button("Hint", () => send("hint"));
  const flip = el("button", { type: "button", "aria-pressed": "false", click: () => turnBoard() }, "Flip");
  const resign = button("Resign", () => giveUp());
  const own = el("div", { class: "own" }, form, choices);

  fill(
    root,
    el("div", { class: "replay" },
      el("section", { class: "left", "aria-label": "Board" }, say, stage, captions, picks, told, el("div", { class: "bar" }, undo, advice, flip, resign), hint),
      el("section", { class: "right", "aria-label": "Players and moves" }, end, players, own, el("h2", {}, "Moves"), moves)),
    live,
  );
  if (matchMedia("(min-width: 821px)").matches) choices.open = true;

  // What the server says.

  function listen() {
    if (state.source) return;
    const source = new EventSource(`${base}/events`);
    state.source = source;
    source.addEventListener("table", (event) => show(JSON.parse(event.data)));
    source.onerror = () => {
      say.textContent = "The connection is lost. Trying again …";
      say.classList.remove("mine");
      root.dataset.stage = "lost";
      // The browser tries again by itself, unless the server has answered that there is no such table.
      if (source.readyState === EventSource.CLOSED) {
        say.textContent = "This table is no longer there. The server may have been started anew.";
        speak(say.textContent);
      }
    };
  }

  function deafen() {
    state.source?.close();
    state.source = null;
  }

  document.addEventListener("visibilitychange", () => {
    clearTimeout(state.rest);
    if (document.hidden) state.rest = setTimeout(deafen, HIDDEN_MS);
    else listen();
  });

  function show(scene) {
    const before = state.scene;
    const isSame = before && before.ply === scene.ply && before.yours === scene.yours && before.moves.length === scene.moves.length;
    state.scene = scene;
    state.came = performance.now();
    state.tree = gestureTree(scene.legal ?? []);
    if (!isSame || walkTree(state.tree, state.keys) === null) pickNothing();
    if (!isSame) {
      told.textContent = "";
      // The scene may be here before the answer to the move.
      state.busy = false;
    }
    if (state.again && scene.next) location.assign(scene.next);
    const words = statusWords(scene);
    if (say.textContent !== words) say.textContent = words;
    say.classList.toggle("mine", scene.yours === true);
    document.title = `${scene.yours ? "● " : ""}${scene.title} at Ludus`;
    const picture = openFrame(scene.frame, scene.book);
    state.labels = new Map(picture.piles.map((pile) => [`pile:${pile.key}`, tame(pile.label, 40)]));
    state.drawn = new Set([
      ...picture.sites.map((site) => `site:${site.name}`), ...picture.links.map((link) => `link:${link.name}`), ...picture.piles.map((pile) => `pile:${pile.key}`),
      ...picture.piles.flatMap((pile) => pile.items.map((item) => `card:${item.card}`)),
    ]);
    measure();
    draw(isSame ? 0 : MOTION_MS);
    fill(captions, (scene.frame[5] ?? []).map((text) => el("p", {}, tame(text, 400))));
    drawPlayers(picture);
    drawPicks();
    drawHistory(picture);
    drawEnd();
    listMoves();
    const isPlaying = scene.stage === "playing";
    own.hidden = scene.seat === null || !isPlaying;
    for (const part of [...form.elements]) part.disabled = !scene.yours;
    undo.hidden = advice.hidden = !scene.alone || !isPlaying;
    undo.disabled = !scene.moves.some(([seat]) => seat === scene.seat);
    advice.disabled = !scene.yours;
    resign.hidden = scene.seat === null || !isPlaying || scene.resigned === true;
    hint.textContent = [scene.hint?.words, scene.trouble].filter(Boolean).map((text) => tame(text, 400)).join(" ");
    Object.assign(root.dataset, { stage: scene.stage, ply: scene.ply, yours: scene.yours === true });
    const news = newsWords(before, scene) + (scene.hint?.move ? ` ${scene.hint.words}` : "");
    if (!isSame || before.stage !== scene.stage || before.hint?.move !== scene.hint?.move) speak(news);
  }

  /** Says a text, but not before the table is quiet. */
  function speak(text) {
    clearTimeout(state.voice);
    state.voice = setTimeout(() => (live.textContent = live.textContent === text ? `${text} ` : text), 350);
  }

  // The board.

  function measure() {
    const { frame, book } = state.scene;
    const widest = Math.max(280, Math.min(560, (stage.clientWidth || 560) - 20));
    if (widest !== state.widest) state.size = [0, 0];
    state.widest = widest;
    const size = measureFrame(frame, book, { widest });
    // The board stands still while piles grow and shrink.
    state.size = state.size.map((most, at) => Math.max(most, size[at]));
  }

  function light(kind, name, more) {
    if (!state.scene.yours) return "";
    const keys = meaningOf(state.tree, state.keys, kind, name, more);
    const isPicked = state.keys.includes(`${kind}:${name}`) || (more.at !== undefined && state.keys.includes(`pile:${more.pile}`));
    if (keys === null) return isPicked ? "picked" : "";
    const next = walkTree(state.tree, [...state.keys, ...keys]);
    const hinted = keys.every((key, at) => state.hinted[state.keys.length + at] === key) ? " hinted" : "";
    return `lit${next.next.size > 0 ? " grab" : ""}${isPicked ? " picked" : ""}${hinted}`;
  }

  function draw(ms) {
    const { scene } = state;
    const advised = scene.hint?.move ? keysOf(scene.legal ?? [], scene.hint.move) : [];
    state.hinted = advised.every((key, at) => at >= state.keys.length || state.keys[at] === key) ? advised : [];
    const label = `${scene.title}, ply ${scene.ply}. ${statusWords(scene)}`;
    const setting = { size: state.size, widest: state.widest, flip: state.flip, label, lit: light, onPick: pick };
    const next = drawBoard(scene.frame, scene.book, setting);
    growBoard(next, state.size, stage);
    const before = board?.pieces;
    if (board) replaceBoard(board, next);
    else fill(stage, next);
    board = next;
    if (before && ms > 0) animateBoard(before, next, scene.moves.at(-1)?.[1] ?? "", ms);
  }

  function turnBoard() {
    state.flip = !state.flip;
    flip.setAttribute("aria-pressed", String(state.flip));
    if (state.scene) draw(0);
  }

  // Picking.

  function pick(kind, name, more = {}) {
    const keys = meaningOf(state.tree, state.keys, kind, name, more);
    if (keys !== null) take(keys);
    else stepBack();
  }

  function pickNothing() {
    state.before = [];
    state.keys = withImplied(state.tree, []);
  }

  function take(keys) {
    const picked = [...state.keys, ...keys];
    const node = walkTree(state.tree, picked);
    if (node.move !== null && node.next.size === 0) return play(node.move);
    state.before.push(state.keys);
    state.keys = withImplied(state.tree, picked);
    draw(0);
    drawPicks();
    speak(`${pickedWords()}. ${goesOn(node) ? "The move is complete, or goes on." : "Choose how it goes on."}`);
    return undefined;
  }

  function stepBack() {
    if (state.before.length === 0) return;
    state.keys = state.before.pop();
    draw(0);
    drawPicks();
    if (!stage.contains(document.activeElement)) board.querySelector(".hit[tabindex='0']")?.focus();
    speak(state.before.length > 0 ? pickedWords() : "Nothing is picked.");
  }

  function wordsOf(key) {
    const [kind, value] = readKey(key);
    return kind === "card" ? cardWords(value) : keyWords(key, state.labels);
  }

  function pickedWords() {
    return state.keys.map(wordsOf).map((text) => tame(text, 40)).join(", ");
  }

  function drawPicks() {
    const node = walkTree(state.tree, state.keys);
    if (!state.scene.yours || !node) return fill(picks);
    const focused = picks.contains(document.activeElement) ? document.activeElement.textContent : null;
    const keys = buttonKeys(node, (kind, value) => state.drawn.has(`${kind}:${value}`));
    const buttons = keys.map((key) => {
      const next = walkTree(node, [key]);
      const advised = state.hinted[state.keys.length] === key;
      return el("button", { type: "button", class: advised ? "hinted" : null, title: next.move ?? null, click: () => take([key]) }, tame(wordsOf(key), 40));
    });
    fill(
      picks,
      state.keys.length > 0 ? el("span", { class: "picked-words" }, pickedWords()) : null,
      buttons,
      goesOn(node) ? el("button", { type: "button", class: "done", click: () => play(node.move) }, `Done: ${tame(node.move, 40)}`) : null,
      state.before.length > 0 ? el("button", { type: "button", class: "back", click: stepBack }, "Back") : null,
    );
    if (focused === null) return;
    const again = [...picks.querySelectorAll("button")];
    (again.find((one) => one.textContent === focused) ?? again[0] ?? board?.querySelector(".hit[tabindex='0']"))?.focus();
  }

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || state.before.length === 0) return;
    event.preventDefault();
    stepBack();
  });

  // A drag is a pick where it begins and a pick where it ends.
  const cellAt = (x, y) => document.elementFromPoint(x, y)?.closest?.(".hit");
  let drag = null;
  stage.addEventListener("pointerdown", (event) => {
    const cell = event.target.closest?.(".hit.grab");
    drag = cell && event.button === 0 ? { cell, x: event.clientX, y: event.clientY } : null;
  });
  stage.addEventListener("pointerup", (event) => {
    const from = drag?.cell;
    drag = null;
    const to = from && cellAt(event.clientX, event.clientY);
    if (!to || to === from || !stage.contains(to)) return;
    const place = [...board.querySelectorAll(".hit")].indexOf(to);
    from.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    // The board has been drawn anew, with the same cells.
    const cell = [...board.querySelectorAll(".hit")][place];
    if (cell?.classList.contains("lit")) cell.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  });

  // What the page says to the server.

  async function send(what, more = {}) {
    if (state.busy || !state.scene) return;
    state.busy = true;
    told.textContent = "";
    try {
      const body = JSON.stringify(what === "again" ? {} : { ply: state.scene.ply, ...more });
      const answer = await fetch(`${base}/${what}`, { method: "POST", headers: { "content-type": "application/json" }, body });
      if (!answer.ok) refuse((await answer.json()).error);
      else if (what === "move") field.value = "";
    } catch {
      refuse("the server can't be reached; try again");
    } finally {
      state.busy = false;
    }
  }

  function refuse(problem) {
    const words = tame(problem ?? "the server has refused this", 600);
    told.textContent = words.charAt(0).toUpperCase() + words.slice(1) + (/[.?!]$/.test(words) ? "" : ".");
    speak(told.textContent);
    state.busy = false;
    pickNothing();
    draw(0);
    drawPicks();
  }

  function play(move) {
    return send("move", { move });
  }

  function submit() {
    const text = field.value.trim();
    if (text === "") return refuse("type a move, or its number in the list");
    return play(text);
  }

  function giveUp() {
    clearTimeout(state.sure);
    const isSure = resign.dataset.sure === "true";
    resign.dataset.sure = String(!isSure);
    resign.textContent = isSure ? "Resign" : "Resign: are you sure?";
    if (isSure) return send("resign");
    state.sure = setTimeout(() => {
      resign.dataset.sure = "false";
      resign.textContent = "Resign";
    }, 4000);
    return undefined;
  }

  // What stands beside the board.

  function listMoves() {
    const { scene } = state;
    if (!scene) return;
    const all = (scene.legal ?? []).map(([move]) => move);
    summary.textContent = scene.yours ? `Legal moves (${all.length})` : "Legal moves";
    const numbers = new Map(all.map((move, at) => [move, at + 1]));
    const found = movesWith(scene.legal ?? [], /^\d+$/.test(field.value.trim()) ? "" : field.value);
    const items = found.slice(0, MOST_LISTED).map((move) => el("li", { value: numbers.get(move) }, el("button", { type: "button", class: "move", click: () => play(move) }, tame(move, 80))));
    const more = found.length > MOST_LISTED ? el("li", { class: "soft plain-item" }, `and ${found.length - MOST_LISTED} more: type a part of the move`) : null;
    fill(list, items, more);
  }

  /** A piece of a seat, if the board has one. */
  function pieceOf(seat, picture) {
    const mine = (piece) => piece.owner === seat && piece.shape && piece.shape !== "word" && piece.shape !== "dot";
    return picture.sites.find(mine) ?? picture.piles.flatMap((pile) => pile.items).find(mine);
  }

  /** A chip in the colour of a seat. */
  function chipOf(seat, picture) {
    return el("span", { class: `chip ${pieceOf(seat, picture)?.tint ?? seatTint(seat)}`, "aria-hidden": "true" });
  }

  /** The piece of a seat, or a chip in its colour. */
  function signOf(seat, picture) {
    const piece = pieceOf(seat, picture);
    if (!piece) return chipOf(seat, picture);
    return svgEl("svg", { class: "sign", viewBox: "0 0 26 26", width: 22, height: 22, "aria-hidden": "true" }, drawPiece(piece, piece.label ?? null, [13, 13], 10.5));
  }

  function drawPlayers(picture) {
    const { scene } = state;
    const hasClock = scene.seats.some((seat) => seat.left_ms !== undefined);
    const hasTeams = new Set(scene.teams).size < scene.teams.length;
    const rows = scene.seats.map((seat, at) => {
      const notes = [at === scene.seat ? "you" : null, hasTeams ? `team ${scene.teams[at]}` : null, seat.missing ? "not here yet" : null].filter(Boolean);
      const place = scene.end ? `place ${scene.end.places[at]}, ${scene.end.scores[at]} points` : "";
      const turn = scene.turn.includes(at) && scene.stage === "playing";
      return el(
        "tr", { class: turn ? "turn" : null },
        el("td", {}, signOf(at, picture)),
        el("td", {}, el("span", { class: "away" }, `seat ${at} `), tame(seat.name, 60), notes.length > 0 ? el("span", { class: "soft" }, ` (${notes.join(", ")})`) : null, seat.gone ? el("div", { class: "bad" }, tame(seat.gone, 300)) : null),
        hasClock ? el("td", { class: "num", "data-clock": at }) : null,
        el("td", { class: "num" }, scene.end ? place : turn ? "to move" : ""),
      );
    });
    fill(players, el("table", {}, el("caption", { class: "away" }, "Players"), el("tbody", {}, rows)));
    tick();
  }

  function tick() {
    for (const cell of players.querySelectorAll("[data-clock]")) {
      const seat = state.scene.seats[Number(cell.dataset.clock)];
      const gone = seat.thinks ? performance.now() - state.came : 0;
      cell.textContent = state.scene.stage === "over" ? "" : clockWords(seat.left_ms - gone);
    }
  }
  setInterval(() => state.scene && state.scene.stage === "playing" && tick(), 200);

  function drawHistory(picture) {
    const { scene } = state;
    const chips = scene.seats.map((_, seat) => chipOf(seat, picture));
    const isAtEnd = moves.scrollTop + moves.clientHeight > moves.scrollHeight - 30;
    fill(moves, scene.moves.map(([seat, move], at) => el("li", { "aria-current": at + 1 === scene.moves.length ? "step" : null }, chips[seat].cloneNode(), el("span", { class: "away" }, `seat ${seat} `), el("span", { class: "mono" }, tame(move, 80)))));
    if (isAtEnd) moves.scrollTop = moves.scrollHeight;
  }

  function drawEnd() {
    const { scene } = state;
    end.hidden = scene.stage !== "over";
    if (!scene.end) return;
    const { judged } = scene.end;
    const next = scene.next && !state.again ? el("a", { href: scene.next }, "To the next table") : null;
    const mistake = ({ ply, seat, words }) => el("li", {}, `Move ${ply} of ${tame(scene.seats[seat]?.name ?? "", 40)}: ${tame(words, 300)}`);
    fill(
      end,
      el("h2", {}, scene.end.words),
      scene.end.faults.map((fault) => el("p", { class: "bad" }, tame(fault, 400))),
      el("p", { class: "judged" }, judged ? tame(judged.words, 300) : "The game is being analysed …"),
      judged && judged.mistakes.length > 0 ? el("ul", { class: "mistakes", tabindex: 0, "aria-label": "Mistakes" }, judged.mistakes.map(mistake)) : null,
      el("p", { class: "bar" }, el("a", { href: `${base}/replay` }, "Replay the game"), el("a", { href: `${base}/record`, download: "" }, "Save the record")),
      scene.seat === null ? next : el("p", { class: "bar" }, el("button", { type: "button", class: "again", click: () => ((state.again = true), scene.next ? location.assign(scene.next) : send("again")) }, "Play again"), next),
    );
  }

  let room = 0;
  new ResizeObserver(() => {
    if (Math.abs(stage.clientWidth - room) < 8 || !state.scene) return;
    room = stage.clientWidth;
    measure();
    draw(0);
  }).observe(stage);
  listen();
}
