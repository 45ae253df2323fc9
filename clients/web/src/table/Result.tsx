import type { api, SessionHandle, Seat, Table } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { joinRematch } from "../session/tableActions.js";
import { followLink } from "../router.js";
import { useAttempt } from "../useAttempt.js";
import { PlayerName, seatNames, RuleLink } from "../text.js";
import { EntropyCheck } from "./EntropyCheck.js";
import { ForkControls } from "./ForkControls.js";
import { isSeat } from "../session/followed.js";
import { useRematch } from "../session/useRematch.js";
import type { Replay } from "./useReplay.js";
import { ScoreBreakdown } from "./ScoreBreakdown.js";
import { scoreSources } from "./scoreSources.js";
import { ShareButton } from "./ShareButton.js";
import { firstEntry } from "./ReplaySlider.js";
import { useCounting } from "./useCounting.js";
import type { GameAssets } from "./gameAssets.js";
import { rich, t } from "../texts/texts.js";
import { Refusal } from "../Refusal.js";

interface ResultProps {
  session: api.Session;
  handle: Seat | Table | undefined;
  /** The log, as far as it has been received. */
  entries: readonly api.Entry[];
  assets: GameAssets;
  past: Replay;
  /** Whether the game has ended before the viewer's eyes: then the points are counted source by source. */
  isLive: boolean;
}

/** The end of a game: the winner, what to do next, the sources of the points, and then the ranking. */
export function Result({ session, handle, entries, assets, past, isLive }: ResultProps): JSX.Element | null {
  const { outcome } = session;
  const sources = useMemo(() => outcome && scoreSources(entries, outcome.scores), [entries, entries.length, outcome]);
  const counted = useCounting(sources?.length ?? 0, isLive);
  if (!outcome) return null;
  const names = seatNames(session);
  const seats = [...names.keys()].sort((one, other) => outcome.ranks[one]! - outcome.ranks[other]!);
  return (
    <section class="panel result" aria-label={t("result")}>
      <Winner {...{ names, outcome }} />
      <NextActions {...{ session, handle, entries, assets, past }} />
      {sources && <ScoreBreakdown {...{ names, seats, sources, counted }} />}
      {counted >= (sources?.length ?? 0) && (
        <>
          <Ranking {...{ session, names, seats, outcome }} />
          {isTied(session, outcome, assets.game) && <TieBreak game={assets.game} />}
          <EntropyCheck {...{ session, handle }} />
        </>
      )}
    </section>
  );
}

/** The banner with the winner, and the points that decided. */
function Winner({ names, outcome: { ranks, scores } }: { names: readonly string[]; outcome: api.Outcome }): JSX.Element {
  const winners = [...names.keys()].filter((seat) => ranks[seat] === 1);
  const points = scores[winners[0] ?? 0] ?? 0;
  return (
    <h2 class="winner">
      {winners.map((seat) => (
        <PlayerName key={seat} seat={seat} name={names[seat] ?? ""} />
      ))}{" "}
      <span>
        {rich("result-winner", { count: winners.length, points: <span class="figures">{points}</span> })}
        {t("result-points", { points })}
      </span>
    </h2>
  );
}

interface RankingProps {
  session: api.Session;
  names: readonly string[];
  /** The seats, the winner first. */
  seats: readonly number[];
  outcome: api.Outcome;
}

function Ranking({ session, names, seats, outcome }: RankingProps): JSX.Element {
  return (
    <table aria-label={t("result-ranking")}>
      <thead>
        <tr>
          <th scope="col">{t("result-rank")}</th>
          <th scope="col">{t("result-player")}</th>
          <th scope="col">{t("result-score")}</th>
        </tr>
      </thead>
      <tbody>
        {seats.map((seat) => (
          <tr key={seat}>
            <td class="figures">{outcome.ranks[seat]}</td>
            <td>
              <PlayerName seat={seat} name={names[seat] ?? ""} />
              {hasResigned(session.seats[seat]) && <span class="soft small">{t("result-resigned")}</span>}
            </td>
            <td class="figures">{outcome.scores[seat]}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Whether the seat's player resigned: the seat then ranks last, whatever its points. */
function hasResigned(seat: api.Seat | undefined): boolean {
  return seat?.substitute?.cause === "SUBSTITUTE_CAUSE_RESIGNED";
}

/** Whether a rule broke a tie: the game ended by the rules, and two seats with equal points have different ranks. */
function isTied({ seats }: api.Session, { ranks, scores, reason }: api.Outcome, { rules }: api.Game): boolean {
  if (!rules.some(({ id }) => reason.startsWith(`${id}:`))) return false;
  const ended = [...scores.keys()].filter((seat) => !hasResigned(seats[seat]));
  return ended.some((one) => ended.some((other) => scores[one] === scores[other] && ranks[one] !== ranks[other]));
}

/** The rule that breaks ties: the id of such a rule says so. */
function TieBreak({ game }: { game: api.Game }): JSX.Element | null {
  const rule = game.rules.find(({ id }) => /-TIE-\d+$/.test(id));
  if (!rule) return null;
  return (
    <p class="soft small">
      <RuleLink id={rule.id} />: {rule.text}
    </p>
  );
}

/** What to do next, in the same place for players and spectators. */
function NextActions({ session, handle, entries, assets: { game }, past }: Omit<ResultProps, "isLive">): JSX.Element {
  const { refused, attempt } = useAttempt();
  const rematch = useRematch(handle);
  const { tournament } = session.labels;
  return (
    <div class="row next-actions">
      <ForkControls {...{ session, past, attempt }} levels={game.levels} />
      {isSeat(handle) ? (
        <button class="button now" onClick={() => attempt(() => joinRematch(handle, session))}>
          {rematch ? t("result-join-rematch") : t("result-again")}
        </button>
      ) : (
        rematch && (
          <a class="button now" href={`/${rematch}`} onClick={followLink}>
            {t("result-go-rematch")}
          </a>
        )
      )}
      {past.at === undefined && entries.length > 0 && (
        <button class="button" onClick={() => past.look(firstEntry(entries))}>
          {t("result-look")}
        </button>
      )}
      <ShareButton {...{ session, handle }} title={game.title} />
      <button class="button" onClick={() => handle && attempt(() => download(handle, `${game.title} ${session.name.slice(9)}.json`))}>
        {t("result-download")}
      </button>
      {/* Hosts choose labels freely: only what can be an id becomes a link. */}
      {/^[a-z2-7]{16}(\.[\w-]+)?$/.test(tournament!) && (
        <a class="button" href={`/tournaments/${tournament}`} onClick={followLink}>
          {t("result-tournament")}
        </a>
      )}
      <a class="button" href="/" onClick={followLink}>
        {t("table-all")}
      </a>
      {rematch && <p class="soft small">{t("result-rematch-ready")}</p>}
      <Refusal text={refused} />
    </div>
  );
}

/** How long the browser may take to start saving a file, in milliseconds. */
const DOWNLOAD_MS = 60_000;

/** Saves the replay of a game as a file that `skerry verify` reads. */
async function download(handle: SessionHandle, name: string): Promise<void> {
  const text = JSON.stringify(await handle.replay(), null, 1);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), DOWNLOAD_MS);
}
