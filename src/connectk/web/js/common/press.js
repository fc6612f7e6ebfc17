// A click is a press and a release on one element: while anything is pressed, what would draw it anew waits.

let isPressed = false;
/** @type {Map<object, () => void>} of each thing to be drawn the latest only */
const waiting = new Map();

/** @param {object} thing @param {() => void} draw */
export function whenReleased(thing, draw) {
  if (isPressed) waiting.set(thing, draw);
  else draw();
}

function release() {
  isPressed = false;
  const all = [...waiting.values()];
  waiting.clear();
  for (const draw of all) draw();
}

addEventListener("pointerdown", ({ button }) => (isPressed ||= button === 0), true);
addEventListener("keydown", ({ key }) => (isPressed ||= key === " "), true);
for (const end of ["pointerup", "pointercancel", "contextmenu", "keyup"])
  addEventListener(end, () => setTimeout(release), true); // after the click
addEventListener("blur", release); // of the window: who knows what is pressed when it is seen again
