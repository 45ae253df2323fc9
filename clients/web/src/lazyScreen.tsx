import type { FunctionComponent, JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { loadTexts } from "./texts/language.js";
import { t } from "./texts/texts.js";

/** A screen whose code is loaded when it is needed. */
export interface LazyScreen<Props> {
  /** Loads the code. */
  load: () => Promise<void>;
  /** The screen, once its code is there. */
  Screen: FunctionComponent<Props>;
}

/**
 * Makes a screen of code that is loaded when it is needed. `what`: what it shows.
 * `fetchScreen`: loads its module. `texts`: the files of its texts. `wait`: shows a sentence meanwhile.
 */
export function lazyScreen<Props extends object>(
  what: "table" | "ladders" | "tournaments" | "instructions" | "analysis",
  fetchScreen: () => Promise<{ default: FunctionComponent<Props> }>,
  texts: readonly string[] = [],
  wait = waitOnScreen,
): LazyScreen<Props> {
  let loaded: FunctionComponent<Props> | undefined;
  const load = async (): Promise<void> => {
    [{ default: loaded }] = await Promise.all([fetchScreen(), ...texts.map(loadTexts)]);
  };
  const Screen = (props: Props): JSX.Element => {
    const [, setLoaded] = useState(loaded !== undefined);
    const [isMissing, setMissing] = useState(false);
    useEffect(() => {
      // Also if it is loaded already: it may have been since this was drawn.
      load().then(
        () => setLoaded(true),
        () => setMissing(true),
      );
    }, []);
    const Loaded = loaded;
    if (Loaded) return <Loaded {...props} />;
    return wait(isMissing ? t("page-not-loaded", { what }) : t("page-opening", { what }));
  };
  return { load, Screen };
}

/** Makes a part of a screen, like `lazyScreen`. */
export const lazyPart = <Props extends object>(...[what, fetchPart, texts]: Parameters<typeof lazyScreen<Props>>): FunctionComponent<Props> =>
  lazyScreen(what, fetchPart, texts, (sentence) => (
    <p class="soft" role="status">
      {sentence}
    </p>
  )).Screen;

/** Never empty: a page that embeds this one makes its frame as high as this, and a frame without a height stands still. */
function waitOnScreen(sentence: string): JSX.Element {
  return (
    <main class="wait">
      <p role="status">{sentence}</p>
    </main>
  );
}
