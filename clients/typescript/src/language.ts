/** Languages of texts. Functions and not options of `Client`, so that only programs that use them load them. */

/** The wording of responses. */
export interface Wording {
  /** The language of texts, as in `Accept-Language`: `de`. Absent: English, and in browsers the language of the browser. */
  language?: string | undefined;
  /** Whether texts come with the id of their message and its parameters (`Sentence`). Default: false. */
  sentences?: boolean | undefined;
}

/**
 * Returns a `fetch` for the option of `Client` with which responses have this wording. `base`: the `fetch` that it uses.
 *
 *     const skerry = new Client(url, { fetch: inLanguage({ language: "de", sentences: true }) });
 */
export function inLanguage(
  { language, sentences = false }: Wording,
  base: typeof fetch = (...request) => fetch(...request),
): typeof fetch {
  return (url, init) => {
    const headers = new Headers(init?.headers);
    if (language !== undefined) headers.set("Accept-Language", language);
    if (sentences) headers.set("Skerry-Sentences", "true");
    return base(url, { ...init, headers });
  };
}
