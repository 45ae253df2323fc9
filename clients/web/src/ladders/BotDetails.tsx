import type { api } from "skerry-client";
import { getBot, getHeadToHead, listLadderGames } from "skerry-client/ladders";
import type { JSX } from "preact";
import { usePolling } from "../polling.js";
import { GameList, Since } from "../rankings/GameList.js";
import { idOf } from "../rankings/rankingText.js";
import { client } from "../server.js";
import { percentText } from "../texts/formats.js";
import { rich, t } from "../texts/texts.js";

const PAUSE_MS = 12_000;
const GAMES = 8;

interface BotDetailsProps {
  /** The id of the ladder. */
  ladder: string;
  season: number;
  standing: api.Standing;
}

/** A bot: its version, its results against each opponent, and its latest games. */
export function BotDetails({ ladder, season, standing: { bot, version, engineCommit, displayName } }: BotDetailsProps): JSX.Element {
  const found = usePolling(
    async (signal) => {
      const [rows, { games }, registered] = await Promise.all([
        getHeadToHead(client, ladder, bot, { season, signal }),
        listLadderGames(client, ladder, { season, bot, pageSize: GAMES, signal }),
        getBot(client, bot, { signal }),
      ]);
      return { rows, games, registered };
    },
    { pauseMs: PAUSE_MS },
  );
  const versions = found ? [found.registered.version, ...found.registered.earlierVersions] : [];
  const own = versions.find(({ hash }) => hash === version);
  return (
    <div class="bot-details">
      <p class="small whole">
        <span class="soft">{t("bot-version")} </span>
        <code>{version}</code>
        {engineCommit && (
          <>
            <span class="soft"> · {t("bot-engine")} </span>
            <code>{engineCommit}</code>
          </>
        )}
        {own && (
          <span class="soft">
            {" "}
            · {rich("bot-registered", { time: <Since time={own.registerTime} /> })}
          </span>
        )}
      </p>
      <section aria-label={t("bot-results-of", { name: displayName })}>
        <h3>{t("bot-results")}</h3>
        {found && <HeadToHeadTable rows={found.rows} />}
      </section>
      <section aria-label={t("bot-games-of", { name: displayName })}>
        <h3>{t("rankings-latest")}</h3>
        {found && <GameList games={found.games} isOwn={(seat) => seat.bot === bot} />}
      </section>
    </div>
  );
}

function HeadToHeadTable({ rows }: { rows: readonly api.HeadToHead[] }): JSX.Element {
  if (!rows.length) return <p class="soft">{t("bot-no-games")}</p>;
  return (
    <table class="head-to-head figures">
      <thead>
        <tr>
          <th scope="col">{t("bot-opponent")}</th>
          <th scope="col" class="number">
            {t("bot-won")}
          </th>
          <th scope="col" class="number">
            {t("bot-tied")}
          </th>
          <th scope="col" class="number">
            {t("bot-lost")}
          </th>
          <th scope="col" class="number">
            {t("rankings-points")}
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ opponent, wins, ties, losses }) => (
          <tr key={opponent}>
            <th scope="row">
              <bdi class="name">{idOf(opponent)}</bdi>
            </th>
            <td class="number">{wins}</td>
            <td class="number">{ties}</td>
            <td class="number">{losses}</td>
            <td class="number">{percentText((wins + ties / 2) / (wins + ties + losses || 1))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
