import type { ComponentChild, ComponentChildren, JSX } from "preact";
import { t } from "../texts/texts.js";

interface TableProps {
  name: string;
  /** The headings of the columns. Those of numbers begin with `#`. */
  head: readonly string[];
  rows: readonly (readonly ComponentChild[])[];
  /** What to say without rows. */
  none?: string;
}

/** A table whose first column names its rows. It scrolls by itself if it is wider than its panel. On a phone each row is a list. */
export function Table({ name, head, rows, none = "" }: TableProps): JSX.Element {
  if (!rows.length && none) return <p class="soft">{none}</p>;
  const kinds = head.map((title) => (title.startsWith("#") ? "number" : ""));
  return (
    <div class="wide-table" tabIndex={0} role="region" aria-label={t("op-table", { name })}>
      <table>
        <thead>
          <tr>
            {head.map((title, column) => (
              <th scope="col" class={kinds[column]} key={title}>
                {title.replace("#", "")}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first, ...others], row) => (
            <tr key={row}>
              <th scope="row">{first}</th>
              {others.map((value, column) => (
                <td class={kinds[column + 1]} data-head={head[column + 1]!.replace("#", "")} key={column}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A part of a screen, with its title. `wide`: as wide as the screen. */
export function Panel({ title, wide = false, children }: { title: string; wide?: boolean; children: ComponentChildren }): JSX.Element {
  return (
    <section class={wide ? "panel wide" : "panel"} aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

/** Names with values. */
export function FactList({ facts }: { facts: readonly (readonly [name: string, value: string])[] }): JSX.Element {
  return (
    <dl>
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
