import type { TestProject } from "vitest/node";
import { Server } from "./server.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the server is that all tests share. */
    url: string;
  }
}

/** Runs one real server for all tests. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await Server.start();
  project.provide("url", server.url);
  return () => server.stop();
}
