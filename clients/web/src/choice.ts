import type { api } from "skerry-client";

/** One thing to be touched on the way to a move. */
export interface Step {
  /** The element that is touched, on the board or in the hand: `province:KIS`. */
  at: string;
  /** The same in words, as the continuation of the steps before: "from Rethymno". */
  label: string;
}

/** A way to a move: what is touched, in order. Several ways can lead to one move. */
export interface Way {
  move: api.Move;
  /** What kind of move it is: the name of its case. */
  kind: string;
  steps: readonly Step[];
}

/** What can be touched next. */
export interface Next extends Step {
  /** The ways that go on from there. */
  ways: readonly Way[];
  /** The one move that it leads to, whatever is touched afterwards. */
  only: api.Move | undefined;
}

/** A selection under way: what has been touched, and what can be done from there. */
export interface Choice {
  taken: readonly string[];
  /** By element. */
  next: ReadonlyMap<string, Next>;
  /** What has been chosen whole. */
  move: api.Move | undefined;
  /** All that is still possible. */
  ways: readonly Way[];
}

/** Returns what can be done when these elements have been touched. */
export function choose(ways: readonly Way[], taken: readonly string[]): Choice {
  const open = ways.filter((way) => taken.every((at, place) => way.steps[place]?.at === at));
  const next = new Map<string, Way[]>();
  for (const way of open) {
    const at = way.steps[taken.length]?.at;
    if (at !== undefined) next.set(at, [...(next.get(at) ?? []), way]);
  }
  return {
    taken,
    ways: open,
    move: open.find((way) => way.steps.length === taken.length)?.move,
    next: new Map([...next].map(([at, leading]) => [at, nextOf(at, leading, taken.length)])),
  };
}

function nextOf(at: string, ways: readonly Way[], place: number): Next {
  const moves = new Set(ways.map((way) => way.move));
  const only = moves.size === 1 ? ways[0]?.move : undefined;
  return { at, label: only?.text ?? ways[0]?.steps[place]?.label ?? "", ways, only };
}

/** Touches an element, and whatever else leaves no choice. */
export function touch(ways: readonly Way[], taken: readonly string[], at: string): Choice {
  let choice = choose(ways, [...taken, at]);
  while (!choice.move && choice.next.size === 1) {
    choice = choose(ways, [...choice.taken, [...choice.next.keys()][0]!]);
  }
  return choice;
}

/** Returns the move that touching an element once more does: what has been chosen whole, where it was touched last. */
export function confirmed({ move, taken }: Choice, at: string): api.Move | undefined {
  return taken[taken.length - 1] === at ? move : undefined;
}
