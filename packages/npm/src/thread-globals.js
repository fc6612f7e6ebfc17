// In Node.js a worker has its messages elsewhere; its scripts are written for browsers.
const port = /** @type {any} */ (globalThis).process?.getBuiltinModule?.("node:worker_threads")?.parentPort;
if (port && !("postMessage" in globalThis)) {
  Object.assign(globalThis, {
    postMessage: (/** @type {any} */ message) => port.postMessage(message),
    addEventListener: (/** @type {string} */ name, /** @type {(event: { data: any }) => void} */ listener) =>
      port.on(name, (/** @type {any} */ data) => listener({ data })),
  });
}
