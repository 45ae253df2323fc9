import type { api } from "skerry-client";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";

/** Returns the id of a symbol's drawing in the document. */
export function symbolId(symbol: string): string {
  return `symbol-${symbol}`;
}

/** The drawings of all symbols, to which pieces refer. They are markup of the server, without text of players. */
export function Symbols({ symbols }: { symbols: readonly api.SceneSymbol[] }): JSX.Element {
  return useMemo(
    () => (
      <svg class="visually-hidden" aria-hidden="true">
        <defs>
          {symbols.map(({ id, drawing }) => (
            <g key={id} id={symbolId(id)} dangerouslySetInnerHTML={{ __html: drawing }} />
          ))}
        </defs>
      </svg>
    ),
    [symbols],
  );
}
