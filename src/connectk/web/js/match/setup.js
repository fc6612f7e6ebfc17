// What can be chosen before a match, and the request that makes it. Shared by home, invitations and demos.
import { api } from "../common/api.js";
import { variantOf } from "../board/boards.js";
import { PRECOMPUTED_BOARDS } from "../common/constants.js";
import { choice, field, h, selectField, textInput } from "../common/dom.js";
import { LEVELS, levelName, levelWords } from "../texts/levels.js";
import { keepSeat, remember, remembered } from "../common/memory.js";
import { t } from "../texts/texts.js";

/** @import { MatchOrder, SeatOrder } from "../types.js"
 *  @typedef {"one" | "two" | "invite" | "demo"} Mode
 *  @typedef {typeof DEFAULTS} Values */

const CLOCKS = ["0", "60", "60+1", "180", "180+2", "600", "600+5"]; // seconds each, and seconds given back after a drop
const DEFAULTS = {
  starts: "you",
  level: 2,
  board: "7x6x4",
  any: [8, 7, 4],
  clock: "0",
  name: "",
  first: "level:5",
  second: "level:8",
};

export class Setup {
  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
    /** @type {Values} */
    this.values = { ...DEFAULTS, ...remembered("home", {}) };
    if (!CLOCKS.includes(this.values.clock)) this.values.clock = "0";
    if (!LEVELS.includes(this.values.level)) this.values.level = DEFAULTS.level;
  }

  get variant() {
    const { board, any } = this.values;
    return board === "any" ? any.join("x") : board;
  }

  get run() {
    return variantOf(this.variant).run;
  }

  /** @template {keyof Values} K @param {K} name @param {Values[K]} value */
  set(name, value) {
    this.values[name] = value;
    remember("home", this.values);
    this.changed();
  }

  /** Make the match, and keep its seat.
   * @param {Mode} mode */
  async create(mode) {
    const made = await api.create(this.#request(mode));
    if (made.secret) keepSeat(made.match.id, made.secret);
    return made;
  }

  /** @param {Mode} mode @returns {MatchOrder} */
  #request(mode) {
    const { starts, level, clock, name, first, second } = this.values;
    /** @type {SeatOrder} */
    const me = { kind: "me", name: name.trim() };
    /** @type {SeatOrder} */
    const here = { kind: "me" };
    /** @param {string} who @returns {SeatOrder} */
    const player = (who) => ({ kind: "player", player: who });
    /** @type {Record<Mode, SeatOrder[]>} */
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
      variant: variantOf(this.variant),
      first: one,
      second: other,
      public: mode === "demo",
      clock: seconds ? { seconds, increment } : null,
    };
  }

  // Fields.

  level() {
    return h(
      "div.stack.tight",
      selectField(
        t("home.level"),
        LEVELS.map((level) => [String(level), `${level}  ${levelName(level)}`]),
        String(this.values.level),
        (value) => this.set("level", Number(value)),
      ),
      h("p.quiet.small", { id: "level-words" }, levelWords(this.values.level)),
    );
  }

  /** @param {string} mine @param {string} theirs */
  starts(mine, theirs) {
    return field(
      t("home.starts"),
      choice(
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

  name() {
    const input = textInput(t("home.name"), this.values.name, {
      name: "name",
      placeholder: t("home.name_hint"),
      oninput: () => {
        this.values.name = input.value;
        remember("home", this.values);
      },
    });
    return field(t("home.name"), input);
  }

  /** The size, and where it is any size, three numbers.
   * @returns {HTMLElement[]} */
  boards() {
    const named = PRECOMPUTED_BOARDS.map((board) => [board, t(`home.board.${board}`)]);
    const chosen = selectField(t("home.board"), [...named, ["any", t("home.board.any")]], this.values.board, (value) =>
      this.set("board", value),
    );
    return this.values.board === "any" ? [chosen, sizeField(this.values.any, (any) => this.set("any", any))] : [chosen];
  }

  clocks() {
    /** @param {string} clock */
    const words = (clock) => {
      const [seconds, increment] = clock.split("+");
      return increment
        ? t("home.clock.increment", { each: t(`home.clock.${seconds}`), increment })
        : t(`home.clock.${seconds}`);
    };
    return selectField(
      t("home.clock"),
      CLOCKS.map((clock) => [clock, words(clock)]),
      this.values.clock,
      (value) => this.set("clock", value),
    );
  }
}

/** A match against the computer from a position on; whoever is to move plays on.
 * @param {import("../types.js").PositionOrder} order @param {import("../shapes.js").Side | null} mine */
export async function playOn(order, mine) {
  const { name = "", level = 3 } = remembered("home", /** @type {Partial<Values>} */ ({}));
  /** @type {SeatOrder} */
  const me = { kind: "me", name };
  /** @type {SeatOrder} */
  const computer = { kind: "player", player: `level:${level}` };
  const seats = mine === "first" ? { first: me, second: computer } : { first: computer, second: me };
  const { match, secret } = await api.create({ ...order, ...seats });
  if (secret) keepSeat(match.id, secret);
  return match;
}

/** Width, height and run. A field that is empty is being written in; it becomes no number by itself.
 * @param {number[]} size @param {(size: number[]) => void} onchange */
export function sizeField(size, onchange, event = "onchange") {
  const inputs = ["home.width", "home.height", "home.run"].map((key, index) => {
    const input = h("input", {
      type: "number",
      min: 1,
      max: 100,
      name: `any-${index}`,
      "aria-label": t(key),
      title: t(key),
      value: size[index],
      [event]: () => {
        if (Number(input.value) >= 1) onchange(size.with(index, Math.floor(Number(input.value))));
      },
      onblur: () => {
        if (!(Number(input.value) >= 1)) input.value = String(size[index]);
      },
    });
    return input;
  });
  return field(t("home.size"), h("div.row", inputs[0], "×", inputs[1], "·", inputs[2]));
}
