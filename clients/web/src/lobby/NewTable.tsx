import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { lastPlayerName } from "../storage.js";
import { LevelSelect, defaultLevel } from "../LevelSelect.js";
import { errorMessage } from "../server.js";
import { extrasOf } from "../games/extras.js";
import { startSearch, useMatchSearch } from "../matching/matchSearch.js";
import { Emblem } from "../Emblem.js";
import { Instructions } from "../Instructions.js";
import { createTable, startLesson, type TableSetup } from "../session/tableActions.js";
import { ABSENCE_MS, CLOCKS } from "../session/tableOptions.js";

/** The state of the form. Bots take the last seats. */
interface TableForm extends Omit<TableSetup, "bots" | "abandonment" | "isListed" | "hints"> {
  /** Whether the lobby lists the table. Absent: the player has not said, so it lists tables that wait for others. */
  isListed?: boolean;
  bots: number;
  level: string;
  /** Whether a bot takes over for a player who is away. */
  hasSubstitutes: boolean;
  /** Whether players can ask for hints. Absent: only a player who is alone with bots can. */
  hasHints?: boolean;
}

const FIRST = { seats: 3, bots: 2, options: {}, hasCode: false, hasSubstitutes: false, hasUndo: true };

/** The form that creates a table. */
export function NewTable({ games }: { games: readonly api.Game[] }): JSX.Element {
  const [wanted, setWanted] = useState<TableForm>(() =>
    fitToGame({ ...FIRST, game: games[0]?.id ?? "", level: defaultLevel(games[0]?.levels ?? []) }, games),
  );
  const [name, setName] = useState(lastPlayerName());
  const [refused, setRefused] = useState("");
  const [busy, setBusy] = useState(false);
  const game = games.find((one) => one.id === wanted.game);
  const begin = async (started: Promise<void>): Promise<void> => {
    setBusy(true);
    try {
      await started;
    } catch (error) {
      setRefused(errorMessage(error));
      setBusy(false);
    }
  };
  const make = (event: Event): void => {
    event.preventDefault();
    void begin(createTable(toSetup(wanted, game?.levels ?? []), name.trim()));
  };
  return (
    <form class="panel new" onSubmit={make} aria-labelledby="new">
      <h2 id="new">Start a game</h2>
      <GameChoice games={games} chosen={wanted.game} onChoose={(id) => setWanted(fitToGame({ ...wanted, game: id, options: {} }, games))} />
      {game && <GameInstructions key={game.id} game={game} />}
      {game && <SeatChoice game={game} wanted={wanted} onChange={setWanted} />}
      <Variants wanted={wanted} onChange={setWanted} />
      <div class="row end">
        <label>
          Your name
          <input value={name} maxLength={80} autocomplete="nickname" required onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button class="button now" disabled={busy || !name.trim()}>
          {wanted.bots === wanted.seats - 1 ? "Play" : "Create table"}
        </button>
        {game?.lesson && (
          <button class="button" type="button" disabled={busy} onClick={() => void begin(startLesson(wanted.game, name.trim() || "Player"))}>
            Learn
          </button>
        )}
        <FindOpponents wanted={wanted} title={game?.title ?? ""} name={name.trim()} />
      </div>
      {refused && (
        <p class="refusal" role="alert">
          {refused}
        </p>
      )}
    </form>
  );
}

/** How to play the chosen game, if the player wants to know. */
function GameInstructions({ game }: { game: api.Game }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>How to play {game.title}</summary>
      {isOpen && <Instructions game={game} />}
    </details>
  );
}

interface FindOpponentsProps {
  wanted: TableForm;
  /** The title of the game. */
  title: string;
  name: string;
}

/** Starts a search for other players with the form's game, number of players, time limit and variants. */
function FindOpponents({ wanted: { game, seats, options, clock }, title, name }: FindOpponentsProps): JSX.Element | null {
  if (useMatchSearch()) return null;
  const others = seats === 2 ? "1 other person who wants" : `${seats - 1} other people who want`;
  return (
    <>
      <button class="button" type="button" aria-describedby="find" disabled={!name} onClick={() => startSearch({ game, title, seats, options, clock, name })}>
        Find opponents
      </button>
      <p id="find" class="soft small whole-line">
        “Find opponents” looks for {others} to play this game with the same settings, without bots.
      </p>
    </>
  );
}

/** Returns the form with values that the game allows. */
function fitToGame(wanted: TableForm, games: readonly api.Game[]): TableForm {
  const { seats: allowed = [], levels = [] } = games.find((one) => one.id === wanted.game) ?? {};
  const seats = allowed.includes(wanted.seats) ? wanted.seats : (allowed[0] ?? 2);
  const level = levels.includes(wanted.level) ? wanted.level : defaultLevel(levels);
  return { ...wanted, seats, level, bots: Math.min(wanted.bots, seats - 1) };
}

/** Returns the setup to send. A game against bots alone needs no join code and no substitutes. */
function toSetup({ bots, level, hasSubstitutes, hasHints, ...wanted }: TableForm, levels: readonly string[]): TableSetup {
  const seats = Array.from({ length: bots }, (_, bot) => wanted.seats - 1 - bot);
  const isAlone = bots === wanted.seats - 1;
  const abandonment = hasSubstitutes && !isAlone ? { absenceMs: ABSENCE_MS } : undefined;
  const isListed = wanted.isListed ?? !isAlone;
  const hints = levels.length > 1 && (hasHints ?? isAlone);
  return { ...wanted, isListed, abandonment, hints, hasCode: wanted.hasCode && !isAlone, bots: Object.fromEntries(seats.map((seat) => [seat, level])) };
}

interface GameChoiceProps {
  games: readonly api.Game[];
  chosen: string;
  onChoose: (id: string) => void;
}

function GameChoice({ games, chosen, onChoose }: GameChoiceProps): JSX.Element {
  return (
    <fieldset class="games">
      <legend class="visually-hidden">Game</legend>
      {games.map((game) => (
        <label key={game.id} class={game.id === chosen ? "game chosen" : "game"}>
          <input type="radio" name="game" value={game.id} checked={game.id === chosen} onChange={() => onChoose(game.id)} />
          <Emblem game={game.id} />
          <strong>{game.title}</strong>
          <span class="soft small">{extrasOf(game.id)?.blurb ?? `A game by ${game.author}.`}</span>
        </label>
      ))}
    </fieldset>
  );
}

interface TableFormProps {
  wanted: TableForm;
  onChange: (wanted: TableForm) => void;
}

function SeatChoice({ game, wanted, onChange }: TableFormProps & { game: api.Game }): JSX.Element {
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
        <LevelSelect label="Bot strength" levels={game.levels} level={wanted.level} onChange={(level) => onChange({ ...wanted, level })} />
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
      <AccessOptions {...{ wanted, onChange, others }} />
      {game.levels.length > 1 && (
        <label class="check">
          <input
            type="checkbox"
            checked={wanted.hasHints ?? others === 0}
            onChange={(event) => onChange({ ...wanted, hasHints: event.currentTarget.checked })}
          />
          Players may ask what a strong player would do
        </label>
      )}
      <p class="soft small whole-line">{describePlayers(others, wanted.bots)}</p>
    </div>
  );
}

/** Listing and, for a table with other players, join code and substitutes. */
function AccessOptions({ wanted, onChange, others }: TableFormProps & { others: number }): JSX.Element {
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          checked={wanted.isListed ?? others > 0}
          onChange={(event) => onChange({ ...wanted, isListed: event.currentTarget.checked })}
        />
        {others > 0 ? "List it under open tables" : "List it, so that others can watch"}
      </label>
      <label class="check">
        <input type="checkbox" checked={wanted.hasUndo} onChange={(event) => onChange({ ...wanted, hasUndo: event.currentTarget.checked })} />
        Moves can be taken back until something is revealed or another player moves
      </label>
      {others > 0 && (
        <>
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
              checked={wanted.hasSubstitutes}
              onChange={(event) => onChange({ ...wanted, hasSubstitutes: event.currentTarget.checked })}
            />
            A bot takes over for anyone away for two minutes
          </label>
        </>
      )}
    </>
  );
}

function describePlayers(others: number, bots: number): string {
  const opponents = bots === 1 ? "1 bot" : `${bots} bots`;
  if (!others) return `You against ${opponents}. The game starts at once.`;
  const people = others === 1 ? "1 other player" : `${others} other players`;
  return `You, ${people}${bots ? ` and ${opponents}` : ""}. You get a link to invite them.`;
}

function Variants({ wanted, onChange }: TableFormProps): JSX.Element | null {
  const settings = (extrasOf(wanted.game)?.variants ?? []).filter(({ seats }) => seats === undefined || seats === wanted.seats);
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
