// The faces of the ten opponents, all drawn by one function from a few words each.
import { svg } from "../board/drawing.js";

/** For each face the hue, the shape of the eyes, the tilt of the brows, the curve of the mouth, and what is on the
 * head.
 * @type {[number, string, number, number, string][]} */
const FACES = [
  [95, "round", -4, 14, "M0 -43q-3 -13 -14 -9q9 3 9 11zM0 -43q2 -14 15 -12q-10 4 -10 14z"],
  [330, "sleepy", 0, 5, "M-4 -40l-20 -12v22zM4 -40l20 -12v22zM-6 -45h12v12h-12z"],
  [150, "aside", -5, 11, "M-38 -24q4 -25 38 -25t38 25h14q2 8 -6 8h-84z"],
  [20, "dots", -2, 10, "M-40 -10q-4 -38 40 -38t40 38q-14 -20 -40 -20t-40 20zM-13 -46a13 11 0 0 1 26 0z"],
  [60, "dots", 5, 6, "M-38 4q4 40 38 40t38 -40q-8 16 -38 16t-38 -16z"],
  [230, "sleepy", -4, 9, "M-40 -14q2 -33 40 -33t40 33q-40 -12 -80 0zM-9 -50a9 8 0 0 1 18 0a9 8 0 0 1 -18 0z"],
  [300, "glasses", 4, 4, "M-42 14q-12 -60 42 -62t42 62q-6 -34 -20 -44q-20 12 -52 6q-8 12 -12 38z"],
  [
    190,
    "dots",
    6,
    -2,
    "M-30 -30h60l-5 -30h-50zM-44 -32h88v8h-88zM0 14q-14 -6 -24 6q12 4 24 -1q12 5 24 1q-10 -12 -24 -6z",
  ],
  [270, "aside", 8, 3, "M-42 -12q4 -36 42 -36t42 36q-10 -14 -22 -19q-28 8 -62 19zM-42 -12q-9 26 -2 44q6 -20 8 -44z"],
  [75, "glow", 5, 2, "M-34 -28l-6 -28l20 14l20 -20l20 20l20 -14l-6 28q-34 -12 -68 0z"],
];

/** @type {Record<string, string>} the right eye; the left eye is its mirror image, unless both look aside */
const EYE_SHAPES = {
  round: "M16 -12a9 10 0 1 0 .1 0zM15 -5a4 4.500 0 1 1 -.1 0z",
  sleepy: "M9 -3q7 7 14 0",
  aside: "M18 -9a5 6 0 1 0 .1 0z",
  dots: "M16 -9a5 6 0 1 0 .1 0z",
  glasses: "M16 -17a14 13 0 1 0 .1 0zM2 -4h-2M16 -8a4 5 0 1 0 .1 0z",
  glow: "M6 -4l10 -6l10 6l-10 5z",
};

/** @param {number} level */
export function drawFace(level) {
  const [hue, eyes, brow, smile, top] = FACES[level - 1];
  const eye = { class: `face-eye ${eyes}`, d: EYE_SHAPES[eyes] };
  const mirror = eyes === "aside" ? "translate(-28 0)" : "scale(-1 1)";
  const line = { class: "face-line", d: `M9 ${-19 - brow / 2}L24 ${-21 - brow}` };
  const face = svg(
    "svg",
    { class: "face-icon", viewBox: "-50 -62 100 112", "aria-hidden": "true" },
    svg("circle", { class: "face-rim", r: 46, cy: 2 }),
    svg("circle", { class: "face-skin", r: 44 }),
    svg("path", eye),
    svg("path", { ...eye, transform: mirror }),
    svg("path", line),
    svg("path", { ...line, transform: "scale(-1 1)" }),
    svg("path", { class: "face-line", d: `M-13 ${22 - smile / 3}Q0 ${22 + smile} 13 ${22 - smile / 3}` }),
    svg("path", { class: "face-top", d: top }),
  );
  face.style.setProperty("--hue", String(hue));
  return face;
}
