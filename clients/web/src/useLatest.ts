import { useEffect, useState } from "preact/hooks";
import { listen } from "./listen.js";

/** Returns what `read` returns, again after each of these events of the window. */
export function useLatest<Value>(read: () => Value, ...events: readonly string[]): Value {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const changed = (): void => setValue(read);
    changed();
    return listen(events, changed);
  }, []);
  return value;
}
