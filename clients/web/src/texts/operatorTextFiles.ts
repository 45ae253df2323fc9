import type { TextFile } from "./texts.js";

/** The files of texts of the operators' page, which `vite.admin.config.ts` puts in place of those of `textFiles.ts`. */
export const FILES = import.meta.glob<TextFile>("./*/operators.ftl");
