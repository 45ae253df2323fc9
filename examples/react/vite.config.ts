import { defineConfig } from "vite";

export default defineConfig({
  // The client from its source in this repository. Leave this line out with the installed package.
  resolve: { conditions: ["skerry-source", "module", "browser", "development|production"] },
  server: { proxy: { "/v1": process.env.SKERRY_HTTP ?? "http://127.0.0.1:8080" } },
});
