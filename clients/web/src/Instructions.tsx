import type { api } from "skerry-client";
import type { FunctionComponent, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

type Shown = FunctionComponent<{ game: api.Game; children?: JSX.Element }>;

/** The instructions of a game. Their code and pictures are loaded when they are first shown. */
export function Instructions(shown: { game: api.Game; children?: JSX.Element }): JSX.Element {
  const [HowToPlay, setLoaded] = useState<Shown>();
  const [isMissing, setMissing] = useState(false);
  useEffect(() => {
    import("./HowToPlay.js").then(
      (loaded) => setLoaded(() => loaded.default),
      () => setMissing(true),
    );
  }, []);
  if (isMissing) return <p role="alert">The instructions could not be loaded. Reload the page to try again.</p>;
  return HowToPlay ? <HowToPlay {...shown} /> : <p class="soft">Loading …</p>;
}
