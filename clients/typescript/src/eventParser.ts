/** An event of a stream. */
export interface ServerEvent {
  /** Its type. Empty if the server sent none. */
  event: string;
  data: string;
}

/** Parses server-sent events, as the HTML standard describes them, without the fields `id` and `retry`. */
export class EventParser {
  #rest = "";
  #event = "";
  #data: string[] = [];

  /** Returns the events that another part of the stream completes. */
  feed(text: string): ServerEvent[] {
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/); // at the end, it can be the first half of a line end
    this.#rest = lines.pop()!;
    return lines.flatMap((line) => (line ? this.#read(line) : this.#complete()));
  }

  #read(line: string): [] {
    const [, field, value = ""] = /^([^:]*):? ?([^]*)$/.exec(line)!;
    if (field === "event") this.#event = value;
    if (field === "data") this.#data.push(value);
    return [];
  }

  #complete(): ServerEvent[] {
    const complete = this.#data.length ? [{ event: this.#event, data: this.#data.join("\n") }] : [];
    this.#event = "";
    this.#data = [];
    return complete;
  }
}
