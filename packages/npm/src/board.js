// The entry point of the board for any page: defines <connectk-board>.
import { ConnectkBoardElement } from "./element.js";

if (!customElements.get("connectk-board")) customElements.define("connectk-board", ConnectkBoardElement);
