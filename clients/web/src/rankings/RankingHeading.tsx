import type { JSX } from "preact";
import { Emblem } from "../Emblem.js";
import { followLink } from "../router.js";
import { ScreenTitle } from "../ScreenTitle.js";

/** The heading of a ladder or a tournament. `terms`: what is played, and how. */
export function RankingHeading({ game, title, terms }: { game: string; title: string; terms: string }): JSX.Element {
  return (
    <header class="ranking-title">
      <Emblem game={game} />
      <div>
        <ScreenTitle text={title} />
        <p class="soft">{terms}</p>
      </div>
    </header>
  );
}

/** What a screen shows in place of a ladder or a tournament that does not exist. `list`: the name of the list at `href`. */
export function Missing({ text, list, href }: { text: string; list: string; href: string }): JSX.Element {
  return (
    <>
      <p>{text}</p>
      <a class="button" href={href} onClick={followLink}>
        {list}
      </a>
    </>
  );
}
