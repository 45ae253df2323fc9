import { expect, it } from "vitest";
import { EventParser, type ServerEvent } from "../src/eventParser.js";

const STREAM = ": a comment\n\nevent: end\r\ndata: one\r\ndata:two\r\n\r\nid: 7\ndata:  three: 3\u2028\n\nevent: none\n\ndata\r\rdata: cut";
const EVENTS: ServerEvent[] = [
  { event: "end", data: "one\ntwo" },
  { event: "", data: " three: 3\u2028" },
  { event: "", data: "" },
];

function parse(parts: readonly string[]): ServerEvent[] {
  const parser = new EventParser();
  return parts.flatMap((part) => parser.feed(part));
}

it("reads events with every kind of line end, and skips comments, other fields, events without data and the unfinished one", () => {
  expect(parse([STREAM])).toEqual(EVENTS);
});

it("reads the same events however the stream is cut", () => {
  expect(parse([...STREAM])).toEqual(EVENTS);
  for (let cut = 0; cut <= STREAM.length; cut += 1) expect(parse([STREAM.slice(0, cut), STREAM.slice(cut)])).toEqual(EVENTS);
});
