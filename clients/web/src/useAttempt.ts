import { useRef, useState } from "preact/hooks";
import { errorMessage } from "./server.js";

/** A call of the server that a button makes. */
export interface AttemptState {
  /** Why the server refused the last call. Empty if it did not. */
  refused: string;
  /** Whether a call is under way. */
  isBusy: boolean;
  /** Makes a call. Ignored while one is under way: a second click would create a second table. */
  attempt: (call: () => Promise<unknown>) => void;
}

/** Lets a button make a call, and says why the server refused it. `before`: why it refused an earlier one. */
export function useAttempt(before = ""): AttemptState {
  const [refused, setRefused] = useState(before);
  const [isBusy, setBusy] = useState(false);
  const isUnderWay = useRef(false);
  const attempt = (call: () => Promise<unknown>): void => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    setBusy(true);
    setRefused("");
    const end = (): void => {
      isUnderWay.current = false;
      setBusy(false);
    };
    void call()
      .catch((error: unknown) => setRefused(errorMessage(error)))
      .finally(end);
  };
  return { refused, isBusy, attempt };
}
