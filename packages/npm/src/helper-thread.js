import "./thread-globals.js";
import "page/core/helper.js";
