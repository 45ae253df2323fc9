import { defineConfig } from "vite";

export default defineConfig({
  server: { proxy: { "/v1": process.env.SKERRY_HTTP ?? "http://127.0.0.1:8080" } },
});
