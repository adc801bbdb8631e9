// Do the frames of a page open to the pictures that the rules made?
//
//     node frames_agree.mjs FILE
//
// Each line of the file has a game, its book, and pairs of a frame and the picture behind it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { openFrame } from "../../crates/web/js/frames.js";

const piece = ({ glyph, tint, shape, owner }) => [glyph, tint, shape, owner];
const item = (thing) => thing.card ?? (thing.back ? 0 : piece(thing));

/** What the rules said, from what the page has. Links and areas have no order. */
function told(picture) {
  const { ground, axes, names, sites, links, areas, piles, captions } = picture;
  return {
    ground, axes, names, captions,
    sites: sites.map((site) => [site.name, piece(site), site.label, site.marked]),
    links: links.map((link) => [link.ends, link.name, link.kind, link.tint, link.marked]),
    areas: areas.map((area) => [area.corners, area.tint]),
    piles: piles.map((pile) => [pile.key, pile.label, pile.counters, pile.owner, pile.items.map(item), pile.marked, pile.markedItems]),
  };
}

const sorted = (list) => list.map((value) => JSON.stringify(value)).sort();
let [games, frames] = [0, 0];
for (const line of readFileSync(process.argv[2], "utf8").trim().split("\n")) {
  const { game, book, frames: pairs } = JSON.parse(line);
  games += 1;
  pairs.forEach(([frame, picture], at) => {
    const found = told(openFrame(frame, book));
    for (const part of ["links", "areas"]) [found[part], picture[part]] = [sorted(found[part]), sorted(picture[part])];
    assert.deepEqual(found, picture, `${game}, frame ${at}`);
    frames += 1;
  });
}
console.log(`${games} games, ${frames} frames`);
