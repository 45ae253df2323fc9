// Applies the rules to one text.
import { extname } from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import comments from "textlint-filter-rule-comments";
import protos from "./protos.mjs";
import { rules } from "./rules.mjs";

const unwrap = (module) => module.default ?? module;

const OPTIONS = {
  plugins: [
    { pluginId: "markdown", plugin: unwrap(markdown) },
    { pluginId: "protos", plugin: protos },
  ],
  rules: Object.entries(rules).map(([ruleId, rule]) => ({ ruleId, rule })),
  filterRules: [{ ruleId: "comments", rule: unwrap(comments) }],
};

/** Returns textlint's result: a `filePath` and the `messages` for that text. */
export function check(filePath, text) {
  return new TextlintKernel().lintText(text, { ...OPTIONS, filePath, ext: extname(filePath) });
}
