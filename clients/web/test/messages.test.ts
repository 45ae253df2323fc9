import { expect, it } from "vitest";
import { argumentsOf, languages, namedIn, readCatalogue } from "../fluentTexts.js";

const SCRIPTS = import.meta.glob<string>("../src/**/*.{ts,tsx}", { eager: true, query: "?raw", import: "default" });
const SOURCE = readCatalogue("en");
const NAMED = new Set(Object.values(SCRIPTS).flatMap(namedIn));
const OTHERS = languages().filter((language) => language !== "en");
/** Words between tags, and texts of attributes that are read. */
const LITERAL = />\s*(?!Promise<)[A-Z][a-z]+[^<>{}()=;]*</g;
const ATTRIBUTE = /\b(?:aria-label|aria-description|title|label|text|verb|placeholder)="[^"]*[a-z]{3}[^"]*"/g;
/** What every language calls the same. */
const NAMES = /Skerry|Buchholz/;

it("the page names every message, and no other", () => {
  const known = [...SOURCE.values()].flatMap((file) => [...file.keys()]);
  expect(new Set(known).size).toBe(known.length);
  expect([...NAMED].filter((id) => !known.includes(id))).toEqual([]);
  expect(known.filter((id) => !NAMED.has(id))).toEqual([]);
});

it.each(OTHERS)("%s has every message of the same file, with the same arguments", (language) => {
  const own = readCatalogue(language);
  expect([...own.keys()]).toEqual([...SOURCE.keys()]);
  for (const [file, messages] of SOURCE) {
    expect([...own.get(file)!.keys()], file).toEqual([...messages.keys()]);
    for (const [id, message] of messages) expect([...argumentsOf(own.get(file)!.get(id)!)].sort(), id).toEqual([...argumentsOf(message)].sort());
  }
});

it("no text is left in the scripts", () => {
  for (const [path, script] of Object.entries(SCRIPTS)) {
    if (!path.endsWith(".tsx")) continue;
    const found = [...script.matchAll(LITERAL), ...script.matchAll(ATTRIBUTE)].map(([text]) => text);
    expect(found.filter((text) => !NAMES.test(text)), path).toEqual([]);
  }
});
