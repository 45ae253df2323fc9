import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { lastName } from "../keep.js";
import { LevelChoice, proposed } from "../levels.js";
import { sentence } from "../server.js";
import { Emblem } from "./Emblem.js";
import { makeTable, type Setup } from "./making.js";
import { ABSENCE_MS, BLURBS, CLOCKS, SETTINGS } from "./options.js";

/** What is being put together: bots take the last seats. */
interface Wanted extends Omit<Setup, "bots" | "abandonment"> {
  bots: number;
  level: string;
  /** Whether a bot plays for who is away. */
  isWatched: boolean;
}

const FIRST = { seats: 3, bots: 2, options: {}, isListed: true, hasCode: false, isWatched: false };

/** One screen on which a table is made. */
export function NewTable({ games }: { games: readonly api.Game[] }): JSX.Element {
  const [wanted, setWanted] = useState<Wanted>(() =>
    fitted({ ...FIRST, game: games[0]?.id ?? "", level: proposed(games[0]?.levels ?? []) }, games),
  );
  const [name, setName] = useState(lastName());
  const [refused, setRefused] = useState("");
  const [busy, setBusy] = useState(false);
  const game = games.find((one) => one.id === wanted.game);
  const make = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      await makeTable(asked(wanted), name.trim());
    } catch (error) {
      setRefused(sentence(error));
      setBusy(false);
    }
  };
  return (
    <form class="panel new" onSubmit={make} aria-labelledby="new">
      <h2 id="new">Start a game</h2>
      <GameChoice games={games} chosen={wanted.game} onChoose={(id) => setWanted(fitted({ ...wanted, game: id, options: {} }, games))} />
      {game && <SeatChoice game={game} wanted={wanted} onChange={setWanted} />}
      <Settings wanted={wanted} onChange={setWanted} />
      <div class="row end">
        <label>
          Your name
          <input value={name} maxLength={80} autocomplete="nickname" required onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button class="button now" disabled={busy || !name.trim()}>
          {wanted.bots === wanted.seats - 1 ? "Play" : "Create table"}
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
  const { seats: allowed = [], levels = [] } = games.find((one) => one.id === wanted.game) ?? {};
  const seats = allowed.includes(wanted.seats) ? wanted.seats : (allowed[0] ?? 2);
  const level = levels.includes(wanted.level) ? wanted.level : proposed(levels);
  return { ...wanted, seats, level, bots: Math.min(wanted.bots, seats - 1) };
}

/** Returns what is asked of the server. Who plays against bots alone waits for nobody. */
function asked({ bots, level, isWatched, ...wanted }: Wanted): Setup {
  const seats = Array.from({ length: bots }, (_, bot) => wanted.seats - 1 - bot);
  const isAlone = bots === wanted.seats - 1;
  const abandonment = isWatched && !isAlone ? { absenceMs: ABSENCE_MS } : undefined;
  return { ...wanted, abandonment, hasCode: wanted.hasCode && !isAlone, bots: Object.fromEntries(seats.map((seat) => [seat, level])) };
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
        Players
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
      {wanted.bots > 0 && (
        <LevelChoice label="Bot strength" levels={game.levels} level={wanted.level} onChange={(level) => onChange({ ...wanted, level })} />
      )}
      <label>
        Time limit
        <select
          value={CLOCKS.findIndex(({ clock }) => clock === wanted.clock)}
          onChange={(event) => onChange({ ...wanted, clock: CLOCKS[Number(event.currentTarget.value)]?.clock })}
        >
          {CLOCKS.map(({ label }, place) => (
            <option key={place} value={place}>
              {label}
            </option>
          ))}
        </select>
      </label>
      {others > 0 && <Admission wanted={wanted} onChange={onChange} />}
      <p class="soft small">{company(others, wanted.bots)}</p>
    </div>
  );
}

/** Who can sit down: whoever finds the table in the list, and with or without a code. */
function Admission({ wanted, onChange }: WantedProps): JSX.Element {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={wanted.isListed}
          onChange={(event) => onChange({ ...wanted, isListed: event.currentTarget.checked })}
        />
        List it under open tables
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={wanted.hasCode}
          onChange={(event) => onChange({ ...wanted, hasCode: event.currentTarget.checked })}
        />
        Require a code to join (your link includes it)
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={wanted.isWatched}
          onChange={(event) => onChange({ ...wanted, isWatched: event.currentTarget.checked })}
        />
        A bot takes over for anyone away for two minutes
      </label>
    </>
  );
}

function company(others: number, bots: number): string {
  const opponents = bots === 1 ? "1 bot" : `${bots} bots`;
  if (!others) return `You against ${opponents}. The game starts at once.`;
  const people = others === 1 ? "1 other player" : `${others} other players`;
  return `You, ${people}${bots ? ` and ${opponents}` : ""}. You get a link to invite them.`;
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
