import { createServer, type IncomingMessage, request, type Server as HttpServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { once } from "node:events";

/** A request that the proxy received. */
export interface Asked {
  method: string;
  url: string;
  headers: IncomingMessage["headers"];
  body: string;
}

/** A response that the proxy sends in place of the server. */
export interface Scripted {
  status: number;
  headers?: Record<string, string>;
  /** A string is sent as it is, anything else as JSON. */
  body?: unknown;
}

/** What the proxy does instead of passing a request on. */
export type Script =
  | Scripted
  /** The server handles the request, but its response is lost. */
  | "lose the answer"
  /** No response is sent. */
  | "hang";

/** A proxy between a client and a real server that can simulate failures. */
export class Proxy {
  readonly asked: Asked[] = [];
  /** The scripts of the next requests. Later requests are passed on. */
  readonly script: Script[] = [];
  /** Whether the proxy holds back stream events. */
  silent = false;
  /** Edits each stream event. An event whose edit is `undefined` is dropped. */
  edit: (event: string) => string | undefined = (event) => event;
  readonly #target: URL;
  readonly #server: HttpServer;
  readonly #streams = new Set<ServerResponse>();

  private constructor(target: string) {
    this.#target = new URL(target);
    this.#server = createServer((asked, answer) => void this.#serve(asked, answer));
  }

  static async before(target: string): Promise<Proxy> {
    const proxy = new Proxy(target);
    await once(proxy.#server.listen(0, "127.0.0.1"), "listening");
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of open streams. */
  get streams(): number {
    return this.#streams.size;
  }

  /** Cuts every connection. */
  cut(): void {
    this.#server.closeAllConnections();
  }

  /** Writes a text to every stream. */
  say(text: string): void {
    for (const stream of this.#streams) stream.write(text);
  }

  async close(): Promise<void> {
    this.cut();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #serve(asked: IncomingMessage, answer: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of asked) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const { method = "", url = "", headers } = asked;
    this.asked.push({ method, url, headers, body: body.toString() });
    const script = this.script.shift();
    if (script === "hang") return;
    if (typeof script === "object") {
      answer.writeHead(script.status, script.headers);
      answer.end(typeof script.body === "string" ? script.body : JSON.stringify(script.body));
      return;
    }
    const { hostname, port } = this.#target;
    const passed = request({ hostname, port, path: url, method, headers }, (response) => {
      if (script === "lose the answer") answer.destroy();
      else this.#pass(response, answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    passed.end(body);
  }

  #pass(response: IncomingMessage, answer: ServerResponse): void {
    answer.writeHead(response.statusCode ?? 500, response.headers);
    response.on("error", () => answer.destroy());
    if (response.headers["content-type"] !== "text/event-stream") {
      response.pipe(answer);
      return;
    }
    this.#streams.add(answer);
    answer.on("close", () => this.#streams.delete(answer));
    let rest = "";
    response.setEncoding("utf8");
    response.on("data", (text: string) => {
      const events = (rest + text).split("\n\n");
      rest = events.pop() ?? "";
      for (const event of events) {
        const edited = this.edit(event);
        if (!this.silent && edited !== undefined) answer.write(`${edited}\n\n`);
      }
    });
    response.on("end", () => answer.end());
    response.on("aborted", () => answer.destroy());
  }
}
