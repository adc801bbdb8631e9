// Turns touches into moves. Nothing here knows of pages or drawings.
//
// Each legal move comes with its gesture: a list of touches such as `{ site: "c3" }` or
// `{ amount: 2 }`. All gestures together are a tree. Whoever plays walks from its root: what can come
// next is lit, and a move is made at its end.

/** `{ site: "c3" }` as `site:c3`. */
export function touchKey(touch) {
  const [[kind, value]] = Object.entries(touch);
  return `${kind}:${value}`;
}

/** The tree of `[[move, [touch, …]], …]`. A node is `{ move, next }`: a Map from keys to nodes. */
export function gestureTree(legal) {
  const root = { move: null, next: new Map() };
  for (const [move, touches] of legal) {
    let node = root;
    for (const touch of touches) {
      const key = touchKey(touch);
      if (!node.next.has(key)) node.next.set(key, { move: null, next: new Map() });
      node = node.next.get(key);
    }
    node.move = move;
  }
  return root;
}

/** The node after these keys, or `null`. */
export function walkTree(root, keys) {
  let node = root;
  for (const key of keys) node = node?.next.get(key) ?? null;
  return node;
}

/** What a key says: its kind and its value. */
export function readKey(key) {
  const at = key.indexOf(":");
  return [key.slice(0, at), key.slice(at + 1)];
}

/** The pile that was touched last, if the last touch was a pile. */
function openPile(keys) {
  const [kind, value] = keys.length > 0 ? readKey(keys.at(-1)) : [null, null];
  return kind === "pile" ? value : null;
}

function keyHere(node, keys, kind, name, more) {
  const pile = kind === "pile" ? name : more.pile;
  if (pile !== undefined && more.at !== undefined && openPile(keys) === pile) {
    const amount = `amount:${more.at + 1}`;
    if (node.next.has(amount)) return amount;
  }
  const own = `${kind}:${name}`;
  if (node.next.has(own)) return own;
  return pile !== undefined && node.next.has(`pile:${pile}`) ? `pile:${pile}` : null;
}

/**
 * What a pick in the picture means after these keys: the next keys, or `null`. `kind` and `name` are
 * those of the picture. `more.at` is the number of a card or counter in its pile, from 0.
 *
 * In a pile that was touched before, the n-th counter means n of them. Elsewhere a card or a counter
 * also means its pile. A word may stand before what is picked, such as the `play` of `play 7H`, if
 * only one word fits.
 */
export function meaningOf(root, keys, kind, name, more = {}) {
  const node = walkTree(root, keys);
  if (!node) return null;
  const here = keyHere(node, keys, kind, name, more);
  if (here !== null) return [here];
  const behind = [];
  for (const [word, next] of node.next) {
    const key = word.startsWith("word:") ? keyHere(next, [...keys, word], kind, name, more) : null;
    if (key !== null) behind.push([word, key]);
  }
  return behind.length === 1 ? behind[0] : null;
}

/** These keys, and the words after them to which there is no alternative. */
export function withImplied(root, keys) {
  const all = [...keys];
  for (let node = walkTree(root, all); node && node.move === null && node.next.size === 1; node = walkTree(root, all)) {
    const [only] = node.next.keys();
    if (!only.startsWith("word:") || node.next.get(only).next.size === 0) break;
    all.push(only);
  }
  return all;
}

/** The touches that need a button here: words, amounts, and what `isDrawn(kind, value)` does not know. */
export function buttonKeys(node, isDrawn) {
  return [...node.next.keys()].filter((key) => {
    const [kind, value] = readKey(key);
    return kind === "word" || kind === "amount" || !isDrawn(kind, value);
  });
}

/** Is the move of this node complete, and may it be the beginning of another? */
export function goesOn(node) {
  return node.move !== null && node.next.size > 0;
}

/** The gesture of one move, as keys. */
export function keysOf(legal, move) {
  const found = legal.find(([text]) => text === move);
  return found ? found[1].map(touchKey) : [];
}

/** A key in words: `c3`, `heap 2`, `3`. */
export function keyWords(key, labels = new Map()) {
  const [, value] = readKey(key);
  return labels.get(key) ?? value;
}

/** The legal moves that contain a text, in any letters. An equal move comes first. */
export function movesWith(legal, text) {
  const wanted = text.trim().toLowerCase();
  const moves = legal.map(([move]) => move);
  if (wanted === "") return moves;
  const found = moves.filter((move) => move.toLowerCase().includes(wanted));
  return found.sort((a, b) => (b.toLowerCase() === wanted) - (a.toLowerCase() === wanted));
}
