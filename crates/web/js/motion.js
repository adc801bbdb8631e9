// Moves pieces from where they were to where they are.
//
// Pieces have no identity. What vanished is paired with an equal piece that appeared: first where
// the move names both places, then the nearest. The rest appears at once.

/** The parts of a move that can be names: `c2-c4` has `c2` and `c4`. */
export function moveNames(move) {
  const parts = move.split(/[^A-Za-z0-9]+/).filter((part) => part !== "");
  return [...new Set(parts.flatMap((part) => [part, ...part.split("x")]))].filter((part) => part !== "");
}

/** Pairs of pieces: which piece of `before` became which piece of `after`. */
export function motionPlan(before, after, move) {
  const same = (list) => new Set(list.map((piece) => `${piece.id}|${piece.key}`));
  const [old, now] = [same(before), same(after)];
  const gone = before.filter((piece) => !now.has(`${piece.id}|${piece.key}`));
  const come = after.filter((piece) => !old.has(`${piece.id}|${piece.key}`));
  const named = moveNames(move);
  const far = (a, b) => {
    const isNamed = named.includes(a.id) && named.includes(b.id);
    return (isNamed ? 0 : 1e6) + Math.hypot(a.spot[0] - b.spot[0], a.spot[1] - b.spot[1]);
  };
  const pairs = [];
  const pair = (fits) => {
    const choices = [];
    for (const to of come) {
      for (const from of gone) if (!to.used && !from.used && fits(from, to)) choices.push([far(from, to), from, to]);
    }
    choices.sort((a, b) => a[0] - b[0]);
    for (const [, from, to] of choices) {
      if (from.used || to.used) continue;
      from.used = to.used = true;
      pairs.push([from, to]);
    }
  };
  pair((from, to) => from.key === to.key);
  // A hidden card that is turned over has another face.
  pair((from, to) => from.key === "back" && /^..$/.test(to.key));
  for (const piece of [...gone, ...come]) delete piece.used;
  return pairs;
}

/** Does the reader want motion? */
export function wantsMotion() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/** Lets the pieces of a new board come from where they were on the old board. */
export function animateBoard(before, svg, move, ms) {
  if (ms <= 0 || !wantsMotion()) return;
  for (const [from, to] of motionPlan(before, svg.pieces, move)) {
    const [dx, dy] = [from.spot[0] - to.spot[0], from.spot[1] - to.spot[1]];
    const base = to.node.getAttribute("transform") ? `translate(${to.spot[0]}px, ${to.spot[1]}px)` : "";
    to.node.parentNode.append(to.node);
    to.node.animate(
      [{ transform: `translate(${dx}px, ${dy}px) ${base}` }, { transform: `translate(0, 0) ${base}` }],
      { duration: ms, easing: "ease-out" },
    );
  }
}
