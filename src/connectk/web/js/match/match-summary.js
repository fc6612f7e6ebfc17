// The summary of a game that has just ended: the accuracy of both sides and, against an opponent, the person's progress.
import { api } from "../common/api.js";
import { button, discIcon, h } from "../common/dom.js";
import { isFairStartOffered, startText } from "./fairness.js";
import { readProgress } from "./progress.js";
import { SIDES } from "../board/start-position.js";
import { LEVELS } from "../texts/levels.js";
import { opponentLevel, sideName } from "../texts/side-names.js";
import { language, t } from "../texts/texts.js";

/** Fills the reserved place with the names at once, and with the accuracies once every move has been reviewed.
 * @param {import("./match.js").Match} match @param {HTMLElement} place @param {AbortSignal} signal
 * @param {() => void} playFair called when the next game shall begin fairly */
export async function showSummary(match, place, signal, playFair) {
  const { beaten } = readProgress();
  const isLadder = opponentLevel(match) !== null;
  const accuracies = SIDES.map((side) => h("dd.number", { "data-side": side }));
  const beginning = h("p.quiet.small.beginning");
  place.replaceChildren(
    h(
      "dl.accuracies",
      SIDES.flatMap((side, index) => [
        h("dt", discIcon(side), h("span.name", sideName(match, side))),
        accuracies[index],
      ]),
    ),
    beginning,
    h("p.quiet.small", isLadder ? t("home.beaten", { count: beaten.length, of: LEVELS.length }) : ""),
  );
  const { variant, moves, loadedView } = match;
  const { accuracy, moves: reviewed } = await api.review(
    { variant, moves, start: loadedView.start, language, given: 0 },
    signal,
  );
  beginning.append(startText(match, reviewed));
  if (isFairStartOffered(match, reviewed))
    beginning.append(" ", button(t("fairness.fair"), playFair, { class: "plain" }));
  const percent = new Intl.NumberFormat(language, { style: "percent" });
  accuracies.forEach((element, index) => {
    const value = accuracy[SIDES[index]];
    if (value === null) return;
    element.style.setProperty("--share", `${value}%`);
    element.textContent = t("play.accuracy", { accuracy: percent.format(value / 100) });
  });
}
