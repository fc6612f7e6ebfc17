// The worker that runs the core.
import { answerWith } from "./answering.js";

const answer = answerWith((message) => postMessage(message));
addEventListener("message", ({ data }) => answer(data));
