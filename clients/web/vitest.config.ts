import { defineConfig } from "vitest/config";
import { fluentTexts } from "./fluentTexts.js";

export default defineConfig({
  plugins: [fluentTexts()],
  resolve: { conditions: ["skerry-source", "module", "browser", "development|production"] },
  ssr: { resolve: { conditions: ["skerry-source"] } },
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/texts.ts"],
    globalSetup: "../typescript/test/global.ts",
    testTimeout: 120_000, // whole games, on a busy machine
    hookTimeout: 120_000,
    maxWorkers: 2,
  },
});
