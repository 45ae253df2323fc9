// The published package: packed, unpacked in an empty folder, and compiled, bundled and run from there.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

const HERE = fileURLToPath(new URL("..", import.meta.url));
const EXAMPLE = "examples/kreta.ts";
/** The pages whose first program plays a game, by the prefix of the programs' file names. */
const GAMES = { readme: "README.md", docs: "../../docs/how-to/typescript-client.md" };
/** The pages with programs. */
const PAGES = { ...GAMES, embedding: "../../docs/how-to/embedding.md" };
/** Declarations for programs that do not create a client themselves. */
const GIVEN = `import type { api, Client, Seat, Table } from "skerry-client";
declare const skerry: Client; declare const table: Table; declare const ada: Seat; declare const move: api.Move;
export {};
`;
const PATIENCE_MS = 240_000;
const MOST_BYTES = 6_955;
/** The size with the search for a match, which only programs that use it load. */
const MOST_BYTES_WITH_SEARCH = 7_577;
const run = promisify(execFile);
const require = createRequire(import.meta.url);
const tsc = require.resolve("typescript/bin/tsc");

let folder: string;
/** The programs in the folder. */
const programs: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skerry-stranger-"));
  await run("npm", ["run", "build"], { cwd: HERE });
  const { stdout } = await run("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: HERE });
  const installed = join(folder, "node_modules", "skerry-client");
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", join(folder, stdout.trim()), "--strip-components=1", "-C", installed]);
  await depend("@types", dirname(dirname(require.resolve("@types/node/package.json"))));
  await put("package.json", '{ "type": "module" }');
  await putProgram("example", await readFile(join(HERE, EXAMPLE), "utf8"));
  for (const [name, page] of Object.entries(PAGES)) {
    const text = await readFile(join(HERE, page), "utf8");
    const shown = Array.from(text.matchAll(/```ts\n(.*?)```/gs), ([, program]) => program!);
    await Promise.all(shown.map((program, index) => putProgram(`${name}${index}`, program)));
  }
  await compile("node16", "--outDir", "js");
}, PATIENCE_MS);

afterAll(() => rm(folder, { recursive: true }));

async function depend(name: string, from: string): Promise<void> {
  await symlink(from, join(folder, "node_modules", name));
}

async function put(name: string, text: string): Promise<void> {
  await writeFile(join(folder, name), text);
}

async function putProgram(name: string, text: string): Promise<void> {
  programs.push(`${name}.ts`);
  const here = text.replaceAll("http://127.0.0.1:8080", inject("url"));
  await put(`${name}.ts`, text.includes("new Client(") ? here : GIVEN + here);
}

/** Compiles the programs in strict mode. Fails with the output of the compiler. */
async function compile(resolution: "node16" | "bundler", ...options: string[]): Promise<void> {
  const strict = ["--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--types", "node"];
  const how = ["--target", "es2022", "--moduleResolution", resolution, ...options];
  const module = ["--module", resolution === "node16" ? "node16" : "esnext"];
  await run(process.execPath, [tsc, ...strict, ...how, ...module, ...programs], { cwd: folder }).catch(
    (error: { stdout?: string }) => expect.fail(error.stdout ?? String(error)),
  );
}

/** Runs a program with the tests' server. Returns the printed lines. */
async function lines(file: string): Promise<string[]> {
  const env = { ...process.env, SKERRY_HTTP: inject("url") };
  const { stdout, stderr } = await run(process.execPath, [join("js", file)], { cwd: folder, env });
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

describe("the package", () => {
  it("contains only the necessary files", async () => {
    const files = await readdir(join(folder, "node_modules", "skerry-client"), { recursive: true });
    const kinds = new Set(files.map((file) => `${file.split("/")[0]}${/(\.d)?\.\w+(\.map)?$/.exec(file)?.[0] ?? ""}`));
    expect([...kinds].sort()).toEqual([
      "LICENSE",
      "README.md.md",
      "dist",
      "dist.d.ts",
      "dist.d.ts.map",
      "dist.js",
      "dist.js.map",
      "package.json.json",
      "src",
      "src.ts",
    ]);
  });

  it("resolves with its types in bundlers", () => compile("bundler", "--noEmit"), PATIENCE_MS);

  it("plays the game of the example", async () => {
    const received = await lines("example.js");
    expect(received.length).toBeGreaterThan(20);
    expect(received.at(-1)).toMatch(/^KRETA-END-1: .* \d+ \d+$/);
  });

  it.each(Object.entries(GAMES))("plays the first game of its %s", async (name) => {
    expect((await lines(`${name}0.js`)).join()).toContain("KRETA-END-1");
  });

  it("declares no any", async () => {
    const dist = join(HERE, "dist");
    const files = (await readdir(dist, { recursive: true })).filter((file) => file.endsWith(".d.ts"));
    expect(files).toContain("index.d.ts");
    const found: string[] = [];
    for (const file of files) {
      const source = ts.createSourceFile(file, await readFile(join(dist, file), "utf8"), ts.ScriptTarget.Latest);
      const visit = (node: ts.Node): void => {
        if (node.kind === ts.SyntaxKind.AnyKeyword) found.push(file);
        ts.forEachChild(node, visit);
      };
      visit(source);
    }
    expect(found).toEqual([]);
  });

  it("has the same version as the Python client", async () => {
    const { version } = JSON.parse(await readFile(join(HERE, "package.json"), "utf8")) as { version: string };
    const python = await readFile(join(HERE, "../python/src/skerry_client/version.py"), "utf8");
    expect(python).toContain(`__version__ = "${version}"`);
  });
});

describe("a bundle", () => {
  /** The bytes of a bundle, minified and gzipped. */
  async function size(program: string): Promise<number> {
    const made = await build({
      stdin: { contents: program, resolveDir: folder },
      bundle: true,
      minify: true,
      write: false,
      logLevel: "silent",
      format: "esm",
      target: "es2022",
    });
    return gzipSync(made.outputFiles[0]!.contents, { level: 9 }).length;
  }

  it.each([
    ["everything but findMatch", '{ Client, match, SkerryError }', MOST_BYTES],
    ["everything", "*", MOST_BYTES_WITH_SEARCH],
  ])("of %s has at most the promised size", async (what, names, most) => {
    const bytes = await size(`export ${names} from "skerry-client";`);
    console.log(`skerry-client, ${what}: ${bytes} bytes, minified and gzipped, of at most ${most}`);
    expect(bytes).toBeLessThanOrEqual(most);
  });

  it("of the element contains no client", async () => {
    expect(await size('import "skerry-client/table";')).toBeLessThan(1_600);
  });

  it("of one function contains only that function", async () => {
    expect(await size('export { match } from "skerry-client";')).toBeLessThan(200);
  });
});
