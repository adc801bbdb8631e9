// Alpha-beta, one ply deeper each time. Plays every game without hidden cards.

const ludus = require("./ludus.js");

const NODES = 5_000; // for a move; more nodes play better and take longer
const DEPTH = 50; // deep enough for the end of most games

function choose(position) {
  let best = position.legal[0];
  for (let depth = 1; depth <= DEPTH; depth++) {
    let [move, value] = [best, -2 * ludus.WIN];
    for (const other of [best, ...position.legal.filter((move) => move !== best)]) {
      if (outOfTime(position)) break;
      const found = child(position, other, depth, value, 2 * ludus.WIN);
      if (found > value) [move, value] = [other, found];
    }
    if (outOfTime(position)) break; // this depth is not finished, so the depth before has the best move
    best = move;
    position.info({ depth, score: value, pv: [best] });
    if (Math.abs(value) >= ludus.WIN) break; // the rest of the game is known
  }
  return best;
}

/** The value of the position after a move. */
function child(position, move, depth, alpha, beta) {
  position.play(move, { leaf: depth === 1 });
  const value = search(position, depth - 1, alpha, beta);
  position.undo();
  return value;
}

/** The value of the position for us, if it lies between alpha and beta. */
function search(position, depth, alpha, beta) {
  if (position.over) return position.value * (ludus.WIN + depth); // a win is better sooner, a loss later
  if (depth === 0) return position.evaluate();
  for (const move of position.legal) {
    const value = child(position, move, depth, alpha, beta);
    if (position.ours) alpha = Math.max(alpha, value);
    else beta = Math.min(beta, value);
    if (alpha >= beta || outOfTime(position)) break;
  }
  return position.ours ? alpha : beta;
}

function outOfTime(position) {
  return position.nodes >= NODES || position.timeLeft() <= 0;
}

ludus.play(choose);
