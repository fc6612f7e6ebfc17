// Home: a board that is already playable, and beside it everything that can be chosen first.
import { api } from "./api.js";
import { gameBoard, variantOf } from "./boards.js";
import { button, choice, field, h, select } from "./dom.js";
import { keepSeat, remember, remembered } from "./memory.js";
import { t } from "./texts.js";

const BOARDS = ["7x6x4", "5x4x3", "6x5x4", "9x7x5", "10x8x4", "30x30x6"];
const CLOCKS = ["0", "60", "180", "600"];
const DEFAULTS = { mode: "one", starts: "you", level: 3, board: "7x6x4", any: [8, 7, 4], clock: "0", name: "",
  first: "level:5", second: "level:8" };

export async function open(page) {
  const screen = new Home(page);
  await screen.open();
  return screen;
}

class Home {
  constructor(page) {
    this.page = page;
    this.settings = { ...DEFAULTS, ...remembered("home", {}) };
    this.busy = false;
    this.early = []; // columns chosen while the match is being made
    this.choose = (event) => this.#chosen(event.detail.column);
  }

  async open() {
    this.page.opens(this);
    this.#draw();
    this.page.board.addEventListener("choose", this.choose);
    await this.#showBoard();
    if (this.settings.mode === "demo") this.#offerPlayers();
  }

  close() {
    this.closed = true;
    this.page.board.removeEventListener("choose", this.choose);
  }

  get variant() {
    const { board, any } = this.settings;
    return board === "any" ? any.join("x") : board;
  }

  get #playsAtOnce() { return ["one", "two"].includes(this.settings.mode); }

  #set(name, value) {
    this.settings[name] = value;
    remember("home", this.settings);
    this.#draw();
    this.#showBoard();
    if (name === "mode" && value === "demo") this.#offerPlayers();
  }

  // The empty board as the server describes it: its size, and the columns that are open.
  async #showBoard() {
    const asked = this.variant;
    try {
      const game = await api.game({ variant: asked });
      if (this.closed || this.busy || asked !== this.variant) return;
      this.#say("");
      this.page.board.show(gameBoard(game, 0, this.#hand()));
    } catch (error) {
      if (error.away) throw error;
      this.#say(error.message);
    }
  }

  #hand() {
    if (!this.#playsAtOnce) return null;
    return this.settings.mode === "one" && this.settings.starts === "computer" ? null : "first";
  }

  #chosen(column) {
    if (this.busy) return this.early.push(column);
    if (!this.#hand()) return this.#say(t(this.#playsAtOnce ? "home.computer_starts" : "home.press_start"));
    this.page.board.place(column, "first");
    return this.#start(column);
  }

  async #start(column = null) {
    if (this.busy) return;
    this.busy = true;
    try {
      const { match, secret, invitation } = await api.create(this.#request());
      if (secret) keepSeat(match.id, secret);
      if (column !== null) this.early.unshift(column);
      // The list itself: a column may yet be chosen before the next screen opens.
      this.page.go(`/match/${match.id}`, { columns: this.early, invitation: this.settings.mode === "invite" ? invitation : null });
    } catch (error) {
      this.busy = false;
      this.early = [];
      this.#say(error.message);
      this.#showBoard();
    }
  }

  #request() {
    const { mode, starts, level, clock, name, first, second } = this.settings;
    const me = { kind: "me", name: name.trim() };
    const here = { kind: "me" };
    const player = (player_) => ({ kind: "player", player: player_.trim() });
    const pairs = {
      one: [me, player(`level:${level}`)],
      two: [here, here],
      invite: [me, { kind: "invited" }],
      demo: [player(first), player(second)],
    };
    const swapped = starts === "computer" && ["one", "invite"].includes(mode);
    const [one, other] = swapped ? pairs[mode].toReversed() : pairs[mode];
    const seconds = mode === "demo" ? 0 : Number(clock);
    return { variant: variantOf(this.variant), first: one, second: other, public: mode === "demo", clock: seconds ? { seconds } : null };
  }

  #say(text) {
    const status = this.page.panel.querySelector("#home-status");
    if (status) status.textContent = text;
    if (text) this.page.say(text);
  }

  async #offerPlayers() {
    const { players } = await api.players();
    for (const list of this.page.panel.querySelectorAll("datalist")) {
      list.replaceChildren(...players.map(({ name, sentence }) => h("option", { value: name }, sentence)));
    }
  }

  #draw() {
    const kept = document.activeElement?.getAttribute("name");
    const { run } = variantOf(this.variant);
    this.page.panel.replaceChildren(
      h("div", { class: "stack" }, h("h1", {}, run === 4 ? t("home.title") : t("home.title_run", { run })),
        h("p", { class: "quiet" }, t(`home.lead.${this.settings.mode}`, { run }))),
      this.#modes(), ...this.#fields(),
      h("div", { class: "row" }, button(t(`home.start.${this.settings.mode}`), () => this.#start(), { class: "main" })),
      h("p", { id: "home-status", class: "bad" }));
    if (kept) this.page.panel.querySelector(`[name="${kept}"]:checked, [name="${kept}"]:not([type="radio"])`)?.focus();
  }

  #modes() {
    return choice(t("home.mode"), "mode", [["one", t("home.one")], ["two", t("home.two")], ["invite", t("home.invite")],
      ["demo", t("home.demo")]], this.settings.mode, (value) => this.#set("mode", value), "large");
  }

  #fields() {
    const { mode } = this.settings;
    return [
      mode === "one" && this.#starts("home.you", "home.computer"),
      mode === "one" && this.#level(),
      mode === "invite" && this.#starts("home.you", "home.friend"),
      mode === "invite" && this.#text("name", t("home.name"), t("home.name_hint")),
      mode === "demo" && this.#text("first", t("name.first"), "", "players-first"),
      mode === "demo" && this.#text("second", t("name.second"), "", "players-second"),
      this.#boards(),
      this.settings.board === "any" && this.#any(),
      mode !== "demo" && this.#clocks(),
    ].filter(Boolean);
  }

  #starts(mine, theirs) {
    return field(t("home.starts"), choice(t("home.starts"), "starts", [["you", t(mine)], ["computer", t(theirs)]],
      this.settings.starts, (value) => this.#set("starts", value)));
  }

  #level() {
    const level = this.settings.level;
    const words = () => t("home.level_is", { level: slider.value });
    const slider = h("input", { type: "range", min: 1, max: 10, step: 1, value: level, "aria-label": t("home.level"),
      name: "level", oninput: () => { shown.textContent = slider.value; slider.setAttribute("aria-valuetext", words()); },
      onchange: () => { this.settings.level = Number(slider.value); remember("home", this.settings); } });
    const shown = h("output", { class: "number" }, String(level));
    return field(t("home.level"), h("div", { class: "row" }, slider, shown));
  }

  #text(name, label, placeholder, list = null) {
    const input = h("input", { type: "text", name, maxlength: 40, value: this.settings[name], placeholder, list,
      "aria-label": label, autocomplete: "off",
      oninput: () => { this.settings[name] = input.value; remember("home", this.settings); } });
    return list ? field(t(`side.${name}`), h("div", {}, input, h("datalist", { id: list }))) : field(label, input);
  }

  #boards() {
    const named = BOARDS.map((board) => [board, t(`home.board.${board}`)]);
    return field(t("home.board"), select(t("home.board"), [...named, ["any", t("home.board.any")]], this.settings.board,
      (value) => this.#set("board", value)));
  }

  #any() {
    const numbers = ["home.width", "home.height", "home.run"].map((key, index) => {
      const input = h("input", { type: "number", min: 1, max: 100, name: `any-${index}`, "aria-label": t(key), title: t(key),
        value: this.settings.any[index],
        onchange: () => this.#set("any", this.settings.any.with(index, Number(input.value) || 1)) });
      return input;
    });
    return field(t("home.size"), h("div", { class: "row" }, numbers[0], "×", numbers[1], "·", numbers[2]));
  }

  #clocks() {
    return field(t("home.clock"), select(t("home.clock"), CLOCKS.map((seconds) => [seconds, t(`home.clock.${seconds}`)]),
      this.settings.clock, (value) => this.#set("clock", value)));
  }
}
