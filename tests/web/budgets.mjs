// Measures how quick a report is in a browser.
//
//     node budgets.mjs CHROMIUM REPORT…
//
// Prints a line of JSON for each report: milliseconds until the list of games can be used, the longest
// task of the page until then, the slowest and the middle of 200 games to open, steps through games
// (the 95th percentile and the middle), and the memory in the end. A busy machine shows more, so that
// `cpu` has the processor time of the page: until the list can be used, for a game that is opened, and
// for a step.

import { resolve } from "node:path";
import { launch, windows } from "./driver.mjs";

const browser = await launch(["--enable-precise-memory-info"]);
const context = await windows(browser, { reducedMotion: "reduce" });

/** Runs in the page before its scripts. */
function watch() {
  window.seen = { usable: null, tasks: [] };
  new PerformanceObserver((list) => window.seen.tasks.push(...list.getEntries().map((task) => [task.startTime, task.duration]))).observe({ type: "longtask", buffered: true });
  new MutationObserver((_, observer) => {
    if (!document.querySelector("#game-list .filters")) return;
    window.seen.usable = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

/** Runs in the page: opens games of the list, and steps through the first ones. */
async function use([count, most]) {
  const later = (ms) => new Promise((done) => setTimeout(done, ms));
  const [opened, steps] = [[], []];
  const buttons = () => [...document.querySelectorAll("#game-list tbody button")];
  const every = Math.max(1, Math.floor(buttons().length / count));
  for (let at = 0; at < count && at * every < buttons().length; at += 1) {
    const old = document.querySelector("#replay .replay");
    const begun = performance.now();
    buttons()[at * every].click();
    while (!document.querySelector("#replay .stage svg") || document.querySelector("#replay .replay") === old) await later(0);
    document.body.getBoundingClientRect();
    opened.push(performance.now() - begun);
    for (let step = 0; step < most && Number(document.querySelector(".slide input").value) < Number(document.querySelector(".slide input").max); step += 1) {
      const now = performance.now();
      document.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
      steps.push(performance.now() - now);
    }
    await later(0);
  }
  const at = (list, share) => [...list].sort((a, b) => a - b)[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0;
  return { games: opened.length, steps: steps.length, open: at(opened, 1), openMedian: at(opened, 0.5), step: at(steps, 0.95), stepMedian: at(steps, 0.5) };
}

for (const file of process.argv.slice(3)) {
  const page = await context.newPage();
  await page.addInitScript(watch);
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  await page.goto(`file://${resolve(file)}`);
  await page.waitForSelector("#game-list .filters");
  await page.waitForTimeout(300);
  const { usable, tasks } = await page.evaluate(() => window.seen);
  const spent = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value * 1000;
  const begun = await spent();
  const used = await page.evaluate(use, [200, 0]);
  const opened = await spent();
  const stepped = await page.evaluate(use, [20, 60]);
  const after = await spent();
  const cpu = [begun, (opened - begun) / used.games, (after - opened - (stepped.games * (opened - begun)) / used.games) / Math.max(1, stepped.steps)].map((ms) => Math.round(ms * 10) / 10);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const rounded = Object.fromEntries(Object.entries({ usable, longest: Math.max(0, ...tasks.map(([, ms]) => ms)), open: used.open, openMedian: used.openMedian, step: stepped.step, stepMedian: stepped.stepMedian }).map(([name, value]) => [name, Math.round(value * 10) / 10]));
  console.log(JSON.stringify({ file, ...rounded, opened: used.games, steps: stepped.steps, cpu, heapMb: Math.round(usedSize / 1e5) / 10 }));
  await page.close();
}
await browser.close();
