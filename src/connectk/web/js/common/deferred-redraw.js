// Defers redraws while a button or key is pressed, because a click needs press and release on the same element.

let isPressed = false;
/** @type {Map<object, () => void>} only the latest redraw of each object */
const deferred = new Map();

/** @param {object} thing @param {() => void} draw */
export function redrawWhenReleased(thing, draw) {
  if (isPressed) deferred.set(thing, draw);
  else draw();
}

function flush() {
  isPressed = false;
  const all = [...deferred.values()];
  deferred.clear();
  for (const draw of all) draw();
}

addEventListener("pointerdown", ({ button }) => (isPressed ||= button === 0), true);
addEventListener("keydown", ({ key }) => (isPressed ||= key === " "), true);
for (const end of ["pointerup", "pointercancel", "contextmenu", "keyup"])
  addEventListener(end, () => setTimeout(flush), true); // after the click
addEventListener("blur", flush); // the page never sees a release outside the window
