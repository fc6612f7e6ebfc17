// The screen to enter a room by its code, or to create one.
import { runOrShowError } from "../common/api.js";
import { variantFromText } from "../board/convert.js";
import { button, checkbox, radioGroup, field, h, selectField, textInput } from "../common/dom.js";
import { storeRoom, storedRooms, normalizeCode, roomApi } from "./api.js";
import { loadRoomStyles } from "./elements.js";
import { clockText } from "./tournament.js";
import { MatchSetup } from "../match/setup.js";
import { loadTextGroup, t } from "../texts/texts.js";

/** @import { Page } from "../page-types.js"
 *  @import { NewRoomRequest } from "../types.js" */

const CLOCK_OPTIONS = ["60+1", "180+2", "300+3", "600+5"];
const ROOM_FORMATS = ["swiss", "round_robin", "knockout", "arena", "teams", "ladder", "challenges"];
const FIRST_DISC_SECONDS_OPTIONS = [30, 60, 120, 300];
const GONE_SECONDS_OPTIONS = [30, 60, 120];

/** @param {Page} page */
export async function open(page) {
  await loadTextGroup("rooms");
  loadRoomStyles();
  page.board.show({});
  const status = h("p.bad", { role: "status" });
  const draw = () =>
    page.panel.replaceChildren(
      h("div.stack", h("h1", t("room.title")), h("p.quiet", t("room.lead"))),
      enterForm(page, status),
      ...joinedRooms(),
      maker.element,
      status,
    );
  const maker = new RoomForm(page, status);
  draw();
  return null;
}

/** @param {Page} page @param {HTMLElement} status */
function enterForm(page, status) {
  const spelling = { autocapitalize: "characters", spellcheck: "false", placeholder: "ABC346" };
  const code = textInput(t("room.code"), "", { class: "code-input", name: "code", maxlength: 12, ...spelling });
  const go = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await runOrShowError(status, async () => {
      const { room } = await roomApi.get(normalizeCode(code.value) || "-");
      page.navigate(`/room/${room.code}`);
    });
  };
  return h("form.row.code-form", { onsubmit: go }, code, h("button.main", { type: "submit" }, t("room.enter")));
}

/** The rooms that this device has joined. */
function joinedRooms() {
  const rooms = storedRooms();
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

class RoomForm {
  /** @param {Page} page @param {HTMLElement} status */
  constructor(page, status) {
    this.page = page;
    this.status = status;
    /** The clock is written as in CLOCK_OPTIONS. @type {Omit<NewRoomRequest, "clock" | "teams"> & { clock: string, teams: string[] }} */
    this.settings = {
      title: "",
      format: "swiss",
      who: "everyone",
      clock: "180+2",
      rounds: 5,
      games: 1,
      minutes: 30,
      teams: ["", ""],
      approval: false,
      show_seconds: 60,
      gone_seconds: null,
      openings: "empty",
      swap: false,
      swap_discs: 1,
    };
    this.boardSetup = new MatchSetup((name) => {
      if (name !== "any") this.#draw();
    });
    this.element = h("section.stack");
    this.#draw();
  }

  #draw() {
    const kept = document.activeElement?.getAttribute("name");
    const { settings } = this;
    const title = textInput(t("room.name"), settings.title ?? "", {
      name: "title",
      placeholder: t("room.name_hint"),
      oninput: () => (settings.title = title.value),
    });
    /** @param {"format" | "who" | "openings"} name @param {string[]} values @param {() => void} chosen */
    const pick = (name, values, chosen = () => {}) =>
      radioGroup(
        t(`room.${name}`),
        name,
        values.map((value) => [value, t(`room.${name}.${value}`)]),
        String(settings[name]),
        (value) => {
          Object.assign(settings, { [name]: value });
          chosen();
        },
      );
    this.element.replaceChildren(
      h("h2", t("room.make")),
      field(t("room.name"), title),
      pick("format", ROOM_FORMATS, () => this.#draw()),
      h("p.quiet.small", t(`room.about.${settings.format}`)),
      ...this.#numbers(),
      selectField(
        t("room.clock"),
        CLOCK_OPTIONS.map((clock) => [clock, clockText(parseClock(clock))]),
        settings.clock,
        (value) => (settings.clock = value),
      ),
      this.#moreChoices(pick),
      h(
        "div.row",
        button(t("room.create"), () => this.#create(), { class: "main" }),
      ),
    );
    const found = kept && this.element.querySelector(`[name="${kept}"]:checked, input[type="text"][name="${kept}"]`);
    if (found instanceof HTMLElement) found.focus();
  }

  /** @param {(name: "who" | "openings", values: string[], chosen?: () => void) => HTMLElement} pick */
  #moreChoices(pick) {
    const { settings } = this;
    return h(
      "details",
      { open: this.element.querySelector("details")?.open },
      h("summary", t("room.more")),
      h(
        "div.stack",
        pick("who", ["everyone", "people", "bots"]),
        pick("openings", ["empty", "balanced", "fair"], () => this.#draw()),
        this.#choiceField(),
        checkbox(t("room.approval"), Boolean(settings.approval), (on) => (settings.approval = on)),
        ...this.#absenceFields(),
        ...this.boardSetup.boardFields(),
      ),
    );
  }

  /** Whether the second player of each game chooses a side, and after how many discs. */
  #choiceField() {
    const { settings } = this;
    const isFree = settings.openings === "empty" && this.boardSetup.beginnings.includes("three");
    const options = ["0", "1", ...(isFree ? ["3"] : [])];
    const chosen = settings.swap ? String(settings.swap_discs) : "0";
    if (!options.includes(chosen)) Object.assign(settings, { swap: false, swap_discs: 1 });
    return selectField(
      t("room.choice"),
      options.map((discs) => [discs, t(`room.choice.${discs}`)]),
      options.includes(chosen) ? chosen : "0",
      (discs) => Object.assign(settings, { swap: discs !== "0", swap_discs: discs === "3" ? 3 : 1 }),
    );
  }

  #numbers() {
    const { settings } = this;
    if (settings.format === "swiss") return [numberField(t("room.rounds"), 50, settings, "rounds")];
    if (settings.format === "arena") return [numberField(t("room.minutes"), 600, settings, "minutes")];
    if (settings.format === "teams")
      return [...this.#teamFields(), numberField(t("room.rounds"), 50, settings, "rounds")];
    return settings.format === "round_robin" ? [numberField(t("room.games"), 10, settings, "games")] : [];
  }

  #teamFields() {
    const { teams } = this.settings;
    return teams.map((name, index) => {
      const label = t(`room.team.${index + 1}`);
      const input = textInput(label, name, { oninput: () => (teams[index] = input.value) });
      return field(label, input);
    });
  }

  /** After how long a member who does not come, or who is disconnected, loses. */
  #absenceFields() {
    const { settings } = this;
    /** @param {number} seconds */
    const option = (seconds) => [String(seconds), t("room.seconds", { seconds })];
    return [
      selectField(
        t("room.show"),
        FIRST_DISC_SECONDS_OPTIONS.map(option),
        String(settings.show_seconds),
        (value) => (settings.show_seconds = Number(value)),
      ),
      selectField(
        t("room.gone"),
        [["", t("room.gone.never")], ...GONE_SECONDS_OPTIONS.map(option)],
        String(settings.gone_seconds ?? ""),
        (value) => (settings.gone_seconds = value ? Number(value) : null),
      ),
    ];
  }

  async #create() {
    const variant = variantFromText(this.boardSetup.variant);
    await runOrShowError(this.status, async () => {
      const teams = this.settings.teams.map((name, index) => name.trim() || "AB"[index]);
      const { room, secret } = await roomApi.create({
        ...this.settings,
        teams,
        clock: parseClock(this.settings.clock),
        variant,
      });
      storeRoom({ code: room.code, title: room.state.title, host: secret });
      this.page.navigate(`/room/${room.code}`);
    });
  }
}

/** @param {string} clock */
function parseClock(clock) {
  const [seconds, increment] = clock.split("+").map(Number);
  return { seconds, increment };
}

/** @template {"rounds" | "games" | "minutes"} N @param {string} label @param {number} max @param {Partial<Record<N, number>>} wanted @param {N} name */
function numberField(label, max, wanted, name) {
  const onchange = () => (wanted[name] = Math.max(1, Math.min(max, Math.floor(Number(input.value)) || 1)));
  const input = h("input", { type: "number", min: 1, max, value: wanted[name], "aria-label": label, onchange });
  return field(label, input);
}
