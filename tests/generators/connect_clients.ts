// Calls the service with Connect for ES over each of its protocols. Prints a line for each.
// Arguments: the addresses of gRPC and of HTTP, as URLs.
import { createClient, Code, ConnectError, type Transport } from "@connectrpc/connect";
import * as node from "@connectrpc/connect-node";
import * as web from "@connectrpc/connect-web";
import { Occupant, SessionState } from "./gen/skerry/v1/session_pb.js";
import { SkerryService } from "./gen/skerry/v1/service_pb.js";

const [grpcUrl, httpUrl] = process.argv.slice(2) as [string, string];
const http = { baseUrl: httpUrl, httpVersion: "1.1" as const };
const transports: Record<string, Transport> = {
  "connect": node.createConnectTransport(http),
  "connect, json": node.createConnectTransport({ ...http, useBinaryFormat: false }),
  "connect, get": node.createConnectTransport({ ...http, useHttpGet: true }),
  "connect, gzip": node.createConnectTransport({ ...http, sendCompression: node.compressionGzip, compressMinBytes: 0 }),
  "grpc-web": node.createGrpcWebTransport(http),
  "grpc-web, json": node.createGrpcWebTransport({ ...http, useBinaryFormat: false }),
  "grpc-web, gzip": node.createGrpcWebTransport({ ...http, sendCompression: node.compressionGzip, compressMinBytes: 0 }),
  "connect of fetch": web.createConnectTransport({ baseUrl: httpUrl }),
  "grpc-web of fetch": web.createGrpcWebTransport({ baseUrl: httpUrl }),
  "grpc": node.createGrpcTransport({ baseUrl: grpcUrl }),
};

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

async function failure(call: Promise<unknown>): Promise<ConnectError> {
  return call.then(() => { throw new Error("the call succeeded"); }, (error) => ConnectError.from(error));
}

for (const [name, transport] of Object.entries(transports)) {
  const skerry = createClient(SkerryService, transport);
  const { game } = await skerry.getGame({ name: "games/kreta" });
  check(game?.title === "Kreta" && game.rules.length > 10, "a unary call has its response");
  const unknown = await failure(skerry.getGame({ name: "games/chess" }));
  check(unknown.code === Code.NotFound && unknown.details.length === 1, "an error has its code and details");
  const denied = await failure(skerry.startSession({ name: "sessions/aaaaaaaaaaaaaaaa" }));
  check(denied.code === Code.NotFound || denied.code === Code.Unauthenticated, "a call without a token is denied");
  const { session } = await skerry.createSession({ game: "kreta", seats: [{}, { occupant: Occupant.BOT }] });
  const joined = await skerry.joinSession({ name: session!.name, displayName: "Ada" });
  const headers = { Authorization: `Bearer ${joined.seatToken}` };
  const looked = await skerry.getSession({ name: session!.name }, { headers });
  check(looked.position?.seat === 0, "the token says which seat calls");
  const late = await failure((async () => {
    for await (const _ of skerry.observe({ name: session!.name }, { timeoutMs: 300 })) { /* until the timeout */ }
  })());
  check(late.code === Code.DeadlineExceeded, `a stream ends with its timeout: ${late.message}`);
  await skerry.resignSession({ name: session!.name }, { headers });
  let last: SessionState | undefined, sequence = 0n;
  for await (const message of skerry.observe({ name: session!.name, afterSequence: 0n })) {
    for (const entry of message.entries) {
      check(entry.sequence === sequence + 1n, "entries are in order, without gaps");
      sequence = entry.sequence;
    }
    last = message.session?.state ?? last;
  }
  check(last === SessionState.FINISHED, "a stream ends with the game");
  console.log(`${name}: ${sequence} entries`);
}
process.exit(0);
