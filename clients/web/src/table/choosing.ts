import type { api } from "skerry-client";
import { SkerryError } from "skerry-client";
import { useEffect, useState } from "preact/hooks";
import { type Choice, choose, confirmed, touch, type Way } from "../choice.js";
import { sentence } from "../server.js";

/** How a move is being chosen. */
export interface Choosing {
  choice: Choice;
  /** Whether a move is on its way. */
  busy: boolean;
  /** Why the last move was refused, until the next is begun: it may be told after the position has changed. */
  refused: { text: string; rule: string | undefined } | undefined;
  onTouch: (at: string) => void;
  /** Does what has been chosen whole. */
  onDo: (move: api.Move) => void;
  takeBack: () => void;
}

const EMPTY: readonly string[] = [];

/** Whether the pointer can hover. Where it cannot, the first tap shows and the second does. */
function hovers(): boolean {
  return matchMedia("(hover: hover)").matches;
}

/**
 * Lets a move be chosen among ways, touch by touch. `reached`: what the position is known by; when it changes, everything
 * is chosen anew. Kinds that are `grave` are done only when they are asked for once more.
 */
export function useChoosing(
  ways: readonly Way[],
  reached: string,
  grave: readonly string[],
  act: (move: api.Move) => Promise<unknown> | undefined,
): Choosing {
  const [taken, setTaken] = useState(EMPTY);
  const [sentAt, setSentAt] = useState("");
  const [refused, setRefused] = useState<Choosing["refused"]>();
  const busy = sentAt === reached;
  const choice = choose(busy ? [] : ways, busy ? EMPTY : taken);
  const takeBack = (): void => setTaken(EMPTY);
  const onDo = (move: api.Move): void => {
    setSentAt(reached);
    setRefused(undefined);
    setTaken(EMPTY);
    act(move)?.catch((error: unknown) => {
      setSentAt("");
      setRefused({ text: sentence(error), rule: error instanceof SkerryError ? error.rule : undefined });
    });
  };
  const onTouch = (at: string): void => {
    setRefused(undefined);
    const done = confirmed(choice, at);
    if (choice.next.has(at)) {
      const touched = touch(ways, taken, at);
      const isGrave = grave.includes(touched.ways[0]?.kind ?? "");
      if (touched.move && !touched.next.size && hovers() && !isGrave) onDo(touched.move);
      else setTaken(touched.taken);
    } else if (done) onDo(done);
    else setTaken(taken.slice(0, Math.max(0, taken.indexOf(at))));
  };
  useEffect(() => {
    setTaken(EMPTY);
  }, [reached]);
  useEffect(() => {
    const escape = (event: KeyboardEvent): void => {
      if (event.key === "Escape") takeBack();
    };
    addEventListener("keydown", escape);
    return () => removeEventListener("keydown", escape);
  }, []);
  return { choice, busy, refused, onTouch, onDo, takeBack };
}
