// Reads a table of each game over REST. Compiled strictly: no cast, no assertion.
import { type DescMessage, fromJson, type JsonValue, type MessageShape } from "@bufbuild/protobuf";
import { SessionSchema } from "./gen/skerry/v1/session_pb.js";
import * as api from "./gen/skerry/v1/service_pb.js";

const SERVER = "http://127.0.0.1:8080/v1";

async function call<Answer extends DescMessage>(
  answer: Answer, path: string, token?: string, body?: JsonValue,
): Promise<MessageShape<Answer>> {
  const response = await fetch(`${SERVER}/${path}`, {
    method: body === undefined ? "GET" : "POST",
    body: JSON.stringify(body),
    headers: { "Content-Type": "application/json", ...(token && { Authorization: `Bearer ${token}` }) },
  });
  if (!response.ok) throw new Error(await response.text());
  return fromJson(answer, await response.json());
}

function demand(holds: boolean, claim: string): asserts holds {
  if (!holds) throw new Error(claim);
}

async function read(id: string, seats: number): Promise<void> {
  const game = id.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()); // as JSON and TypeScript spell it
  const others = Array(seats - 1).fill({ occupant: "OCCUPANT_BOT" });
  const created = await call(api.CreateSessionResponseSchema, "sessions", undefined, {
    game: id,
    seats: [{}, ...others],
  });
  const name = `${created.session?.name}`;
  const { seatToken } = await call(api.JoinSessionResponseSchema, `${name}:join`, undefined, { displayName: "Ada" });
  const { position, seat } = await call(api.GetSessionResponseSchema, name, seatToken);
  demand(seat === 0 && position?.seat === 0, "a seat that is 0 is there");
  demand(position.view?.game.case === game && position.legalMoves.length > 0, "the view is the game's");
  for (const move of position.legalMoves) {
    demand(move.game.case === game, "moves are the game's");
    demand(move.game.value.kind.case !== undefined && move.game.value.kind.value !== undefined, "a move has a kind");
  }
  const { replay } = await call(api.GetReplayResponseSchema, `${name}/replay`, seatToken);
  for (const { kind, automatic } of replay?.entries ?? []) {
    demand(typeof automatic === "boolean", "what JSON leaves out has its default");
    if (kind.case !== "moved") continue;
    demand(kind.value.events.every((event) => event.game.case === game), "events are the game's");
  }
}

const nothing = fromJson(SessionSchema, {});
demand(!nothing.seeded && nothing.sequence === 0n && nothing.seats.length === 0, "defaults");
demand(nothing.outcome === undefined && nothing.seed === undefined, "what has presence is absent");
const { games } = await call(api.ListGamesResponseSchema, "games");
for (const game of games) {
  await read(game.id, game.seats[0] ?? 2);
  console.log(`${game.id}: read`);
}
