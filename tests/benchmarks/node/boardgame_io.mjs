// A server of boardgame.io with two games: `small`, and `large`, whose state has 5 KB. Matches are kept in memory.

import { createRequire } from "node:module";
import { CELLS, EMPTY, isLegal, LARGE, take } from "./rules.mjs";
import { announce } from "./serving.mjs";

const require = createRequire(import.meta.url); // the package has no entry for import
const { Server, Origins } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

/** Return places of a board, as many as take `bytes` of JSON. */
function places(bytes) {
  const one = (number) => ({ id: number, terrain: "forest", owner: EMPTY, buildings: [0, 0, 0], fruit: { vines: 1, dates: 0 } });
  return Array.from({ length: Math.round(bytes / JSON.stringify(one(10)).length) }, (_, number) => one(number));
}

function game(name, bytes) {
  return {
    name,
    minPlayers: 2,
    maxPlayers: 2,
    setup: () => ({ cells: Array(CELLS).fill(EMPTY), rounds: 0, places: places(bytes) }),
    turn: { minMoves: 1, maxMoves: 1 },
    moves: {
      take: ({ G, playerID }, cell) => {
        if (!isLegal(G.cells, cell)) return INVALID_MOVE;
        if (bytes) G.places[cell].owner = Number(playerID);
        if (take(G.cells, cell, Number(playerID))) G.rounds += 1;
      },
    },
  };
}

const server = Server({ games: [game("small", 0), game("large", LARGE)], origins: [Origins.LOCALHOST] });
const { appServer } = await server.run({ port: { port: 0, host: "127.0.0.1" } });
announce(appServer.address().port);
