// The load of section `servers`: plays tic-tac-toe on one of the other servers through its own client.
//
//     node load.mjs PLAN
//
// PLAN is JSON with `server`, `variant`, `address`, `pid`, `seconds`, `warmUp`, `callers` and `ticks` (clock ticks in a
// second). Prints JSON: `per_second`, moves that were acknowledged, and `cpu`, the server's processor time of a move in
// seconds. Each caller has a match of its own and sends the next move when the last one is acknowledged.

import { readFileSync } from "node:fs";
import { Client } from "@colyseus/sdk";
import { io } from "socket.io-client";
import { CELLS, EMPTY, isLegal, take } from "./rules.mjs";

const PATIENCE = 20_000;
/** Moves of a match. boardgame.io copies the log of a match with each move, so a match is as long as one of Skerry. */
const MOVES = 100;

/** The moves of one match, and the state that the server must have after each. */
class Match {
  cells = Array(CELLS).fill(EMPTY);
  moves = 0;

  /** Return the next move, and make it here. */
  next() {
    const seat = this.moves % 2;
    let cell = (this.moves * 5) % CELLS; // any order
    while (!isLegal(this.cells, cell)) cell = (cell + 1) % CELLS;
    take(this.cells, cell, seat);
    this.moves += 1;
    return { cell, seat };
  }
}

/** Return a function that makes a move of a match and resolves when the server has acknowledged it. */
const OPEN = {
  "boardgame.io": async ({ address, variant }, name) => {
    const socket = io(`http://${address}/${variant}`, { transports: ["websocket"], forceNew: true });
    let match, matchID, stateID, acknowledge, opened = 0;
    socket.on("sync", (_match, { state }) => acknowledge(state));
    socket.on("update", (id, state) => acknowledge(state));
    const answered = (send) => within(new Promise((resolve) => { acknowledge = resolve; send(); }));
    return async () => {
      if (match === undefined || match.moves === MOVES) {
        match = new Match();
        matchID = `${name}-${opened++}`;
        stateID = (await answered(() => socket.emit("sync", matchID, null, undefined, 2)))._stateID;
      }
      const { cell, seat } = match.next();
      const playerID = String(seat);
      const action = { type: "MAKE_MOVE", payload: { type: "take", args: [cell], playerID } };
      const state = await answered(() => socket.emit("update", action, stateID, matchID, playerID));
      if (state._stateID <= stateID || String(state.G.cells) !== String(match.cells)) throw new Error("wrong state");
      stateID = state._stateID;
    };
  },
  colyseus: async ({ address, variant }) => {
    const room = await new Client(`http://${address}`).create("table", { patchEachMove: variant === "each move" });
    const match = new Match();
    return async () => {
      const made = await room.request("take", match.next());
      if (made !== match.moves) throw new Error(`${made} moves instead of ${match.moves}`);
    };
  },
};

function within(promise) {
  let timer;
  const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error("no response")), PATIENCE); });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** Return the processor time of a process in seconds, all threads, user and system. */
function cpuSeconds({ pid, ticks }) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1).split(" ");
  return (Number(fields[11]) + Number(fields[12])) / ticks;
}

async function measured(plan) {
  const callers = await Promise.all(
    Array.from({ length: plan.callers }, (_, number) => OPEN[plan.server](plan, `${process.pid}-${number}`)),
  );
  const load = async (seconds) => {
    const until = performance.now() + seconds * 1000;
    let made = 0;
    await Promise.all(callers.map(async (move) => {
      for (; performance.now() < until; made++) await move();
    }));
    return made;
  };
  await load(plan.warmUp);
  const used = cpuSeconds(plan), began = performance.now();
  const made = await load(plan.seconds);
  return { per_second: (made * 1000) / (performance.now() - began), cpu: (cpuSeconds(plan) - used) / made };
}

process.stdin.on("end", () => process.exit(1));
process.stdin.resume();
console.log(JSON.stringify(await measured(JSON.parse(process.argv[2]))));
process.exit();
