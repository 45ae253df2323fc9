import { useEffect, useState } from "preact/hooks";

/** Goes to another screen of this page. `told`: what that screen finds in `history.state`. */
export function go(path: string, told: object | null = null): void {
  history.pushState(told, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
  scrollTo(0, 0);
}

/** Returns the path that is shown now, and follows it: links, back and forward. */
export function usePath(): string {
  const [path, setPath] = useState(location.pathname);
  useEffect(() => {
    const changed = (): void => setPath(location.pathname);
    addEventListener("popstate", changed);
    return () => removeEventListener("popstate", changed);
  }, []);
  return path;
}

/** Returns part of a path as it was meant, or as it stands where it is no text. */
export function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Lets a plain click on a link stay on this page; a click that asks for a new tab is the browser's. */
export function stay(event: MouseEvent): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  go(link.pathname);
}
