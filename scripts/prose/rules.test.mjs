// What each rule reports, and what it leaves alone. `make lint-prose` runs these.
import assert from "node:assert/strict";
import { test } from "node:test";
import { check } from "./check.mjs";

const LONG = "The server sends an event ".concat("and another event ".repeat(11), "to each client.");

const CASES = [
  ["The server sends an event.", []],
  ["The postman sends it.", ["retired-words"]],
  ["The game was called\noff.", ["retired-words"]],
  ["The front-door checks it.", ["retired-words"]],
  ["Set `postman` to 3.", []],
  ["```\npostman\n```", []],
  ["A postmaster sends it.", []],
  ["# The postman", ["retired-words"]],
  ["| a | b |\n|---|---|\n| a facet | x |", ["retired-words"]],
  [LONG, ["sentence-length"]],
  [LONG.replaceAll("event and another", "event. Another"), []],
  [`The server runs \`${"word ".repeat(60)}\` now.`, []],
  ["What is over is gone.", ["named-subject"]],
  ["- Who asks is refused.", ["named-subject"]],
  ["What is a seat?", []],
  ["# What a seat is", []],
  ["<!-- textlint-disable retired-words -->\n\nThe postman.\n\n<!-- textlint-enable retired-words -->", ["reasoned-suppression"]],
  ["<!-- textlint-disable retired-words -- quotes the rules -->\n\nThe postman.\n\n<!-- textlint-enable retired-words -->", []],
  ["<!-- textlint-disable -- no rule -->\n\nThe postman.\n\n<!-- textlint-enable -->", ["reasoned-suppression"]],
];

for (const [text, expected] of CASES) {
  test(JSON.stringify(text.slice(0, 60)), async () => {
    const { messages } = await check("page.md", text);
    assert.deepEqual(messages.map((message) => message.ruleId), expected);
  });
}

test("the comments of a proto are read, at their lines, and its code is not", async () => {
  const proto = 'syntax = "proto3";\n\n// The postman.\nmessage Postman {\n  // A facet of\n  // the game.\n  int32 facet = 1;\n}\n';
  const { messages } = await check("a.proto", proto);
  assert.deepEqual(messages.map((message) => [message.ruleId, message.line]), [["retired-words", 3], ["retired-words", 5]]);
});
