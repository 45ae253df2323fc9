import { defineConfig } from "vite";

/** Where `make run` listens: `npm run dev` shows the page as it is being written, on that server's games. */
const SERVER = "http://127.0.0.1:8080";

export default defineConfig({
  resolve: { conditions: ["skerry-source", "module", "browser", "development|production"] },
  build: {
    outDir: "../../service/skerry_service/edge/rest/web_page",
    emptyOutDir: true,
    target: "es2022",
    // Anything inline would have to be let through the Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // All styles come with the page: a board whose script had to be asked for twice would come without its own.
    cssCodeSplit: false,
  },
  server: { proxy: { "/v1": SERVER } },
});
