/**
 * Registers the service worker, which lets the page be installed and opens it without a network. It keeps the files of the
 * page alone, never responses of the API. A page inside a frame of another site registers none.
 */
export function registerServiceWorker(): void {
  if (!import.meta.env.PROD || window.parent !== window || !("serviceWorker" in navigator)) return;
  addEventListener("load", () => void navigator.serviceWorker.register("/sw.js").catch(() => undefined));
}
