import type { JSX } from "preact";
import { changeLanguage, LANGUAGES, useLanguage } from "./texts/language.js";

/** The choice of the page's language, with its `label`. Each language is named in itself. If its texts cannot be loaded, the page keeps its own. */
export function LanguageSelect({ label }: { label: string }): JSX.Element {
  const shown = useLanguage();
  return (
    <label class="language">
      <span class="visually-hidden">{label}</span>
      <select value={shown} onChange={({ currentTarget }) => void changeLanguage(currentTarget.value).catch(() => (currentTarget.value = shown))}>
        {LANGUAGES.map((one) => (
          <option key={one} value={one} lang={one}>
            {new Intl.DisplayNames(one, { type: "language" }).of(one)}
          </option>
        ))}
      </select>
    </label>
  );
}
