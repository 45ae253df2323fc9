import { Component, type ComponentChildren } from "preact";
import { t } from "./texts/texts.js";

interface ErrorBoundaryProps {
  children: ComponentChildren;
  what: "table" | "screen";
}

/** Shows a message and a button in place of children that throw. The rest of the page keeps working. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, { hasFailed: boolean }> {
  override state = { hasFailed: false };

  static override getDerivedStateFromError(): { hasFailed: boolean } {
    return { hasFailed: true };
  }

  override componentDidCatch(error: unknown): void {
    console.error(error);
  }

  override render({ children, what }: ErrorBoundaryProps): ComponentChildren {
    if (!this.state.hasFailed) return children;
    return (
      <section class="panel failed" role="alert">
        <p>{t("page-failed", { what })}</p>
        <button class="button now" onClick={() => location.reload()}>
          {t("page-reload")}
        </button>
      </section>
    );
  }
}
