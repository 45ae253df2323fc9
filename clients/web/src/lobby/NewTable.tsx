import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { lastPlayerName } from "../storage.js";
import { LevelSelect, defaultLevel } from "../LevelSelect.js";
import { extrasOf } from "../games/extras.js";
import { startSearch, useMatchSearch } from "../matching/matchSearch.js";
import { CheckBox } from "../CheckBox.js";
import { Emblem } from "../Emblem.js";
import { Instructions } from "../Instructions.js";
import { createTable, startLesson, type TableSetup } from "../session/tableActions.js";
import { ABSENCE_MS, CLOCKS } from "../session/tableOptions.js";
import { t } from "../texts/texts.js";
import { Refusal } from "../Refusal.js";
import { useAttempt } from "../useAttempt.js";

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
  const { refused, isBusy, attempt } = useAttempt();
  const game = games.find((one) => one.id === wanted.game);
  const make = (event: Event): void => {
    event.preventDefault();
    attempt(() => createTable(toSetup(wanted, game?.levels ?? []), name.trim()));
  };
  return (
    <form class="panel new" onSubmit={make} aria-labelledby="new">
      <h2 id="new">{t("new-title")}</h2>
      <GameChoice games={games} chosen={wanted.game} onChoose={(id) => setWanted(fitToGame({ ...wanted, game: id, options: {} }, games))} />
      {game && <GameInstructions key={game.id} game={game} edition={wanted.options.edition} />}
      {game && <SeatChoice game={game} wanted={wanted} onChange={setWanted} />}
      <Variants wanted={wanted} onChange={setWanted} />
      <div class="row end">
        <label>
          {t("your-name")}
          <input value={name} maxLength={80} autocomplete="nickname" required onInput={(event) => setName(event.currentTarget.value)} />
        </label>
        <button class="button now" disabled={isBusy || !name.trim()}>
          {wanted.bots === wanted.seats - 1 ? t("new-play") : t("new-create")}
        </button>
        {game?.lesson && (
          <button class="button" type="button" disabled={isBusy} onClick={() => attempt(() => startLesson(wanted.game, name.trim() || t("player")))}>
            {t("new-learn")}
          </button>
        )}
        <FindOpponents wanted={wanted} title={game?.title ?? ""} name={name.trim()} />
      </div>
      <Refusal text={refused} />
    </form>
  );
}

/** How to play the chosen game, if the player wants to know. */
function GameInstructions({ game, edition }: { game: api.Game; edition: unknown }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t("new-how", { title: game.title })}</summary>
      {isOpen && <Instructions game={game} edition={edition as string | undefined} />}
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
  return (
    <>
      <button class="button" type="button" aria-describedby="find" disabled={!name} onClick={() => startSearch({ game, title, seats, options, clock, name })}>
        {t("new-find")}
      </button>
      <p id="find" class="soft small whole-line">
        {t("new-find-explained", { others: seats - 1 })}
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
      <legend class="visually-hidden">{t("new-game")}</legend>
      {games.map((game) => (
        <label key={game.id} class={game.id === chosen ? "game chosen" : "game"}>
          <input type="radio" name="game" value={game.id} checked={game.id === chosen} onChange={() => onChoose(game.id)} />
          <Emblem game={game.id} />
          <strong>{game.title}</strong>
          <span class="soft small">{blurbOf(game)}</span>
        </label>
      ))}
    </fieldset>
  );
}

function blurbOf({ id, author }: api.Game): string {
  const blurb = extrasOf(id)?.blurb;
  return blurb === undefined ? t("new-by", { author }) : t(blurb);
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
        {t("new-players")}
        <select
          value={wanted.seats}
          onChange={(event) => {
            const seats = Number(event.currentTarget.value);
            const isFull = wanted.bots === wanted.seats - 1;
            onChange({ ...wanted, seats, bots: isFull ? seats - 1 : Math.min(wanted.bots, seats - 1), options: { edition: wanted.options.edition } });
          }}
        >
          {game.seats.map((seats) => (
            <option key={seats}>{seats}</option>
          ))}
        </select>
      </label>
      <label>
        {t("new-bots")}
        <select value={wanted.bots} onChange={(event) => onChange({ ...wanted, bots: Number(event.currentTarget.value) })}>
          {bots.map((count) => (
            <option key={count}>{count}</option>
          ))}
        </select>
      </label>
      {game.editions.length > 1 && (
        <label>
          {t("new-edition")}
          <select
            value={wanted.options.edition as string | undefined}
            onChange={(event) => onChange({ ...wanted, options: { ...wanted.options, edition: event.currentTarget.value } })}
          >
            {game.editions.map((edition) => (
              <option key={edition}>{edition}</option>
            ))}
          </select>
        </label>
      )}
      {wanted.bots > 0 && (
        <LevelSelect label={t("new-strength")} levels={game.levels} level={wanted.level} onChange={(level) => onChange({ ...wanted, level })} />
      )}
      <label>
        {t("new-clock")}
        <select
          value={CLOCKS.findIndex(({ clock }) => clock === wanted.clock)}
          onChange={(event) => onChange({ ...wanted, clock: CLOCKS[Number(event.currentTarget.value)]?.clock })}
        >
          {CLOCKS.map(({ label }, place) => (
            <option key={place} value={place}>
              {t(label)}
            </option>
          ))}
        </select>
      </label>
      <AccessOptions {...{ wanted, onChange, others }} />
      {game.levels.length > 1 && (
        <CheckBox isChecked={wanted.hasHints ?? others === 0} onChange={(hasHints) => onChange({ ...wanted, hasHints })}>
          {t("new-hints")}
        </CheckBox>
      )}
      <p class="soft small whole-line">{others ? t("new-others", { others, bots: wanted.bots }) : t("new-alone", { bots: wanted.bots })}</p>
    </div>
  );
}

/** Listing and, for a table with other players, join code and substitutes. */
function AccessOptions({ wanted, onChange, others }: TableFormProps & { others: number }): JSX.Element {
  return (
    <>
      <CheckBox isChecked={wanted.isListed ?? others > 0} onChange={(isListed) => onChange({ ...wanted, isListed })}>
        {others > 0 ? t("new-list") : t("new-list-alone")}
      </CheckBox>
      <CheckBox isChecked={wanted.hasUndo} onChange={(hasUndo) => onChange({ ...wanted, hasUndo })}>
        {t("new-undo")}
      </CheckBox>
      {others > 0 && (
        <>
          <CheckBox isChecked={wanted.hasCode} onChange={(hasCode) => onChange({ ...wanted, hasCode })}>
            {t("new-code")}
          </CheckBox>
          <CheckBox isChecked={wanted.hasSubstitutes} onChange={(hasSubstitutes) => onChange({ ...wanted, hasSubstitutes })}>
            {t("new-substitutes")}
          </CheckBox>
        </>
      )}
    </>
  );
}

function Variants({ wanted, onChange }: TableFormProps): JSX.Element | null {
  const settings = (extrasOf(wanted.game)?.variants ?? []).filter(({ seats }) => seats === undefined || seats === wanted.seats);
  if (!settings.length) return null;
  return (
    <details class="settings">
      <summary>{t("new-variants")}</summary>
      <div class="row">
        {settings.map(({ field, label, values }) => (
          <label key={field}>
            {t(label)}
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
                  {t(one.label)}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
    </details>
  );
}
