/** The event that shows a tab of the drawer: its detail is the tab's id. */
export const SHOW_TAB = "skerry-tab";

/** Shows a tab of the drawer from anywhere on the page. */
export function showTab(id: string): void {
  dispatchEvent(new CustomEvent(SHOW_TAB, { detail: id }));
}
