import turn from "./icons/turn.svg";
import { setting } from "./settings.js";
import { t } from "./texts/texts.js";

/** Replaces the notification before, so that there is at most one. */
const TAG = "skerry-turn";

/** Whether this browser can show notifications of this page. Pages in frames may not ask for them. */
export function canNotify(): boolean {
  return "Notification" in globalThis && window.parent === window && Notification.permission !== "denied";
}

/** Asks for the permission to notify. Call it from a click. Returns whether it is given. */
export async function askToNotify(): Promise<boolean> {
  return (await Notification.requestPermission()) === "granted";
}

/** Shows a notification and the app's badge while the page is hidden, if the player wants that. */
export function notifyTurn(title: string): void {
  if (!document.hidden) return;
  void navigator.setAppBadge?.(1).catch(() => undefined);
  if (!setting("notify") || !("Notification" in globalThis) || Notification.permission !== "granted") return;
  void show(t("your-turn-title", { title })).catch(() => undefined);
}

/** Removes the app's badge and the notification. */
export function clearTurn(): void {
  void navigator.clearAppBadge?.().catch(() => undefined);
  void registration().then(async (one) => {
    for (const shown of (await one?.getNotifications({ tag: TAG })) ?? []) shown.close();
  });
}

/** Phones show notifications of service workers only. */
async function show(title: string): Promise<void> {
  const options = { tag: TAG, icon: turn, data: location.pathname };
  const worker = await registration();
  if (worker?.active) return worker.showNotification(title, options);
  const notification = new Notification(title, options);
  notification.onclick = () => {
    focus();
    notification.close();
  };
}

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return await navigator.serviceWorker?.getRegistration().catch(() => undefined);
}
