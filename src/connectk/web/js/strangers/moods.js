// The faces that players show each other.
import { svg } from "../board/drawing.js";

/** Eyebrows or eyes, and the mouth of each face. @type {Record<string, [string, string]>} */
const MOUTH_AND_BROW_PATHS = {
  smile: ["", "M-20 14q20 22 40 0"],
  think: ["M-28 -24l16 -6M10 -22h18", "M-14 22l26 -8"],
  surprised: ["M-28 -26q9 -9 18 0M10 -26q9 -9 18 0", "M-8 20a8 9 0 1 0 16 0a8 9 0 1 0 -16 0"],
  sad: ["M-28 -18l14 -8M14 -26l14 8", "M-18 26q18 -18 36 0"],
  cool: ["M-34 -8h68v8q-2 10 -14 10t-14 -14h-12q-2 14 -14 14t-14 -10Z", "M-14 22q14 8 26 -4"],
};

export const MOODS = Object.keys(MOUTH_AND_BROW_PATHS);

/** @param {string} mood */
export function drawMood(mood) {
  const [above, mouth] = MOUTH_AND_BROW_PATHS[mood];
  const eyes = [-18, 18].map((x) => svg("circle", { cx: x, cy: -8, r: 5 }));
  return svg(
    "svg",
    { class: "mood", viewBox: "-50 -50 100 100", "aria-hidden": "true" },
    svg("circle", { class: "skin", r: 46 }),
    ...eyes,
    svg("path", { d: above, class: mood === "cool" ? "" : "line" }),
    svg("path", { d: mouth, class: "line" }),
  );
}
