// What a match of two people adds to the panel: phrases and faces, and between strangers ratings, the series, mute and
// report.
import { errorMessage } from "../common/api.js";
import { button, h, loadStylesheet, select } from "../common/dom.js";
import { seatSecret } from "../common/storage.js";
import { otherSide } from "../board/start-position.js";
import { strangerApi } from "./api.js";
import { PHRASES, REPORT_REASONS } from "../common/constants.js";
import { MOODS, drawMood } from "./moods.js";
import { ratingText } from "./words.js";
import { loadTextGroup, t } from "../texts/texts.js";

/** @import { MatchScreen } from "../match/match-screen.js"
 *  @import { EncounterAnswer, RatingView, ReportRequest, SayCommand } from "../types.js"
 *  @import { Side } from "../page-types.js" */

const PHRASE_DISPLAY_MS = 5000;
const SETTLE_RETRIES_MS = [200, 700, 2000, 5000];

export class MatchPart {
  /** @param {MatchScreen} screen */
  constructor(screen) {
    this.screen = screen;
    /** @type {EncounterAnswer | null} */
    this.encounter = null;
    this.isMuted = false;
    this.wasExchanged = false; // when the encounter was loaded
    /** @type {Record<Side, string>} */
    this.said = { first: "", second: "" };
    this.moods = { first: "", second: "" };
    /** @type {Partial<Record<Side, number>>} */
    this.timers = {};
    this.element = h("div.stack.people");
    this.result = h("p.rating-change", { role: "status" });
    this.status = h("p.quiet.small", { role: "status" });
  }

  close() {
    for (const timer of Object.values(this.timers)) clearTimeout(timer);
  }

  get match() {
    return this.screen.match;
  }

  /** Whether the players have other sides than at the beginning. */
  get #isExchanged() {
    const { swapped, extended } = this.match.loadedView;
    return swapped !== extended;
  }

  /** The side that the player of a side had when the encounter was loaded. @param {Side} side @returns {Side} */
  #sideAtLoad(side) {
    return this.wasExchanged === this.#isExchanged ? side : otherSide(side);
  }

  async open() {
    await Promise.all([loadTextGroup("strangers"), loadStylesheet("css/strangers.css")]);
    if (this.match.loadedView.strangers) await this.#load().catch(() => {});
    this.isMuted = this.encounter?.muted ?? false;
    this.#draw();
    if (this.match.isOver) this.onEnd();
    this.screen.panel.update();
  }

  async #load() {
    this.encounter = await strangerApi.encounter(this.match.id, seatSecret(this.match.id));
    this.wasExchanged = this.#isExchanged;
  }

  #draw() {
    const { sides } = this.match;
    const plays = sides.length === 1;
    this.element.replaceChildren(
      ...[
        this.encounter && h("p.quiet.small", { id: "encounter" }, this.#factsText()),
        this.result,
        plays && this.#phraseBar(),
        plays && this.encounter && this.#mannersRow(),
        this.status,
      ].filter((part) => part instanceof Node),
    );
  }

  /** Whether the match is rated, and its place in a series. */
  #factsText() {
    const { rated, best_of: games, game, points } = /** @type {EncounterAnswer} */ (this.encounter);
    const facts = [t(rated ? "stranger.match_rated" : "stranger.match_unrated")];
    if (games > 1) {
      const own = this.#sideAtLoad(this.match.sides[0]) === "second" ? [points[1], points[0]] : points;
      facts.push(t("stranger.series_now", { game, games, mine: own[0], theirs: own[1] }));
    }
    return facts.join(" ");
  }

  #phraseBar() {
    const faces = MOODS.map((name) => {
      const face = button("", () => this.#say(name), { class: "face", "aria-label": t(`stranger.phrase.${name}`) });
      face.append(drawMood(name));
      return face;
    });
    const phrases = PHRASES.map((name) => button(t(`stranger.phrase.${name}`), () => this.#say(name)));
    return h("details.phrases", h("summary", t("stranger.say")), h("div.row", faces), h("div.row", phrases));
  }

  /** @param {string} phrase */
  async #say(phrase) {
    const name = /** @type {SayCommand["phrase"]} */ (phrase);
    await this.match.request(/** @type {SayCommand} */ ({ type: "say", phrase: name }));
  }

  #mannersRow() {
    const mute = button("", () => this.#mute(), { name: "mute" });
    const label = () => (mute.textContent = t(this.isMuted ? "stranger.unmute" : "stranger.mute"));
    label();
    this.relabelMute = label;
    const reasons = REPORT_REASONS.map((reason) => [reason, t(`stranger.report.${reason}`)]);
    const reason = select(t("stranger.report_reason"), reasons, reasons[0][0], () => {});
    const send = button(t("stranger.report_send"), () => this.#report(reason.value));
    return h(
      "div.stack",
      h("div.row", mute),
      h("details", h("summary", t("stranger.report")), h("div.row", reason, send)),
    );
  }

  async #mute() {
    await this.#run(async () => {
      await strangerApi.mute(this.match.id, seatSecret(this.match.id), !this.isMuted);
      this.isMuted = !this.isMuted;
      this.relabelMute?.();
      return t(this.isMuted ? "stranger.muted" : "stranger.unmuted");
    });
  }

  /** @param {string} reason */
  async #report(reason) {
    await this.#run(async () => {
      const why = /** @type {ReportRequest["reason"]} */ (reason);
      await strangerApi.report(this.match.id, seatSecret(this.match.id), why);
      return t("stranger.reported");
    });
  }

  /** @param {() => Promise<string>} act */
  async #run(act) {
    this.status.textContent = await act().catch(errorMessage);
  }

  /** What somebody says: it stands beside the seat for a while. @param {Side} side @param {SayCommand["phrase"]} phrase @param {string} name */
  onSaid(side, phrase, name) {
    if (this.isMuted && !this.match.sides.includes(side)) return;
    clearTimeout(this.timers[side]);
    const words = t(`stranger.phrase.${phrase}`);
    this.said[side] = words;
    this.moods[side] = MOODS.includes(phrase) ? phrase : "";
    this.timers[side] = setTimeout(() => {
      this.said[side] = "";
      this.screen.panel.update();
    }, PHRASE_DISPLAY_MS);
    this.screen.page.announce(t("stranger.said", { name, phrase: words }));
    this.screen.panel.update();
  }

  /** The face that somebody shows; null for words. @param {Side} side */
  drawSaid(side) {
    return this.moods[side] ? drawMood(this.moods[side]) : null;
  }

  /** The rating beside a name; null while it is not known. @param {Side} side */
  ratingOf(side) {
    const player = this.encounter?.[this.#sideAtLoad(side)];
    return player ? ratingText(player.after ?? player.before) : null;
  }

  /** Waits until the result is entered, and shows how the own rating has changed. */
  async onEnd() {
    if (!this.encounter) return;
    await this.#waitUntilSettled(SETTLE_RETRIES_MS);
    const note = this.element.querySelector("#encounter");
    if (note) note.textContent = this.#factsText();
    this.result.textContent = this.#changeText();
    this.screen.panel.update();
  }

  /** @param {number[]} delays in milliseconds @returns {Promise<void>} */
  async #waitUntilSettled([delay, ...later]) {
    await new Promise((resolve) => setTimeout(resolve, delay));
    await this.#load().catch(() => {});
    return this.encounter?.settled || !later.length ? undefined : this.#waitUntilSettled(later);
  }

  #changeText() {
    const { encounter } = this;
    const [side] = this.match.sides;
    if (!encounter?.settled || !side) return "";
    const { before, after, ceiling } = encounter[side];
    if (!after) return encounter.rated ? t("stranger.not_counted") : "";
    const change = t("stranger.rating_change", { ...changeFacts(before, after) });
    return ceiling ? `${change} ${t("stranger.ceiling", { rating: ceiling })}` : change;
  }
}

/** @param {RatingView} before @param {RatingView} after */
function changeFacts(before, after) {
  const change = after.rating - before.rating;
  return { before: ratingText(before), after: ratingText(after), change: change < 0 ? `−${-change}` : `+${change}` };
}
