/** Calls `handle` for events of the window, or of another target. Returns a function that ends it. */
export function listen<Kind extends Event>(
  events: readonly string[],
  handle: (event: Kind) => void,
  target: EventTarget | null = window,
  capture = false,
): () => void {
  for (const event of events) target?.addEventListener(event, handle as EventListener, capture);
  return () => {
    for (const event of events) target?.removeEventListener(event, handle as EventListener, capture);
  };
}
