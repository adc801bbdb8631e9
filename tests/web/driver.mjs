// What all tests of pages share: a browser, pages that listen for mistakes, widths, and an audit.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const require = createRequire(import.meta.url);
const { chromium } = require("playwright-core");
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];
/** A busy machine may be slow, and slow is not wrong. */
const PATIENCE_MS = 180_000;
export const DESKTOP = { width: 1280, height: 900 };
export const PHONE = { width: 360, height: 740 };

/** Starts the browser that the first argument of the script names. */
export const launch = (more = []) => chromium.launch({ executablePath: process.argv[2], args: [...FLAGS, ...more], headless: true });

/** Windows of a browser. They share nothing with the windows of another call. */
export async function windows(browser, options = {}) {
  const context = await browser.newContext({ viewport: DESKTOP, ...options });
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

/**
 * Opens an address, and writes down everything that must not happen. `asks` says which requests the
 * page may send, and `allowed` which lines the console may have.
 */
export async function open(context, address, messages, asks, allowed = () => false) {
  const page = await context.newPage();
  page.on("console", (message) => allowed(message.text()) || messages.push(`console: ${message.text()}`));
  page.on("pageerror", (error) => messages.push(`error: ${error.message}`));
  page.on("dialog", (dialog) => (messages.push("a script of a stranger runs"), dialog.dismiss()));
  page.on("request", (request) => asks(request.url()) || messages.push(`request: ${request.url()}`));
  const answer = await page.goto(address);
  if (![0, 200].includes(answer?.status() ?? 0)) messages.push(`status ${answer.status()}`);
  return page;
}

/**
 * Works through a list, a few parts at the same time: most of a part is waiting for the browser. `work`
 * gets a part, and which of those that work at the same time it is for.
 */
export async function together(list, work, atOnce = 3) {
  const left = [...list];
  const worker = async (_, number) => {
    while (left.length > 0) await work(left.shift(), number);
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
}

/** What axe finds, in light and in dark. */
export async function audit(page, messages, rules = {}) {
  // The policy of a page forbids scripts from text. The debugger stands above the policy.
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: `if (!window.axe) { ${axe} }` });
  await session.detach();
  for (const colorScheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme });
    const found = await page.evaluate(async (options) => {
      const { violations } = await window.axe.run(document, options);
      return violations.map((one) => `${one.id}: ${one.nodes.slice(0, 3).map((node) => node.target.join(" ")).join(", ")}`);
    }, { resultTypes: ["violations"], rules }).catch((error) => [`axe: ${error.message.slice(0, 200)}`]);
    messages.push(...found.map((one) => `${colorScheme}: ${one}`));
  }
  await page.emulateMedia({ colorScheme: "light" });
}

/** Nothing may stick out at the side of a screen of this size. The page keeps the size. */
export async function fits(page, messages, size = PHONE) {
  await page.setViewportSize(size);
  await page.waitForTimeout(60);
  const [wide, room] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  if (wide > room) messages.push(`the page is ${wide} pixels wide on a screen of ${room}`);
}

/** Keeps a screenshot, if the folder SHOTS is in the environment. */
export async function shot(page, name, options = {}) {
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, `${name}.png`), ...options });
}
