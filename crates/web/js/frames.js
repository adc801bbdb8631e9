// Reads the chunks and frames that the crate `web` writes. The format is in `frames.rs`.

export const TINTS = ["empty", "blocked", "first", "second", "neutral", "red", "yellow", "green", "blue", "white", "black"];
export const SHAPES = ["disc", "lettered", "mark", "tile", "king", "queen", "knight", "dot", "word"];
const LINK_KINDS = ["line", "guide", "open", "join"];
const GROUNDS = ["points", "cells", "chequered"];

/** Base64 of a raw deflate stream of JSON. */
export async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

function readPiece([glyph, tint = 0, shape = 0, owner = null, label = null]) {
  return { glyph, tint: TINTS[tint], shape: SHAPES[shape], owner, label };
}

/** A card is `{ card: "7H" }`, a card seen from behind is `{ back: true }`. */
function readThing(thing) {
  if (typeof thing === "string") return { card: thing };
  return thing === 0 ? { back: true } : readPiece(thing);
}

/** The picture of a frame, as the rules describe it. */
export function openFrame(frame, book) {
  const [sites = "", marks = [], links = "", areas = "", piles = [], captions = [], at = 0] = frame;
  const layout = book.layouts[at];
  const number = (text, place) => text.charCodeAt(place) - 48;
  const there = (list, text) => list.map((value, place) => [value, number(text, place)]).filter(([, code]) => code >= 0);
  return {
    layout: at,
    ground: GROUNDS[layout.ground],
    axes: layout.axes,
    names: layout.names,
    scale: layout.scale,
    sites: layout.sites.map(([name, x, y], place) => ({
      name, x, y, ...readPiece(book.things[number(sites, place)]), marked: marks.includes(place),
    })),
    links: there(layout.links, links).map(([[a, b, name = null], code]) => {
      const [kind, tint, marked] = book.strokes[code];
      return { ends: [a, b], name, kind: LINK_KINDS[kind], tint: TINTS[tint], marked: marked === 1 };
    }),
    areas: there(layout.areas, areas).map(([corners, code]) => ({ corners, tint: TINTS[code] })),
    piles: piles.map(([place, items = "", label = null, marked = 0, markedItems = []]) => {
      const [key, counters, owner] = layout.piles[place];
      return {
        key, label: label ?? key, counters: counters === 1, owner,
        items: Array.from(items, (sign) => readThing(book.things[sign.charCodeAt(0) - 48])),
        marked: marked === 1, markedItems,
      };
    }),
    captions,
  };
}

const KEPT_CHUNKS = 4;

/** Unpacks the chunks of a page by their numbers. The last few are kept, so that going back is quick. */
export function chunkReader() {
  const chunks = new Map();
  return (number) => {
    const known = chunks.get(number) ?? unpack(document.getElementById(`c${number}`).textContent);
    chunks.delete(number);
    chunks.set(number, known);
    if (chunks.size > KEPT_CHUNKS) chunks.delete(chunks.keys().next().value);
    return known;
  };
}
