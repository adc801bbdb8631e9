// Opens the pages of `arena serve` in a browser, and follows a tournament while the connection drops.
//
//     node serve.mjs CHROMIUM ARENA RESULTS HOSTILE THINKER
//
// RESULTS has the tournaments `league` and `cards`, and HOSTILE is the name of a third. THINKER is a
// bot that takes its time. Prints a line of JSON for each page: `messages` has what the console said,
// what was refused, and what went wrong. With the folder SHOTS in the environment, screenshots are
// kept there.

import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { DESKTOP, audit, fits, launch, open as openPage, shot, windows } from "./driver.mjs";

const [arena, results, hostile, thinker] = process.argv.slice(3);

/** Ends with this script, however the script ends. */
const children = new Set();
process.on("exit", () => children.forEach((child) => child.kill("SIGKILL")));
for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1));
function start(words, stdio) {
  const child = spawn(arena, words, { stdio });
  children.add(child);
  child.once("exit", () => children.delete(child));
  return child;
}

/** Starts a server, and says its address and how to end it. */
async function serve(port) {
  const child = start(["serve", results, "--port", String(port)], ["ignore", "pipe", "inherit"]);
  const [line] = await new Promise((found, lost) => {
    createInterface({ input: child.stdout }).once("line", (text) => found([text]));
    child.once("exit", (code) => lost(new Error(`the server ended with ${code}`)));
  });
  const ended = new Promise((end) => child.once("exit", end));
  return { address: line.replace(/\/$/, ""), end: (signal) => (child.kill(signal), ended) };
}

let server = await serve(0);
const site = server.address;
const browser = await launch();
const context = await windows(browser);

/** While the server is away, the browser says so in the console. */
let isDown = false;

const own = (url) => url.startsWith(`${site}/`) || /^(data|blob):/.test(url);
const open = (path, messages) => openPage(context, site + path, messages, own, () => isDown);

/** Screenshots of a small, a usual and a large screen, in light and in dark. */
async function shots(page, name) {
  if (!process.env.SHOTS) return;
  for (const width of [360, 1280, 2560]) {
    for (const colorScheme of ["light", "dark"]) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      await page.waitForTimeout(100);
      await shot(page, `${name}-${width}-${colorScheme}`);
    }
  }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: "light" });
}

let failed = false;
async function visit(name, path, use = async () => {}) {
  const messages = [];
  try {
    const page = await open(path, messages);
    await use(page, messages);
    await shots(page, name);
    await audit(page, messages);
    await fits(page, messages);
    await page.close();
  } catch (error) {
    messages.push(`failed: ${error.message.split("\n")[0]}`);
  }
  failed ||= messages.length > 0;
  console.log(JSON.stringify({ page: name, messages }));
}

const board = (page) => page.waitForSelector(".boards figure:not([hidden]) svg");
await visit("results", "/");
await visit("games", "/games");
await visit("rules-nim", "/rules/nim");
await visit("rules-basa", "/rules/basa");
await visit("report", "/r/league", (page) => page.waitForSelector("#game-list .filters"));
await visit("sealed", "/r/cards", (page) => page.waitForSelector("#game-list .filters"));
await visit("game", "/r/league/0001", (page) => page.waitForSelector(".stage svg"));
await visit("live-cards", "/live/cards", async (page, messages) => {
  await board(page);
  const words = await page.locator("#live").textContent();
  if (!words.includes("as a spectator sees them")) messages.push("the page does not say that cards are hidden");
});
await visit("hostile", `/r/${encodeURIComponent(hostile)}`, (page) => page.waitForSelector("#game-list .filters"));
await visit("live-hostile", `/live/${encodeURIComponent(hostile)}`, board);

// A tournament that is being played, a few games a second.
const playing = start([
  "tournament", "--game", "tic-tac-toe", "--bots", `builtin:random,builtin:greedy,${thinker}`,
  "--deals", "100000", "--name", "running", "--quiet", "--concurrency", "1", "--folder", results,
], "ignore");
const over = new Promise((end) => playing.once("exit", end));
for (let tries = 0; tries < 600 && (await fetch(`${site}/live/running`)).status !== 200; tries += 1) {
  await new Promise((later) => setTimeout(later, 100));
}
await visit("live", "/live/running", async (page, messages) => {
  const games = async () => Number((await page.locator(".facts b").textContent()).replaceAll(",", ""));
  const grows = async () => {
    const before = await games();
    await page.waitForFunction((count) => Number(document.querySelector(".facts b").textContent.replaceAll(",", "")) > count, before);
  };
  await page.waitForSelector(".facts b");
  await grows();
  await board(page);
  if ((await page.locator("#standings tbody tr").count()) !== 3) messages.push("the table has not three bots");
  // A second page, and then the server goes away and comes back.
  isDown = true;
  await server.end("SIGKILL");
  await page.waitForFunction(() => document.getElementById("told").textContent.startsWith("The connection is lost"));
  server = await serve(new URL(site).port);
  await page.waitForFunction(() => document.getElementById("told").textContent === "The tournament is being played.");
  isDown = false;
  await grows();
  // A page that nobody sees keeps no connection. Headless pages are never hidden, so the page is told.
  const hide = (hidden) => page.evaluate((value) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => value });
    document.dispatchEvent(new Event("visibilitychange"));
  }, hidden);
  await hide(true);
  await page.waitForTimeout(600);
  const before = await games();
  await page.waitForTimeout(800);
  if ((await games()) !== before) messages.push("a hidden page goes on listening");
  await hide(false);
  await grows();
  await page.getByRole("button", { name: "Pause" }).click();
  await page.waitForTimeout(600);
  const paused = await games();
  await page.waitForTimeout(800);
  if ((await games()) !== paused) messages.push("the page does not pause");
  await page.getByRole("button", { name: "Pause" }).click();
  await grows();
});
playing.kill("SIGKILL");
await over;
await visit("stopped", "/live/running", (page) => page.waitForFunction(() => document.getElementById("told").textContent.startsWith("The tournament has stopped")));

const code = await server.end("SIGINT");
if (code !== 0) console.log(JSON.stringify({ page: "end", messages: [`the server ended with ${code}`] }));
await browser.close();
process.exit(failed || code !== 0 ? 1 : 0);
