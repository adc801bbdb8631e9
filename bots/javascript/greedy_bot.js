// Looks one ply ahead, and chooses the best position. Plays every game without hidden cards.

const ludus = require("./ludus.js");

function choose(position) {
  let best;
  let bestValue = -Infinity;
  for (const move of position.legal) {
    position.play(move, { leaf: true });
    const value = position.evaluate();
    position.undo();
    if (value > bestValue) [best, bestValue] = [move, value];
  }
  return best;
}

ludus.play(choose);
