import type { api } from "skerry-client";
import type { JSX, RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { NameForm } from "../NameForm.js";
import { usePolling } from "../polling.js";
import { followLink } from "../router.js";
import { lastPlayerName } from "../storage.js";
import { PlayerNames } from "../text.js";
import { useAttempt } from "../useAttempt.js";
import { hasLost } from "./bracket.js";
import { enter, leave, type OwnGame, readOwnGames } from "./entry.js";
import { storedEntry } from "./storedEntry.js";
import { messageId, rich, t } from "../texts/texts.js";
import { Refusal } from "../Refusal.js";

interface EntryPanelProps {
  reading: api.GetTournamentResponse;
  /** The id of the tournament. */
  name: string;
  onChange: () => void;
}

const PAUSE_MS = 4_000;
const HEADINGS = { form: messageId("entry-form"), entered: messageId("entry-entered"), playing: messageId("entry-playing") };

/** What this browser's player can do: enter, leave, or play the next game. */
export function EntryPanel(props: EntryPanelProps): JSX.Element | null {
  const { name, reading } = props;
  const part = partOf(props);
  const isPlaying = part === "playing";
  const readGames = async (signal: AbortSignal): Promise<OwnGame[] | undefined> =>
    isPlaying ? readOwnGames(name, reading.tournament.game, signal) : undefined;
  const games = usePolling(readGames, { key: isPlaying, pauseMs: PAUSE_MS, isDone: () => !isPlaying });
  const { section, heading, isActing } = useFocusOnHeading(part);
  const onChange = (): void => {
    isActing.current = true;
    props.onChange();
  };
  if (!part) return null;
  const { name: display = "", number = 0, token = "" } = storedEntry(name) ?? {};
  return (
    <section ref={section} class="panel entry" aria-labelledby="entry">
      <h2 id="entry" ref={heading} tabIndex={-1}>
        {t(HEADINGS[part])}
      </h2>
      <div role="status">
        {part === "entered" && (
          <p>
            {rich("entry-as", { name: <bdi class="name">{display}</bdi> })} {t("entry-note")}
          </p>
        )}
        {isPlaying && games && <p>{statusOf(games.length, hasLost(reading, number))}</p>}
      </div>
      {part === "form" && <EntryForm {...props} onChange={onChange} />}
      {part === "entered" && <LeaveButton {...{ name, token, onChange }} />}
      {isPlaying && <NextGames games={games ?? []} />}
    </section>
  );
}

/** Returns what the panel shows. `undefined`: nothing. */
function partOf({ name, reading: { tournament, gamesPlaying } }: EntryPanelProps): keyof typeof HEADINGS | undefined {
  const { state, entrants, mostEntrants } = tournament;
  const isOpen = state === "TOURNAMENT_STATE_OPEN";
  const { number, token } = storedEntry(name) ?? {};
  // The organizer can have removed it.
  if (!token || !entrants.some((one) => one.number === number)) return isOpen && entrants.length < mostEntrants ? "form" : undefined;
  if (isOpen) return "entered";
  return gamesPlaying || state === "TOURNAMENT_STATE_RUNNING" ? "playing" : undefined;
}

interface FocusedHeading {
  section: RefObject<HTMLElement | null>;
  heading: RefObject<HTMLHeadingElement | null>;
  /** Whether a button of the panel was used. A disabled button has lost the focus already. */
  isActing: { current: boolean };
}

/** Moves the focus to the heading when the element of the panel that had it disappears with its part. */
function useFocusOnHeading(part: string | undefined): FocusedHeading {
  const section = useRef<HTMLElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const isActing = useRef(false);
  const hadFocus = section.current?.contains(document.activeElement);
  useLayoutEffect(() => {
    if ((hadFocus || isActing.current) && document.activeElement === document.body) heading.current?.focus();
    isActing.current = false;
  }, [part]);
  return { section, heading, isActing };
}

/** Returns the join code from the link. It stands after the `#`, a part that browsers never send to a server. */
function linkedCode(): string {
  return new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
}

function EntryForm({ name, onChange, reading: { tournament: { joinCodeRequired: asksCode } } }: EntryPanelProps): JSX.Element {
  const known = { name: storedEntry(name)?.name ?? lastPlayerName(), code: linkedCode() };
  return (
    <>
      <NameForm {...{ known, asksCode }} verb={t("entry-form")} onSubmit={(display, code) => enter(name, display, code).then(onChange)} />
      <p class="small soft">{t("entry-note")}</p>
    </>
  );
}

function LeaveButton({ name, token, onChange }: { name: string; token: string; onChange: () => void }): JSX.Element {
  const { refused, isBusy, attempt } = useAttempt();
  return (
    <>
      <button class="button" disabled={isBusy} onClick={() => attempt(() => leave(name, token).finally(onChange))}>
        {t("entry-leave")}
      </button>
      <Refusal text={refused} />
    </>
  );
}

/** Games in which it is the player's turn come first. */
function NextGames({ games }: { games: readonly OwnGame[] }): JSX.Element {
  const next = [...games].sort((one, other) => Number(other.isMine) - Number(one.isMine));
  return (
    <ul class="tables">
      {next.map((one, at) => (
        <NextGameItem key={one.session} game={one} isFirst={!at} />
      ))}
    </ul>
  );
}

function statusOf(playing: number, isOut: boolean): string {
  if (playing) return t("entry-in-play", { count: playing });
  return isOut ? t("entry-out") : t("entry-wait");
}

function NextGameItem({ game: { session, opponents, isMine }, isFirst }: { game: OwnGame; isFirst: boolean }): JSX.Element {
  return (
    <li>
      <div>
        {rich("entry-against", { names: <PlayerNames names={opponents} /> })}
        {isMine && <span class="small turn"> {t("lobby-your-turn")}</span>}
      </div>
      <a class={isFirst ? "button now" : "button"} href={`/${session}`} onClick={followLink} aria-label={t("entry-play-against", { names: opponents.join(", ") })}>
        {t("new-play")}
      </a>
    </li>
  );
}
