// The kit for JavaScript (Node.js): the loop, the rules, the clock. One file, without any package.
//
// A bot is a function that takes a position and returns one of its legal moves:
//
//   const ludus = require("./ludus.js");
//   ludus.play((position) => position.legal[0]);
//
// The position knows the rules, because the arena answers for it. So a bot can play moves and take
// them back while it thinks. The game itself stays where it is.

const fs = require("node:fs");

const WIN = 1_000_000; // what a won game is worth
const NEAR = 100; // so many nodes before its limit a search should stop

/** A position to think about. It begins where your bot must decide. */
class Position {
  #ask;
  #random;
  #path;
  #began = performance.now();

  constructor(start, turn, ask, random) {
    this.start = start; // the message `start`: `params`, `seats`, `clock` and more
    this.game = turn.game;
    this.seat = turn.seat; // you
    this.friends = (start.teams ?? []).find((team) => team.includes(turn.seat)) ?? [turn.seat];
    this.clock = turn.clock;
    this.events = turn.events; // what has happened since your last turn
    this.nodes = 0; // positions visited in this turn
    this.notes = {};
    this.#ask = ask;
    this.#random = random;
    this.#path = [{ turn: turn.seat, simultaneous: turn.simultaneous, legal: turn.legal, view: turn.view }];
  }

  /** The number of moves played since the turn. */
  get depth() {
    return this.#path.length - 1;
  }

  /** The legal moves; none if the game is over. */
  get legal() {
    return this.over ? [] : this.#fact("legal", { legal: true });
  }

  /** The seat that decides here; undefined if the game is over. */
  get turn() {
    return this.#node.turn;
  }

  /** Do you decide here, or a seat of your team? */
  get ours() {
    return this.friends.includes(this.turn);
  }

  /** Do other seats decide at the same time? */
  get simultaneous() {
    return this.#node.simultaneous ?? false;
  }

  /** Why the game is over; undefined if the game goes on. */
  get over() {
    return this.#node.over;
  }

  /** Your result when the game is over: 1, 0 or -1. */
  get value() {
    return this.#node.value;
  }

  /** The place of each seat when the game is over; 1 is best. */
  get places() {
    return this.#node.places;
  }

  /** The points of each seat when the game is over. */
  get scores() {
    return this.#node.scores;
  }

  /** What the seat that decides here can see. */
  get view() {
    return this.#fact("view", { legal: false, view: true });
  }

  /** How good the position is for you, from -WIN to WIN; 0 where the arena gives no estimate. */
  evaluate() {
    if (this.over) return this.value * WIN;
    return this.#isEvaluated ? this.#fact("evaluation", { legal: false, evaluate: true }) : 0;
  }

  /** Plays a move. At a leaf you want the evaluation, not the legal moves: this is quicker. */
  play(move, { leaf = false } = {}) {
    const request = { at: this.depth, play: move, legal: !leaf, evaluate: leaf && this.#isEvaluated };
    this.#path.push(this.#explore(request));
    this.nodes += 1;
  }

  /** Takes the last move back. */
  undo() {
    if (this.depth === 0) throw new Error("there is no move to take back");
    this.#path.pop();
  }

  /** Goes back to the turn, and imagines all that you can't know. Each seed gives other cards. */
  imagine(seed) {
    this.#explore({ imagine: seed, legal: false });
    this.#path.length = 1;
    this.nodes += 1;
  }

  /**
   * Seconds that you may go on thinking: half of the time for a move, and a little of the bank.
   * 0 if the arena soon allows no more nodes.
   */
  timeLeft() {
    if (this.nodes + NEAR > (this.start.explore?.nodes ?? Infinity)) return 0;
    const spent = performance.now() - this.#began;
    return (this.clock.move_ms / 2 + this.clock.bank_ms / 40 - spent) / 1000;
  }

  /** A whole number below `count`. The same game gives the same numbers. */
  random(count) {
    return Math.floor(this.#random() * count);
  }

  /** Writes a note into the record; `arena show` prints the note beside the move. */
  log(text) {
    say({ type: "log", text: String(text) });
  }

  /** Says what your search has found: `depth`, `score`, `pv`, `text` and more. */
  info(fields) {
    Object.assign(this.notes, fields);
  }

  get #node() {
    return this.#path.at(-1);
  }

  get #isEvaluated() {
    return this.start.explore?.evaluate ?? false;
  }

  #fact(name, question) {
    const node = this.#node;
    if (!(name in node)) Object.assign(node, this.#explore({ at: this.depth, ...question }));
    return node[name];
  }

  #explore(request) {
    const node = this.#ask({ type: "explore", ...request });
    if ("message" in node) throw new Error(node.message); // a `problem`, or the `error` that ends the game
    return node;
  }
}

/** Answers the arena until the arena says `quit`. `choose` takes a position and returns a move. */
function play(choose) {
  let start = {};
  let random = Math.random;
  let named = {};
  const ask = (request) => {
    say({ ...request, ...named });
    named = {}; // only the first request of a game has to name the game
    return read() ?? process.exit();
  };
  for (let message = read(); message && message.type !== "quit"; message = read()) {
    if (message.type === "start") {
      start = message;
      random = randomFrom(message.bot_seed);
      named = { match: message.match };
    } else if (message.type === "turn") {
      const position = new Position(start, message, ask, random);
      const move = choose(position);
      const info = position.nodes > 0 ? { nodes: position.nodes } : {};
      say({ move, id: message.id, info: { ...info, ...position.notes } });
    } else if (message.type === "error") {
      console.error(message.message);
      process.exit(1);
    }
  }
}

const chunk = Buffer.alloc(65_536);
let waiting = []; // pieces of a line that has not ended
let lines = [];

/** The next message; undefined if there are no more. */
function read() {
  while (lines.length === 0) {
    const count = fs.readSync(0, chunk);
    if (count === 0) return undefined;
    const pieces = chunk.toString("latin1", 0, count).split("\n");
    waiting.push(pieces.shift());
    if (pieces.length > 0) {
      lines = [waiting.join(""), ...pieces.slice(0, -1)].filter((line) => line.trim() !== "").reverse();
      waiting = [pieces.at(-1)];
    }
  }
  return JSON.parse(Buffer.from(lines.pop(), "latin1").toString());
}

function say(message) {
  fs.writeSync(1, JSON.stringify(message) + "\n");
}

/** A small generator of random numbers that can be seeded (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

module.exports = { play, Position, WIN };
