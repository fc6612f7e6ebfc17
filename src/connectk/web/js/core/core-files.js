// Where the page's compiled files and the scripts of its threads are. The npm package has a version of its own.

/** @typedef {"connectk" | "analysis"} ModuleName */

/** Whether memory can be shared: the headers of a connectk server or of the service worker allow it. */
export const canShareMemory = Boolean(globalThis.crossOriginIsolated);

/** @param {ModuleName} name */
export async function fetchModule(name) {
  const address = new URL(`../../core/${name}.wasm`, import.meta.url);
  const answer = await fetch(address);
  if (!answer.ok) throw new TypeError(`no core at ${address}`);
  return WebAssembly.compile(await answer.arrayBuffer());
}

/** Starts a thread that runs the core. @returns {Worker} */
export const startWorker = () => new Worker(new URL("./worker.js", import.meta.url), { type: "module" });

/** Starts a thread that helps another one. @returns {Worker} */
export const startHelper = () => new Worker(new URL("./helper.js", import.meta.url), { type: "module" });
