import type { api } from "skerry-client";
import type { JSX } from "preact";
import { seatColour, SeatMark } from "../seatMarks.js";
import { errorMessage } from "../server.js";
import type { AnalysisProps } from "./AnalyseGame.js";
import { acrossPercent, chancesAt, connectedPoints, curvePath, progress } from "./curve.js";
import { useAnalysis } from "./useAnalysis.js";
import { percentText } from "../texts/formats.js";
import { t } from "../texts/texts.js";

/** How the chances to win changed through a game: a curve for each seat, and the moves that changed them most. */
export default function GameAnalysis({ handle, names, own, span, look }: AnalysisProps): JSX.Element {
  const { analysis, error } = useAnalysis(handle);
  const chances = analysis && chancesAt(analysis.points, span.now);
  return (
    <section class="analysis small" aria-label={t("analysis")}>
      {analysis && chances && (
        <>
          <Curve {...{ analysis, chances, own, span }} />
          <Chances {...{ chances, names }} now={span.now} />
        </>
      )}
      {error !== undefined ? <p role="alert">{errorMessage(error)}</p> : <Status analysis={analysis} share={analysis ? progress(analysis, span) : 0} />}
      {analysis && analysis.swings.length > 0 && <Swings swings={analysis.swings} {...{ names, look }} />}
    </section>
  );
}

interface CurveProps extends Pick<AnalysisProps, "own" | "span"> {
  analysis: api.GetAnalysisResponse;
  /** The chances after the entry shown. */
  chances: readonly number[];
}

/** The curves. Screen readers get the chances in words instead. */
function Curve({ analysis, chances, own, span }: CurveProps): JSX.Element {
  const points = connectedPoints(analysis);
  const across = acrossPercent(span.now, span);
  return (
    <div class="curve" aria-hidden="true">
      <svg viewBox="0 0 100 100" preserveAspectRatio="none">
        <path class="half" d="M0 50H100" />
        <path class="now" d={`M${across} 0V100`} />
        {chances.map((_, seat) => (
          <path key={seat} class={seat === own ? "own" : ""} stroke={seatColour(seat)} d={curvePath(points, seat, span)} />
        ))}
      </svg>
      {chances.map((chance, seat) => (
        <span key={seat} class="at" style={{ left: `${across}%`, top: `${100 - 100 * chance}%` }}>
          <SeatMark seat={seat} />
        </span>
      ))}
    </div>
  );
}

/** The chances after the entry shown, in words. */
function Chances({ chances, names, now }: { chances: readonly number[]; names: readonly string[]; now: number }): JSX.Element {
  return (
    <p class="chances figures">
      {t("analysis-chance", { entry: now })}{" "}
      {chances.map((chance, seat) => (
        <span key={seat}>
          <SeatMark seat={seat} />
          <bdi>{names[seat]}</bdi> {percentText(chance)}
          {seat < chances.length - 1 && ", "}
        </span>
      ))}
    </p>
  );
}

/** How far the analysis has come. Empty once it has found swings. */
function Status({ analysis, share }: { analysis: api.GetAnalysisResponse | undefined; share: number }): JSX.Element {
  const text = !analysis?.complete
    ? share === 1
      ? t("analysis-looking")
      : t("analysis-running", { share: percentText(share) })
    : analysis.swings.length
      ? ""
      : t("analysis-no-swings");
  return <p role="status">{text}</p>;
}

/** The moves that changed the chances most. Each leads to the position before the move, from where it can be tried again. */
function Swings({ swings, names, look }: Pick<AnalysisProps, "names" | "look"> & { swings: readonly api.Swing[] }): JSX.Element {
  return (
    <ul class="swings" aria-label={t("analysis-swings")}>
      {swings.map(({ sequence, seat, text, before, after }) => (
        <li key={sequence}>
          <button class="button" title={t("analysis-swing")} onClick={() => look(Number(sequence) - 1)}>
            <SeatMark seat={seat} />
            <span>
              <bdi>{names[seat]}</bdi>: {text} ({percentText(before)} → {percentText(after)})
            </span>
          </button>
        </li>
      ))}
    </ul>
  );
}
