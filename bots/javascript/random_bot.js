// Chooses a legal move at random. Plays every game.

const ludus = require("./ludus.js");

function choose(position) {
  return position.legal[position.random(position.legal.length)];
}

ludus.play(choose);
