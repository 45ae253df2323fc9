import type { TestProject } from "vitest/node";
import { Server } from "./server.js";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the server that all tests share. */
    url: string;
  }
}

/** Starts one real server for all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await Server.start();
  project.provide("url", server.url);
  return () => server.stop();
}
