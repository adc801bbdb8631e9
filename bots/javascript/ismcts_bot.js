// Imagines what it can't see, and plays on at random. Plays every game, also with hidden cards.

const ludus = require("./ludus.js");

const NODES = 5_000; // for a move; more nodes play better and take longer
const PLIES = 60; // a game that goes on for longer is judged by the arena's estimate

function choose(position) {
  const results = position.legal.map((move) => ({ move, total: 0, games: 0 }));
  for (let dream = 0; results.length > 1 && !outOfTime(position); dream++) {
    position.imagine(dream); // other cards each time
    for (const result of results) { // each move with the same cards
      if (outOfTime(position)) break;
      result.total += playOut(position, result.move);
      result.games += 1;
    }
  }
  const average = ({ total, games }) => (games > 0 ? total / games : -ludus.WIN);
  return results.reduce((best, other) => (average(other) > average(best) ? other : best)).move;
}

/** Plays the move, then at random to the end. Gives the result, and goes back. */
function playOut(position, move) {
  position.play(move);
  while (!position.over && position.depth < PLIES) {
    position.play(position.legal[position.random(position.legal.length)]);
  }
  const result = position.over ? worth(position) : position.evaluate() / ludus.WIN;
  while (position.depth > 0) position.undo();
  return result;
}

/** The seats behind us, less the seats before us. Points decide between equals. */
function worth(position) {
  const ours = position.places[position.seat];
  const behind = position.places.filter((place) => place > ours).length;
  const before = position.places.filter((place) => place < ours).length;
  return behind - before + position.scores[position.seat] / 1_000;
}

function outOfTime(position) {
  return position.nodes >= NODES || position.timeLeft() <= 0;
}

ludus.play(choose);
