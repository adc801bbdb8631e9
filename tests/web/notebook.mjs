// Opens a page with frames as a notebook has them, and replays the game of the first frame.
//
//     node notebook.mjs CHROMIUM PAGE
//
// Prints a line of JSON: `steps` has what the counter said after each key, `outside` what the frame
// sees of the page around it, and `messages` what went wrong. With the folder SHOTS in the
// environment, a screenshot is kept there.

import { launch, open, shot, windows } from "./driver.mjs";

const browser = await launch();
const context = await windows(browser);
const messages = [];
const own = (url) => /^(file|data|blob|about):/.test(url);
const page = await open(context, `file://${process.argv[3]}`, messages, own);
const frame = await (await page.waitForSelector("iframe")).contentFrame();
const counter = frame.locator(".counter");
await counter.waitFor();
const steps = [];
for (const key of ["Home", "ArrowRight", "ArrowRight", "End", "ArrowLeft"]) {
  await frame.getByRole("slider", { name: "Ply" }).press(key);
  await page.waitForTimeout(300);
  steps.push(await counter.textContent());
}
const outside = await frame.evaluate(() => {
  try {
    return window.parent.document.title;
  } catch (error) {
    return error.name;
  }
});
await shot(page, "notebook", { fullPage: true });
console.log(JSON.stringify({ steps, outside, messages }));
await browser.close();
