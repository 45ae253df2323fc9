import { expect, it } from "vitest";

const FILES = import.meta.glob<string>("../src/**/*.{ts,tsx}", { eager: true, query: "?raw", import: "default" });
/** A folder of the page. Files directly in `src` are each a room of their own. */
const room = (path: string): string => /^\.\.\/src\/([^/]+)/.exec(path)![1]!;

/** The rooms that each room imports. */
function imports(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [path, text] of Object.entries(FILES)) {
    const from = room(path);
    for (const [, target = ""] of text.matchAll(/^(?:import|export)\b[^;]*?from "(\.[^"]+)\.js";/gm)) {
      const file = new URL(target, `http://x/${path.replace("../", "")}`).pathname.replace(/^\//, "../");
      const to = room(`${file}${`${file}.tsx` in FILES ? ".tsx" : ".ts"}`);
      if (to !== from) found.set(from, (found.get(from) ?? new Set()).add(to));
    }
  }
  return found;
}

/** Returns the rooms from which a room can be reached again. */
function circleOf(start: string, all: Map<string, Set<string>>): string[] {
  const reached = new Set<string>();
  const next = [...(all.get(start) ?? [])];
  for (let one = next.pop(); one; one = next.pop()) {
    if (reached.has(one)) continue;
    reached.add(one);
    next.push(...(all.get(one) ?? []));
  }
  return reached.has(start) ? [start, ...reached] : [];
}

it("the rooms of the page import each other in one direction", () => {
  const all = imports();
  expect(all.get("lobby")).toContain("session");
  for (const name of ["session", "lobby", "table", "matching"]) expect(circleOf(name, all), name).toEqual([]);
});
