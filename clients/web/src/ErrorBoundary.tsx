import { Component, type ComponentChildren } from "preact";

interface ErrorBoundaryProps {
  children: ComponentChildren;
  /** What cannot be shown: "This table". */
  what: string;
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
        <p>{what} cannot be shown because of an error in this page. The server keeps the game.</p>
        <button class="button now" onClick={() => location.reload()}>
          Reload
        </button>
      </section>
    );
  }
}
