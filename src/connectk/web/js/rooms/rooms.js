// Rooms: go in by a code, or make one.
import { wordsOf } from "../common/api.js";
import { variantOf } from "../board/boards.js";
import { button, choice, field, h, select } from "../common/dom.js";
import { keepRoom, keptRooms, readCode, roomApi } from "./api.js";
import { dressRooms } from "./look.js";
import { loadRoomWords, rt } from "./words.js";
import { Setup } from "../match/setup.js";

/** @import { Page } from "../shapes.js"
 *  @import { RoomOrder } from "../types.js"
 *  @typedef {NonNullable<RoomOrder["format"]>} Format */

/** @type {Format[]} */
const FORMATS = ["swiss", "round_robin", "ladder", "challenges"];
const CLOCKS = ["60+1", "180+2", "300+3", "600+5"];

/** @param {Page} page */
export async function open(page) {
  await loadRoomWords();
  dressRooms();
  page.board.show({});
  const status = h("p", { class: "bad", role: "status" });
  const draw = () =>
    page.panel.replaceChildren(
      h("div", { class: "stack" }, h("h1", {}, rt("room.title")), h("p", { class: "quiet" }, rt("room.lead"))),
      enterForm(page, status),
      ...mine(),
      maker.element,
      status,
    );
  const maker = new Maker(page, status);
  draw();
  return null;
}

/** @param {Page} page @param {HTMLElement} status */
function enterForm(page, status) {
  const code = h("input", {
    type: "text",
    name: "code",
    maxlength: 12,
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    class: "code-input",
    "aria-label": rt("room.code"),
    placeholder: "ABC346",
  });
  const go = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const { room } = await roomApi.look(readCode(code.value) || "-");
      page.go(`/room/${room.code}`);
    } catch (error) {
      status.textContent = wordsOf(error);
    }
  };
  return h(
    "form",
    { class: "row", onsubmit: go },
    code,
    h("button", { type: "submit", class: "main" }, rt("room.enter")),
  );
}

/** The rooms that this device is in. */
function mine() {
  const rooms = keptRooms();
  if (!rooms.length) return [];
  return [
    h("h2", {}, rt("room.yours")),
    h(
      "ul",
      { class: "matches" },
      rooms.map(({ code, title, host }) =>
        h(
          "li",
          {},
          h("a", { href: `#/room/${code}` }, title || code),
          h("span", { class: "quiet small" }, host ? rt("room.host") : code),
        ),
      ),
    ),
  ];
}

class Maker {
  /** @param {Page} page @param {HTMLElement} status */
  constructor(page, status) {
    this.page = page;
    this.status = status;
    /** @type {Format} */
    this.format = "swiss";
    this.who = "everyone";
    this.clock = "180+2";
    this.rounds = 5;
    this.games = 1;
    this.openings = "empty";
    this.title = "";
    this.setup = new Setup(() => this.#draw());
    this.element = h("section", { class: "stack" });
    this.#draw();
  }

  #draw() {
    const kept = document.activeElement?.getAttribute("name");
    const title = h("input", {
      type: "text",
      name: "title",
      maxlength: 40,
      value: this.title,
      autocomplete: "off",
      placeholder: rt("room.name_hint"),
      "aria-label": rt("room.name"),
      oninput: () => {
        this.title = title.value;
      },
    });
    this.element.replaceChildren(
      h("h2", {}, rt("room.make")),
      field(rt("room.name"), title),
      choice(
        rt("room.format"),
        "format",
        FORMATS.map((format) => [format, rt(`room.format.${format}`)]),
        this.format,
        (value) => {
          this.format = FORMATS.find((format) => format === value) ?? "swiss";
          this.#draw();
        },
      ),
      h("p", { class: "quiet small" }, rt(`room.about.${this.format}`)),
      ...this.#numbers(),
      field(
        rt("room.clock"),
        select(
          rt("room.clock"),
          CLOCKS.map((clock) => [clock, clockWords(clock)]),
          this.clock,
          (value) => {
            this.clock = value;
          },
        ),
      ),
      h(
        "details",
        {},
        h("summary", {}, rt("room.more")),
        h(
          "div",
          { class: "stack" },
          choice(
            rt("room.who"),
            "who",
            ["everyone", "people", "bots"].map((who) => [who, rt(`room.who.${who}`)]),
            this.who,
            (value) => {
              this.who = value;
            },
          ),
          choice(
            rt("room.openings"),
            "openings",
            ["empty", "balanced"].map((one) => [one, rt(`room.openings.${one}`)]),
            this.openings,
            (value) => {
              this.openings = value;
            },
          ),
          ...this.setup.boards(),
        ),
      ),
      h(
        "div",
        { class: "row" },
        button(rt("room.create"), () => this.#create(), { class: "main" }),
      ),
    );
    const found = kept && this.element.querySelector(`[name="${kept}"]:checked, input[type="text"][name="${kept}"]`);
    if (found instanceof HTMLElement) found.focus();
  }

  #numbers() {
    if (this.format === "swiss")
      return [
        number(rt("room.rounds"), this.rounds, 50, (value) => {
          this.rounds = value;
        }),
      ];
    if (this.format === "round_robin")
      return [
        number(rt("room.games"), this.games, 10, (value) => {
          this.games = value;
        }),
      ];
    return [];
  }

  async #create() {
    const [seconds, increment] = this.clock.split("+").map(Number);
    /** @type {RoomOrder} */
    const order = {
      title: this.title,
      format: this.format,
      who: /** @type {any} */ (this.who),
      rounds: this.rounds,
      games: this.games,
      openings: /** @type {any} */ (this.openings),
      clock: { seconds, increment },
      variant: variantOf(this.setup.variant),
    };
    try {
      const { room, secret } = await roomApi.create(order);
      keepRoom({ code: room.code, title: room.state.title, host: secret });
      this.page.go(`/room/${room.code}`);
    } catch (error) {
      this.status.textContent = wordsOf(error);
    }
  }
}

/** @param {string} clock */
function clockWords(clock) {
  const [seconds, increment] = clock.split("+").map(Number);
  return rt("room.clock.words", { minutes: seconds / 60, increment });
}

/** @param {string} label @param {number} value @param {number} most @param {(value: number) => void} onchange */
function number(label, value, most, onchange) {
  const input = h("input", {
    type: "number",
    min: 1,
    max: most,
    value,
    "aria-label": label,
    onchange: () => {
      onchange(Math.max(1, Math.min(most, Math.floor(Number(input.value)) || 1)));
    },
  });
  return field(label, input);
}
