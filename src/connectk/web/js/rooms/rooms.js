// Rooms: go in by a code, or make one.
import { attempt } from "../common/api.js";
import { variantOf } from "../board/boards.js";
import { button, choice, field, h, selectField, textInput } from "../common/dom.js";
import { keepRoom, keptRooms, readCode, roomApi } from "./api.js";
import { dressRooms } from "./look.js";
import { Setup } from "../match/setup.js";
import { loadMore, t } from "../texts/texts.js";

/** @import { Page } from "../shapes.js"
 *  @import { RoomOrder } from "../types.js" */

const CLOCKS = ["60+1", "180+2", "300+3", "600+5"];

/** @param {Page} page */
export async function open(page) {
  await loadMore("rooms");
  dressRooms();
  page.board.show({});
  const status = h("p.bad", { role: "status" });
  const draw = () =>
    page.panel.replaceChildren(
      h("div.stack", h("h1", t("room.title")), h("p.quiet", t("room.lead"))),
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
  const spelling = { autocapitalize: "characters", spellcheck: "false", placeholder: "ABC346" };
  const code = textInput(t("room.code"), "", { class: "code-input", name: "code", maxlength: 12, ...spelling });
  const go = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await attempt(status, async () => {
      const { room } = await roomApi.look(readCode(code.value) || "-");
      page.go(`/room/${room.code}`);
    });
  };
  return h("form.row", { onsubmit: go }, code, h("button.main", { type: "submit" }, t("room.enter")));
}

/** The rooms that this device is in. */
function mine() {
  const rooms = keptRooms();
  if (!rooms.length) return [];
  return [
    h("h2", t("room.yours")),
    h(
      "ul.matches",
      rooms.map(({ code, title, host }) =>
        h("li", h("a", { href: `#/room/${code}` }, title || code), h("span.quiet.small", host ? t("room.host") : code)),
      ),
    ),
  ];
}

class Maker {
  /** @param {Page} page @param {HTMLElement} status */
  constructor(page, status) {
    this.page = page;
    this.status = status;
    /** What the room shall be; a clock is written as at the start of a match. @type {Omit<RoomOrder, "clock"> & { clock: string }} */
    this.wanted = {
      title: "",
      format: "swiss",
      who: "everyone",
      clock: "180+2",
      rounds: 5,
      games: 1,
      openings: "empty",
    };
    this.setup = new Setup(() => this.#draw());
    this.element = h("section.stack");
    this.#draw();
  }

  #draw() {
    const kept = document.activeElement?.getAttribute("name");
    const { wanted } = this;
    const title = textInput(t("room.name"), wanted.title ?? "", {
      name: "title",
      placeholder: t("room.name_hint"),
      oninput: () => (wanted.title = title.value),
    });
    /** @param {"format" | "who" | "openings"} name @param {string[]} values @param {() => void} chosen */
    const pick = (name, values, chosen = () => {}) =>
      choice(
        t(`room.${name}`),
        name,
        values.map((value) => [value, t(`room.${name}.${value}`)]),
        String(wanted[name]),
        (value) => {
          Object.assign(wanted, { [name]: value });
          chosen();
        },
      );
    this.element.replaceChildren(
      h("h2", t("room.make")),
      field(t("room.name"), title),
      pick("format", ["swiss", "round_robin", "ladder", "challenges"], () => this.#draw()),
      h("p.quiet.small", t(`room.about.${wanted.format}`)),
      ...this.#numbers(),
      selectField(
        t("room.clock"),
        CLOCKS.map((clock) => [clock, clockWords(clock)]),
        wanted.clock,
        (value) => (wanted.clock = value),
      ),
      h(
        "details",
        h("summary", t("room.more")),
        h(
          "div.stack",
          pick("who", ["everyone", "people", "bots"]),
          pick("openings", ["empty", "balanced"]),
          ...this.setup.boards(),
        ),
      ),
      h(
        "div.row",
        button(t("room.create"), () => this.#create(), { class: "main" }),
      ),
    );
    const found = kept && this.element.querySelector(`[name="${kept}"]:checked, input[type="text"][name="${kept}"]`);
    if (found instanceof HTMLElement) found.focus();
  }

  #numbers() {
    const { wanted } = this;
    if (wanted.format === "swiss") return [number(t("room.rounds"), 50, wanted, "rounds")];
    return wanted.format === "round_robin" ? [number(t("room.games"), 10, wanted, "games")] : [];
  }

  async #create() {
    const [seconds, increment] = this.wanted.clock.split("+").map(Number);
    const variant = variantOf(this.setup.variant);
    await attempt(this.status, async () => {
      const { room, secret } = await roomApi.create({ ...this.wanted, clock: { seconds, increment }, variant });
      keepRoom({ code: room.code, title: room.state.title, host: secret });
      this.page.go(`/room/${room.code}`);
    });
  }
}

/** @param {string} clock */
function clockWords(clock) {
  const [seconds, increment] = clock.split("+").map(Number);
  return t("room.clock.words", { minutes: seconds / 60, increment });
}

/** @template {"rounds" | "games"} N @param {string} label @param {number} max @param {Partial<Record<N, number>>} wanted @param {N} name */
function number(label, max, wanted, name) {
  const onchange = () => (wanted[name] = Math.max(1, Math.min(max, Math.floor(Number(input.value)) || 1)));
  const input = h("input", { type: "number", min: 1, max, value: wanted[name], "aria-label": label, onchange });
  return field(label, input);
}
