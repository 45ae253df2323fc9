import type { GameExtras } from "./extras.js";
import { messageId } from "../texts/texts.js";

export const extras: GameExtras = {
  blurb: messageId("kreta-blurb"),
  emblem: (
    <>
      <path class="land" d="M6 34q6-9 16-7t18-3 20 1 12 9q-4 6-16 5t-20 3-20-1-10-7z" />
      <path class="ink" d="M34 26V13h3v3h3v-3h4v3h3v-3h3v13" />
    </>
  ),
  variants: [],
};
