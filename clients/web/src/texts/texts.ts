import type { ComponentChildren } from "preact";

/** A message: its text, or a function that returns its parts. */
type Message = string | ((values: Values) => Part);
type Part = ComponentChildren;
/** The arguments of a message, by name. */
type Values = Readonly<Record<string, Part>>;
/** Selects a text by a value: the one for this value, else for its plural category, else the default. */
type Choose = (value: Part, texts: Readonly<Record<string, Part>>) => Part;

/** A compiled file of texts. */
export interface TextFile {
  /** The number of its first message. */
  first: number;
  messages: (choose: Choose) => Message[];
}

const known: Message[] = [];
let plurals = new Intl.PluralRules();
let numbers = new Intl.NumberFormat();

const choose: Choose = (value, texts) =>
  texts[value as string] ?? (typeof value === "number" ? texts[plurals.select(value)] : undefined) ?? texts["_"];

/** Adds the messages of a file, in place of those of another language. */
export function addTexts({ first, messages }: TextFile, locale: string): void {
  plurals = new Intl.PluralRules(locale);
  numbers = new Intl.NumberFormat(locale);
  messages(choose).forEach((message, place) => (known[first + place] = message));
}

/** Returns the text of a message. `id` is a number in built scripts. */
export function t(id: string, values?: Readonly<Record<string, string | number>>): string {
  return [rich(id, values)].flat(9).join("");
}

/** Returns the text of a message whose arguments are elements. */
export function rich(id: string, values: Values = {}): Part {
  const message = known[id as unknown as number];
  return shown(typeof message === "function" ? message(values) : message);
}

/** Marks the id of a message that `t` shows later. */
export function messageId(id: string): string {
  return id;
}

function shown(part: Part): Part {
  return Array.isArray(part) ? part.map(shown) : typeof part === "number" ? numbers.format(part) : part;
}
