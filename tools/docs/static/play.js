// The playable board of the documentation. The page's own core, compiled for the browser, knows the rules and answers.
// If the page is not served beside the documentation, the drawn board stays and links to the page.
const PLAYER = "level:5";
const ANSWER_SECONDS = 1;
const NO_WINNER = null;

const place = document.querySelector(".playable");
const { rulesWorker } = place ? await import(new URL("../../js/core/core-workers.js", import.meta.url)).catch(() => ({})) : {};
if (rulesWorker) start(...place.dataset.variant.split("x").map(Number));

function start(width, height, run) {
  const variant = { width, height, run };
  const status = Object.assign(document.createElement("p"), { role: "status" });
  const board = Object.assign(document.createElement("div"), { className: "playable-board", role: "group", ariaLabel: "Board" });
  board.style.setProperty("--columns", width);
  const again = Object.assign(document.createElement("button"), { className: "playable-again", textContent: "New game" });
  const columns = Array.from({ length: width }, (_, column) => columnButton(column, height));
  board.append(...columns);
  place.replaceChildren(board, status, again);

  let moves = [];
  let isThinking = false;

  const ask = (what, ...more) => rulesWorker.request(what, [{ variant, discs: [], moves: [...moves] }, ...more]);

  async function show() {
    const moment = await ask("moment");
    moment.board.forEach((discs, column) => draw(columns[column], discs, moment));
    status.textContent = sentence(moment);
    return moment;
  }

  async function drop(column) {
    const { legal_columns: open } = await ask("moment");
    if (isThinking || !open.includes(column)) return;
    isThinking = true;
    const game = (moves = [...moves, column]);
    if (!(await show()).result) {
      const answer = await ask("choose", PLAYER, 1000 * ANSWER_SECONDS, crypto.getRandomValues(new Int32Array(2)));
      if (game !== moves) return; // a new game has begun meanwhile
      moves = [...moves, answer.column];
      await show();
    }
    isThinking = false;
  }

  columns.forEach((button, column) => button.addEventListener("click", () => drop(column)));
  again.addEventListener("click", () => {
    [moves, isThinking] = [[], false];
    show();
  });
  show();
}

function columnButton(column, height) {
  const button = Object.assign(document.createElement("button"), { ariaLabel: `Column ${column + 1}` });
  button.append(...Array.from({ length: height }, () => document.createElement("span")));
  return button;
}

// The lowest cell comes last, because a column is written from the top down.
function draw(button, discs, { winning_lines: lines }) {
  const cells = [...button.children].reverse();
  const column = [...button.parentElement.children].indexOf(button);
  cells.forEach((cell, row) => {
    const side = { x: "first", o: "second" }[discs[row]] ?? "";
    const isWinning = lines.flat().some(([atColumn, atRow]) => atColumn === column && atRow === row);
    cell.className = `${side}${isWinning ? " won" : ""}`;
  });
  const said = [...discs].map((disc) => (disc === "x" ? "yours" : "the computer's")).join(", ");
  button.ariaLabel = `Column ${column + 1}: ${said || "empty"}`;
}

function sentence({ ply, result, side_to_move: side }) {
  if (!result) return side === "first" ? (ply ? "Your turn." : "You begin: press a column.") : "The computer is thinking.";
  if (result.winner === NO_WINNER) return "A draw.";
  return result.winner === "first" ? "You win." : "The computer wins.";
}
