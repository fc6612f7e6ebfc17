// How well the members have played: every game is reviewed, with progress; then a table, tables for a spreadsheet and the reviews.
import { runOrShowError } from "../common/api.js";
import { button, download, h } from "../common/dom.js";
import { table } from "../common/table.js";
import { roomApi } from "./api.js";
import { t } from "../texts/texts.js";

/** @import { MemberGradeView, RoomGradesAnswer } from "../types.js" */

/** Each file's button, and its name on the server. @type {[string, string][]} */
const GRADE_FILES = [
  ["room.grades.csv", "grades.csv"],
  ["room.grades.games_csv", "graded-games.csv"],
  ["room.grades.reviews", "reviews.zip"],
];

/** What the host of a room sees. @param {string} code @param {string} secret */
export function gradesSection(code, secret) {
  const status = h("p.quiet.small", { role: "status" });
  const place = h("div.stack");
  const start = button(t("room.grades.start"), () => {
    start.disabled = true;
    return runOrShowError(status, review).finally(() => (start.disabled = false));
  });
  const review = async () => {
    const answer = await reviewAll(code, secret, status);
    place.replaceChildren(gradesTable(answer.members), fileButtons(code, secret, status));
    start.remove();
  };
  return h("section.stack", h("h2", t("room.grades")), h("div.row", start), status, place);
}

/** Sends the request again and again until every game is
 * reviewed. @param {string} code @param {string} secret @param {HTMLElement} status @returns {Promise<RoomGradesAnswer>} */
async function reviewAll(code, secret, status) {
  const answer = await roomApi.grades(code, secret);
  const { reviewed, left } = answer;
  status.textContent = t("room.grades.progress", { done: reviewed, count: reviewed + left });
  return left ? reviewAll(code, secret, status) : answer;
}

/** @param {MemberGradeView[]} members */
function gradesTable(members) {
  const heads = [
    "table.name",
    "table.games",
    "grades.accuracy",
    "grades.missed_wins",
    "grades.missed_blocks",
    "grades.blunders",
  ];
  const drawn = table(
    t("room.grades"),
    heads.map((key) => t(`room.${key}`)),
    members.map((one) => [
      one.name,
      one.games,
      one.accuracy === null ? "" : `${Math.round(one.accuracy)} %`,
      one.missed_wins,
      one.missed_blocks,
      one.blunders,
    ]),
  );
  drawn.classList.add("room-table");
  return drawn;
}

/** @param {string} code @param {string} secret @param {HTMLElement} status */
function fileButtons(code, secret, status) {
  /** @param {string} file */
  const save = (file) =>
    runOrShowError(status, async () =>
      download(`connectk-${code}-${file}`, await roomApi.download(code, file, secret)),
    );
  return h(
    "div.row",
    GRADE_FILES.map(([key, file]) => button(t(key), () => save(file))),
  );
}
