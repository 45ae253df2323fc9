import { defineConfig } from "vite";

/** The address of `make run`. `npm run dev` serves the page from source, with the games of that server. */
const SERVER = "http://127.0.0.1:8080";

export default defineConfig({
  resolve: { conditions: ["skerry-source", "module", "browser", "development|production"] },
  build: {
    outDir: "../../service/skerry_service/edge/rest/web_page",
    emptyOutDir: true,
    target: "es2022",
    // The Content-Security-Policy allows nothing inline.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // One chunk for the first screen: what it shares with the screens that are loaded later compresses best with the rest.
    // One for what ladders and tournaments share, with the styles of both.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: "index", test: /src[\\/]main\.tsx$/ },
            { name: "rankings", test: /src[\\/]rankings[\\/]|(ladders|tournaments)\.css$/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/v1": SERVER } },
});
