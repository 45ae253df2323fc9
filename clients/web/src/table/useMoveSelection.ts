import type { api } from "skerry-client";
import { SkerryError } from "skerry-client";
import { useRef, useState } from "preact/hooks";
import { confirmedMove, type MovePath, select, type Selection, selectTarget } from "../selection.js";
import { errorMessage } from "../server.js";
import { setting } from "../settings.js";

/** The state of choosing a move, and the functions that change it. */
export interface MoveSelection {
  selection: Selection;
  /** Whether a move was sent and the server has not answered yet. */
  busy: boolean;
  /** Why the server refused the last move. Kept until the next selection, because it can arrive after the position changed. */
  refused: Refusal | undefined;
  onSelect: (target: string) => void;
  /** Asks the server why something that is not lit cannot be chosen now. The answer stands in the question line. */
  onExplain: (target: string) => void;
  /** Sends a complete move. */
  onConfirm: (move: api.Move) => void;
  undo: () => void;
  /** Selects what leads to a move of this position, as if the player had. Does nothing if it is no move of it any more. */
  propose: (move: api.Move) => void;
}

/** Why a move was refused, or why something cannot be chosen. */
export interface Refusal {
  text: string;
  rule: string | undefined;
  /** Whether it explains what the player has touched. Nothing went wrong then. */
  isExplanation?: boolean;
}

/** Asks why a target cannot follow the chosen ones. */
export type Ask = (target: string, chosen: string[]) => Promise<api.ExplainTargetResponse> | undefined;

/** The elements selected, and the position in which they were selected. */
interface Selected {
  positionKey: string;
  targets: readonly string[];
  picked?: string | undefined;
}

const EMPTY: readonly string[] = [];

/**
 * Lets the player choose a move step by step. `positionKey` identifies the position: when it changes, the selection is
 * cleared.
 */
export function useMoveSelection(
  paths: readonly MovePath[],
  positionKey: string,
  act: (move: api.Move) => Promise<unknown> | undefined,
  ask: Ask,
): MoveSelection {
  const [selected, setSelected] = useState<Selected>({ positionKey, targets: EMPTY });
  const [sentAt, setSentAt] = useState("");
  const [refused, setRefused] = useState<MoveSelection["refused"]>();
  const [explained, setExplained] = useState<Refusal & { positionKey: string }>();
  const asked = useRef("");
  const busy = sentAt === positionKey;
  // Not cleared by an effect: that would also clear what the player selects before the effect runs.
  const isCurrent = selected.positionKey === positionKey && !busy;
  const targets = isCurrent ? selected.targets : EMPTY;
  const picked = isCurrent ? selected.picked : undefined;
  const selection: Selection = { ...select(busy ? [] : paths, targets), ...(picked !== undefined && { picked }) };
  const undo = (): void => {
    asked.current = "";
    setExplained(undefined);
    setSelected({ positionKey, targets: EMPTY });
  };
  const propose = (move: api.Move): void => {
    const path = paths.find((one) => one.move.text === move.text);
    if (path && !busy) setSelected({ positionKey, targets: path.steps.map(({ target }) => target) });
  };
  const onConfirm = (move: api.Move): void => {
    setSentAt(positionKey);
    setRefused(undefined);
    undo();
    act(move)?.catch((error: unknown) => {
      setSentAt("");
      setRefused({ text: errorMessage(error), rule: error instanceof SkerryError ? error.rule : undefined });
    });
  };
  const onExplain = (target: string): void => {
    const question = `${positionKey} ${target} ${targets.join()}`;
    asked.current = question;
    setRefused(undefined);
    const show = (text: string, rule?: string): void => {
      if (asked.current === question) setExplained({ positionKey, text, rule: rule || undefined, isExplanation: true });
    };
    ask(target, [...targets])?.then(
      ({ text, rule }) => show(text, rule),
      (error: unknown) => show(errorMessage(error)),
    );
  };
  const onSelect = (target: string): void => {
    asked.current = "";
    setRefused(undefined);
    setExplained(undefined);
    const move = confirmedMove(selection, target);
    if (selection.next.has(target)) {
      const next = selectTarget(paths, targets, target);
      if (next.move && !next.next.size && !isAsked(next)) onConfirm(next.move);
      else setSelected({ positionKey, targets: next.targets, picked: next.picked });
    } else if (move) onConfirm(move);
    else setSelected({ positionKey, targets: targets.slice(0, Math.max(0, targets.indexOf(target))) });
  };
  const why = explained?.positionKey === positionKey ? explained : undefined;
  return { selection, busy, refused: refused ?? why, onSelect, onExplain, onConfirm, undo, propose };
}

/** Whether a complete move waits for a confirmation: the player wants that for each move, or a mistake would be costly. */
function isAsked({ paths }: Selection): boolean {
  return setting("confirm") || paths[0]?.confirm === true;
}
