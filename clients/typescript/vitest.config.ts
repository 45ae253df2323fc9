import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: "test/global.ts",
    testTimeout: 120_000, // compilers and servers on a busy machine
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
