import type { api } from "skerry-client";
import { listLadders } from "skerry-client/ladders";
import type { JSX } from "preact";
import { Emblem } from "../Emblem.js";
import { usePolling } from "../polling.js";
import { clockText, idOf } from "../rankings/rankingText.js";
import { useGameTitles } from "../rankings/useGameTitles.js";
import { followLink } from "../router.js";
import { ScreenTitle } from "../ScreenTitle.js";
import { client } from "../server.js";
import { ServerStatus } from "../ServerStatus.js";
import { t } from "../texts/texts.js";

const PAUSE_MS = 15_000;

/** All ladders of the server. */
export function LadderList(): JSX.Element {
  const ladders = usePolling((signal) => listLadders(client, { signal }), { pauseMs: PAUSE_MS });
  const titleOf = useGameTitles();
  return (
    <main class="ranking-list">
      <ScreenTitle text={t("page-ladders")} />
      <p class="lead">{t("ladders-lead")}</p>
      <ServerStatus />
      {ladders && (
        <section class="panel" aria-label={t("page-ladders")}>
          {!ladders.length && <p class="soft">{t("ladders-none")}</p>}
          <ul class="tables">
            {ladders.map((ladder) => (
              <li key={ladder.name}>
                <Emblem game={ladder.game} />
                <div>
                  <a class="ranking-link" href={`/${ladder.name}`} onClick={followLink}>
                    {t("rankings-terms", { game: titleOf(ladder.game), players: ladder.seats })}
                  </a>
                  <span class="small soft block">{termsOf(ladder)}</span>
                  <span class="small block">{activityOf(ladder)}</span>
                </div>
              </li>
            ))}
          </ul>
        </section>
      )}
    </main>
  );
}

/** Returns the id, the participants and the clock of a ladder. People choose the clocks of their tables. */
export function termsOf({ name, kind, clock }: api.Ladder): string {
  const terms = kind === "LADDER_KIND_PEOPLE" ? [t("ladders-people")] : [t("ladders-bots"), clockText(clock)];
  return [idOf(name), ...terms].filter(Boolean).join(" · ");
}

/** Returns how many games are in play, and how many bots wait. People do not wait: they create their tables. */
export function activityOf({ state, kind, playing, waiting }: api.Ladder): string {
  const bots = kind === "LADDER_KIND_BOTS" && t("ladders-waiting", { count: waiting });
  return [state === "LADDER_STATE_CLOSED" && t("ladders-closed"), t("rankings-playing", { count: playing }), bots].filter(Boolean).join(" · ");
}
