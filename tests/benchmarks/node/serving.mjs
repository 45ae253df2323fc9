// What every server here does beside serving.

/** Print the address, and end when the parent does, which closes stdin. */
export function announce(port) {
  process.stdin.on("end", () => process.exit());
  process.stdin.resume();
  console.log(`127.0.0.1:${port}`);
}
