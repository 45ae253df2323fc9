import { useLatest } from "./useLatest.js";

/** Opens another screen of this page. `state` becomes the `history.state` of that screen. */
export function go(path: string, state: object | null = null): void {
  history.pushState(state, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
}

/** Returns the current path. Links and the browser's back and forward buttons update it. */
export function usePath(): string {
  return useLatest(() => location.pathname, "popstate");
}

/** Decodes a part of a path. Returns it unchanged if its escapes are invalid. */
export function decodePathPart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Opens a link inside this page. Clicks with a modifier key or another button are left to the browser. */
export function followLink(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.pathname);
}
