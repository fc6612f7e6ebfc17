// One room: whoever comes in gives a name; members see whom they play, the host leads it, and all see what is left of it.
import { Refused, api, attempt } from "../common/api.js";
import { asked } from "../common/ask.js";
import { button, field, h, keepFocus, openDialog, select, textInput } from "../common/dom.js";
import { LEVELS, levelName } from "../texts/levels.js";
import { keepSeat, newSecret, remember, remembered } from "../common/memory.js";
import { whenReleased } from "../common/press.js";
import { keepRoom, keptRoom, readCode, roomApi } from "./api.js";
import { RoomLive } from "./live.js";
import { dressRooms, invitationTo, memberWords, peopleIn, tableOf } from "./look.js";
import { resultsOf } from "./results.js";
import { nameIn, newsOf } from "./words.js";
import { loadMore, t } from "../texts/texts.js";

/** @import { Page, Screen } from "../shapes.js"
 *  @import { MemberView, RoomChangedMessage, RoomView } from "../types.js"
 *  @import { LiveBoard, RoomListener } from "./live.js" */

/** @param {Page} page @param {string[]} path @returns {Promise<Screen>} */
export async function open(page, [text = ""]) {
  await loadMore("rooms");
  dressRooms();
  page.panel.className = "panel wide room";
  const code = readCode(text);
  const kept = keptRoom(code);
  if (!kept?.member && !kept?.host) {
    const { room } = await roomApi.look(code || "-");
    if (!room.state.closed) {
      await joinForm(page, room);
      return {};
    }
  }
  const screen = new RoomScreen(page, code);
  page.opens(screen);
  await screen.ready;
  return screen;
}

/** A name, and in. @param {Page} page @param {RoomView} room */
async function joinForm(page, room) {
  const home = remembered("home", { name: "" });
  const own = newSecret(); // so that a second press, when no answer came to the first, is the same member
  const name = textInput(t("room.your_name"), home.name ?? "", { name: "name" });
  const status = h("p.bad", { role: "status" });
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    remember("home", { ...home, name: name.value });
    await attempt(status, async () => {
      await roomApi.join(room.code, name.value, own);
      keepRoom({ code: room.code, title: room.state.title, member: own });
      page.go(`/room/${room.code}`);
    });
  };
  page.panel.replaceChildren(
    h(
      "div.stack",
      h("h1", room.state.title || t("room.one", { code: room.code })),
      h("p.quiet", t(`room.about.${room.format}`)),
    ),
    h(
      "form.stack",
      { onsubmit: join },
      field(t("room.your_name"), name),
      h(
        "div.row",
        h("button.main", { type: "submit" }, t("room.join")),
        h("a.button", { href: `#/wall/${room.code}` }, t("room.watch")),
      ),
    ),
    status,
    h(
      "p.quiet.small",
      t("room.bots", {
        command: `connectk connect mybot.py --server ${location.origin} --room ${room.code} --name Robo`,
      }),
    ),
  );
}

/** @implements {RoomListener} */
class RoomScreen {
  /** @param {Page} page @param {string} code */
  constructor(page, code) {
    this.page = page;
    this.code = code;
    this.kept = keptRoom(code) ?? { code, title: "" };
    this.origin = location.origin;
    this.leads = ""; // what the host can do now, so that it is drawn only when it changes
    this.level = select(
      t("room.add_level"),
      LEVELS.map((one) => [String(one), `${one}  ${levelName(one)}`]),
      "3",
      () => {},
    );
    this.news = h("ol.news", { reversed: true });
    this.part = {
      head: h("div.stack"),
      now: h("div.stack.room-now", { "aria-live": "polite" }),
      lead: h("div.stack"),
      people: h("div"),
      table: h("div"),
      results: h("div.stack"),
      status: h("p.bad", { role: "status" }),
    };
    this.opening = Promise.withResolvers();
    this.ready = this.opening.promise;
    this.live = new RoomLive(code, this.kept.member ?? this.kept.host ?? null, this);
    this.#reach();
  }

  close() {
    this.live.close();
  }

  // Where others find this room: on a machine that lets the network in, not at its own name for itself.
  async #reach() {
    const { network } = await api.about().catch(() => ({ network: null }));
    if (network?.address) this.origin = network.address;
  }

  // What the room tells.

  welcomed() {
    const { room } = this.live;
    if (!room) return;
    const gone = this.kept.member && this.live.you === null;
    if (gone) keepRoom({ ...this.kept, member: "" });
    keepRoom({ code: room.code, title: room.state.title });
    this.page.panel.replaceChildren(
      this.part.head,
      this.part.now,
      this.part.status,
      this.part.lead,
      h(
        "div.room-columns",
        h("section.stack", h("h2", t("room.people")), this.part.people),
        h("section.stack", h("h2", t("room.table")), this.part.table),
      ),
      this.part.results,
      h("section.stack", h("h2", t("room.news")), this.news),
    );
    this.#drawHead(room);
    this.draw();
    this.opening.resolve(this);
  }

  /** @param {RoomChangedMessage} message */
  changed(message) {
    const { room } = this.live;
    if (!room) return;
    const words = newsOf(room, message);
    if (words) this.news.prepend(h("li", words));
    while (this.news.children.length > 20) this.news.lastElementChild?.remove();
    if (message.event === "closed") this.#drawHead(room);
    this.draw();
  }

  /** A board of ours: go there. @param {LiveBoard} board */
  board(board) {
    if (!board.sides.length || board.match.state.result || !this.kept.member) return;
    keepSeat(board.match.id, this.kept.member);
    this.page.say(t("room.now.go"));
    this.page.go(`/match/${board.match.id}`);
  }

  table() {
    this.draw();
  }

  /** @param {boolean} isUp */
  connection(isUp) {
    this.page.notice(isUp ? "" : t("room.away"), { calm: true });
  }

  /** @param {Error} error */
  lost(error) {
    this.opening.reject(error);
  }

  // What it looks like.

  /** @param {RoomView} room */
  #drawHead(room) {
    const isOpen = !room.state.closed;
    this.part.head.replaceChildren(
      h("h1", room.state.title || t("room.one", { code: room.code })),
      h("p.quiet", t(`room.about.${room.format}`)),
      h(
        "div.row",
        h("a.button", { href: `#/wall/${room.code}` }, t("room.wall")),
        isOpen && this.live.you !== null && button(t("room.leave"), () => this.#leave()),
      ),
    );
    if (isOpen && this.kept.host) this.part.head.append(invitationTo(room.code, this.origin));
    this.part.results.replaceChildren(...(isOpen ? [] : [resultsOf(room, this.page)]));
  }

  draw() {
    whenReleased(this, () => this.#draw());
  }

  #draw() {
    const { room } = this.live;
    if (!room) return;
    const leads = !this.kept.host || room.state.closed ? "" : room.state.begun ? "begun" : "open";
    keepFocus(this.page.panel, () => {
      this.part.now.replaceChildren(...this.#now(room));
      if (leads !== this.leads) this.part.lead.replaceChildren(...(leads ? this.#lead(room) : []));
      this.part.people.replaceChildren(this.#people(room));
      this.part.table.replaceChildren(tableOf(room));
    });
    this.leads = leads;
  }

  /** What I wait for, or have to do. @param {RoomView} room */
  #now(room) {
    const { you, me } = this.live;
    if (room.state.closed) return [h("p.headline", t("room.now.closed"))];
    if (you === null || !me) return [];
    if (me.away)
      return [h("p.headline", t("room.now.away")), button(t("room.here"), () => this.#act("here"), { class: "main" })];
    const meeting = room.meetings.find(({ first, second, reason }) => reason === null && [first, second].includes(you));
    if (meeting?.match) {
      const other = nameIn(room, meeting.first === you ? meeting.second : meeting.first);
      return [
        h("p.headline", t("room.now.play", { name: other })),
        h("a.button.main", { href: `#/match/${meeting.match}` }, t("room.now.board")),
      ];
    }
    const questions = room.state.challenges
      .filter(({ to, accepted }) => to === you && !accepted)
      .map(({ by }) =>
        h(
          "div.row",
          h("span", t("room.now.challenged", { name: nameIn(room, by) })),
          button(t("room.yes"), () => this.#act("reply", { by, yes: true }), { class: "main" }),
          button(t("room.no"), () => this.#act("reply", { by, yes: false })),
        ),
      );
    const words =
      room.format === "challenges" ? "room.now.choose" : room.state.begun ? "room.now.next" : "room.now.wait";
    if (room.format === "challenges" && !questions.length) questions.push(h("div.row")); // the room of the first is kept
    return [...questions, h("p.headline", t(words, { name: me.name }))];
  }

  /** What the host can do. @param {RoomView} room */
  #lead(room) {
    const { level } = this;
    return [
      h(
        "div.row.room-lead",
        !room.state.begun && button(t("room.begin"), () => this.#act("begin", {}, true), { class: "main" }),
        level,
        button(t("room.add_level"), () => this.#act("levels", { level: Number(level.value) }, true)),
        button(t("room.close"), async () => {
          if (await asked(t("room.ask.close"), t("room.close"), t("room.ask.close_more"))) this.#act("close", {}, true);
        }),
      ),
    ];
  }

  /** @param {RoomView} room */
  #people(room) {
    const all = peopleIn(room);
    if (!all.length) return h("p.quiet", t("room.nobody"));
    return h(
      "ul.matches",
      all.map(({ member, name }) =>
        h(
          "li",
          h("span", name, h("span.quiet.small", ` ${memberWords(member, room)}`)),
          h("span.row", ...this.#deeds(room, member, name)),
        ),
      ),
    );
  }

  /** What can be done about a member. @param {RoomView} room @param {MemberView} member @param {string} name */
  #deeds(room, member, name) {
    const { you } = this.live;
    const deeds = [];
    const asks = room.state.challenges.some(({ by, to }) => by === you && to === member.number);
    if (room.format === "challenges" && !room.state.closed && you !== null && you !== member.number) {
      deeds.push(
        button(t("room.challenge"), () => this.#act("challenge", { to: member.number }), {
          disabled: asks,
          "aria-label": t("room.challenge_name", { name }),
        }),
      );
    }
    if (this.kept.host && !room.state.closed) {
      if (member.kind !== "level")
        deeds.push(
          button(t("room.rename"), () => this.#rename(member), {
            class: "plain",
            "aria-label": t("room.rename_name", { name }),
          }),
        );
      deeds.push(
        button(t("room.remove"), () => this.#act(`members/${member.number}/remove`, {}, true), {
          class: "plain",
          "aria-label": t("room.remove_name", { name }),
        }),
      );
    }
    return deeds;
  }

  /** @param {MemberView} member */
  #rename(member) {
    const label = t("room.rename_name", { name: member.name });
    const input = textInput(label, member.name);
    const dialog = openDialog(
      { class: "question", "aria-label": label },
      h(
        "form.stack",
        { method: "dialog", onsubmit: () => this.#act(`members/${member.number}/rename`, { name: input.value }, true) },
        input,
        h(
          "div.row",
          h("button.main", t("room.rename")),
          button(t("room.cancel"), () => dialog.close()),
        ),
      ),
    );
    input.select();
  }

  async #leave() {
    if (!(await asked(t("room.ask.leave"), t("room.leave")))) return;
    await this.#act(`members/${this.live.you}/remove`);
    keepRoom({ ...this.kept, member: "" });
    this.page.go("/rooms");
  }

  /** @param {string} what @param {object} body @param {boolean} asHost */
  async #act(what, body = {}, asHost = false) {
    const secret = (asHost ? this.kept.host : this.kept.member) ?? "";
    this.part.status.textContent = "";
    try {
      await roomApi.act(this.code, what, secret, body);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      this.part.status.textContent = error.message;
    }
  }
}
