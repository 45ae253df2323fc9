import type { api } from "skerry-client";
import { Fragment, type JSX } from "preact";
import { Since } from "../rankings/GameList.js";
import { useKeptFocus } from "../rankings/useKeptFocus.js";
import { followLink } from "../router.js";
import { messageId, t } from "../texts/texts.js";
import { BotDetails } from "./BotDetails.js";
import { axisOf, type RatingAxis, rowOf, shortHash } from "./ladderText.js";
import { AxisMarks, Interval } from "./RatingInterval.js";
import type { LadderReading } from "./useLadder.js";

/** Complete blocks from which on a row has a rating. A game of people is a block. */
const RATED_BLOCKS = 10;

interface StandingsTableProps {
  reading: LadderReading;
  /** The id of the ladder. */
  ladder: string;
  /** The row with open details. */
  open: string;
  onOpen: (row: string) => void;
}

/** The standings of a season. On a narrow screen, the last three columns move into the second one. */
export function StandingsTable({ reading: { standings, season, ladder: { kind, seasons } }, ladder, open, onOpen }: StandingsTableProps): JSX.Element {
  useKeptFocus();
  const axis = axisOf(standings);
  const isPresent = seasons[0]?.season === season;
  if (!standings.length) return <p class="soft">{t("ladder-no-games")}</p>;
  return (
    <table class="standings figures">
      <thead>
        <tr>
          <th scope="col">
            <span class="visually-hidden">{t("ladder-rank")}</span>
          </th>
          <th scope="col">{kind === "LADDER_KIND_PEOPLE" ? t("ladder-player") : t("ladder-bot")}</th>
          <th scope="col" class="rating-column">
            <span class="rating">
              <span class="number">{t("ladder-rating")}</span>
              {axis && <AxisMarks axis={axis} />}
            </span>
          </th>
          <th scope="col" class="number wide">
            {t("rankings-games")}
          </th>
          <th scope="col" class="number wide">
            {t("ladder-failures")}
          </th>
          <th scope="col" class="wide">
            {t("ladder-last-seen")}
          </th>
        </tr>
      </thead>
      <tbody>
        {standings.map((standing, place) => {
          const row = rowOf(standing, place);
          const isOpen = row === open;
          return (
            <Fragment key={row}>
              <Row {...{ standing, axis, isOpen, isPresent }} onToggle={() => onOpen(isOpen ? "" : row)} />
              {isOpen && standing.bot && (
                <tr class="details">
                  <td colSpan={6}>
                    <BotDetails key={season} {...{ ladder, season, standing }} />
                  </td>
                </tr>
              )}
            </Fragment>
          );
        })}
      </tbody>
    </table>
  );
}

interface RowProps {
  standing: api.Standing;
  axis: RatingAxis | undefined;
  isOpen: boolean;
  isPresent: boolean;
  onToggle: () => void;
}

function Row({ standing, axis, isOpen, isPresent, onToggle }: RowProps): JSX.Element {
  const { rank, bot, displayName, rating, games, blocks, failures, lastSeenTime } = standing;
  return (
    <tr class={isOpen ? "opened" : ""}>
      <td class="number rank">{rank || "–"}</td>
      <th scope="row">
        {bot ? (
          <button class="bot" aria-expanded={isOpen} onClick={onToggle}>
            <bdi class="name">{displayName}</bdi>
          </button>
        ) : (
          <bdi class="name">{displayName}</bdi>
        )}
        <VersionNote standing={standing} isPresent={isPresent} />
        <span class="small soft narrow">
          {t("games", { count: games })}, {failures > 0 && `${t("ladder-failed", { count: failures })}, `}
          <Since time={lastSeenTime} />
        </span>
      </th>
      <td>
        <span class="rating">
          <span class="number">{rating ? <strong>{Math.round(rating.value)}</strong> : "—"}</span>
          {rating && axis ? (
            <Interval rating={rating} axis={axis} />
          ) : (
            <span class="small soft">{t(bot ? messageId("ladder-blocks") : messageId("ladder-rated-games"), { count: blocks, needed: RATED_BLOCKS })}</span>
          )}
        </span>
      </td>
      <td class="number wide">{games}</td>
      <td class="number wide">{failures}</td>
      <td class="wide">
        <Since time={lastSeenTime} />
      </td>
    </tr>
  );
}

/** The version of a row, and what it does now. */
function VersionNote({ standing: { bot, version, newest, rest, session, waiting }, isPresent }: { standing: api.Standing; isPresent: boolean }): JSX.Element | null {
  if (!bot) return null;
  return (
    <>
      <span class="small soft">
        <code title={version}>{shortHash(version)}</code>
        {!newest && ` · ${t("ladder-earlier")}`}
        {isPresent && waiting && ` · ${t("ladder-bot-waits")}`}
        {session && (
          <>
            {" · "}
            <a href={`/${session}`} onClick={followLink}>
              {t("ladder-plays-now")}
            </a>
          </>
        )}
      </span>
      {rest && (
        <span class="small rest-note">
          {t("ladder-rests", { reason: rest.reason })}{" "}
          {rest.session && (
            <a href={`/${rest.session}`} onClick={followLink}>
              {t("replay")}
            </a>
          )}
        </span>
      )}
    </>
  );
}
