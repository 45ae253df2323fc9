// Applies the rules to one text.
import { extname } from "node:path";
import { TextlintKernel } from "@textlint/kernel";
import markdown from "@textlint/textlint-plugin-markdown";
import comments from "textlint-filter-rule-comments";
import protos from "./protos.mjs";
import { proseRules, suppressionRules } from "./rules.mjs";

const unwrap = (module) => module.default ?? module;

const PLUGINS = [
  { pluginId: "markdown", plugin: unwrap(markdown) },
  { pluginId: "protos", plugin: protos },
];
const FILTERS = [{ ruleId: "comments", rule: unwrap(comments) }];

function lint(filePath, text, rules, filterRules) {
  const listed = Object.entries(rules).map(([ruleId, rule]) => ({ ruleId, rule }));
  const options = { filePath, ext: extname(filePath), plugins: PLUGINS, rules: listed, filterRules };
  return new TextlintKernel().lintText(text, options);
}

/** Returns textlint's result: a `filePath` and the `messages` for that text. */
export async function check(filePath, text) {
  // No filter for the rule that checks suppressions: it could be suppressed itself.
  const [prose, suppressions] = await Promise.all([
    lint(filePath, text, proseRules, FILTERS),
    lint(filePath, text, suppressionRules, []),
  ]);
  return { filePath, messages: [...prose.messages, ...suppressions.messages] };
}
