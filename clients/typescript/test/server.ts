import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));

/** A real server, started with `skerry serve`. It can be killed and restarted with the same address and games. */
export class Server {
  readonly #folder: string;
  #process: ChildProcess | undefined;
  #address = "127.0.0.1:0";

  private constructor(
    folder: string,
    private readonly more: readonly string[],
  ) {
    this.#folder = folder;
  }

  /** `more`: further arguments of `skerry serve`. */
  static async start(...more: string[]): Promise<Server> {
    const server = new Server(await mkdtemp(join(tmpdir(), "skerry-test-")), more);
    await server.start();
    return server;
  }

  /** The server's HTTP URL. */
  get url(): string {
    return `http://${this.#address}`;
  }

  /** Starts the server. Resolves when it is ready. */
  async start(): Promise<void> {
    const command = ["serve", "--port", "0", "--http", this.#address, "--data-dir", this.#folder, ...this.more];
    const named = Object.entries(process.env).filter(([name]) => !/^(REDIS|SKERRY)_/.test(name));
    this.#process = spawn(join(ROOT, ".venv/bin/python"), ["-m", "skerry_service.cli", ...command], {
      env: Object.fromEntries(named),
      stdio: ["ignore", "pipe", "inherit"],
    });
    for await (const line of createInterface({ input: this.#process.stdout! })) {
      const [, address] = /http:\/\/(\S+:\d+)/.exec(line) ?? [];
      if (!address) continue;
      this.#address = address;
      this.#process.stdout!.resume();
      return;
    }
    throw new Error("the server did not start");
  }

  /** Kills the server, as a crash would. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  /** Stops the server, and deletes its games. */
  async stop(): Promise<void> {
    await this.#end("SIGTERM");
    await rm(this.#folder, { recursive: true });
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const ended = once(this.#process!, "exit");
    this.#process!.kill(signal);
    await ended;
  }
}
