import { lazyPart } from "./lazyScreen.js";

/** The instructions of a game. Their code and pictures are loaded when they are first shown. */
export const Instructions = lazyPart("instructions", () => import("./HowToPlay.js"));
