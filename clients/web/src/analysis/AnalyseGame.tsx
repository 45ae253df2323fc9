import type { api, SessionHandle } from "skerry-client";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Span } from "./curve.js";
import { lazyPart } from "../lazyScreen.js";
import { t } from "../texts/texts.js";

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

/** The analysis. Its code is loaded when it is first shown: no game needs it. */
const GameAnalysis = lazyPart("analysis", () => import("./GameAnalysis.js"), ["analysis"]);

/** The button that starts the analysis of a finished game, and then the analysis. */
export function AnalyseGame(shown: AnalysisProps): JSX.Element {
  const [isStarted, setStarted] = useState(false);
  if (isStarted) return <GameAnalysis key={shown.session.name} {...shown} />;
  return (
    <p class="analyse small">
      <button class="button quiet" onClick={() => setStarted(true)}>
        {t("analysis-start")}
      </button>
    </p>
  );
}
