// The screen to play somebody: board and clock, open challenges, and waiting for an opponent.
import { RefusedError, errorMessage } from "../common/api.js";
import { button, checkbox, field, h, loadStylesheet, radioGroup, selectField } from "../common/dom.js";
import { redrawWhenReleased } from "../common/deferred-redraw.js";
import { newSecret, readStorage, storeSeatSecret, writeStorage } from "../common/storage.js";
import { PRECOMPUTED_BOARDS } from "../common/constants.js";
import { variantFromText } from "../board/convert.js";
import { openProfile, strangerApi } from "./api.js";
import { clockText, nameOrGuest, ratingText, seekText } from "./words.js";
import { loadTextGroup, t } from "../texts/texts.js";

/** @import { NavigationState, Page } from "../page-types.js"
 *  @import { NewSeekRequest, ProfileAnswer, SeekAnswer, SeekView } from "../types.js" */

const CLOCK_OPTIONS = ["60", "60+1", "180+2", "600+5"]; // the seconds of each side, and those added after a drop
const DEFAULT_SEEK = { board: "7x6x4", clock: "180+2", rated: true, public: true, best_of: 1, swap_discs: 0 };
const BEGINNINGS = ["plain", "swap", "three"];
const SWAP_DISCS = ["0", "1", "3"]; // after how many discs a side is chosen
const POLL_SECONDS = 10;
const RETRY_DELAY_MS = 1000;
const REFRESH_INTERVAL_MS = 3000;

/** @param {Page} page @param {string[]} path @param {NavigationState | null} navigationState */
export async function open(page, [challenge], navigationState) {
  await Promise.all([loadTextGroup("strangers"), loadStylesheet("css/strangers.css")]);
  const screen = new SeekScreen(page);
  page.setScreen(screen);
  page.board.show({});
  if (challenge) await screen.showChallenge(challenge);
  else if (navigationState?.seek) await screen.start(true);
  else await screen.showForm();
  return screen;
}

class SeekScreen {
  /** @param {Page} page */
  constructor(page) {
    this.page = page;
    this.values = { ...DEFAULT_SEEK, ...readStorage("somebody", {}) };
    /** @type {ProfileAnswer | null} */
    this.profile = null;
    /** @type {{ id: string, secret: string, answer: SeekAnswer, since: number, abort: AbortController } | null} */
    this.waiting = null;
    this.status = h("p.bad", { role: "status" });
    this.challenges = h("ul.matches.challenges");
    this.refreshTimer = 0;
    this.waitingTimer = 0;
    this.abort = new AbortController();
    addEventListener("pagehide", () => this.#withdraw(), { signal: this.abort.signal });
  }

  close() {
    this.#withdraw();
    this.abort.abort();
    clearInterval(this.refreshTimer);
    clearInterval(this.waitingTimer);
  }

  // The form.

  async showForm() {
    this.profile ??= await openProfile();
    if (this.page.isClosed) return;
    this.#drawForm();
    clearInterval(this.refreshTimer);
    this.refreshTimer = setInterval(() => this.#refresh().catch(() => {}), REFRESH_INTERVAL_MS);
    await this.#refresh();
  }

  #drawForm() {
    const { values } = this;
    const boards = PRECOMPUTED_BOARDS.map((board) => [board, t(`home.board.${board}`)]);
    const clocks = CLOCK_OPTIONS.map((clock) => [clock, clockText(clockOf(clock))]);
    const beginnings = BEGINNINGS.map((begin, index) => [SWAP_DISCS[index], t(`home.begin.${begin}`)]);
    const series = ["1", "3", "5"].map((count) => [count, t("stranger.games", { count: Number(count) })]);
    this.page.panel.replaceChildren(
      h("div.stack", h("h1", t("stranger.title")), h("p.quiet", t("stranger.lead"))),
      this.#profileRow(),
      h(
        "div.row",
        button(t("stranger.find"), () => this.start(true), { class: "main", name: "find" }),
        button(t("stranger.post"), () => this.start(false), { name: "post" }),
      ),
      this.status,
      selectField(t("home.board"), boards, values.board, (board) => this.#set({ board })),
      selectField(t("home.clock"), clocks, values.clock, (clock) => this.#set({ clock })),
      selectField(t("home.begin"), beginnings, String(values.swap_discs), (discs) =>
        this.#set({ swap_discs: Number(discs) }),
      ),
      field(
        t("stranger.series"),
        radioGroup(t("stranger.series"), "best_of", series, String(values.best_of), (count) =>
          this.#set({ best_of: Number(count) }),
        ),
      ),
      h(
        "div.stack",
        checkbox(t("stranger.want_rated"), values.rated, (rated) => this.#set({ rated })),
        checkbox(t("stranger.want_public"), values.public, (on) => this.#set({ public: on })),
      ),
      h("h2", t("stranger.challenges")),
      this.challenges,
    );
  }

  #profileRow() {
    const profile = /** @type {ProfileAnswer} */ (this.profile);
    const { wins, draws, losses } = profile;
    return h(
      "div.profile",
      h("strong", nameOrGuest(profile.name)),
      h("span.number", { name: "rating" }, ratingText(profile.rating)),
      wins + draws + losses > 0 && h("span.quiet.small", t("home.record", { wins, draws, losses })),
      button(t("stranger.profile"), () => this.#openProfile(), { name: "profile" }),
    );
  }

  async #openProfile() {
    const { openProfileDialog } = await import("./profile-dialog.js");
    openProfileDialog(/** @type {ProfileAnswer} */ (this.profile), async () => {
      this.profile = await openProfile();
      this.#drawForm();
    });
  }

  /** @param {Partial<typeof DEFAULT_SEEK>} changes */
  #set(changes) {
    Object.assign(this.values, changes);
    writeStorage("somebody", this.values);
  }

  async #refresh() {
    const { seeks } = await strangerApi.seeks();
    const rows = seeks.map((seek) => this.#challengeRow(seek));
    redrawWhenReleased(this.challenges, () =>
      this.challenges.replaceChildren(...(rows.length ? rows : [h("li.quiet", t("stranger.no_challenges"))])),
    );
  }

  /** @param {SeekView} seek */
  #challengeRow(seek) {
    const name = nameOrGuest(seek.name);
    return h(
      "li",
      h("span", `${name} (${ratingText(seek.rating)}) `, h("span.quiet.small", seekText(seek))),
      button(t("stranger.take"), () => this.take(seek.id), { "aria-label": t("stranger.take_from", { name }) }),
    );
  }

  /** The challenge of a link. @param {string} id */
  async showChallenge(id) {
    this.profile ??= await openProfile();
    this.page.panel.replaceChildren(
      h("div.stack", h("h1", t("stranger.challenge")), h("p.quiet", t("stranger.challenge_lead"))),
      h(
        "div.row",
        button(t("stranger.take"), () => this.take(id), { class: "main" }),
      ),
      this.status,
    );
  }

  /** @param {string} id */
  async take(id) {
    const secret = newSecret();
    try {
      this.#openMatch(await strangerApi.take(id, this.values.rated, secret), secret);
    } catch (error) {
      this.#fail(error);
    }
  }

  // Waiting.

  /** Waits for an opponent. @param {boolean} takesLevel whether a computer level steps in if nobody comes */
  async start(takesLevel) {
    this.status.textContent = "";
    try {
      this.profile ??= await openProfile();
      const secret = newSecret();
      const answer = await strangerApi.seek(this.#wish(takesLevel), secret);
      if (this.page.isClosed) return void strangerApi.cancel(answer.seek.id, secret);
      if (answer.match) return this.#openMatch(answer, secret);
      this.waiting = { id: answer.seek.id, secret, answer, since: Date.now(), abort: new AbortController() };
      this.#showWaiting(this.waiting);
    } catch (error) {
      this.#fail(error);
    }
  }

  /** @param {boolean} takesLevel @returns {import("./api.js").SeekRequest} */
  #wish(takesLevel) {
    const { board, clock, rated, best_of, swap_discs } = this.values;
    const [seconds, increment] = clockOf(clock);
    return {
      variant: variantFromText(board),
      clock: { seconds, increment },
      rated,
      public: this.values.public,
      best_of: /** @type {NewSeekRequest["best_of"]} */ (best_of),
      swap_discs: /** @type {NewSeekRequest["swap_discs"]} */ (swap_discs),
      takes_level: takesLevel,
    };
  }

  /** @param {NonNullable<SeekScreen["waiting"]>} waiting */
  #showWaiting(waiting) {
    clearInterval(this.refreshTimer);
    const { seek } = waiting.answer;
    const progress = h("p", { role: "status" });
    const people = h("p.quiet.small");
    this.page.panel.replaceChildren(
      h("div.stack", h("h1", t("stranger.looking")), h("p.quiet", { id: "wish" }, seekText(seek))),
      progress,
      people,
      h(
        "div.row",
        button(t("stranger.cancel"), () => this.#cancel(), { class: "main", name: "cancel" }),
      ),
    );
    const draw = () => this.#drawProgress(progress, people);
    draw();
    this.waitingTimer = setInterval(draw, 1000);
    this.#poll(waiting);
  }

  /** @param {HTMLElement} progress @param {HTMLElement} people */
  #drawProgress(progress, people) {
    if (!this.waiting) return;
    const { answer, since } = this.waiting;
    const passed = Math.floor((Date.now() - since) / 1000);
    const left = answer.level_in === null ? null : Math.ceil(answer.level_in - passed);
    const words =
      left === null ? t("stranger.waiting_open") : t(left > 0 ? "stranger.waiting" : "stranger.level_comes");
    if (progress.textContent !== words) progress.textContent = words;
    people.textContent = [
      t("stranger.waited", { count: passed }),
      t("stranger.people", { count: Math.max(0, answer.waiting - 1) }),
    ].join(" ");
  }

  /** Asks until there is a match. A lost connection is only waited out, as the server keeps the place for a while.
   * @param {NonNullable<SeekScreen["waiting"]>} waiting @returns {Promise<void>} */
  async #poll(waiting) {
    const answer = await this.#ask(waiting);
    if (waiting !== this.waiting) return undefined;
    if (answer?.match) return this.#openMatch(answer, waiting.secret);
    return this.#poll(waiting);
  }

  /** @param {NonNullable<SeekScreen["waiting"]>} waiting @returns {Promise<SeekAnswer | null>} */
  async #ask(waiting) {
    try {
      const answer = await strangerApi.wait(waiting.id, waiting.secret, POLL_SECONDS, waiting.abort.signal);
      waiting.answer = { ...answer, level_in: waiting.answer.level_in };
      return answer;
    } catch (error) {
      if (waiting !== this.waiting) return null;
      if (error instanceof RefusedError && error.reason === "no_seek") await this.#seekAgain(waiting);
      else await new Promise((resolve) => setTimeout(resolve, RETRY_DELAY_MS));
      return null;
    }
  }

  /** Waits again after the server has forgotten the seek. @param {NonNullable<SeekScreen["waiting"]>} waiting */
  async #seekAgain(waiting) {
    this.waiting = null;
    clearInterval(this.waitingTimer);
    await this.start(waiting.answer.level_in !== null);
  }

  #withdraw() {
    const { waiting } = this;
    this.waiting = null;
    clearInterval(this.waitingTimer);
    waiting?.abort.abort();
    if (waiting) strangerApi.cancel(waiting.id, waiting.secret);
  }

  #cancel() {
    this.#withdraw();
    this.#backToForm();
  }

  async #backToForm() {
    await this.showForm().catch((error) => this.page.announce(errorMessage(error)));
  }

  /** @param {SeekAnswer} answer @param {string} secret */
  #openMatch({ match, level }, secret) {
    if (!match) return;
    this.waiting = null; // it has come true, so there is nothing to withdraw
    storeSeatSecret(match, secret);
    this.page.navigate(`/match/${match}`, { detail: level ? t("stranger.level_came") : "" });
  }

  /** @param {unknown} error */
  async #fail(error) {
    this.waiting = null;
    if (!this.status.isConnected) await this.#backToForm();
    this.status.textContent = errorMessage(error);
    this.page.announce(errorMessage(error));
  }
}

/** @param {string} clock such as "180+2" @returns {[number, number]} */
function clockOf(clock) {
  const [seconds, increment = 0] = clock.split("+").map(Number);
  return [seconds, increment];
}
