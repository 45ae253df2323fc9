import { defineConfig } from "vite";
import table, { chunkFileNames } from "./vite.config.js";

/** The operators' page. It has a folder of its own, because the public ports must not serve it. */
export default defineConfig({
  ...table,
  base: "/admin/",
  publicDir: false,
  resolve: { ...table.resolve, alias: [{ find: "./textFiles.js", replacement: "./operatorTextFiles.js" }] },
  build: { ...table.build, outDir: "../../service/skerry_service/edge/admin/admin_page", rolldownOptions: { input: "admin.html", output: { chunkFileNames } } },
});
