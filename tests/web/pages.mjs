// Opens every page of a folder in a browser, and uses it as readers do.
//
//     node pages.mjs CHROMIUM FOLDER
//
// A page whose name begins with `report` is a report, every other page is a replay. Prints a line of
// JSON for each page: `messages` has what the console said, what was refused, and what went wrong.
// With the folder SHOTS in the environment, screenshots are kept there. The pages of a few games are
// tried more thoroughly: with the keyboard alone, guessing, on paper, without scripts.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cardWords } from "../../crates/web/js/cards.js";
import { openFrame, unpack } from "../../crates/web/js/frames.js";
import { audit, fits, launch, open as openPage, shot, together, windows } from "./driver.mjs";
import { readGif } from "./gif.mjs";

const folder = process.argv[3];
const browser = await launch();
/** A tab in the background of a window is not drawn, so pages that are used at the same time have windows of their own. */
const desks = await Promise.all([0, 1, 2].map(() => windows(browser, { reducedMotion: "reduce" })));
/** Without scripts. */
const still = await windows(browser, { javaScriptEnabled: false });
const files = readdirSync(folder).filter((file) => file.endsWith(".html")).sort();
const AUDITED = /^(report|class|hostile|tic-tac-toe|basa|othello)/;
/** A link of a table that scrolls sideways is out of sight, but leads nowhere to skip to. */
const EXCUSED = { "skip-link": { enabled: false } };
const THOROUGH = /^(tic-tac-toe|nim|basa|dots-and-boxes|quixo)\./;

const own = (url) => /^(file|data|blob):/.test(url);
const open = (desk, file, link, messages) => openPage(desk, `file://${join(folder, file)}${link}`, messages, own);

/** The first game of the page, and the book of its frames. */
async function firstGame(page) {
  const book = await unpack(await page.locator("#c0").evaluate((block) => block.textContent));
  return [book.games[0], book];
}

/** The names that a reader can point at: of sites, of lines, of cards, and of piles with their sizes. */
function expectedCells(frame, book) {
  const { sites, links, piles } = openFrame(frame, book);
  const isThere = (site) => site.shape !== "word" && site.glyph !== " ";
  const counted = (pile) => `${pile.items.length} ${pile.counters ? "counter" : "card"}${pile.items.length === 1 ? "" : "s"}`;
  return [
    ...sites.filter(isThere).map((site) => `site ${site.name}`),
    ...links.filter((link) => link.name !== null).map((link) => `link ${link.name}`),
    ...piles.map((pile) => `pile ${pile.key}: ${counted(pile)}`),
    ...piles.flatMap((pile) => pile.items.filter((item) => item.card).map((item) => `card ${cardWords(item.card)}`)),
  ].sort();
}

/** What the board on the page tells, in the same words. */
function cellsOf(page) {
  return page.evaluate(() => [...document.querySelectorAll(".stage .hit")].map((cell) => {
    const [kind, name, label] = ["data-kind", "data-name", "aria-label"].map((key) => cell.getAttribute(key));
    if (kind === "card") return `card ${label.replace(/, last move$/, "")}`;
    const count = kind === "pile" && /: (\d+ (card|counter)s?)$/.exec(label);
    return kind !== "pile" ? `${kind} ${name}` : count ? `pile ${name}: ${count[1]}` : null;
  }).filter((name) => name !== null).sort());
}

/** The board of every kind of eyes shows what these eyes know, and nothing else. */
async function eyes(page, messages) {
  const [game, book] = await firstGame(page);
  const views = ["referee", ...Object.keys(game.views ?? {})];
  const last = game.moves.length;
  for (const view of views) {
    if (views.length > 1) await page.getByLabel("See as").selectOption(view);
    for (const ply of new Set([0, Math.floor(last / 2), last])) {
      await page.evaluate((at) => {
        const slider = document.querySelector(".slide input");
        slider.value = at;
        slider.dispatchEvent(new Event("input"));
      }, ply);
      const frame = (view !== "referee" && game.views[view].frames[ply]) || game.frames[ply];
      const [found, expected] = [await cellsOf(page), expectedCells(frame, book)];
      const [extra, missing] = [found.filter((name) => !expected.includes(name)), expected.filter((name) => !found.includes(name))];
      if (found.join() !== expected.join()) messages.push(`${view}, ply ${ply}: the board tells also ${extra}, and not ${missing}`);
    }
  }
  if (views.length > 1) await page.getByLabel("See as").selectOption("referee");
  return { views: views.length };
}

/** A link shows its position, and a wrong link shows the first game. */
async function links(page, file, messages) {
  const { games } = JSON.parse(await page.locator("#meta").evaluate((block) => block.textContent));
  const [first, second] = games.length > 1 ? [`${games[0][0]}.`, `${games[1][0]}.`] : ["", ""];
  const desk = page.context();
  const seen = async (link) => {
    const page = await open(desk, file, link, messages);
    await page.waitForSelector(".stage svg");
    await page.waitForTimeout(300);
    const found = [await page.locator(".counter").textContent(), new URL(page.url()).hash];
    await page.close();
    return found;
  };
  for (const [link, counter, hash] of [[`#${second}2`, "2 / ", `#${second}2`], [`#${first}0`, "0 / ", `#${first}0`], ["#no.such", "0 / ", `#${first}0`], ["#%E0%A4%A", "0 / ", `#${first}0`]]) {
    const found = await seen(link);
    if (!found[0].startsWith(counter) || found[1] !== hash) messages.push(`the link ${link} shows ${found.join(" at ")}`);
  }
  const [all] = await seen(`#${second}999999`);
  if (!/^(\d+) \/ \1$/.test(all)) messages.push(`a link beyond the end shows ${all}`);
}

/** Everything can be reached without a mouse, and has a name. */
async function keyboard(page, messages) {
  await page.keyboard.press("Home");
  await page.locator("button").first().focus();
  const reached = new Set();
  for (let at = 0; at < 80; at += 1) {
    await page.keyboard.press("Tab");
    const name = await page.evaluate(() => {
      const node = document.activeElement;
      return node === document.body ? null : node.getAttribute("aria-label") || node.textContent || node.getAttribute("type");
    });
    if (name === null) break;
    reached.add(name.trim());
  }
  for (const name of ["To the start", "One move back", "Play", "One move on", "To the end", "Speed", "Flip the board", "Guess the moves", "Keys", "Moves", "position", "GIF"]) {
    if (!reached.has(name)) messages.push(`no Tab reaches ${name}: ${[...reached].join("|").slice(0, 400)}`);
  }
  const cell = page.locator(".stage .hit[tabindex='0']");
  await cell.focus();
  const before = await cell.getAttribute("data-name");
  const isRow = (await page.locator(".stage .hit").count()) > 1;
  for (const key of ["ArrowRight", "ArrowDown"]) await page.keyboard.press(key);
  const now = await page.evaluate(() => document.activeElement.getAttribute("data-name") ?? "nothing");
  if (isRow && now === before && now !== "1") messages.push(`arrows stay at ${now}`);
  if (!(await page.locator(".counter").textContent()).startsWith("0 /")) messages.push("arrows on the board move through the game");
  await page.keyboard.press("?");
  if (!(await page.locator("dialog.help").isVisible())) messages.push("? shows no keys");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Play", exact: true }).focus();
  await page.keyboard.press("5");
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !document.querySelector(".counter").textContent.startsWith("0 /"));
  await page.getByRole("button", { name: "Stop", exact: true }).press("Space").catch(() => {});
}

/** While a reader guesses, no later move is on the page. */
async function guessing(page, messages) {
  const [game] = await firstGame(page);
  await page.keyboard.press("Home");
  await page.keyboard.press("t");
  let right = 0;
  for (const [at, [, move]] of game.moves.slice(0, 6).entries()) {
    const found = await page.evaluate(() => ({
      rows: document.querySelectorAll(".moves tbody tr").length, text: document.querySelector(".right").textContent,
      graph: document.querySelector(".graph-box svg"), values: document.querySelector(".values, .badge"),
    }));
    if (found.rows !== at) messages.push(`guessing move ${at + 1}, the page lists ${found.rows} moves`);
    if (found.graph || found.values || /played next/.test(found.text)) messages.push("the page gives the guess away");
    const isRight = at % 2 === 0;
    await page.getByLabel("Your guess").fill(isRight ? move : "no such move");
    await page.keyboard.press("Enter");
    right += isRight ? 1 : 0;
    const told = await page.locator(".guess").textContent();
    if (!told.includes(`${right} right, ${at + 1 - right} wrong`)) messages.push(`after guess ${at + 1} the page says ${told}`);
  }
  await page.keyboard.press("Escape");
  if (await page.locator(".guess").isVisible()) messages.push("Escape does not end the guessing");
}

async function download(page, kind) {
  const [saved] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: kind, exact: true }).click()]);
  return [saved.suggestedFilename(), readFileSync(await saved.path())];
}

/** The files that a reader saves are whole: SVG and PNG of a position, and a GIF of all positions. */
async function exports(page, file, messages) {
  const [game] = await firstGame(page);
  const [name, svg] = await download(page, "SVG");
  if (!/^[\w.-]+\.svg$/.test(name)) messages.push(`a drawing is called ${name}`);
  const parsed = await page.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, "image/svg+xml");
    const sizes = ["width", "height"].map((side) => Number(root.getAttribute(side)));
    return { tag: root.tagName, sizes, has: [".hit", "script", "style", "rect.page"].map((part) => root.querySelectorAll(part).length) };
  }, svg.toString());
  if (parsed.tag !== "svg" || parsed.has.join() !== "0,0,1,1") messages.push(`the SVG has ${JSON.stringify(parsed)}`);
  const [, png] = await download(page, "PNG");
  const size = png.length > 300 && png.readUInt32BE(0) === 0x89504e47 ? [png.readUInt32BE(16), png.readUInt32BE(20)] : [];
  if (size.join() !== parsed.sizes.map((side) => side * 2).join()) messages.push(`the PNG is ${size}, the SVG ${parsed.sizes}`);
  if (!THOROUGH.test(file)) return;
  const [, bytes] = await download(page, "GIF");
  const gif = readGif(bytes);
  const expected = Math.min(301, game.frames.length);
  if (gif.frames.length < expected / 2 || (game.frames.length <= 300 && gif.frames.length !== expected)) messages.push(`the GIF has ${gif.frames.length} frames of ${expected}`);
  if (gif.frames[0].pixels.join() === gif.frames.at(-1).pixels.join()) messages.push("nothing moves in the GIF");
  const used = new Set(gif.frames.at(-1).pixels);
  if (used.size < 4 || !gif.endless || gif.frames.at(-1).ms < 2000) messages.push(`the GIF has ${used.size} colours`);
  if (process.env.SHOTS) writeFileSync(join(process.env.SHOTS, `${file}.gif`), bytes);
}

/** On paper there are no buttons, and no list is cut off. */
async function paper(page, messages) {
  await page.emulateMedia({ media: "print" });
  const seen = await page.evaluate(() => ({
    buttons: [...document.querySelectorAll("main .bar button, main .slide input, .filters")].filter((node) => node.offsetParent !== null).length,
    cut: [...document.querySelectorAll(".moves-box, .wide")].filter((box) => box.scrollHeight > box.clientHeight + 2 && getComputedStyle(box).overflowY !== "visible").length,
  }));
  if (seen.buttons > 0 || seen.cut > 0) messages.push(`on paper: ${JSON.stringify(seen)}`);
  await page.emulateMedia({ media: "screen" });
}

async function replay(page, file, messages) {
  const counter = () => page.locator(".counter").textContent();
  await page.waitForSelector(".stage svg");
  const last = Number((await counter()).split("/")[1]);
  const steps = Math.min(last, 400);
  // One step is one turn of the page's own loop. A round trip to the driver would count otherwise.
  const times = await page.evaluate((count) => {
    const spent = [];
    for (let at = 0; at < count; at += 1) {
      const begun = performance.now();
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      spent.push(performance.now() - begun);
    }
    return spent.sort((a, b) => a - b);
  }, steps);
  if (!(await counter()).startsWith(`${steps} /`)) messages.push(`after ${steps} steps the counter says ${await counter()}`);
  for (const key of ["Home", "ArrowRight"]) await page.keyboard.press(key);
  const notes = await page.locator(".log").allTextContents();
  for (const key of ["Home", "f", "f", "n", "p", "v", "v", "v", "End", "ArrowLeft", "Home"]) await page.keyboard.press(key);
  await page.keyboard.press("t");
  await page.keyboard.press("Escape");
  const seen = await eyes(page, messages);
  await exports(page, file, messages);
  if (THOROUGH.test(file)) {
    await keyboard(page, messages);
    await guessing(page, messages);
    await links(page, file, messages);
  }
  await paper(page, messages);
  return { plies: last, notes, ...seen, p95: times[Math.floor(times.length * 0.95)] ?? 0 };
}

async function report(page, file, messages) {
  await page.waitForSelector("#game-list .filters");
  const rows = () => page.locator("#game-list tbody tr").count();
  const all = await rows();
  await page.locator(".crosstable td a").first().click();
  await page.waitForTimeout(50);
  const some = await rows();
  if (!(some > 0 && some < all)) messages.push(`a cell of the table shows ${some} of ${all} games`);
  await page.locator("#game-list tbody button").first().click();
  await page.waitForSelector("#replay .stage svg");
  await page.keyboard.press("End");
  await page.waitForTimeout(300);
  if (!page.url().includes("#game=")) messages.push("the address does not follow the replay");
  await page.keyboard.press("ArrowLeft");
  await page.waitForTimeout(300);
  const link = new URL(page.url()).hash;
  const again = await open(page.context(), file, link, messages);
  await again.waitForSelector("#replay .stage svg");
  if (new URL(again.url()).hash !== link) messages.push(`the link ${link} leads to ${again.url()}`);
  await again.close();
  const first = () => page.locator("#standings tbody tr th").first().textContent();
  const best = await first();
  await page.locator("#standings thead button.sort").filter({ hasText: "points" }).first().click();
  await page.locator("#standings thead button.sort").filter({ hasText: "points" }).first().press("Enter");
  if ((await page.locator("#standings tbody tr").count()) > 1 && best === (await first())) messages.push("the table does not turn round");
  await paper(page, messages);
  return { games: all };
}

/** Without scripts, the page still tells how the games ended. */
async function plain(file, messages) {
  const page = await still.newPage();
  await page.goto(`file://${join(folder, file)}`);
  const text = await page.locator("main").innerText();
  const parts = { report: ["Standings", "Scripts are off", "arena verify"], class: ["Points", "Mistakes"] }[/^(report|class)/.exec(file)?.[0]] ?? ["arena show"];
  for (const part of parts) if (!text.includes(part)) messages.push(`without scripts the page lacks ${part}`);
  if ((await page.locator("tbody tr, ol li").count()) < 3) messages.push("without scripts there is no table and no list of moves");
  await page.close();
}

let failed = false;
await together(files, async (file, desk) => {
  const messages = [];
  let found = {};
  const kind = /^(report|class)/.exec(file)?.[0] ?? "replay";
  try {
    const begun = performance.now();
    const page = await open(desks[desk], file, "", messages);
    await page.waitForSelector({ report: "#game-list .filters", class: "table.sortable button", replay: ".stage svg" }[kind]);
    const opened = performance.now() - begun;
    const use = { report, replay, class: async () => paper(page, messages) }[kind];
    found = { opened, ...(await use(page, file, messages)) };
    await page.keyboard.press("End");
    await page.evaluate(() => scrollTo(0, 0));
    await page.waitForTimeout(50);
    await shot(page, file);
    if (AUDITED.test(file)) await audit(page, messages, EXCUSED);
    const isWide = AUDITED.test(file) || THOROUGH.test(file); // so large a page takes a second to draw
    if (isWide) await fits(page, messages, { width: 3840, height: 2160 });
    if (isWide) await shot(page, `${file}.wide`);
    await fits(page, messages);
    if (AUDITED.test(file)) await audit(page, messages, EXCUSED);
    await shot(page, `${file}.narrow`);
    await page.close();
    if (AUDITED.test(file)) await plain(file, messages);
  } catch (error) {
    messages.push(`failed: ${error.message.split("\n")[0]}`);
  }
  failed ||= messages.length > 0;
  console.log(JSON.stringify({ page: file, ...found, messages }));
}, desks.length);
await browser.close();
process.exit(failed ? 1 : 0);
