import { type api, type SessionHandle, SkerryError } from "skerry-client";
import { useEffect, useState } from "preact/hooks";
import { useLanguage } from "../texts/language.js";

/** How long to wait between two parts of an analysis, in milliseconds. The server itself waits before it answers. */
const PAUSE_MS = 500;

export interface ReadAnalysis {
  /** What has been received. Absent: nothing yet. */
  analysis?: api.GetAnalysisResponse;
  /** Why the analysis cannot be read. */
  error?: unknown;
}

/** Reads the analysis of a finished game, part by part. */
export function useAnalysis(handle: SessionHandle): ReadAnalysis {
  const [read, setRead] = useState<ReadAnalysis>({});
  const spoken = useLanguage();
  useEffect(() => {
    const leaving = new AbortController();
    setRead({});
    void readAnalysis(handle, leaving.signal, (analysis) => setRead({ analysis })).catch((error: unknown) => {
      if (!leaving.signal.aborted) setRead((before) => ({ ...before, error }));
    });
    return () => leaving.abort();
  }, [handle, spoken]);
  return read;
}

/** Reads an analysis until it is complete, and reports each part. Waits if the server says that it is busy. */
export async function readAnalysis(
  handle: Pick<SessionHandle, "analysis">,
  signal: AbortSignal,
  onPart: (analysis: api.GetAnalysisResponse) => void,
): Promise<void> {
  for (;;) {
    let pauseMs = PAUSE_MS;
    try {
      const analysis = await handle.analysis({ signal });
      if (signal.aborted) return;
      onPart(analysis);
      if (analysis.complete) return;
    } catch (error) {
      const retryMs = error instanceof SkerryError ? error.retryAfterMs : undefined;
      if (retryMs === undefined) throw error;
      pauseMs = retryMs;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    signal.throwIfAborted();
  }
}
