import { lazyScreen } from "./lazyScreen.js";

/** The instructions of a game. Their code and pictures are loaded when they are first shown. */
export const Instructions = lazyScreen("instructions", () => import("./HowToPlay.js"), [], (sentence) => (
  <p class="soft" role="status">
    {sentence}
  </p>
)).Screen;
