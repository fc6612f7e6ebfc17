// Synthesized sounds for a disc that lands and the end of a game; off by default.
import { readStorage } from "./storage.js";

/** @type {AudioContext | null} */
let audio = null;

const isEnabled = () => readStorage("look", { sound: false }).sound === true;

/** Plays a short tone that fades.
 * @param {number} pitch @param {{ at?: number, seconds?: number, loud?: number, type?: OscillatorType }} how */
function tone(pitch, { at = 0, seconds = 0.12, loud = 0.2, type = "sine" } = {}) {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  const start = audio.currentTime + at;
  const oscillator = new OscillatorNode(audio, { type, frequency: pitch });
  const volume = new GainNode(audio, { gain: 0 });
  volume.gain.setValueAtTime(0, start);
  volume.gain.linearRampToValueAtTime(loud, start + 0.005);
  volume.gain.exponentialRampToValueAtTime(0.0005, start + seconds);
  oscillator.connect(volume).connect(audio.destination);
  oscillator.start(start);
  oscillator.stop(start + seconds);
}

export const sounds = {
  land() {
    if (!isEnabled()) return;
    tone(180, { type: "triangle" });
    tone(90, { seconds: 0.18 });
  },

  /** Plays rising notes for a win, falling notes for a loss, otherwise one note. @param {import("../match/match.js").Match} match */
  end(match) {
    if (!isEnabled()) return;
    const winner = match.state.result?.winner;
    const isMine = winner && match.sides.includes(winner);
    const lost = winner && match.sides.length === 1 && !isMine;
    const notes = !winner ? [330] : lost ? [392, 330, 262] : [392, 494, 587, 784];
    notes.forEach((pitch, index) => tone(pitch, { at: 0.05 + 0.14 * index, seconds: 0.5, loud: 0.15 }));
  },
};
