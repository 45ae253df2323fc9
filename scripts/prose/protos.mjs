// Lets textlint read the comments of a .proto file as Markdown, each on its own line.
import markdown from "@textlint/textlint-plugin-markdown";

const Markdown = (markdown.default ?? markdown).Processor;

/** Returns the comments alone: lines of code become empty, so line numbers stay. */
export function commentsOf(proto) {
  return proto.replace(/^.*$/gm, (line) => /^\s*\/\/ ?(.*)$/.exec(line)?.[1] ?? "");
}

class Processor {
  availableExtensions() {
    return [".proto"];
  }

  processor(extension) {
    const inner = new Markdown().processor(extension);
    return {
      preProcess: (proto, path) => {
        const text = commentsOf(proto);
        return { text, ast: inner.preProcess(text, path) };
      },
      postProcess: inner.postProcess,
    };
  }
}

export default { Processor };
