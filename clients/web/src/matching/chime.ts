/** The notes of the chime, in hertz. */
const NOTES = [659, 880];
const NOTE_S = 0.18;

let audio: AudioContext | undefined;

/** Prepares the chime. Browsers allow sound only if a click has started it. */
export function prepareChime(): void {
  audio ??= "AudioContext" in globalThis ? new AudioContext() : undefined;
  void audio?.resume();
}

/** Plays two soft notes. Silent if the browser does not allow sound, for example after a reload. */
export function ring(): void {
  if (audio?.state !== "running") return;
  for (const [place, note] of NOTES.entries()) {
    const begin = audio.currentTime + place * NOTE_S;
    const tone = new OscillatorNode(audio, { frequency: note });
    const volume = new GainNode(audio, { gain: 0 });
    volume.gain.setValueAtTime(0.15, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + 2 * NOTE_S);
    tone.connect(volume).connect(audio.destination);
    tone.start(begin);
    tone.stop(begin + 2 * NOTE_S);
  }
}
