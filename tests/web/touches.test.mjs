// The tree of gestures, without a browser: `node --test tests/web`.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  buttonKeys, gestureTree, goesOn, keysOf, keyWords, meaningOf, movesWith, readKey, touchKey, walkTree, withImplied,
} from "../../crates/web/js/touches.js";

const NIM = [["1:1", [{ pile: "1" }, { amount: 1 }]], ["4:1", [{ pile: "4" }, { amount: 1 }]], ["4:3", [{ pile: "4" }, { amount: 3 }]]];
const KAYLES = [["3", [{ site: "3" }]], ["3-4", [{ site: "3" }, { site: "4" }]], ["4", [{ site: "4" }]]];
const CARDS = [["7H", [{ card: "7H" }]], ["draw", [{ word: "draw" }]], ["take", [{ pile: "stock" }]]];

test("a key has a kind and a value, whatever stands in the value", () => {
  assert.equal(touchKey({ site: "c3" }), "site:c3");
  assert.deepEqual(readKey("word:a:b"), ["word", "a:b"]);
  assert.deepEqual(readKey(touchKey({ amount: 12 })), ["amount", "12"]);
});

test("every move is at the end of its gesture, and nowhere else", () => {
  for (const legal of [NIM, KAYLES, CARDS]) {
    const root = gestureTree(legal);
    for (const [move, touches] of legal) assert.equal(walkTree(root, touches.map(touchKey)).move, move);
    let ends = 0;
    const count = (node) => {
      ends += node.move !== null ? 1 : 0;
      for (const next of node.next.values()) count(next);
    };
    count(root);
    assert.equal(ends, legal.length);
  }
  assert.equal(walkTree(gestureTree(NIM), ["pile:2"]), null);
  assert.equal(walkTree(gestureTree(NIM), ["pile:2", "amount:1"]), null);
});

test("a counter is its pile first, and an amount then", () => {
  const root = gestureTree(NIM);
  const third = { pile: "4", at: 2 };
  assert.deepEqual(meaningOf(root, [], "pile", "4", third), ["pile:4"]);
  assert.deepEqual(meaningOf(root, ["pile:4"], "pile", "4", third), ["amount:3"]);
  assert.equal(meaningOf(root, ["pile:4"], "pile", "4", { pile: "4", at: 1 }), null, "two can't be taken");
  assert.equal(meaningOf(root, ["pile:4"], "pile", "4", { pile: "4" }), null, "the label is no counter");
  assert.equal(meaningOf(root, ["pile:4"], "pile", "1", { pile: "1", at: 0 }), null);
  assert.equal(meaningOf(root, ["pile:9"], "pile", "4", third), null);
});

test("both heaps of Wythoff: the second pile is a pile again", () => {
  const root = gestureTree([
    ["1:2", [{ pile: "1" }, { amount: 2 }]], ["2:2", [{ pile: "2" }, { amount: 2 }]],
    ["b:2", [{ pile: "1" }, { pile: "2" }, { amount: 2 }]],
  ]);
  assert.deepEqual(meaningOf(root, ["pile:1"], "pile", "2", { pile: "2", at: 1 }), ["pile:2"]);
  assert.deepEqual(meaningOf(root, ["pile:1", "pile:2"], "pile", "2", { pile: "2", at: 1 }), ["amount:2"]);
  assert.deepEqual(meaningOf(root, ["pile:1"], "pile", "1", { pile: "1", at: 1 }), ["amount:2"]);
});

test("a card means itself, or its pile", () => {
  const root = gestureTree(CARDS);
  assert.deepEqual(meaningOf(root, [], "card", "7H", { pile: "hand", at: 0 }), ["card:7H"]);
  assert.deepEqual(meaningOf(root, [], "card", "9S", { pile: "stock", at: 0 }), ["pile:stock"]);
  assert.equal(meaningOf(root, [], "card", "9S", { pile: "hand", at: 1 }), null);
  assert.equal(meaningOf(root, [], "site", "7H"), null, "a site of the same name is no card");
});

test("a word before a card is understood if only one word fits", () => {
  const root = gestureTree([
    ["play 7H", [{ word: "play" }, { card: "7H" }]], ["play 9S", [{ word: "play" }, { card: "9S" }]],
    ["give 9S", [{ word: "give" }, { card: "9S" }]], ["pass", [{ word: "pass" }]],
  ]);
  assert.deepEqual(meaningOf(root, [], "card", "7H", { pile: "hand", at: 0 }), ["word:play", "card:7H"]);
  assert.equal(meaningOf(root, [], "card", "9S", { pile: "hand", at: 1 }), null, "play or give?");
  assert.deepEqual(meaningOf(root, ["word:give"], "card", "9S", { pile: "hand", at: 1 }), ["card:9S"]);
  assert.deepEqual(withImplied(root, []), []);
});

test("a word without an alternative is taken by itself, but never the last word of a move", () => {
  const root = gestureTree([["guess C", [{ word: "guess" }, { word: "C" }]], ["guess D", [{ word: "guess" }, { word: "D" }]]]);
  assert.deepEqual(withImplied(root, []), ["word:guess"]);
  const forced = gestureTree([["pass", [{ word: "pass" }]]]);
  assert.deepEqual(withImplied(forced, []), []);
  assert.deepEqual(withImplied(gestureTree([["a b", [{ word: "a" }, { word: "b" }]]]), []), ["word:a"]);
  assert.deepEqual(withImplied(gestureTree(NIM), []), []);
});

test("a move that is the beginning of another needs a word", () => {
  const root = gestureTree(KAYLES);
  assert.equal(goesOn(root), false);
  assert.equal(goesOn(walkTree(root, ["site:3"])), true);
  assert.equal(goesOn(walkTree(root, ["site:4"])), false);
  assert.equal(goesOn(walkTree(root, ["site:3", "site:4"])), false);
});

test("what can't be clicked has a button", () => {
  const root = gestureTree([...CARDS, ["x", [{ site: "x" }]]]);
  assert.deepEqual(buttonKeys(root, (kind) => kind !== "site"), ["word:draw", "site:x"]);
  assert.deepEqual(buttonKeys(walkTree(gestureTree(NIM), ["pile:4"]), () => true), ["amount:1", "amount:3"]);
  assert.equal(keyWords("pile:4", new Map([["pile:4", "heap 4"]])), "heap 4");
  assert.equal(keyWords("amount:3"), "3");
});

test("moves are found by a part of their text", () => {
  assert.deepEqual(movesWith(KAYLES, "4"), ["4", "3-4"]);
  assert.deepEqual(movesWith(KAYLES, ""), ["3", "3-4", "4"]);
  assert.deepEqual(movesWith(CARDS, " DRA"), ["draw"]);
  assert.deepEqual(keysOf(NIM, "4:3"), ["pile:4", "amount:3"]);
  assert.deepEqual(keysOf(NIM, "5:5"), []);
});
