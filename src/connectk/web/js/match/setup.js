// The settings of a new match, their form fields, and the request that creates the match. Home, invitations, demos and rooms share them.
import { api } from "../common/api.js";
import { variantFromText } from "../board/convert.js";
import {
  FAIR_START_BOARDS,
  MAX_SHOWN_SIDE,
  MIN_RUN_OF_PLACED_DISCS,
  NAMED_STARTS,
  PRECOMPUTED_BOARDS,
} from "../common/constants.js";
import { radioGroup, field, h, selectField, textInput } from "../common/dom.js";
import { drawFace } from "./faces.js";
import { nextLevel, readProgress } from "./progress.js";
import { LEVELS, levelDescription, opponentName } from "../texts/levels.js";
import { storeSeatSecret, writeStorage, readStorage } from "../common/storage.js";
import { refusal } from "../texts/refusals.js";
import { t } from "../texts/texts.js";

/** @import { NewMatchRequest, SeatInput } from "../types.js"
 *  @typedef {"one" | "two" | "invite" | "demo"} Mode
 *  @typedef {{ variant: string, start: string, last_disc: number | null, even_levels: number[][] }} NamedStart
 *  @typedef {typeof DEFAULT_SETUP} Values */

const CLOCK_OPTIONS = ["0", "60", "60+1", "180", "180+2", "600", "600+5"]; // the seconds of each side, and the seconds given back after a drop
// An empty board, the swap rule, the three-disc start, a start that is proven to be a draw, and starts with a name.
const START_OPTIONS = ["plain", "swap", "three", "fair", ...Object.keys(NAMED_STARTS)];
const DEFAULT_SETUP = {
  starts: "you",
  level: 0, // 0: the next opponent who is not beaten
  board: "7x6x4",
  any: [8, 7, 4],
  clock: "0",
  begin: "plain",
  name: "",
  first: "level:5",
  second: "level:8",
};

export class MatchSetup {
  /** @param {(name: keyof Values) => void} changed called with the name of the changed setting */
  constructor(changed) {
    this.changed = changed;
    /** @type {Values} */
    this.values = { ...DEFAULT_SETUP, ...readStorage("home", {}) };
    if (!CLOCK_OPTIONS.includes(this.values.clock)) this.values.clock = "0";
    if (!LEVELS.includes(this.values.level)) this.values.level = nextLevel(readProgress());
  }

  /** The board, which a start with a name brings along. */
  get variant() {
    return this.#namedStart?.variant ?? this.#board;
  }

  get #board() {
    const { board, any } = this.values;
    return board === "any" ? any.join("x") : board;
  }

  get #namedStart() {
    return /** @type {Record<string, NamedStart | undefined>} */ (NAMED_STARTS)[this.values.begin];
  }

  get run() {
    return variantFromText(this.variant).run;
  }

  /** @template {keyof Values} K @param {K} name @param {Values[K]} value */
  set(name, value) {
    this.values[name] = value;
    writeStorage("home", this.values);
    this.changed(name);
  }

  /** Creates the match and stores the seat's secret.
   * @param {Mode} mode */
  async create(mode) {
    const { width, height } = variantFromText(this.variant);
    if (Math.max(width, height) > MAX_SHOWN_SIDE) throw refusal("board_too_wide", { most: MAX_SHOWN_SIDE });
    const made = await api.createMatch(await this.#request(mode));
    if (made.secret) storeSeatSecret(made.match.id, made.secret);
    return made;
  }

  /** @param {Mode} mode @returns {Promise<NewMatchRequest>} */
  async #request(mode) {
    const { starts, level, clock, name, first, second } = this.values;
    const begin = mode === "demo" ? "plain" : this.beginning;
    /** @type {SeatInput} */
    const me = { kind: "me", name: name.trim() };
    /** @type {SeatInput} */
    const here = { kind: "me" };
    /** @param {string} who @returns {SeatInput} */
    const player = (who) => ({ kind: "player", player: who });
    /** @type {Record<Mode, SeatInput[]>} */
    const pairs = {
      one: [me, player(`level:${level}`)],
      two: [here, here],
      invite: [me, { kind: "invited" }],
      demo: [player(first), player(second)],
    };
    const isSwapped = starts === "computer" && ["one", "invite"].includes(mode);
    const [one, other] = isSwapped ? pairs[mode].toReversed() : pairs[mode];
    const [seconds, increment = 0] = mode === "demo" ? [0] : clock.split("+").map(Number);
    return {
      variant: variantFromText(begin === "plain" ? this.#board : this.variant),
      start: await this.#start(begin),
      first: one,
      second: other,
      public: mode === "demo",
      clock: seconds ? { seconds, increment } : null,
      swap: begin === "swap" || begin === "three",
      swap_discs: begin === "three" ? 3 : 1,
    };
  }

  /** The discs that are set up. @param {string} begin */
  async #start(begin) {
    if (begin === "fair") return (await import("./fairness.js")).drawFairStart(this.variant) ?? "";
    return begin === this.values.begin ? (this.#namedStart?.start ?? "") : "";
  }

  // Fields.

  /** The ten opponents to choose from; beaten opponents are marked. @param {number[]} beaten */
  opponentsField(beaten) {
    const group = radioGroup(
      t("home.opponents"),
      "level",
      LEVELS.map((level) => [String(level), opponentName(level)]),
      String(this.values.level),
      (value) => this.set("level", Number(value)),
      "opponents",
    );
    group.querySelectorAll("label").forEach((label, index) => {
      const level = LEVELS[index];
      label.title = `${opponentName(level)}: ${levelDescription(level)}`;
      label.querySelector("span")?.prepend(drawFace(level));
      if (beaten.includes(level)) label.append(h("span.beaten", { role: "img", "aria-label": t("home.beaten_one") }));
    });
    return group;
  }

  /** @param {string} mine @param {string} theirs */
  startsField(mine, theirs) {
    return field(
      t("home.starts"),
      radioGroup(
        t("home.starts"),
        "starts",
        [
          ["you", t(mine)],
          ["computer", t(theirs)],
        ],
        this.values.starts,
        (value) => this.set("starts", value),
      ),
    );
  }

  nameField() {
    const input = textInput(t("home.name"), this.values.name, {
      name: "name",
      placeholder: t("home.name_hint"),
      oninput: () => {
        this.values.name = input.value;
        writeStorage("home", this.values);
      },
    });
    return field(t("home.name"), input);
  }

  /** The field for the board's size, and three number fields for any other size.
   * @returns {HTMLElement[]} */
  boardFields() {
    if (this.#namedStart) return [];
    const named = PRECOMPUTED_BOARDS.map((board) => [board, t(`home.board.${board}`)]);
    const chosen = selectField(t("home.board"), [...named, ["any", t("home.board.any")]], this.values.board, (value) =>
      this.set("board", value),
    );
    return this.values.board === "any" ? [chosen, sizeField(this.values.any, (any) => this.set("any", any))] : [chosen];
  }

  /** The beginnings that the chosen board allows. */
  get beginnings() {
    const { run } = variantFromText(this.#board);
    /** @type {Record<string, boolean>} */
    const isAllowed = { three: run >= MIN_RUN_OF_PLACED_DISCS, fair: FAIR_START_BOARDS.includes(this.#board) };
    return START_OPTIONS.filter((begin) => isAllowed[begin] ?? true);
  }

  /** The chosen beginning; an empty board if the board does not allow what was chosen. */
  get beginning() {
    const { begin } = this.values;
    return this.beginnings.includes(begin) ? begin : "plain";
  }

  beginningField() {
    return selectField(
      t("home.begin"),
      this.beginnings.map((begin) => [begin, t(`home.begin.${begin}`)]),
      this.beginning,
      (begin) => this.set("begin", begin),
    );
  }

  /** What is known about the beginning: who wins with perfect play, and between which levels it is even. */
  beginningText() {
    const begin = this.beginning;
    if (begin === "fair") return h("p.quiet.small", t("home.about.fair"));
    const { last_disc: disc, even_levels: pairs = [] } = this.#namedStart ?? {};
    const even = pairs.map(([one, other]) =>
      t("home.about.pair", { one: opponentName(one), other: opponentName(other) }),
    );
    const result = disc ? t("home.about.wins", { disc }) : "";
    return h("p.quiet.small", [result, even.length ? t("home.about.even", { pairs: even.join(", ") }) : ""].join(" "));
  }

  clockField() {
    /** @param {string} clock */
    const words = (clock) => {
      const [seconds, increment] = clock.split("+");
      return increment
        ? t("home.clock.increment", { each: t(`home.clock.${seconds}`), increment })
        : t(`home.clock.${seconds}`);
    };
    return selectField(
      t("home.clock"),
      CLOCK_OPTIONS.map((clock) => [clock, words(clock)]),
      this.values.clock,
      (value) => this.set("clock", value),
    );
  }
}

/** Creates a match against the computer that continues from a position; the person has the side to move.
 * @param {import("../types.js").PositionRequest} position @param {import("../page-types.js").Side | null} mine */
export async function createMatchFromPosition(position, mine) {
  const { name = "", level = 3 } = readStorage("home", /** @type {Partial<Values>} */ ({}));
  /** @type {SeatInput} */
  const me = { kind: "me", name };
  /** @type {SeatInput} */
  const computer = { kind: "player", player: `level:${level}` };
  const seats = mine === "first" ? { first: me, second: computer } : { first: computer, second: me };
  const { match, secret } = await api.createMatch({ ...position, ...seats });
  if (secret) storeSeatSecret(match.id, secret);
  return match;
}

/** Number fields for width, height and run. The caller must not redraw them on a change, so that they stay while the person types.
 * An empty field is left alone while it has the focus.
 * @param {number[]} start @param {(size: number[]) => void} onchange */
export function sizeField(start, onchange, event = "onchange") {
  const size = [...start];
  const inputs = ["home.width", "home.height", "home.run"].map((key, index) => {
    const input = h("input", {
      type: "number",
      min: 1,
      max: MAX_SHOWN_SIDE,
      name: `any-${index}`,
      "aria-label": t(key),
      title: t(key),
      value: size[index],
      [event]: () => {
        if (!(Number(input.value) >= 1)) return;
        size[index] = Math.floor(Number(input.value));
        onchange([...size]);
      },
      onblur: () => {
        if (!(Number(input.value) >= 1)) input.value = String(size[index]);
      },
    });
    return input;
  });
  return field(t("home.size"), h("div.row", inputs[0], "×", inputs[1], "·", inputs[2]));
}
