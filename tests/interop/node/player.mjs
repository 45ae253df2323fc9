// Plays games against a bot with @grpc/grpc-js: one over unary calls and Observe, one over Play, for each game named.
// Prints a line for each: the game, its session and the number of entries.
// Arguments: the folder of the protos; the address of the service; the file of its certificate authority, or "" without
// TLS; ids of games.
import { bearer, call, choose, connect, failure, grpc, isRefusal, join, observe, require } from "./skerry.mjs";

const [protos, address, authority, ...games] = process.argv.slice(2);
const client = connect(protos, address, authority);

for (const game of games) {
  const seat = await join(client, game);
  await expectDeadline(seat);
  const [entries] = await Promise.all([observe(client, seat), act(seat)]);
  console.log(game, seat.name, entries);
  const streamed = await join(client, game);
  console.log(game, streamed.name, await play(streamed));
}
client.close();

/** Make moves until the game is over. Repeats each request once. */
async function act(seat) {
  const metadata = bearer(seat);
  let { position } = await call(client, "getSession", { name: seat.name }, metadata);
  for (let tried = false; !position.outcome; ) {
    const request = {
      name: seat.name, move: choose(position), expected_sequence: position.sequence,
      request_id: crypto.randomUUID(), view: "POSITION_VIEW_FULL",
    };
    const acted = await call(client, "act", request, metadata);
    const repeated = await call(client, "act", request, metadata);
    require(repeated.sequence === acted.sequence, "a repeat returns the first response");
    position = acted.position;
    if (tried || position.outcome) continue;
    tried = true;
    const stale = await failure(call(client, "act", { ...request, request_id: crypto.randomUUID() }, metadata));
    require(isRefusal(stale, grpc.status.ABORTED, "STALE_SEQUENCE"), `a stale act is aborted: ${stale}`);
  }
}

/** Play a game over one stream in both directions. Returns the number of entries. */
function play(seat) {
  const stream = client.play();
  let last = 0, open = 0;
  stream.on("data", ({ updates }) => {
    for (const { kind, observed, acted, refused } of updates) {
      require(kind !== "refused", `an act is carried out: ${JSON.stringify(refused)}`);
      if (kind === "acted") open -= 1;
      if (kind === "ended") stream.end();
      if (kind !== "observed") continue;
      for (const { sequence } of observed.entries) require(sequence === ++last, "entries come in order");
      const { position } = observed;
      if (!position?.legal_moves.length) continue;
      const request = { handle: 1, move: choose(position), expected_sequence: position.sequence };
      stream.write({ acts: [{ ...request, request_id: crypto.randomUUID() }] });
      open += 1;
    }
  });
  stream.write({ attach: [{ handle: 1, name: seat.name, token: seat.token, after_sequence: 0 }] });
  return new Promise((resolve, reject) => {
    stream.on("error", reject);
    stream.on("end", () => (open === 0 ? resolve(last) : reject(new Error(`${open} acts have no response`))));
  });
}

/** Check that unary calls and streams end at the deadline of the client. */
async function expectDeadline(seat) {
  const stream = client.observe({ name: seat.name }, bearer(seat), { deadline: Date.now() + 100 });
  stream.on("data", () => {});
  stream.on("error", () => {});
  const { code } = await new Promise((resolve) => stream.on("status", resolve));
  require(code === grpc.status.DEADLINE_EXCEEDED, `a stream ends at its deadline: ${code}`);
}
