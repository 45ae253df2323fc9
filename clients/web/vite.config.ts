import { defineConfig, type Plugin } from "vite";
import { fluentTexts } from "./fluentTexts.js";

/** The address of `make run`. `npm run dev` serves the page from source, with the games of that server. */
const SERVER = "http://127.0.0.1:8080";

/** Makes imports of screens plain: there is one style sheet, and nothing to preload, so Vite's own helper would only cost size. */
const plainImports: Plugin = {
  name: "plain-imports",
  enforce: "pre",
  load: (id) => (id.includes("vite/preload-helper") ? "export const __vitePreload = (load) => load();" : undefined),
};

/** Returns the name of a script. A script of texts has the language and the file in its name. */
export function chunkFileNames({ facadeModuleId }: { facadeModuleId?: string | null }): string {
  const [, language, file] = /src\/texts\/([\w-]+)\/([\w-]+)\.ftl$/.exec(facadeModuleId ?? "") ?? [];
  return file ? `assets/texts-${language}-${file}-[hash].js` : "assets/[name]-[hash].js";
}

export default defineConfig({
  plugins: [fluentTexts(), plainImports],
  // Calls with children as arguments are smaller than those of the automatic runtime, and need no module of their own.
  oxc: { jsx: { runtime: "classic", pragma: "_h", pragmaFrag: "_Fragment" }, jsxInject: 'import { h as _h, Fragment as _Fragment } from "preact";' },
  resolve: { conditions: ["skerry-source", "module", "browser", "development|production"] },
  build: {
    outDir: "../../service/skerry_service/edge/rest/web_page",
    emptyOutDir: true,
    target: "es2022",
    // The Content-Security-Policy allows nothing inline.
    assetsInlineLimit: 0,
    // It leaves less than the default.
    minify: "terser",
    terserOptions: { module: true, ecma: 2020, compress: { passes: 3, pure_getters: true, unsafe_arrows: true } },
    modulePreload: false,
    cssCodeSplit: false,
    // One chunk for the first screen: what it shares with the screens that are loaded later compresses best with the rest.
    // One for what ladders and tournaments share, with the styles of both.
    rolldownOptions: {
      output: {
        chunkFileNames,
        codeSplitting: {
          groups: [
            { name: "index", test: /src[\\/](main|NameForm)\.tsx$/ },
            { name: "TablePage", test: /src[\\/](table[\\/]TablePage|HowToPlay)\.tsx$/ },
            { name: "rankings", test: /src[\\/]rankings[\\/]|(ladders|tournaments)\.css$/ },
          ],
        },
      },
    },
  },
  server: { proxy: { "/v1": SERVER } },
});
