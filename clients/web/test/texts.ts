// Node has neither. Loaded texts need no document, so the tests of clients in Node see none.
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-US", "en"] }, configurable: true, writable: true });
Object.defineProperty(globalThis, "document", { value: { documentElement: {} }, configurable: true, writable: true });

const { loadTexts } = await import("../src/texts/language.js");
for (const part of ["lobby", "table", "analysis", "rankings", "ladders", "tournaments"]) await loadTexts(part);

Reflect.deleteProperty(globalThis, "document");
export {};
