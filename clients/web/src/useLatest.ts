import { useEffect, useState } from "preact/hooks";

/** Returns what `read` returns, again after each event of the window. */
export function useLatest<Value>(event: string, read: () => Value): Value {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const changed = (): void => setValue(read);
    changed();
    addEventListener(event, changed);
    return () => removeEventListener(event, changed);
  }, []);
  return value;
}
