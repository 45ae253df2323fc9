import type { TextFile } from "./texts.js";

/** The files of texts of the page, by `./{language}/{part}.ftl`. */
export const FILES = import.meta.glob<TextFile>(["./*/*.ftl", "!./*/operators.ftl"]);
