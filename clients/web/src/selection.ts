import type { api } from "skerry-client";

/** One thing to select on the way to a move. */
export interface Step {
  /** The id of the place or piece to select: `province:KIS`. */
  target: string;
  /** Its name: "Kissamos". */
  label: string;
}

/** The elements that lead to a move, in order. Several paths can lead to one move. */
export interface MovePath {
  move: api.Move;
  /** The heading under which the move is offered. */
  heading: string;
  /** Whether the move needs a confirmation. */
  confirm: boolean;
  steps: readonly Step[];
}

/** An element that can be selected next. */
export interface NextStep extends Step {
  /** The paths that continue with this step. */
  paths: readonly MovePath[];
  /** The one move that all of these paths lead to. `undefined` if they lead to several moves. */
  only: api.Move | undefined;
}

/** The elements selected so far, and the steps that can follow. */
export interface Selection {
  targets: readonly string[];
  /** The possible next steps, by their target. */
  next: ReadonlyMap<string, NextStep>;
  /** The move that the selected elements complete. */
  move: api.Move | undefined;
  /** The paths that are still possible. */
  paths: readonly MovePath[];
  /** The element that the player has selected last. Those after it were the only ones possible. */
  picked?: string;
}

/** Returns the paths to all legal moves. A move without paths is one step of its own. `labels` names places and pieces. */
export function movePaths(moves: readonly api.Move[], labels: ReadonlyMap<string, string>): MovePath[] {
  return moves.flatMap((move, place): MovePath[] => {
    const { heading = "", confirm = false, paths = [] } = move.choice ?? {};
    const ways = paths.length ? paths.map(({ ids }) => ids) : [[`move:${place}`]];
    return ways.map((ids) => ({ move, heading, confirm, steps: ids.map((target) => ({ target, label: labels.get(target) ?? move.text })) }));
  });
}

/** Returns the selection with these elements selected in order. */
export function select(paths: readonly MovePath[], targets: readonly string[]): Selection {
  const open = paths.filter((path) => targets.every((target, index) => path.steps[index]?.target === target));
  const next = new Map<string, MovePath[]>();
  for (const path of open) {
    const target = path.steps[targets.length]?.target;
    if (target !== undefined) next.set(target, [...(next.get(target) ?? []), path]);
  }
  return {
    targets,
    paths: open,
    move: open.find((path) => path.steps.length === targets.length)?.move,
    next: new Map([...next].map(([target, following]) => [target, toNextStep(target, following, targets.length)])),
  };
}

function toNextStep(target: string, paths: readonly MovePath[], index: number): NextStep {
  const moves = new Set(paths.map((path) => path.move));
  const only = moves.size === 1 ? paths[0]?.move : undefined;
  return { target, label: only?.text ?? paths[0]?.steps[index]?.label ?? "", paths, only };
}

/** Selects an element, and then every next step that is the only one possible. */
export function selectTarget(paths: readonly MovePath[], targets: readonly string[], target: string): Selection {
  let selection: Selection = select(paths, [...targets, target]);
  while (!selection.move && selection.next.size === 1) {
    selection = select(paths, [...selection.targets, [...selection.next.keys()][0]!]);
  }
  return { ...selection, picked: target };
}

/** Returns the complete move that selecting an element again confirms: the last one, or the last one that the player has selected. */
export function confirmedMove({ move, targets, picked }: Selection, target: string): api.Move | undefined {
  return targets[targets.length - 1] === target || picked === target ? move : undefined;
}
