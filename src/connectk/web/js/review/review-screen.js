// The screen of a review: a game to step through, with its analysis. Other moves are shown as variations and do not change the game.
import { api } from "../common/api.js";
import { eventDetail } from "../board/board.js";
import { toCell, boardAtPly, moveSeparator, writeMoves, writeVariant } from "../board/convert.js";
import { isEmbedded, writeStorage, readStorage } from "../common/storage.js";
import { gamePath, openWholePage, parseGamePath } from "../common/paths.js";
import { showExplorer, showScores, showThreats } from "./overlays.js";
import { ReviewPanel } from "./review-panel.js";
import {
  extendsGame,
  lastPlyOf,
  mainGameOf,
  mainPlyOf,
  newReviewState,
  setGame,
  setPly,
  showVariation,
  shownGameOf,
} from "./review-state.js";
import { CancellableRequests } from "../common/cancellable-requests.js";
import { createMatchFromPosition } from "../match/setup.js";
import { language, t } from "../texts/texts.js";

const ANALYSIS_DELAY_MS = 350; // the delay after a change of the game that follows another one as quickly
const KEY_STEPS = /** @type {Record<string, number | undefined>} */ ({
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -Infinity,
  End: Infinity,
});

/** @import { NavigationState, Page, Side, ReviewSource, GameAddress } from "../page-types.js"
 *  @import { Variation } from "./review-state.js"
 *  @typedef {NonNullable<GameAddress["variation"]>} VariationAddress */

/** @param {Page} page @param {string[]} path @param {NavigationState | null} navigationState */
export async function open(page, path, navigationState) {
  // The browser's history keeps what the link does not say: the names and the ply that was shown.
  const kept = navigationState ?? history.state?.review ?? {};
  const screen = new ReviewScreen(page, kept);
  screen.remember({ review: { players: kept.players, verdict: kept.verdict, given: kept.given } });
  await screen.load(parseGamePath(path));
  if (navigationState?.startMatch) await screen.playFromHere();
  return screen;
}

export class ReviewScreen {
  static #lastChangeAt = -Infinity; // when a game was loaded, by this screen or by an earlier one

  /** @param {Page} page @param {NavigationState} navigationState @param {ReviewSource} source */
  constructor(page, { players = {}, verdict = "", given = 0, isStandalone = false }, source = api) {
    this.page = page;
    this.isStandalone = isStandalone; // outside the page: there is no address, and the game cannot be continued
    this.players = players;
    this.verdict = verdict;
    this.given = given; // how many of the first moves were an opening that nobody chose
    this.source = source;
    this.state = newReviewState();
    this.replayTimer = 0; // 0 while no replay runs
    this.analysisTimer = 0;
    this.latestNavigation = {}; // an answer to an older navigation is ignored
    /** @type {PromiseWithResolvers<void>} */
    this.loadedDeferred = Promise.withResolvers();
    /** @type {Promise<unknown>} */
    this.explorations = this.loadedDeferred.promise; // chosen columns are handled one after the other
    this.requests = new CancellableRequests((words) => this.panel.showStatus(words));
    /** @type {{ scores: boolean, threats: boolean, signs: boolean, explorer: boolean }} */
    this.options = { scores: true, threats: false, signs: false, explorer: false, ...readStorage("review", {}) };
    /** @type {import("./explorer.js").Explorer | null} */
    this.explorer = null; // loaded when it is wanted
    this.panel = new ReviewPanel(this);
    this.onChoose = (/** @type {Event} */ event) => this.explore(eventDetail(event).column);
    page.setScreen(this);
    page.board.setAttribute("stepping", "");
    page.board.addEventListener("choose", this.onChoose);
  }

  close() {
    this.page.board.removeEventListener("choose", this.onChoose);
    this.page.board.removeAttribute("stepping");
    this.page.board.removeAttribute("signs");
    this.stopReplay();
    clearTimeout(this.analysisTimer);
    this.requests.abortAll();
  }

  get mainGame() {
    return mainGameOf(this.state);
  }

  /** The game, or the variation that is shown instead. */
  get game() {
    return shownGameOf(this.state);
  }

  get ply() {
    return this.state.ply;
  }

  get lastPly() {
    return lastPlyOf(this.state);
  }

  get mainPly() {
    return mainPlyOf(this.state);
  }

  get moment() {
    return this.game.positions[this.ply];
  }

  /** @param {Side} side */
  playerName(side) {
    return this.players[side] || t(`name.${side}`);
  }

  /** @param {GameAddress} address @param {number | null} ply */
  async load(address, ply = null) {
    const game = await this.source.game({ variant: address.variant, moves: address.moves, start: address.start });
    if (this.page.isClosed) return;
    setGame(this.state, game);
    await this.#prepareExplorer();
    const variation = await this.#loadVariation(address.variation);
    if (this.page.isClosed) return;
    showVariation(this.state, variation, ply ?? this.#rememberedPly);
    this.panel.draw();
    this.refresh();
    this.loadedDeferred.resolve(); // handles the columns that were chosen meanwhile
    this.#scheduleAnalysis();
  }

  /** @param {VariationAddress | null} [address] @returns {Promise<Variation | null>} */
  async #loadVariation(address) {
    if (!address) return null;
    const { variant, moves, start } = this.#address();
    const before = this.mainGame.columns.slice(0, address.from);
    const { width } = this.mainGame.variant;
    const all = [writeMoves(before, width), address.moves].filter(Boolean).join(moveSeparator(width));
    return {
      from: Math.min(address.from, this.mainGame.columns.length),
      game: moves === all ? this.mainGame : await this.source.game({ variant, moves: all, start }),
    };
  }

  /** Shows another address of the same game, after Back or Forward. @param {string[]} path */
  showPath(path) {
    if (!this.state.mainGame) return false;
    const address = parseGamePath(path);
    const { variant, moves, start } = this.#address();
    if (address.variant !== variant || address.moves !== moves || address.start !== start) return false;
    this.#navigateTo(address.variation);
    return true;
  }

  /** Loads and shows an address. Answers may come in any order; only the latest request counts. @param {VariationAddress | null} [address] */
  async #navigateTo(address) {
    const navigation = (this.latestNavigation = {});
    const variation = await this.#loadVariation(address);
    if (navigation !== this.latestNavigation || this.page.isClosed) return;
    this.#goTo(variation, this.#rememberedPly);
  }

  /** @param {Variation | null} variation @param {number} ply */
  #goTo(variation, ply) {
    this.latestNavigation = {};
    this.stopReplay();
    showVariation(this.state, variation, ply);
    this.remember({ ply: this.ply });
    this.panel.drawVariation();
    this.refresh();
  }

  /** @param {number} ply */
  goToPly(ply) {
    const { variation } = this.state;
    const to = Math.max(0, Math.min(this.lastPly, ply));
    if (to === this.ply) return;
    if (variation && to < variation.from) return this.goToMainPly(to);
    setPly(this.state, to);
    this.remember({ ply: to });
    this.refresh();
    this.page.announce(this.panel.sentence());
  }

  /** Leaves any variation and goes to a ply of the game itself. @param {number} ply */
  goToMainPly(ply) {
    if (this.state.variation) this.#pushAddress(null, ply);
    this.#goTo(null, ply);
    this.page.announce(this.panel.sentence());
  }

  /** Goes to a ply and scrolls to the board, which may be out of sight on a phone. @param {number} ply */
  goToPlyInView(ply) {
    this.goToMainPly(ply);
    this.page.board.scrollIntoView({ block: "nearest" });
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const step = KEY_STEPS[event.key];
    if (step === undefined || !this.state.mainGame) return false;
    this.stopReplay();
    this.goToPly(this.ply + step);
    return true;
  }

  refresh() {
    this.page.board.show(boardAtPly(this.game, this.ply, this.source.isFixed ? null : this.moment.side_to_move));
    this.page.showSeats(
      { side: "second", name: this.playerName("second") },
      { side: "first", name: this.playerName("first") },
    );
    this.page.board.showLine([]);
    this.page.board.toggleAttribute("signs", this.options.signs);
    this.panel.update();
    showExplorer(this);
    showScores(this);
    showThreats(this);
  }

  /** The ply that was shown when this address was left, or else the last one. */
  get #rememberedPly() {
    return (this.isStandalone ? null : history.state?.ply) ?? Infinity;
  }

  /** Stores facts with the address in the history, for a reload and for Back. @param {Record<string, unknown>} facts */
  remember(facts) {
    if (this.isStandalone) return;
    try {
      history.replaceState({ ...history.state, ...facts }, "");
    } catch {
      // Some browsers limit the number of changes in half a minute.
    }
  }

  /** Shows the better moves from the board before a move, or the best answer from the board after the move.
   * @param {number} ply @param {[number, number][]} cells */
  showVariationCells(ply, cells) {
    this.goToPlyInView(ply);
    this.page.board.showLine(cells.map(toCell), this.moment.side_to_move ?? "first");
  }

  /** Drops a disc. A drop waits for the drop before it, since columns may be chosen faster than boards load. @param {number} column */
  explore(column) {
    const next = this.explorations.then(() => this.#explore(column));
    this.explorations = next.catch(() => {});
    return next;
  }

  /** Steps along the moves that are shown, or starts a variation. @param {number} column */
  async #explore(column) {
    if (this.page.isClosed) return undefined;
    if (!this.moment.legal_columns.includes(column)) {
      const over = this.moment.result !== null;
      return this.page.announce(over ? t("refused.match_over") : t("error.ColumnFull", { column: column + 1 }));
    }
    this.stopReplay();
    if (this.game.columns[this.ply] === column) return this.goToPly(this.ply + 1);
    const side = this.moment.side_to_move;
    if (this.source.isFixed || !side) return undefined;
    this.page.board.place(column, side);
    const columns = [...this.game.columns.slice(0, this.ply), column];
    return extendsGame(this.state) ? this.#extendGame(columns) : this.#startVariation(columns);
  }

  /** @param {number[]} columns */
  async #startVariation(columns) {
    const from = this.mainPly;
    const { width } = this.mainGame.variant;
    const variation = { from, moves: writeMoves(columns.slice(from), width) };
    const game = await this.source.game({ ...this.#address(), moves: writeMoves(columns, width) });
    if (this.page.isClosed) return;
    this.#pushAddress(variation, columns.length);
    this.#goTo({ from, game }, columns.length);
  }

  /** @param {number[]} columns */
  async #extendGame(columns) {
    const address = { ...this.#address(), moves: writeMoves(columns, this.mainGame.variant.width) };
    this.#pushState(address, columns.length);
    await this.load(address, columns.length);
    this.state.isEditable = true;
  }

  /** Adds an address to the history, so that each variation is one step for Back. @param {VariationAddress | null} variation @param {number} ply */
  #pushAddress(variation, ply) {
    this.remember({ ply: this.ply });
    this.#pushState({ ...this.#address(), variation }, ply);
  }

  /** @param {GameAddress} address @param {number} ply */
  #pushState(address, ply) {
    if (!this.isStandalone) history.pushState({ ...history.state, ply }, "", `#${gamePath(address)}`);
  }

  /** @param {number} speed */
  startReplay(speed) {
    this.stopReplay();
    if (this.ply === this.lastPly) this.goToPly(this.state.variation?.from ?? 0);
    this.replayTimer = setInterval(
      () => (this.ply === this.lastPly ? this.stopReplay() : this.goToPly(this.ply + 1)),
      1000 / speed,
    );
    this.panel.update();
  }

  stopReplay() {
    clearInterval(this.replayTimer);
    this.replayTimer = 0;
    if (this.state.mainGame) this.panel.update();
  }

  position(game = this.game, ply = this.ply) {
    return { variant: game.variant, start: game.start, moves: game.columns.slice(0, ply) };
  }

  /** @param {"scores" | "threats" | "signs" | "explorer"} name @param {boolean} on */
  async setOption(name, on) {
    this.options[name] = on;
    writeStorage("review", this.options);
    await this.#prepareExplorer();
    if (!this.page.isClosed) this.refresh();
  }

  /** Loads the opening explorer if it is wanted. A page in one file has none, and a frame has no room for it. */
  async #prepareExplorer() {
    const isWanted = this.options.explorer && !this.isStandalone && !isEmbedded;
    if (!isWanted) this.explorer = null;
    else if (!this.explorer)
      this.explorer = await import("./explorer.js").then(
        ({ Explorer }) => new Explorer((column) => this.explore(column)),
      );
  }

  #scheduleAnalysis() {
    clearTimeout(this.analysisTimer);
    const isQuick = performance.now() - ReviewScreen.#lastChangeAt < ANALYSIS_DELAY_MS;
    ReviewScreen.#lastChangeAt = performance.now();
    if (!this.mainGame.columns.length) return;
    this.analysisTimer = setTimeout(() => this.#analyse(), isQuick ? ANALYSIS_DELAY_MS : 0);
  }

  async #analyse() {
    this.panel.showStatus(t("review.working"));
    const { mainGame } = this;
    const analysis = await this.requests.run("review", (signal) =>
      this.source.review({ ...this.position(mainGame, mainGame.columns.length), language, given: this.given }, signal),
    );
    if (!analysis || mainGame !== this.state.mainGame) return;
    this.state.analysis = analysis;
    this.panel.showStatus("");
    this.panel.drawReview();
  }

  async playFromHere() {
    if (isEmbedded) return openWholePage(this.path());
    const match = await createMatchFromPosition(this.position(), this.moment.side_to_move);
    return this.page.navigate(`/match/${match.id}`);
  }

  #address() {
    return { variant: writeVariant(this.mainGame.variant), moves: this.mainGame.moves, start: this.mainGame.start };
  }

  path() {
    return gamePath(this.#address());
  }
}
