// A helper thread of the core: a second instance that uses the same memory with a stack of its own. The thread blocks until
// a search requests help (native/helpers.cpp) and never returns: the page terminates it together with its worker.
import { instantiate } from "./numbers.js";

addEventListener("message", async ({ data: { module, memory, stack } }) => {
  try {
    const core = await instantiate(module, () => false, memory);
    core["__stack_pointer"].value = stack;
    core.connectk_help(stack);
  } catch (error) {
    postMessage({ failed: String(error) });
  }
});
