// Plays games with @grpc/grpc-js, one after another, while the service stops and starts again. Prints "ready" before
// the stop; after it, finishes the game and prints a line of JSON: the number of calls with each outcome, how the stream
// of Play ended, and the number of entries of each session.
// Arguments: the folder of the protos; the address of the service.
import { setTimeout as delay } from "node:timers/promises";
import { bearer, call, choose, connect, grpc, isRefusal, join, observeSome, require } from "./skerry.mjs";

const READERS = 8;
const [protos, address] = process.argv.slice(2);
const client = connect(protos, address);
const outcomes = {}, games = {};
let moves = 0, stopped = false;

const first = await join(client, "kreta");
const ended = spectate(first);
const readers = Array.from({ length: READERS }, read);
for (let seat = first; ; seat = await persist(() => join(client, "kreta"))) {
  const [entries] = await Promise.all([observe(seat), act(seat)]);
  games[seat.name] = entries;
  if (stopped) break;
}
await Promise.all(readers);
console.log(JSON.stringify({ outcomes, play: await ended, games }));
client.close();

/** Make a call again until the service has not rejected it because it stops. A call waits while there is no service. */
async function persist(attempt) {
  for (;;) {
    try {
      const response = await attempt();
      count("OK");
      return response;
    } catch (error) {
      count(isRefusal(error, grpc.status.UNAVAILABLE, "SHUTTING_DOWN") ? "SHUTTING_DOWN" : String(error));
      if (!isRefusal(error, grpc.status.UNAVAILABLE, "SHUTTING_DOWN")) throw error;
      await delay(50);
    }
  }
}

function count(outcome) {
  outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
}

/** Make moves until the game is over. A repeated call has the same request id. */
async function act(seat) {
  const metadata = bearer(seat);
  let { position } = await persist(() => call(client, "getSession", { name: seat.name }, metadata));
  while (!position.outcome) {
    const request = {
      name: seat.name, move: choose(position), expected_sequence: position.sequence,
      request_id: crypto.randomUUID(), view: "POSITION_VIEW_FULL",
    };
    ({ position } = await persist(() => call(client, "act", request, metadata)));
    if (++moves === 5) console.log("ready");
  }
}

/** Keep a call under way until one has succeeded after the stop. */
async function read() {
  do await persist(() => call(client, "getSession", { name: first.name }, bearer(first)));
  while (!stopped);
}

/** Observe a session to its end, on a new stream when the service stops. Returns the number of entries. */
async function observe(seat) {
  for (let last = 0; ; ) {
    const { sequences, code, metadata } = await observeSome(client, seat, last, Infinity);
    for (const sequence of sequences) require(sequence === ++last, "entries come in order, without gaps or repeats");
    if (code === grpc.status.OK) return last;
    require(isRefusal({ code, metadata }, grpc.status.UNAVAILABLE, "SHUTTING_DOWN"), `a stream is drained: ${code}`);
  }
}

/** Keep a stream of Play open until the service stops. Returns how it ends. */
async function spectate({ name }) {
  const stream = client.play(bearer());
  stream.on("data", () => {});
  stream.on("error", () => {});
  stream.write({ attach: [{ handle: 1, name }] });
  const { code, metadata } = await new Promise((resolve) => stream.on("status", resolve));
  stopped = true;
  return isRefusal({ code, metadata }, grpc.status.UNAVAILABLE, "SHUTTING_DOWN") ? "SHUTTING_DOWN" : code;
}
