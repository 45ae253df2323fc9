// The API through @grpc/grpc-js, as @grpc/proto-loader reads it from the protos. Nothing is generated.
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";

export { grpc };

/** Make a client. `authority`: the file of a certificate authority, or "" without TLS. */
export function connect(protos, address, authority = "") {
  const options = { includeDirs: [protos], keepCase: true, longs: Number, enums: String, oneofs: true, arrays: true };
  const { skerry } = grpc.loadPackageDefinition(loadSync("skerry/v1/service.proto", options));
  const security = authority ? grpc.credentials.createSsl(readFileSync(authority)) : grpc.credentials.createInsecure();
  return new skerry.v1.SkerryService(address, security, {
    "grpc.default_compression_algorithm": grpc.compressionAlgorithms.gzip,
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 500,
  });
}

/** Make a unary call. Returns a promise of its response. */
export function call(client, method, request, metadata = bearer()) {
  return promisify(client[method].bind(client))(request, metadata);
}

/** Return the metadata of calls, with the token of a seat if there is one. The calls wait for a connection. */
export function bearer(seat) {
  const metadata = new grpc.Metadata({ waitForReady: true });
  if (seat) metadata.set("authorization", `Bearer ${seat.token}`);
  return metadata;
}

export function require(holds, what) {
  if (!holds) throw new Error(`not true: ${what}`);
}

/** Return whether an error has a code, and a reason among its details. */
export function isRefusal(error, code, reason) {
  const [details] = error.metadata?.get("grpc-status-details-bin") ?? [];
  return error.code === code && details?.includes(reason);
}

/** Return the error of a call. */
export async function failure(called) {
  return called.then(() => require(false, "the call fails"), (error) => error);
}

/** Return the move in the middle of a position's list. */
export function choose({ legal_moves: moves }) {
  return moves[Math.floor(moves.length / 2)];
}

/** Create a session of a game with a bot, and take its open seat. Returns its name and the token of the seat. */
export async function join(client, game) {
  const table = { game, seats: [{}, { occupant: "OCCUPANT_BOT" }], request_id: crypto.randomUUID() };
  const { name } = (await call(client, "createSession", table)).session;
  const seat = { name, display_name: "Ada", request_id: crypto.randomUUID() };
  return { name, token: (await call(client, "joinSession", seat)).seat_token };
}

/** Observe until the stream ends, or has sent enough entries. Returns the sequences of the entries, and the status. */
export function observeSome(client, seat, after, most) {
  const stream = client.observe({ name: seat.name, after_sequence: after }, bearer(seat));
  const sequences = [];
  stream.on("data", ({ entries }) => {
    sequences.push(...entries.map((entry) => entry.sequence));
    if (sequences.length >= most) stream.cancel();
  });
  stream.on("error", () => {}); // the status has the same
  return new Promise((resolve) => {
    stream.on("status", ({ code, metadata }) => resolve({ sequences: sequences.slice(0, most), code, metadata }));
  });
}

/** Observe a session to its end over streams of seven entries. Returns the number of entries. */
export async function observe(client, seat) {
  for (let last = 0; ; ) {
    const { sequences, code } = await observeSome(client, seat, last, 7);
    for (const sequence of sequences) {
      require(sequence === ++last, `entries come in order, without gaps or repeats: ${sequence} as ${last}`);
    }
    if (code === grpc.status.OK) return last;
    require(code === grpc.status.CANCELLED && sequences.length === 7, `a stream ends when the client ends it: ${code}`);
  }
}
