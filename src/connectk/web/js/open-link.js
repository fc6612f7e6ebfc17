// Opens the screen of a shared link. What stands behind the `#` of an invitation is its secret: only the browser sees it.
(() => {
  const screen = document.currentScript?.dataset.screen ?? "/";
  const secret = screen.endsWith("/") ? location.hash.slice(1) : "";
  location.replace(screen + encodeURIComponent(secret));
})();
