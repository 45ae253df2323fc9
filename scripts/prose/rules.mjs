// The rules for prose. Each reads paragraphs, headings and table cells without their code.
import { readFileSync } from "node:fs";
import { split, SentenceSplitterSyntax } from "sentence-splitter";
import { StringSource } from "textlint-util-to-string";

const LONGEST = 35; // words
const VAGUE = /^(who|whoever|whom|whose|what|whatever|nobody|somebody|anybody|everybody)\b/i;

const retired = JSON.parse(readFileSync(new URL("retired.json", import.meta.url), "utf8"));
const replacements = new Map(
  Object.entries({ ...retired.everywhere, ...retired.prose }).flatMap(([term, instead]) =>
    [term, ...(retired.forms[term] ?? [])].map((form) => [form, instead]),
  ),
);
const pattern = new RegExp(String.raw`\b(${[...replacements.keys()].join("|").replaceAll(" ", String.raw`[\s-]+`)})\b`, "gi");

/** Returns a rule that passes each text to `check`, which yields `[index, message]`. */
function ruleOf(nodes, check) {
  return (context) => {
    const { RuleError, report, locator } = context;
    const visit = (node) => {
      const source = new StringSource(node, { replacer: ({ node, maskValue }) => (node.type === "Code" ? maskValue("_") : undefined) });
      for (const [index, message] of check(source.toString())) {
        const at = source.originalIndexFromIndex(index) ?? 0;
        report(node, new RuleError(message, { padding: locator.at(at) }));
      }
    };
    return Object.fromEntries(nodes.map((name) => [context.Syntax[name], visit]));
  };
}

function* sentences(text) {
  for (const node of split(text)) {
    if (node.type === SentenceSplitterSyntax.Sentence) yield [node.range[0], node.raw.trim()];
  }
}

function* retiredWords(text) {
  for (const match of text.matchAll(pattern)) {
    const instead = replacements.get(match[0].toLowerCase().replace(/[\s-]+/g, " "));
    yield [match.index, `"${match[0]}" is a retired word. Use: ${instead}.`];
  }
}

function* sentenceLength(text) {
  for (const [index, sentence] of sentences(text)) {
    const words = sentence.split(/\s+/).filter((word) => /\w/.test(word)).length;
    if (words > LONGEST) yield [index, `This sentence has ${words} words; ${LONGEST} are allowed. Split it.`];
  }
}

function* namedSubject(text) {
  for (const [index, sentence] of sentences(text)) {
    const word = VAGUE.exec(sentence)?.[0];
    if (word && !sentence.endsWith("?")) yield [index, `"${word}" is no subject. Name the actor: the server, a client, a player.`];
  }
}

/** A comment that switches a rule off must name the rule and give a reason behind `--`. */
function reasonedSuppression(context) {
  return {
    [context.Syntax.Html](node) {
      const comment = /<!--\s*textlint-disable\b([\s\S]*?)-->/.exec(context.getSource(node));
      if (comment && !/^\s+[\w, -]*\w\s+--\s+\S+\s+\S/.test(comment[1])) {
        context.report(node, new context.RuleError("Write: <!-- textlint-disable RULE -- the reason -->"));
      }
    },
  };
}

export const proseRules = {
  "retired-words": ruleOf(["Paragraph", "Header", "TableCell"], retiredWords),
  "sentence-length": ruleOf(["Paragraph", "TableCell"], sentenceLength),
  "named-subject": ruleOf(["Paragraph"], namedSubject),
};

export const suppressionRules = { "reasoned-suppression": reasonedSuppression };
