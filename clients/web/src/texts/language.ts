import { read, write } from "../storage.js";
import { FILES } from "./textFiles.js";
import { useLatest } from "../useLatest.js";
import { addTexts, type TextFile } from "./texts.js";

const KEY = "skerry.setting.language";
const CHANGED = "skerry-language";

/** The languages of the page: the folders of texts. */
export const LANGUAGES: readonly string[] = [...new Set(Object.keys(FILES).map(languageOf))];

/** The parts of the page whose texts are loaded. */
const parts = new Set<string>();
let current = initialLanguage();

/** Returns the language of the page: `de`. */
export function language(): string {
  return current;
}

/** Returns the language with the region that the browser prefers: `de-AT`. Dates and numbers depend on it. */
export function locale(): string {
  return navigator.languages?.find((one) => one.split("-")[0] === current) ?? current;
}

/** Returns the language, and draws a component again when it changes. */
export function useLanguage(): string {
  return useLatest(language, CHANGED);
}

/** Loads the texts of a part of the page, the file of this name. */
export async function loadTexts(part: string): Promise<void> {
  parts.add(part);
  for (let wanted; wanted !== current; ) {
    wanted = current;
    const file = await fileOf(wanted, part);
    if (wanted === current) apply([file]);
  }
}

/** Shows the page in another language, once its texts are loaded, and keeps the choice. */
export async function changeLanguage(wanted: string): Promise<void> {
  const files = await Promise.all([...parts].map((part) => fileOf(wanted, part)));
  current = wanted;
  write(KEY, wanted);
  apply(files);
  dispatchEvent(new Event(CHANGED));
}

/** Returns the language that the player has chosen, or else the first one of the browser's that the page has. */
function initialLanguage(): string {
  const wanted = [read(KEY) ?? "", ...(navigator.languages ?? [])].map((one) => one.split("-")[0]!);
  return wanted.find((one) => LANGUAGES.includes(one)) ?? "en";
}

function apply(files: readonly TextFile[]): void {
  document.documentElement.lang = current;
  for (const file of files) addTexts(file, locale());
}

function fileOf(wanted: string, part: string): Promise<TextFile> {
  return FILES[`./${wanted}/${part}.ftl`]!();
}

function languageOf(path: string): string {
  return path.split("/")[1]!;
}
