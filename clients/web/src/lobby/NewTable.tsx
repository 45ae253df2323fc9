import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { keep, lastName, rememberName } from "../keep.js";
import { go } from "../router.js";
import { client, sentence } from "../server.js";
import { Emblem } from "./Emblem.js";
import { BLURBS, SETTINGS } from "./options.js";

/** What a new table is to be. */
interface Wanted {
  game: string;
  seats: number;
  bots: number;
  options: Record<string, unknown>;
  /** Whether others find it in the list. */
  listed: boolean;
}

/** Makes a table, sits down at it, and goes there. Throws what the server refuses. */
export async function makeTable(wanted: Wanted, name: string): Promise<void> {
  const { game, seats, bots, options } = wanted;
  const visibility = wanted.listed ? "public" : "unlisted";
  const table = await client.create<string>(game, { seats, bots, options, visibility });
  keep({ session: table.name, game, ...(table.hostToken && { hostToken: table.hostToken }) });
  const seat = await table.join(name);
  keep({ session: table.name, game, seatToken: seat.token });
  rememberName(name);
  go(`/${table.name}`);
}

/** One screen on which a table is made. */
export function NewTable({ games }: { games: readonly api.Game[] }): JSX.Element {
  const [wanted, setWanted] = useState<Wanted>({ game: games[0]?.id ?? "", seats: 3, bots: 2, options: {}, listed: true });
  const [name, setName] = useState(lastName());
  const [refused, setRefused] = useState("");
  const [busy, setBusy] = useState(false);
  const game = games.find((one) => one.id === wanted.game);
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await makeTable(wanted, name.trim());
    } catch (error) {
      setRefused(sentence(error));
      setBusy(false);
    }
  };
  return (
    <form class="panel new" onSubmit={make} aria-labelledby="new">
      <h2 id="new">Sit down and play</h2>
      <GameChoice games={games} chosen={wanted.game} onChoose={(id) => setWanted(fitted({ ...wanted, game: id, options: {} }, games))} />
      {game && <SeatChoice game={game} wanted={wanted} onChange={setWanted} />}
      <Settings wanted={wanted} onChange={setWanted} />
      <div class="row end">
        <label>
          Your name
          <input value={name} maxLength={80} autocomplete="nickname" required onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button class="button now" disabled={busy || !name.trim()}>
          {wanted.bots === wanted.seats - 1 ? "Play" : "Open the table"}
        </button>
      </div>
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </form>
  );
}

/** Returns the nearest table that the game allows. */
function fitted(wanted: Wanted, games: readonly api.Game[]): Wanted {
  const allowed = games.find((one) => one.id === wanted.game)?.seats ?? [];
  const seats = allowed.includes(wanted.seats) ? wanted.seats : (allowed[0] ?? 2);
  return { ...wanted, seats, bots: Math.min(wanted.bots, seats - 1) };
}

interface GameChoiceProps {
  games: readonly api.Game[];
  chosen: string;
  onChoose: (id: string) => void;
}

function GameChoice({ games, chosen, onChoose }: GameChoiceProps): JSX.Element {
  return (
    <fieldset class="games">
      <legend class="unseen">Game</legend>
      {games.map((game) => (
        <label key={game.id} class={game.id === chosen ? "game chosen" : "game"}>
          <input type="radio" name="game" value={game.id} checked={game.id === chosen} onChange={() => onChoose(game.id)} />
          <Emblem game={game.id} />
          <strong>{game.title}</strong>
          <span class="soft small">{BLURBS[game.id] ?? `by ${game.author}`}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface WantedProps {
  wanted: Wanted;
  onChange: (wanted: Wanted) => void;
}

function SeatChoice({ game, wanted, onChange }: WantedProps & { game: api.Game }): JSX.Element {
  const bots = Array.from({ length: wanted.seats }, (_, count) => count);
  const others = wanted.seats - 1 - wanted.bots;
  return (
    <div class="row">
      <label>
        Seats
        <select
          value={wanted.seats}
          onChange={(event) => {
            const seats = Number(event.currentTarget.value);
            const isFull = wanted.bots === wanted.seats - 1;
            onChange({ ...wanted, seats, bots: isFull ? seats - 1 : Math.min(wanted.bots, seats - 1), options: {} });
          }}
        >
          {game.seats.map((seats) => (
            <option key={seats}>{seats}</option>
          ))}
        </select>
      </label>
      <label>
        Bots
        <select value={wanted.bots} onChange={(event) => onChange({ ...wanted, bots: Number(event.currentTarget.value) })}>
          {bots.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </select>
      </label>
      {others > 0 && (
        <label class="check">
          <input
            type="checkbox"
            checked={wanted.listed}
            onChange={(event) => onChange({ ...wanted, listed: event.currentTarget.checked })}
          />
          Show it among the open tables
        </label>
      )}
      <p class="soft small">
        {others > 0 ? `You, ${others} more who come by the link, and ${wanted.bots} bots.` : "You against bots: it begins at once."}
      </p>
    </div>
  );
}

function Settings({ wanted, onChange }: WantedProps): JSX.Element | null {
  const settings = (SETTINGS[wanted.game] ?? []).filter(({ seats }) => seats === undefined || seats === wanted.seats);
  if (!settings.length) return null;
  return (
    <details class="settings">
      <summary>Variants</summary>
      <div class="row">
        {settings.map(({ field, label, values }) => (
          <label key={field}>
            {label}
            <select
              value={values.findIndex(({ value }) => value === wanted.options[field])}
              onChange={(event) => {
                const { [field]: _, ...others } = wanted.options;
                const value = values[Number(event.currentTarget.value)]?.value;
                onChange({ ...wanted, options: value === undefined ? others : { ...others, [field]: value } });
              }}
            >
              {values.map((one, place) => (
                <option key={place} value={place}>
                  {one.label}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </details>
  );
}
