// The page of `arena show --html`: one game, or a list of games and the game that was chosen.
import { el, fill, tame } from "./el.js";
import { chunkReader } from "./frames.js";
import { keepLink, openReplay } from "./replay.js";
import { themeButton } from "./theme.js";

/** The link to a position: `#17`, `#17.1` as seat 1, or `#0042.17.1` where there are several games. */
export function writeLink(match, ply, view) {
  const parts = match === null ? [] : [encodeURIComponent(match).replaceAll(".", "%2E")];
  return `#${[...parts, ply, ...(view === "referee" ? [] : [view])].join(".")}`;
}

/** What a link says. Numbers that are no numbers are left out. */
export function readLink(link, hasMatch) {
  const parts = link.replace(/^#/, "").split(".");
  let match = null;
  if (hasMatch) {
    try {
      match = decodeURIComponent(parts.shift() ?? "");
    } catch {
      match = "";
    }
  }
  const ply = /^\d{1,7}$/.test(parts[0] ?? "") ? Number(parts[0]) : null;
  return { match, ply, view: /^(\d+|spectator)$/.test(parts[1] ?? "") ? parts[1] : "referee" };
}

/** Starts the page. */
export function startViewer() {
  const meta = JSON.parse(document.getElementById("meta").textContent);
  const root = document.getElementById("app");
  const single = meta.games.length === 1;
  const stage = el("div", { id: "replay" });
  const list = el("div", { class: "scroll games" });
  const chunk = chunkReader();
  let open = null;

  async function show(row, ply, view) {
    const [match, , , , , , , number, at] = row;
    const book = await chunk(number);
    open?.close();
    open = openReplay(stage, book.games[at], book, {
      ply: ply ?? 0, view, source: meta.source, known: meta.known,
      onChange: (now, eyes) => keepLink(writeLink(single ? null : match, now, eyes)),
    });
    heading.textContent = `${row[1]}: ${row[2].map((bot) => tame(bot, 40)).join(" against ")}`;
    for (const line of list.querySelectorAll("tr")) line.setAttribute("aria-current", String(line.getAttribute("data-match") === match));
  }

  function follow() {
    const { match, ply, view } = readLink(location.hash, !single);
    const row = single ? meta.games[0] : meta.games.find((game) => game[0] === match);
    show(row ?? meta.games[0], row ? ply : 0, view);
  }

  const heading = el("h1", {}, tame(document.title, 160));
  if (!single) {
    const rows = meta.games.map((row) => {
      const [match, game, bots, places, reason, plies, faults] = row;
      const names = bots.map((bot, seat) => `${tame(bot, 30)}${places[seat] === 1 ? " ★" : ""}`).join(", ");
      return el("tr", { "data-match": match }, el("td", {}, el("button", { type: "button", click: () => show(row, 0, "referee") }, tame(match, 20))), el("td", {}, game), el("td", {}, names), el("td", {}, tame(reason, 30)), el("td", { class: "num" }, String(plies)), el("td", { class: "bad" }, faults > 0 ? "fault" : ""));
    });
    const heads = ["match", "game", "bots (★ won)", "end", "moves", "faults"];
    fill(list, el("table", {}, el("caption", { class: "away" }, "Games"), el("thead", {}, el("tr", {}, heads.map((head) => el("th", { scope: "col", class: head === "moves" ? "num" : null }, head)))), el("tbody", {}, rows)));
  }
  fill(root, el("div", { class: "bar top" }, heading, themeButton()), single ? null : el("details", { open: true }, el("summary", {}, `${meta.games.length} games`), list), stage, el("p", { class: "soft foot" }, `Made by ${meta.arena}. The page needs no network.`));
  window.addEventListener("hashchange", follow);
  follow();
}
