// Playing cards, drawn with paths, so that no font has to have the suits.
import { svgEl } from "./el.js";

export const CARD_WIDTH = 34;
export const CARD_HEIGHT = 48;
const SUITS = {
  C: "M0-10A4.6 4.6 0 0 1 4-3A4.6 4.6 0 1 1 1.6 5C1.8 7 2.6 8.6 4 10H-4C-2.6 8.6-1.8 7-1.6 5A4.6 4.6 0 1 1-4-3A4.6 4.6 0 0 1 0-10Z",
  D: "M0-10.5L7.5 0L0 10.5L-7.5 0Z",
  H: "M0 10C-4 6-9 1.5-9-3.5A4.7 4.7 0 0 1 0-5.8A4.7 4.7 0 0 1 9-3.5C9 1.5 4 6 0 10Z",
  S: "M0-10C4-6 9-2 9 2.2A4.4 4.4 0 0 1 1.4 4.8C1.7 7 2.6 8.7 4 10H-4C-2.6 8.7-1.7 7-1.4 4.8A4.4 4.4 0 0 1-9 2.2C-9-2-4-6 0-10Z",
};
const STAR = "M0-10L2.9-3.6L9.5-3.1L4.5 1.4L6 8.1L0 4.5L-6 8.1L-4.5 1.4L-9.5-3.1L-2.9-3.6Z";
const SUIT_WORDS = { C: "clubs", D: "diamonds", H: "hearts", S: "spades" };
const RANK_WORDS = { A: "ace", K: "king", Q: "queen", J: "jack", T: "10" };

/** `7H` in words: `7 of hearts`. */
export function cardWords(code) {
  if (code[0] === "X") return code[1] === "R" ? "red joker" : "black joker";
  return `${RANK_WORDS[code[0]] ?? code[0]} of ${SUIT_WORDS[code[1]] ?? code[1]}`;
}

/** A card with its upper left corner here. `item` is `{ card }` or `{ back: true }`. */
export function drawCard(item, x, y, isMarked) {
  const hot = isMarked ? " hot" : "";
  const paper = svgEl("rect", { class: (item.card ? "card" : "back") + hot, width: CARD_WIDTH, height: CARD_HEIGHT, rx: 4 });
  return svgEl("g", { transform: `translate(${x} ${y})` }, paper, item.card ? cardFace(item.card) : cardBack());
}

function cardFace(code) {
  const shape = (outline, cx, cy, size, ink) => svgEl("path", { class: ink, d: outline, transform: `translate(${cx} ${cy}) scale(${size})` });
  if (code[0] === "X") {
    const ink = code[1] === "R" ? "cr" : "ck";
    return [svgEl("text", { class: `r n ${ink}`, x: 3, y: 12 }, "Joker"), shape(STAR, 20, 30, 1.1, ink)];
  }
  const ink = code[1] === "H" || code[1] === "D" ? "cr" : "ck";
  const outline = SUITS[code[1]] ?? STAR;
  const rank = code[0] === "T" ? "10" : code[0];
  return [
    svgEl("text", { class: `r ${ink}`, x: rank === "10" ? 10.5 : 9, y: 15, "text-anchor": "middle" }, rank),
    shape(outline, 9, 24, 0.5, ink),
    shape(outline, 22.5, 33.5, 0.85, ink),
  ];
}

function cardBack() {
  return [
    svgEl("rect", { class: "bk", x: 3.5, y: 3.5, width: CARD_WIDTH - 7, height: CARD_HEIGHT - 7, rx: 2 }),
    svgEl("polygon", { class: "bk", points: "17,10 26,24 17,38 8,24" }),
  ];
}
