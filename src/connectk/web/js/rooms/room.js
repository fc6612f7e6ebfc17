// One room: whoever comes in gives a name; members see whom they play, the host leads it, and all see what is left of it.
import { Refused, api, wordsOf } from "../common/api.js";
import { asked } from "../common/ask.js";
import { button, field, h, keepFocus, select } from "../common/dom.js";
import { LEVELS, levelName } from "../texts/levels.js";
import { keepSeat, newSecret, remember, remembered } from "../common/memory.js";
import { whenReleased } from "../common/press.js";
import { keepRoom, keptRoom, readCode, roomApi } from "./api.js";
import { RoomLive } from "./live.js";
import { dressRooms, invitationTo, memberWords, peopleIn, tableOf } from "./look.js";
import { resultsOf } from "./results.js";
import { loadRoomWords, nameIn, newsOf, rt } from "./words.js";

/** @import { Page, Screen } from "../shapes.js"
 *  @import { MemberView, RoomChangedMessage, RoomView } from "../types.js"
 *  @import { LiveBoard, RoomListener } from "./live.js" */

/** @param {Page} page @param {string[]} path @returns {Promise<Screen>} */
export async function open(page, [text = ""]) {
  await loadRoomWords();
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
  const name = h("input", {
    type: "text",
    name: "name",
    maxlength: 40,
    value: home.name ?? "",
    "aria-label": rt("room.your_name"),
    autocomplete: "off",
  });
  const status = h("p", { class: "bad", role: "status" });
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    remember("home", { ...home, name: name.value });
    try {
      await roomApi.join(room.code, name.value, own);
      keepRoom({ code: room.code, title: room.state.title, member: own });
      page.go(`/room/${room.code}`);
    } catch (error) {
      status.textContent = wordsOf(error);
    }
  };
  page.panel.replaceChildren(
    h(
      "div",
      { class: "stack" },
      h("h1", {}, room.state.title || rt("room.one", { code: room.code })),
      h("p", { class: "quiet" }, rt(`room.about.${room.format}`)),
    ),
    h(
      "form",
      { class: "stack", onsubmit: join },
      field(rt("room.your_name"), name),
      h(
        "div",
        { class: "row" },
        h("button", { type: "submit", class: "main" }, rt("room.join")),
        h("a", { class: "button", href: `#/wall/${room.code}` }, rt("room.watch")),
      ),
    ),
    status,
    h(
      "p",
      { class: "quiet small" },
      rt("room.bots", {
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
      rt("room.add_level"),
      LEVELS.map((one) => [String(one), `${one}  ${levelName(one)}`]),
      "3",
      () => {},
    );
    this.news = h("ol", { class: "news", reversed: true });
    this.part = {
      head: h("div", { class: "stack" }),
      now: h("div", { class: "stack room-now", "aria-live": "polite" }),
      lead: h("div", { class: "stack" }),
      people: h("div"),
      table: h("div"),
      results: h("div", { class: "stack" }),
      status: h("p", { class: "bad", role: "status" }),
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
        "div",
        { class: "room-columns" },
        h("section", { class: "stack" }, h("h2", {}, rt("room.people")), this.part.people),
        h("section", { class: "stack" }, h("h2", {}, rt("room.table")), this.part.table),
      ),
      this.part.results,
      h("section", { class: "stack" }, h("h2", {}, rt("room.news")), this.news),
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
    if (words) this.news.prepend(h("li", {}, words));
    while (this.news.children.length > 20) this.news.lastElementChild?.remove();
    if (message.event === "closed") this.#drawHead(room);
    this.draw();
  }

  /** A board of ours: go there. @param {LiveBoard} board */
  board(board) {
    if (!board.sides.length || board.match.state.result || !this.kept.member) return;
    keepSeat(board.match.id, this.kept.member);
    this.page.say(rt("room.now.go"));
    this.page.go(`/match/${board.match.id}`);
  }

  table() {
    this.draw();
  }

  /** @param {boolean} isUp */
  connection(isUp) {
    this.page.notice(isUp ? "" : rt("room.away"), { calm: true });
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
      h("h1", {}, room.state.title || rt("room.one", { code: room.code })),
      h("p", { class: "quiet" }, rt(`room.about.${room.format}`)),
      h(
        "div",
        { class: "row" },
        h("a", { class: "button", href: `#/wall/${room.code}` }, rt("room.wall")),
        isOpen && this.live.you !== null && button(rt("room.leave"), () => this.#leave()),
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
    if (room.state.closed) return [h("p", { class: "headline" }, rt("room.now.closed"))];
    if (you === null || !me) return [];
    if (me.away)
      return [
        h("p", { class: "headline" }, rt("room.now.away")),
        button(rt("room.here"), () => this.#act("here"), { class: "main" }),
      ];
    const meeting = room.meetings.find(({ first, second, reason }) => reason === null && [first, second].includes(you));
    if (meeting?.match) {
      const other = nameIn(room, meeting.first === you ? meeting.second : meeting.first);
      return [
        h("p", { class: "headline" }, rt("room.now.play", { name: other })),
        h("a", { class: "button main", href: `#/match/${meeting.match}` }, rt("room.now.board")),
      ];
    }
    const questions = room.state.challenges
      .filter(({ to, accepted }) => to === you && !accepted)
      .map(({ by }) =>
        h(
          "div",
          { class: "row" },
          h("span", {}, rt("room.now.challenged", { name: nameIn(room, by) })),
          button(rt("room.yes"), () => this.#act("reply", { by, yes: true }), { class: "main" }),
          button(rt("room.no"), () => this.#act("reply", { by, yes: false })),
        ),
      );
    const words =
      room.format === "challenges" ? "room.now.choose" : room.state.begun ? "room.now.next" : "room.now.wait";
    if (room.format === "challenges" && !questions.length) questions.push(h("div", { class: "row" })); // the room of the first is kept
    return [...questions, h("p", { class: "headline" }, rt(words, { name: me.name }))];
  }

  /** What the host can do. @param {RoomView} room */
  #lead(room) {
    const { level } = this;
    return [
      h(
        "div",
        { class: "row room-lead" },
        !room.state.begun && button(rt("room.begin"), () => this.#act("begin", {}, true), { class: "main" }),
        level,
        button(rt("room.add_level"), () => this.#act("levels", { level: Number(level.value) }, true)),
        button(rt("room.close"), async () => {
          if (await asked(rt("room.ask.close"), rt("room.close"), rt("room.ask.close_more")))
            this.#act("close", {}, true);
        }),
      ),
    ];
  }

  /** @param {RoomView} room */
  #people(room) {
    const all = peopleIn(room);
    if (!all.length) return h("p", { class: "quiet" }, rt("room.nobody"));
    return h(
      "ul",
      { class: "matches" },
      all.map(({ member, name }) =>
        h(
          "li",
          {},
          h("span", {}, name, h("span", { class: "quiet small" }, ` ${memberWords(member, room)}`)),
          h("span", { class: "row" }, ...this.#deeds(room, member, name)),
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
        button(rt("room.challenge"), () => this.#act("challenge", { to: member.number }), {
          disabled: asks,
          "aria-label": rt("room.challenge_name", { name }),
        }),
      );
    }
    if (this.kept.host && !room.state.closed) {
      if (member.kind !== "level")
        deeds.push(
          button(rt("room.rename"), () => this.#rename(member), {
            class: "plain",
            "aria-label": rt("room.rename_name", { name }),
          }),
        );
      deeds.push(
        button(rt("room.remove"), () => this.#act(`members/${member.number}/remove`, {}, true), {
          class: "plain",
          "aria-label": rt("room.remove_name", { name }),
        }),
      );
    }
    return deeds;
  }

  /** @param {MemberView} member */
  #rename(member) {
    const input = h("input", {
      type: "text",
      maxlength: 40,
      value: member.name,
      "aria-label": rt("room.rename_name", { name: member.name }),
    });
    /** @type {HTMLDialogElement} */
    const dialog = h(
      "dialog",
      {
        class: "question",
        "aria-label": rt("room.rename_name", { name: member.name }),
        onclose: () => dialog.remove(),
      },
      h(
        "form",
        {
          class: "stack",
          method: "dialog",
          onsubmit: () => this.#act(`members/${member.number}/rename`, { name: input.value }, true),
        },
        input,
        h(
          "div",
          { class: "row" },
          h("button", { class: "main" }, rt("room.rename")),
          button(rt("room.cancel"), () => dialog.close()),
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
    input.select();
  }

  async #leave() {
    if (!(await asked(rt("room.ask.leave"), rt("room.leave")))) return;
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
