// The modules of the replay and of the report that need no page: `node --test tests/web`.

import assert from "node:assert/strict";
import { deflateRawSync } from "node:zlib";
import { test } from "node:test";
import { cardWords } from "../../crates/web/js/cards.js";
import { tame } from "../../crates/web/js/el.js";
import { fileName } from "../../crates/web/js/export.js";
import { openFrame, unpack } from "../../crates/web/js/frames.js";
import { commonColours, lzw, writeGif } from "../../crates/web/js/gif.js";
import { graphLines, squeezed } from "../../crates/web/js/graph.js";
import { motionPlan, moveNames } from "../../crates/web/js/motion.js";
import { sideTints } from "../../crates/web/js/picture.js";
import { matchCommand, shellWord, valueBadges } from "../../crates/web/js/replay.js";
import { fitting, gameOf, result, wishesOf } from "../../crates/web/js/report.js";
import { heardMove, mistakes, readsNotes, timeWords, worth } from "../../crates/web/js/side.js";
import { compareKeys, sortKey } from "../../crates/web/js/tables.js";
import { readLink, writeLink } from "../../crates/web/js/viewer.js";
import { readGif, unpackCodes } from "./gif.mjs";

test("a chunk unpacks to its text", async () => {
  const value = { words: ["é♥", "</script>", "\u2028"], list: Array.from({ length: 300 }, (_, at) => at) };
  const packed = deflateRawSync(JSON.stringify(value)).toString("base64");
  assert.deepEqual(await unpack(`\n${packed}\n`), value);
});

const BOOK = {
  layouts: [
    { ground: 1, axes: true, names: false, scale: [2, 1], sites: [["a1", 0, 0], ["b1", 1, 0]], links: [[0, 1], [0, 1, "a1-b1"]], areas: [[0, 1]], piles: [["hand 0", 0, 0], ["heap", 1, null]] },
    { ground: 0, axes: false, names: true, scale: [1, 1], sites: [], links: [], areas: [], piles: [] },
  ],
  things: [["."], ["X", 2, 2, 0], "7H", 0, ["o", 4, 0]],
  strokes: [[3, 2, 0], [2, 0, 1]],
};

test("a frame opens to a picture with everything in its place", () => {
  const picture = openFrame(["01", [1], " 1", "3", [[0, "23", null, 1, [0]], [1, "44", "heap of 2"]], ["X moves"]], BOOK);
  assert.deepEqual(picture.sites.map(({ name, tint, glyph, owner, marked }) => [name, tint, glyph, owner, marked]), [
    ["a1", "empty", ".", null, false], ["b1", "first", "X", 0, true],
  ]);
  assert.deepEqual(picture.links, [{ ends: [0, 1], name: "a1-b1", kind: "open", tint: "empty", marked: true }]);
  assert.deepEqual(picture.areas, [{ corners: [0, 1], tint: "second" }]);
  const [hand, heap] = picture.piles;
  assert.deepEqual([hand.label, hand.owner, hand.marked, hand.markedItems, hand.items], ["hand 0", 0, true, [0], [{ card: "7H" }, { back: true }]]);
  assert.deepEqual([heap.label, heap.counters, heap.items.length, heap.items[0].glyph], ["heap of 2", true, 2, "o"]);
  assert.deepEqual(picture.captions, ["X moves"]);
  const empty = openFrame(["", [], "", "", [], [], 1], BOOK);
  assert.deepEqual([empty.layout, empty.sites, empty.piles, empty.ground], [1, [], [], "points"]);
});

test("a side has a colour only if all its pieces have one", () => {
  const of = (things, signs) => sideTints([[signs]], { ...BOOK, things });
  const one = of([["b", 10, 0, 0], ["w", 9, 0, 1]], "01");
  assert.deepEqual([one(0), one(1), one(2)], ["black", "white", null]);
  assert.equal(of([["r", 5, 0, 0], ["b", 8, 0, 0]], "01")(0), null);
});

test("the parts of a move are names, each once", () => {
  for (const [move, names] of [["c2-c4", ["c2", "c4"]], ["a1xb2", ["a1xb2", "a1", "b2"]], ["play 7H", ["play", "7H"]], ["pass", ["pass"]], ["", []]]) {
    assert.deepEqual(moveNames(move), names, move);
  }
});

const piece = (id, key, spot) => ({ id, key, spot });

test("a piece comes from where the move says, else from the nearest place", () => {
  const before = [piece("a1", "X", [0, 0]), piece("c1", "X", [20, 0]), piece("b3", "O", [10, 30])];
  const after = [piece("b1", "X", [10, 0]), piece("c1", "X", [20, 0]), piece("b3", "O", [10, 30])];
  const names = (plan) => plan.map(([from, to]) => `${from.id}-${to.id}`);
  assert.deepEqual(names(motionPlan(before, after, "a1-b1")), ["a1-b1"]);
  const two = [piece("b1", "X", [10, 0]), piece("d1", "X", [30, 0])];
  assert.deepEqual(names(motionPlan([piece("a1", "X", [0, 0]), piece("e1", "X", [31, 0])], two, "a1-d1")).sort(), ["a1-d1", "e1-b1"]);
  assert.deepEqual(names(motionPlan([piece("a1", "X", [0, 0]), piece("e1", "X", [31, 0])], two, "")).sort(), ["a1-b1", "e1-d1"]);
  assert.deepEqual(names(motionPlan(before, before, "")), [], "what stays does not move");
  assert.deepEqual(names(motionPlan([], after, "b1")), [], "what is new comes from nowhere");
});

test("a hidden card that is turned over is the same card", () => {
  const plan = motionPlan([piece("hand 1/0", "back", [0, 0])], [piece("table/7H", "7H", [0, 50])], "play 7H");
  assert.equal(plan.length, 1);
});

test("codes of a GIF come back, when the table is full too", () => {
  let seed = 7;
  const dice = () => (seed = (seed * 1103515245 + 12345) % 2147483648) >> 16;
  for (const pixels of [[0], [5, 5, 5, 5], Array.from({ length: 60_000 }, () => dice() & 255), Array.from({ length: 9_000 }, (_, at) => (at >> 4) & 3)]) {
    assert.deepEqual(unpackCodes(lzw(pixels, 8), 8), pixels);
  }
});

test("a GIF has its frames, its times and its colours", () => {
  const frame = (rgb) => Uint8ClampedArray.from(Array.from({ length: 6 }, (_, at) => [...(at === 0 ? [255, 255, 255] : rgb), 255]).flat());
  const gif = readGif(writeGif(3, 2, [{ data: frame([200, 0, 0]), ms: 700 }, { data: frame([0, 0, 200]), ms: 3000 }]));
  assert.deepEqual([gif.width, gif.height, gif.endless, gif.frames.map(({ ms }) => ms)], [3, 2, true, [700, 3000]]);
  const seen = gif.frames.map(({ pixels }) => pixels.slice(0, 2).map((at) => gif.colours[at]));
  assert.deepEqual(seen, [[[255, 255, 255], [200, 0, 0]], [[255, 255, 255], [0, 0, 200]]]);
});

test("more than 256 colours are reduced to the nearest frequent ones", () => {
  const data = Uint8ClampedArray.from(Array.from({ length: 2_000 }, (_, at) => [(at % 32) * 8, ((at >> 5) % 32) * 8, 0, 255]).flat());
  const { colours, number } = commonColours([data]);
  assert.equal(colours.length, 256);
  for (let at = 0; at < data.length; at += 4) assert.ok(number(data[at], data[at + 1], data[at + 2]) < 256);
});

const GAME = {
  bots: ["a", "b"], teams: [0, 1], result: { places: [1, 2], scores: [1, 0] },
  moves: [[0, "x", { info: { score: 10 } }], [1, "y", { info: { score: 30 } }], [0, "z", { info: { score: null } }]],
  values: [[["x", 0], ["w", 1]], [["y", 1], ["v", -1]], 0],
};

test("the graph turns the scores of the second side, and the proven value too", () => {
  const lines = graphLines(GAME);
  assert.deepEqual(lines.map(({ seat, points }) => [seat, points.map(([ply]) => ply)]), [[0, [1]], [1, [2]], [null, [0, 1]]]);
  assert.ok(lines[0].points[0][1] > 0 && lines[1].points[0][1] < 0);
  assert.deepEqual(lines[2].points, [[0, 1], [1, -1]]);
  assert.deepEqual([squeezed(0, 5), squeezed(5, 5), squeezed(-5, 5)], [0, 0.5, -0.5]);
  assert.deepEqual(graphLines({ ...GAME, moves: [[0, "x"]], values: undefined }), []);
});

test("a mistake is a move that gave a better result away", () => {
  assert.deepEqual(mistakes(GAME), [0]);
  assert.deepEqual(mistakes({ moves: GAME.moves }), []);
  assert.deepEqual([worth(["x", 1]).text, worth(["x", -1, -3]).text, worth(["x", 1, 3]).word], ["W", "-3", "win by +3"]);
});

test("the badge of a place is its best move", () => {
  const places = new Map([["a1", 0], ["b1", 0], ["c1", 0]]);
  const badges = valueBadges([["a1-b1", -1], ["c1-b1", 1], ["pass", 0], ["a1-c1", 0, 2], ["b1-c1", 0, 5]], places);
  assert.deepEqual([...badges].map(([name, { text, title }]) => [name, text, title]), [["b1", "W", "c1-b1: win"], ["c1", "+5", "b1-c1: draw by +5"]]);
});

test("a move is heard when it is public, and by its own seat at once", () => {
  const game = { moves: [[0, "play 7H"], [1, "play 8S"]], views: { spectator: { heard: { 0: "play ?" }, public: { 0: 2 } }, 0: { heard: {}, public: {} }, 1: { heard: {}, public: { 0: 2 } } } };
  assert.equal(heardMove(game, "referee", 0, 1), "play 7H");
  assert.equal(heardMove(game, "0", 0, 1), "play 7H");
  assert.equal(heardMove(game, "1", 0, 1), null);
  assert.equal(heardMove(game, "1", 0, 2), "play 7H");
  assert.equal(heardMove(game, "spectator", 0, 2), "play ?");
  assert.deepEqual(["referee", "spectator", "0", "1"].map((view) => readsNotes(game, view, 0)), [true, false, true, false]);
  assert.equal(readsNotes({ ...game, views: undefined }, "spectator", 0), true);
});

test("times, cards and names are words", () => {
  assert.deepEqual([0, 999, 1_500, 25_000, 1_500_000, 12_000_000].map(timeWords), ["0 µs", "999 µs", "1.5 ms", "25 ms", "1.50 s", "12.0 s"]);
  assert.deepEqual(["7H", "TS", "AD", "XR"].map(cardWords), ["7 of hearts", "10 of spades", "ace of diamonds", "red joker"]);
  assert.equal(tame("a\u202eb\u0000\u2028c\u001b[2J"), "a b c [2J");
  assert.equal(Array.from(tame("😀".repeat(50), 10)).length, 10);
  assert.equal(tame("x".repeat(100_000), 20).length, 20);
});

test("files have plain names, and commands plain words", () => {
  for (const [match, name] of [["0001", "nim-0001"], ["../../etc/passwd", "nim-..-..-etc-passwd"], ["a b</script>\u202e", "nim-a-b-script-"], ["x".repeat(500), `nim-${"x".repeat(56)}`]]) {
    assert.equal(fileName("nim", match), name);
  }
  assert.equal(fileName("..", "/x"), "x");
  for (const [text, word] of [["games.jsonl", "games.jsonl"], ["a b", "'a b'"], ["it's; rm -rf /", "'it'\\''s; rm -rf /'"], ["nim?heaps=3", "'nim?heaps=3'"], ["$(x)", "'$(x)'"], ["", "''"]]) {
    assert.equal(shellWord(text), word);
  }
});

test("a game is played again with its deal and its opening", () => {
  const game = { id: "othello", bots: ["anna", "a b"], seed: "0f".repeat(32), params: { size: 6 }, moves: [[0, "d3", { opening: true }], [1, "c3", { opening: true }], [0, "c4"]] };
  const run = (bot) => (bot === "anna" ? "python3 anna's.py" : bot);
  assert.equal(matchCommand(game, run), `arena match othello 'python3 anna'\\''s.py' 'a b' --games 1 --deal ${"0f".repeat(32)} --params '{"size":6}' --position 'd3 c3'`);
  assert.ok(!matchCommand({ ...game, moves: [] }, run).includes("--position"));
});

test("columns sort by number, and words come after numbers", () => {
  assert.deepEqual(["12", "−3.5", "+7", "9 – 7 – 0", "Zebra", "–"].map(sortKey), [12, -3.5, 7, 9, "zebra", "–"]);
  const sorted = ["b", "10", "9", "-1", "a"].map(sortKey).sort(compareKeys);
  assert.deepEqual(sorted, [-1, 9, 10, "a", "b"]);
});

test("links come back as they were written, and strange links do no harm", () => {
  for (const [match, ply, view] of [[null, 17, "referee"], [null, 0, "1"], ["0042", 17, "spectator"], ["a.b/ü<&#", 3, "0"]]) {
    assert.deepEqual(readLink(writeLink(match, ply, view), match !== null), { match, ply, view });
  }
  for (const link of ["", "#", "#%E0%A4%A.1", "#x.y.z", "#1e9", "#99999999999", "#0001.5.<img>", "#constructor"]) {
    const { ply, view } = readLink(link, true);
    assert.ok(ply === null || Number.isInteger(ply), link);
    assert.equal(view, "referee");
  }
  assert.deepEqual(gameOf("#game=12.7"), { row: 12, ply: 7, view: "referee" });
  assert.deepEqual(gameOf("#game=12"), { row: 12, ply: 0, view: "referee" });
  assert.deepEqual(gameOf("#game=12.7.spectator"), { row: 12, ply: 7, view: "spectator" });
  for (const link of ["#game=-1", "#game=1.x", "#games=1", "#game=1.2.<b>", "#game=12345678901"]) assert.equal(gameOf(link), null);
  assert.deepEqual(wishesOf("#games=0,3"), { bot: 0, rival: 3 });
  assert.deepEqual(wishesOf("#fault=crashed"), { fault: "crashed" });
  assert.equal(wishesOf("#fault=<b>"), null);
});

// match, kind, bots, places, reason, plies, round, faults, replay
const ROWS = [
  ["1", 0, [0, 1], [1, 2], "line", 9, 1, [], 0],
  ["2", 0, [1, 0], [1, 1], "full", 9, 1, [[0, "crashed"]], 1],
  ["3", 1, [2, 0], [2, 1], "line", 9, 2, [], null],
  ["4", 0, [0, 0], [1, 2], "line", 9, 2, [], null],
];
const WISH = { bot: null, rival: null, kind: null, fault: null, result: null, replay: false };

test("filters show the games that fit all wishes", () => {
  for (const [wish, matches] of [
    [{}, "1234"], [{ bot: 0 }, "1234"], [{ bot: 2 }, "3"], [{ bot: 0, rival: 1 }, "12"], [{ bot: 0, rival: 0 }, "4"], [{ rival: 2 }, "3"],
    [{ kind: 1 }, "3"], [{ fault: "" }, "2"], [{ fault: "crashed" }, "2"], [{ fault: "timeout" }, ""],
    [{ bot: 0, result: "won" }, "134"], [{ bot: 1, result: "lost" }, "1"], [{ result: "drawn" }, "2"], [{ replay: true }, "12"],
  ]) {
    assert.equal(fitting(ROWS, { ...WISH, ...wish }).map(([match]) => match).join(""), matches, JSON.stringify(wish));
  }
  assert.deepEqual([result([1, 2], 0), result([1, 1], 1), result([1, 2], 1)], ["won", "drawn", "lost"]);
});
