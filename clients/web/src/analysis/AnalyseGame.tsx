import type { api, SessionHandle } from "skerry-client";
import type { FunctionComponent, JSX } from "preact";
import { useState } from "preact/hooks";
import type { Span } from "./curve.js";

export interface AnalysisProps {
  handle: SessionHandle;
  session: api.Session;
  names: readonly string[];
  /** The viewer's own seat, if it has one. */
  own: number | undefined;
  span: Span;
  /** Goes to the position after an entry. */
  look: (sequence: number) => void;
}

/** The button that starts the analysis of a finished game, and then the analysis. Its code is loaded when it starts. */
export function AnalyseGame(shown: AnalysisProps): JSX.Element {
  const [GameAnalysis, setLoaded] = useState<FunctionComponent<AnalysisProps>>();
  const [note, setNote] = useState("");
  if (GameAnalysis) return <GameAnalysis key={shown.session.name} {...shown} />;
  const start = (): void => {
    setNote("Loading …");
    import("./GameAnalysis.js").then(
      (loaded) => setLoaded(() => loaded.default),
      () => setNote("The analysis could not be loaded. Reload the page to try again."),
    );
  };
  return (
    <p class="analyse small">
      <button class="button quiet" disabled={note !== ""} onClick={start}>
        Analyse the game
      </button>
      <span role="status">{note}</span>
    </p>
  );
}
