// The list of games in a report: filters, pages, and a replay of each game.
import { el, fill, tame } from "./el.js";
import { chunkReader, unpack } from "./frames.js";
import { keepLink, openReplay } from "./replay.js";
import { startTables } from "./tables.js";
import { startTheme } from "./theme.js";

const ROWS = 200;

/** Rows of the index that fit the wishes of the filters. */
export function fitting(rows, wish) {
  return rows.filter(([, kind, bots, places, , , , faults, replay]) => {
    const seat = bots.indexOf(wish.bot);
    if (wish.bot !== null && seat < 0) return false;
    if (wish.rival !== null && !bots.some((bot, at) => bot === wish.rival && at !== seat)) return false;
    if (wish.kind !== null && kind !== wish.kind) return false;
    if (wish.fault !== null && !faults.some(([, cause]) => wish.fault === "" || cause === wish.fault)) return false;
    if (wish.replay && replay === null) return false;
    return wish.result === null || result(places, Math.max(seat, 0)) === wish.result;
  });
}

/** "won", "drawn" or "lost" for a seat. */
export function result(places, seat) {
  if (places[seat] !== 1) return "lost";
  return places.filter((place) => place === 1).length > 1 ? "drawn" : "won";
}

/** The game, the ply and the eyes in a link such as `#game=12.7` or `#game=12.7.1`. Null for another link. */
export function gameOf(hash) {
  const found = /^#game=(\d{1,9})(?:\.(\d{1,7})(?:\.(\d{1,3}|spectator))?)?$/.exec(hash);
  return found && { row: Number(found[1]), ply: Number(found[2] ?? 0), view: found[3] ?? "referee" };
}

/** The wishes in a link such as `#games=0,3` or `#fault=crashed`. Null for another link. */
export function wishesOf(hash) {
  const pair = /^#games=(\d+),(\d+)$/.exec(hash);
  if (pair) return { bot: Number(pair[1]), rival: Number(pair[2]) };
  const fault = /^#fault=(\w+)$/.exec(hash);
  return fault ? { fault: fault[1] } : null;
}

const NO_WISH = { bot: null, rival: null, kind: null, fault: null, result: null, replay: false };

function choice(label, options, chosen, change) {
  const select = el("select", {}, options.map(([value, text]) => el("option", { value, selected: value === chosen }, text)));
  select.addEventListener("change", () => change(select.value));
  return el("label", {}, label, select);
}

function firstPlaces(row, bots) {
  const [, , seats, places] = row;
  const first = seats.filter((_, seat) => places[seat] === 1);
  if (first.length === seats.length && first.length > 1) return "draw";
  return first.map((bot) => bots[bot]).join(", ");
}

export async function startReport() {
  startTables();
  const meta = JSON.parse(document.getElementById("meta").textContent);
  const rows = await unpack(document.getElementById("index").textContent);
  const chunk = chunkReader();
  // On a server, a game without a replay here has a page of its own.
  const site = JSON.parse(document.getElementById("site")?.textContent ?? "null");
  startTheme();
  const list = document.getElementById("game-list");
  const replayBox = el("div", { id: "replay", tabindex: "-1" });
  list.before(replayBox);
  let wish = { ...NO_WISH };
  let page = 0;
  let opened = null;
  let replay = null;

  const numbered = (names) => [["", "any"], ...names.map((name, at) => [String(at), tame(name, 40)])];
  const chosen = (value) => (value === "" ? null : Number(value));
  const causes = [...new Set(rows.flatMap((row) => row[7].map(([, cause]) => cause)))].sort();

  async function openGame(row, ply = 0, view = "referee") {
    opened = row;
    const book = await chunk(Math.floor(row[8] / meta.chunk));
    if (opened !== row) return;
    replay?.close();
    const number = rows.indexOf(row);
    replay = openReplay(replayBox, book.games[row[8] % meta.chunk], book, {
      ply, view, source: meta.source, known: meta.known,
      onChange: (now, eyes) => keepLink(`#game=${number}.${now}${eyes === "referee" ? "" : `.${eyes}`}`),
    });
    for (const shown of list.querySelectorAll("tbody tr")) shown.classList.toggle("open", shown.row === row);
    replayBox.focus({ preventScroll: true });
    replayBox.scrollIntoView({ block: "start" });
  }

  function line(row) {
    const [match, kind, seats, , reason, plies, round, faults, at] = row;
    const names = seats.map((bot) => tame(meta.bots[bot], 60)).join(" – ");
    const away = site ? el("a", { href: site.games + encodeURIComponent(match) }, match) : match;
    const label = at === null ? away : el("button", { type: "button", click: () => openGame(row), "aria-label": `replay game ${match}` }, match);
    const shown = el("tr", { class: row === opened ? "open" : null },
      el("td", {}, label), el("td", {}, meta.kinds[kind]), el("td", {}, names),
      el("td", {}, tame(firstPlaces(row, meta.bots), 80)), el("td", {}, reason), el("td", { class: "number" }, String(plies)),
      el("td", { class: "number" }, round === null ? "" : String(round)),
      el("td", {}, faults.map(([seat, cause]) => `${meta.bots[seats[seat]]}: ${cause}`).join(", ")));
    return Object.assign(shown, { row });
  }

  function filters() {
    const set = (part) => (value) => { wish = { ...wish, ...part(value) }; page = 0; show(); };
    return el("div", { class: "filters" },
      choice("bot", numbered(meta.bots), String(wish.bot ?? ""), set((value) => ({ bot: chosen(value) }))),
      choice("against", numbered(meta.bots), String(wish.rival ?? ""), set((value) => ({ rival: chosen(value) }))),
      meta.kinds.length > 1 && choice("game", numbered(meta.kinds), String(wish.kind ?? ""), set((value) => ({ kind: chosen(value) }))),
      choice("result", [["", "any"], ["won", "won"], ["drawn", "drawn"], ["lost", "lost"]], wish.result ?? "", set((value) => ({ result: value || null }))),
      causes.length > 0 && choice("faults", [["", "any"], ["*", "with a fault"], ...causes.map((cause) => [cause, cause])],
        wish.fault === "" ? "*" : wish.fault ?? "", set((value) => ({ fault: value === "" ? null : value === "*" ? "" : value }))),
      el("button", { type: "button", click: () => { wish = { ...NO_WISH }; page = 0; show(); } }, "all games"));
  }

  function show() {
    const found = fitting(rows, wish);
    const pages = Math.max(1, Math.ceil(found.length / ROWS));
    page = Math.min(page, pages - 1);
    const shown = found.slice(page * ROWS, (page + 1) * ROWS);
    const turn = (by) => el("button", { type: "button", disabled: page + by < 0 || page + by >= pages, click: () => { page += by; show(); } }, by < 0 ? "earlier" : "later");
    const heads = ["game", "rules", "bots by seat", "first", "end", "plies", "round", "faults"];
    fill(list, filters(),
      el("p", { class: "note", role: "status" }, `${found.length} of ${rows.length} games${pages > 1 ? `, page ${page + 1} of ${pages}` : ""}`),
      el("div", { class: "wide" }, el("table", {},
        el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col", class: ["plies", "round"].includes(head) ? "number" : null }, head)))),
        el("tbody", {}, shown.map(line)))),
      pages > 1 && el("p", {}, turn(-1), " ", turn(1)));
  }

  function follow() {
    const link = gameOf(location.hash);
    const linked = link && rows[link.row];
    if (linked && linked[8] !== null) openGame(linked, link.ply, link.view);
    const wishes = wishesOf(location.hash);
    if (!wishes) return;
    wish = { ...NO_WISH, ...wishes };
    page = 0;
    show();
    document.getElementById("games").scrollIntoView();
  }

  addEventListener("hashchange", follow);
  show();
  follow();
}
