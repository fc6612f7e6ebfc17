import "./thread-globals.js";
import "page/core/worker.js";
