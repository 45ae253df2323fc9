import type { api } from "skerry-client";
import { getBot, getHeadToHead, listLadderGames } from "skerry-client/ladders";
import type { JSX } from "preact";
import { usePolling } from "../polling.js";
import { GameList, Since } from "../rankings/GameList.js";
import { idOf } from "../rankings/rankingText.js";
import { client } from "../server.js";

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
        <span class="soft">Version </span>
        <code>{version}</code>
        {engineCommit && (
          <>
            <span class="soft"> · engine </span>
            <code>{engineCommit}</code>
          </>
        )}
        {own && (
          <span class="soft">
            {" "}
            · registered <Since time={own.registerTime} />
          </span>
        )}
      </p>
      <section aria-label={`Head to head of ${displayName}`}>
        <h3>Head to head</h3>
        {found && <HeadToHeadTable rows={found.rows} />}
      </section>
      <section aria-label={`Latest games of ${displayName}`}>
        <h3>Latest games</h3>
        {found && <GameList games={found.games} isOwn={(seat) => seat.bot === bot} />}
      </section>
    </div>
  );
}

function HeadToHeadTable({ rows }: { rows: readonly api.HeadToHead[] }): JSX.Element {
  if (!rows.length) return <p class="soft">No finished games.</p>;
  return (
    <table class="head-to-head figures">
      <thead>
        <tr>
          <th scope="col">Opponent</th>
          <th scope="col" class="number">
            Won
          </th>
          <th scope="col" class="number">
            Tied
          </th>
          <th scope="col" class="number">
            Lost
          </th>
          <th scope="col" class="number">
            Points
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
            <td class="number">{Math.round((100 * (wins + ties / 2)) / (wins + ties + losses || 1))} %</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
