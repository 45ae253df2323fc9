// Checks the wording of the documents and of the comments in the protos, or of the files that are named.
//
//     node scripts/prose/lint.mjs [FILE ...]
import { readdirSync, readFileSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { loadFormatter } from "@textlint/linter-formatter";
import { check } from "./check.mjs";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** The folders of German pages. The rules are about English: a word of another language can look like a retired one. */
const GERMAN = /(^|\/)de\//;

/** Returns the files with an extension in a folder, with those of its folders if `recursive`. */
function filesIn(folder, extension, recursive) {
  const names = readdirSync(join(ROOT, folder), { recursive });
  return names.filter((name) => extname(name) === extension).map((name) => join(folder, name)).sort();
}

const everything = () => [...filesIn("", ".md", false), ...filesIn("docs", ".md", true), ...filesIn("protos", ".proto", true)];

const named = process.argv.slice(2).map((path) => relative(ROOT, path));
const paths = (named.length ? named : everything()).filter((path) => !GERMAN.test(path));
const results = await Promise.all(paths.map((path) => check(path, readFileSync(join(ROOT, path), "utf8"))));
const wrong = results.filter((result) => result.messages.length);
const formatter = await loadFormatter({ formatterName: "unix", color: false });
if (wrong.length) console.log(formatter.format(wrong));
console.log(`${results.length} files, ${wrong.length} with faults`);
process.exitCode = wrong.length ? 1 : 0;
