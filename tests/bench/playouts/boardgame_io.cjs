// boardgame.io: the tic-tac-toe of its own tutorial in a local client, moves a second.
// Measured as in again.py: random matches are played once, then, by the processor's time, the same moves again.

const assert = require("node:assert");
const { version } = require("boardgame.io/package.json");
const { Client } = require("boardgame.io/client");
const { INVALID_MOVE } = require("boardgame.io/core");

const LINES = [
  [0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6],
  [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6],
];
const won = (cells) => LINES.some(([a, b, c]) => cells[a] !== null && cells[a] === cells[b] && cells[a] === cells[c]);

const TicTacToe = {
  setup: () => ({ cells: Array(9).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    clickCell: ({ G, playerID }, id) => {
      if (G.cells[id] !== null) return INVALID_MOVE;
      G.cells[id] = playerID;
    },
  },
  endIf: ({ G, ctx }) => {
    if (won(G.cells)) return { winner: ctx.currentPlayer };
    if (G.cells.every((cell) => cell !== null)) return { draw: true };
  },
};

const client = Client({ game: TicTacToe, debug: false });

function replay(moves) {
  client.reset();
  for (const cell of moves) client.moves.clickCell(cell);
}

function playout() {
  const moves = [];
  client.reset();
  while (client.getState().ctx.gameover === undefined) {
    const free = client.getState().G.cells.flatMap((cell, id) => (cell === null ? [id] : []));
    moves.push(free[Math.floor(Math.random() * free.length)]);
    client.moves.clickCell(moves.at(-1));
  }
  return moves;
}

const [moves, times] = process.argv.slice(2).map(Number);
const played = [];
let count = 0;
while (count < moves) {
  played.push(playout());
  count += played.at(-1).length;
}

for (const moves of played) {
  replay(moves);
  assert.strictEqual(client.log.filter(({ action }) => action.type === "MAKE_MOVE").length, moves.length);
  assert.ok(client.getState().ctx.gameover);
}

const rates = Array.from({ length: times }, () => {
  const before = process.cpuUsage();
  played.forEach(replay);
  const { user, system } = process.cpuUsage(before);
  return (count * 1e6) / (user + system);
});
const node = process.versions.node;
console.log(JSON.stringify({ version: `${version} (Node ${node})`, rates: { "tic-tac-toe in a local client": rates } }));
