// One more thread of the core: an instance over the same memory, on a stack of its own. It sleeps in there until a search
// calls for help (native/helpers.cpp), and never comes back: the page ends it together with the worker that it helps.
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
