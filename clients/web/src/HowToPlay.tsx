import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { client, errorMessage } from "./server.js";
import { useLanguage } from "./texts/language.js";
import { t } from "./texts/texts.js";

/** The instructions of a game: how to win, set-up, a turn in pictures, an example and hints. `children`: what follows. */
export default function HowToPlay({ game, edition, children }: { game: api.Game; edition?: string | undefined; children?: JSX.Element }): JSX.Element {
  const [how, setHow] = useState<api.HowToPlay>();
  const [refused, setRefused] = useState("");
  const spoken = useLanguage();
  useEffect(() => {
    const ending = new AbortController();
    setRefused("");
    client.howToPlay(game.id, { theme: "variables", edition, signal: ending.signal }).then(setHow, (error: unknown) => ending.signal.aborted || setRefused(errorMessage(error)));
    return () => ending.abort();
  }, [game.id, edition, spoken]);
  if (refused) return <p role="alert">{refused}</p>;
  if (!how) return <p class="soft">{t("how-loading")}</p>;
  const { leastAge, shortestMinutes, longestMinutes } = how;
  const players = { least: game.seats[0]!, most: game.seats[game.seats.length - 1]! };
  const minutes = { shortest: shortestMinutes < longestMinutes ? shortestMinutes : "about", longest: longestMinutes };
  return (
    <article class="how-to-play">
      <p class="soft">{t("how-facts", { author: game.author, age: leastAge, ...players, ...minutes })}</p>
      <h3>{t("how-win")}</h3>
      <p>{how.aim}</p>
      <h3>{t("how-set-up")}</h3>
      <Sentences of={how.setUp} />
      <h3>{t("how-turn")}</h3>
      <Figures of={how.turn} />
      <h3>{t("how-example", { title: how.exampleTitle })}</h3>
      <Figures of={how.example} />
      <h3>{t("how-hints")}</h3>
      <Sentences of={how.hints} />
      <p class="soft small">{how.houseEdition}</p>
      {children}
      <p class="soft small">{t("how-marks", { marks: how.marks.map(({ mark, meaning }) => `[${mark}] ${meaning}`).join("; ") })}</p>
    </article>
  );
}

function Sentences({ of: sentences }: { of: readonly string[] }): JSX.Element {
  return (
    <ul>
      {sentences.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  );
}

/** Pictures of the server, which contain no text of players, with their captions. */
function Figures({ of: figures }: { of: readonly api.Figure[] }): JSX.Element {
  return (
    <>
      {figures.map(({ caption, picture }) => (
        <figure key={caption}>
          <div aria-hidden="true" dangerouslySetInnerHTML={{ __html: picture }} />
          <figcaption>{caption}</figcaption>
        </figure>
      ))}
    </>
  );
}
