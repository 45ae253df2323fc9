import { readdirSync, readFileSync } from "node:fs";
import { type Expression, type Message, parse, type Pattern, type PatternElement } from "@fluent/syntax";
import type { Plugin } from "vite";

/**
 * Compiles the texts of the page, Fluent files in `src/texts/{language}`, to scripts. `@fluent/bundle`, which parses them in
 * the browser, would need 4 kB. A file becomes a chunk, so that the browser loads those of one language, and those of a
 * screen with its screen. Numbers replace the ids of messages in scripts.
 */

const FOLDER = new URL("src/texts/", import.meta.url);
/** The language that has every message. Other languages fall back to it. */
const SOURCE = "en";
/** A call that names a message: `t("lobby-title")`. */
const CALL = /\b(t|rich|messageId)\(\s*"([a-z0-9-]+)"/g;

/** The messages of a language, by file name and by id. */
export type Catalogue = ReadonlyMap<string, ReadonlyMap<string, Message>>;

/** Returns the languages, by their folders. */
export function languages(): string[] {
  return readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? entry.name : []));
}

/** Reads the messages of a language. Throws if a file is no valid Fluent. */
export function readCatalogue(language: string): Catalogue {
  const folder = new URL(`${language}/`, FOLDER);
  const files = readdirSync(folder).filter((name) => name.endsWith(".ftl")).sort();
  return new Map(files.map((name) => [name, messagesOf(readFileSync(new URL(name, folder), "utf8"), `${language}/${name}`)]));
}

function messagesOf(text: string, file: string): Map<string, Message> {
  const messages = new Map<string, Message>();
  for (const entry of parse(text, { withSpans: false }).body) {
    if (entry.type === "Junk") throw new Error(`${file}: not valid Fluent: ${entry.content}`);
    if (entry.type === "Term") throw new Error(`${file}: terms are not supported: -${entry.id.name}`);
    if (entry.type !== "Message") continue;
    if (messages.has(entry.id.name)) throw new Error(`${file}: ${entry.id.name} is there twice`);
    if (!entry.value || entry.attributes.length) throw new Error(`${file}: ${entry.id.name} needs a text, and no attributes`);
    messages.set(entry.id.name, entry);
  }
  return messages;
}

/** Returns the ids of the messages that a script names. */
export function namedIn(script: string): string[] {
  return [...script.matchAll(CALL)].map(([, , id]) => id!);
}

/** The plugin for Vite and Vitest. */
export function fluentTexts(): Plugin {
  const source = readCatalogue(SOURCE);
  const numbers = new Map([...source.values()].flatMap((file) => [...file.keys()]).map((id, number) => [id, number]));
  return {
    name: "fluent-texts",
    enforce: "pre",
    transform(script, path) {
      const [, file = ""] = /\/src\/texts\/[\w-]+\/([\w-]+\.ftl)$/.exec(path) ?? [];
      if (file) return { code: compiled(source.get(file) ?? new Map(), messagesOf(script, file), numbers), map: null };
      if (!/\/clients\/web\/src\/.*\.tsx?$/.test(path)) return undefined;
      const code = script.replace(CALL, (_, call: string, id: string) => {
        const number = numbers.get(id);
        if (number === undefined) this.error(`There is no message "${id}" in src/texts/${SOURCE}.`);
        return call === "messageId" ? `(${number}` : `${call}(${number}`;
      });
      return code === script ? undefined : { code, map: null };
    },
  };
}

/** Returns the script of a file: the number of its first message, and a function that returns its messages. */
function compiled(source: ReadonlyMap<string, Message>, own: ReadonlyMap<string, Message>, numbers: ReadonlyMap<string, number>): string {
  const texts = [...source].map(([id, message]) => compileMessage(own.get(id) ?? message));
  const first = numbers.get([...source.keys()][0] ?? "") ?? 0;
  return `export const first = ${first};\nexport const messages = (s) => [\n${texts.join(",\n")}\n];\n`;
}

/** Returns the expression of a message: a string, or a function of its arguments that returns parts. */
function compileMessage({ value }: Message): string {
  const parts = compilePattern(value!);
  return parts.startsWith('"') ? parts : `(a) => ${parts}`;
}

function compilePattern({ elements }: Pattern): string {
  const parts = elements.map(compileElement);
  return parts.length === 1 ? parts[0]! : `[${parts.join(", ")}]`;
}

function compileElement(element: PatternElement): string {
  return element.type === "TextElement" ? JSON.stringify(element.value.replace(/\s*\n\s*/g, " ")) : compileExpression(element.expression as Expression);
}

function compileExpression(expression: Expression): string {
  if (expression.type === "StringLiteral") return JSON.stringify(expression.parse().value);
  if (expression.type === "VariableReference") return `a.${expression.id.name}`;
  if (expression.type !== "SelectExpression") throw new Error(`${expression.type} is not supported.`);
  const arms = expression.variants.map(({ key, value, default: isDefault }) => {
    const name = isDefault ? "_" : key.type === "Identifier" ? key.name : key.value;
    return `${name}: ${compilePattern(value)}`;
  });
  return `s(${compileExpression(expression.selector as Expression)}, { ${arms.join(", ")} })`;
}

/** Returns the names of the arguments of a message. */
export function argumentsOf(message: Message): Set<string> {
  const found = new Set<string>();
  const look = (pattern: Pattern): void => {
    for (const element of pattern.elements) if (element.type === "Placeable") lookInto(element.expression as Expression);
  };
  const lookInto = (expression: Expression): void => {
    if (expression.type === "VariableReference") found.add(expression.id.name);
    if (expression.type !== "SelectExpression") return;
    lookInto(expression.selector as Expression);
    for (const { value } of expression.variants) look(value);
  };
  look(message.value!);
  return found;
}
