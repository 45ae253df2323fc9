import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { listen } from "../listen.js";
import { SHOW_TAB } from "../drawerTab.js";
import { t } from "../texts/texts.js";

/** A tab of the drawer. */
export interface Tab {
  id: string;
  title: string;
  render: () => JSX.Element;
  /** Whether it keeps its state while another tab is shown. */
  isKept?: boolean;
}

/** What the drawer shows. */
export interface DrawerState {
  /** The id of the tab. */
  tab: string;
  /** Whether it is open on a narrow screen. On a wide one it always is. */
  isOpen: boolean;
  show: (tab: string) => void;
  setOpen: (isOpen: boolean) => void;
}

/** The id of the tab with the result. */
export const RESULT = "result";

/** The state of the drawer. When the game is over it opens with the result. */
export function useDrawer(isOver: boolean): DrawerState {
  const [tab, setTab] = useState(isOver ? RESULT : "log");
  const [isOpen, setOpen] = useState(isOver);
  const show = (id: string): void => {
    setTab(id);
    setOpen(true);
  };
  useEffect(() => {
    if (isOver) show(RESULT);
  }, [isOver]);
  useEffect(() => {
    return listen([SHOW_TAB], ({ detail }: CustomEvent<string>) => show(detail));
  }, []);
  return { tab, isOpen, show, setOpen };
}

/** Everything that no decision needs, in tabs: a column on a wide screen, a sheet above the dock on a narrow one. */
export function Drawer({ tabs, state: { tab, isOpen, show, setOpen } }: { tabs: readonly Tab[]; state: DrawerState }): JSX.Element {
  const shown = tabs.find(({ id }) => id === tab) ?? tabs[0]!;
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === "Escape") setOpen(false);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (step === undefined || !(event.target as Element).matches("[role=tab]")) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(shown) + step + tabs.length) % tabs.length]!;
    show(next.id);
    document.getElementById(`tab-${next.id}`)?.focus();
  };
  return (
    <aside class={isOpen ? "drawer open" : "drawer"} id="drawer" aria-label={t("drawer")} onKeyDown={onKeyDown}>
      <div class="tabs" role="tablist">
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            id={`tab-${id}`}
            class="tab"
            role="tab"
            aria-selected={id === shown.id}
            aria-controls="drawer-panel"
            tabIndex={id === shown.id ? 0 : -1}
            onClick={() => show(id)}
          >
            {title}
          </button>
        ))}
        <button class="tab close" aria-label={t("search-close")} onClick={() => setOpen(false)}>
          ×
        </button>
      </div>
      {tabs.map((tab) => {
        const { id, isKept, render } = tab;
        const isShown = tab === shown;
        return (
          (isShown || isKept) && (
            <div class="tab-panel" id={isShown ? "drawer-panel" : undefined} role="tabpanel" aria-labelledby={`tab-${id}`} tabIndex={0} hidden={!isShown} key={id}>
              {render()}
            </div>
          )
        );
      })}
    </aside>
  );
}
