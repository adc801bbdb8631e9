#!/usr/bin/env node
// A bot for Ludus in JavaScript (Node.js), without any package.
//
// Try it:  arena match tic-tac-toe "node bots/javascript/first_bot.js" builtin:random

const readline = require("node:readline");

// A small generator of random numbers that can be seeded (mulberry32).
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

let random = Math.random;

readline.createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "start") {
    random = randomFrom(message.bot_seed); // makes the bot's games repeatable
  } else if (message.type === "turn") {
    // message.view is what you can see, message.legal what you may do.
    const move = message.legal[Math.floor(random() * message.legal.length)];
    process.stdout.write(JSON.stringify({ move, id: message.id }) + "\n");
  } else if (message.type === "error") {
    console.error(message.message); // standard error is yours to write to
  }
});
