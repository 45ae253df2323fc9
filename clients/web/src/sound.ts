import { setting } from "./settings.js";

/** What a sound says. */
export type Cue = "turn" | "move" | "over" | "refused" | "emote" | "match";

/** The notes of each sound, in hertz, one after the other. */
const NOTES: Readonly<Record<Cue, readonly number[]>> = {
  turn: [587, 784],
  move: [392],
  over: [523, 659, 784, 1047],
  refused: [220, 196],
  emote: [880],
  match: [659, 880],
};
const NOTE_S = 0.16;
const VOLUME = 0.12;

let audio: AudioContext | undefined;

/** Prepares the sounds. Browsers allow them only after a click or a key. */
export function prepareSound(): void {
  audio ??= "AudioContext" in globalThis ? new AudioContext() : undefined;
  void audio?.resume();
}

/** Prepares the sounds with a click or a key, once they are switched on. */
export function prepareSoundOnUse(): void {
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => !audio && setting("sound") && prepareSound());
}

/**
 * Plays a sound. Silent if the player has switched sounds off, or if the browser does not allow them, for example after a
 * reload. A match is heard in any case: its player waits for it.
 */
export function play(cue: Cue): void {
  if (audio?.state !== "running" || (cue !== "match" && !setting("sound"))) return;
  for (const [place, note] of NOTES[cue].entries()) {
    const begin = audio.currentTime + place * NOTE_S;
    const tone = new OscillatorNode(audio, { frequency: note, type: "triangle" });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(VOLUME, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 2 * NOTE_S);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 2 * NOTE_S);
  }
}
