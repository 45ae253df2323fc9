import type { api } from "skerry-client";
import type { JSX } from "preact";

/** The numbered rules of a game, by section. */
export function Rules({ game }: { game: api.Game }): JSX.Element {
  const sections = [...new Set(game.rules.map(({ section }) => section))];
  return (
    <div class="rules">
      {sections.map((section) => (
        <section key={section}>
          <h2>{section}</h2>
          <dl>
            {game.rules
              .filter((rule) => rule.section === section)
              .map(({ id, text }) => (
                <div key={id} id={`rule-${id}`} tabIndex={-1}>
                  <dt class="small soft">{id}</dt>
                  <dd>{text}</dd>
                </div>
              ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
