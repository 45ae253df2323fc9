/**
 * `<skerry-table session="sessions/…" server="https://…">`: a table of a Skerry server in a frame of any page.
 *
 * The server lists the page's origin in `SKERRY_EMBED_ORIGINS`. Set the seat token as the property `token`, or as an
 * attribute. The element passes it to the server's page in a message to the exact origin of the server, so the token
 * appears in no address. Importing this module defines the element.
 */

/** The detail of the event `skerry-state`. */
export interface TableState {
  /** `sessions/{id}`. */
  session: string;
  /** The state of the session, for example `SESSION_STATE_PLAYING`. */
  state: string;
  /** The entry of the log after which this is so. */
  sequence: number;
  /** Whether the seat of the token is to move. */
  yourTurn: boolean;
  /** Whether the game is over, or was cancelled. */
  over: boolean;
}

const SESSION = /^sessions\/[\w-]+$/;
/** As high as the page in the frame, up to the window. The embedding page's own style for the element comes first. */
const STYLE = ":host{display:block;max-height:100vh}iframe{display:block;width:100%;height:480px;max-height:inherit;border:0}";
/** Node has no elements. Importing the module there defines none. */
const Base = globalThis.HTMLElement ?? (class {} as typeof HTMLElement);

/** The element. It follows its attributes, and fires `skerry-state` when the session changes. */
export class SkerryTable extends Base {
  static readonly observedAttributes = ["session", "server", "token", "theme"];
  #frame: HTMLIFrameElement | undefined;
  #token: string | undefined;
  /** Whether the page in the frame listens. */
  #isReady = false;
  /** Whether the page in the frame has a token. */
  #isSeated = false;

  /** The seat token. The property does not appear in the document; it precedes the attribute. */
  get token(): string | undefined {
    return this.#token ?? this.getAttribute("token") ?? undefined;
  }

  set token(token: string | undefined) {
    this.#token = token;
    this.#open();
  }

  connectedCallback(): void {
    if (!this.shadowRoot) this.#begin();
    addEventListener("message", this.#onMessage);
    this.#load();
  }

  disconnectedCallback(): void {
    removeEventListener("message", this.#onMessage);
    this.#frame?.remove();
    this.#frame = undefined;
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (before === now || !this.isConnected) return;
    if (name === "session" || name === "server") this.#load();
    else this.#open();
  }

  /** The origin of the server: messages go to it alone, and come from it alone. */
  get #origin(): string {
    const server = this.getAttribute("server") ?? "";
    if (!/^https?:\/\//.test(server)) throw new TypeError(`<skerry-table server="${server}">: expected a URL such as https://play.example`);
    return new URL(server).origin;
  }

  #begin(): void {
    const style = new CSSStyleSheet();
    style.replaceSync(STYLE);
    this.attachShadow({ mode: "open" }).adoptedStyleSheets = [style];
    const early = Object.getOwnPropertyDescriptor(this, "token"); // set before this module was loaded
    if (!early) return;
    Reflect.deleteProperty(this, "token");
    this.#token = early.value as string;
  }

  /** Loads the session's page. Waits for attributes that frameworks set one after the other. */
  #load(): void {
    this.#isReady = this.#isSeated = false;
    this.#frame?.remove();
    this.#frame = undefined;
    const session = this.getAttribute("session");
    if (!session || !this.hasAttribute("server")) return;
    if (!SESSION.test(session)) throw new TypeError(`<skerry-table session="${session}">: expected sessions/{id}`);
    const address = `${this.#origin}/${session}`;
    this.#frame = document.createElement("iframe");
    Object.assign(this.#frame, { title: "Skerry", src: address, referrerPolicy: "no-referrer", allow: "clipboard-write" });
    this.shadowRoot?.append(this.#frame);
  }

  /** Passes token and theme to the page. A page that must lose its token is loaded anew. */
  #open(): void {
    if (!this.#isReady) return;
    if (this.#isSeated && !this.token) return this.#load();
    this.#isSeated = !!this.token;
    const [session, theme] = [this.getAttribute("session"), this.getAttribute("theme")];
    this.#frame?.contentWindow?.postMessage({ type: "skerry-open", session, token: this.token, theme }, this.#origin);
  }

  #onMessage = ({ source, origin, data }: MessageEvent): void => {
    if (!this.#frame || source !== this.#frame.contentWindow || origin !== this.#origin) return;
    const { type, ...detail } = (data ?? {}) as Record<string, unknown>;
    if (type === "skerry-ready") {
      this.#isReady = true;
      this.#open();
    } else if (type === "skerry-size") {
      this.#frame.style.height = `${Number(detail["height"])}px`;
    } else if (type === "skerry-state") {
      this.dispatchEvent(new CustomEvent("skerry-state", { detail, bubbles: true, composed: true }));
    }
  };
}

globalThis.customElements?.define("skerry-table", SkerryTable);
