// A server of Colyseus with one room. Its state is a schema, of which clients receive the changes.

import { createServer } from "node:http";
import { Room, Server } from "@colyseus/core";
import { schema, t } from "@colyseus/schema";
import { WebSocketTransport } from "@colyseus/ws-transport";
import { CELLS, EMPTY, isLegal, take } from "./rules.mjs";
import { announce } from "./serving.mjs";

const State = schema({ cells: t.array("int8"), toAct: t.uint8(), rounds: t.uint32(), moves: t.uint32() }, "State");

class Table extends Room {
  state = new State();

  onCreate({ patchEachMove }) {
    for (let cell = 0; cell < CELLS; cell++) this.state.cells.push(EMPTY);
    this.state.toAct = this.state.rounds = this.state.moves = 0;
    if (patchEachMove) this.patchRate = null;
    // The returned value is the response to the client's request.
    this.onMessage("take", (_client, { cell, seat }) => {
      if (seat !== this.state.toAct || !isLegal(this.state.cells, cell)) throw new Error("illegal move");
      if (take(this.state.cells, cell, seat)) this.state.rounds += 1;
      this.state.toAct = 1 - seat;
      this.state.moves += 1;
      if (patchEachMove) this.broadcastPatch();
      return this.state.moves;
    });
  }
}

const http = createServer();
const server = new Server({ transport: new WebSocketTransport({ server: http }), greet: false, gracefullyShutdown: false });
server.define("table", Table);
await server.listen(0, "127.0.0.1");
announce(http.address().port);
