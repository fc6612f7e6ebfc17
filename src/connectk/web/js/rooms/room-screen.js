// The screen of a room: the member's next match, the host's controls, the members and the standings.
import { RefusedError } from "../common/api.js";
import { confirmDialog } from "../common/confirm.js";
import { button, h, preserveFocus, openDialog, select, textInput } from "../common/dom.js";
import { LEVELS, levelName } from "../texts/levels.js";
import { NetworkAccess } from "../common/network.js";
import { storeSeatSecret } from "../common/storage.js";
import { redrawWhenReleased } from "../common/deferred-redraw.js";
import { forgetRoom, storeRoom, storedRoom, normalizeCode, roomApi } from "./api.js";
import { gradesSection } from "./grades.js";
import { admitAllButton, hostButtons, hostMemberButtons, hostSharing } from "./host-controls.js";
import { joinForm } from "./join-form.js";
import { RoomSocket } from "./room-socket.js";
import { bracketTable, gamesText, progressText, roomRules, teamScore, timeLeftText } from "./tournament.js";
import {
  loadRoomStyles,
  roomInvitation,
  memberStatus,
  namedMembers,
  presentMembers,
  standingsTable,
} from "./elements.js";
import { roomResults } from "./results.js";
import { memberNameByNumber, eventText } from "./sentences.js";
import { loadTextGroup, t } from "../texts/texts.js";

/** @import { Page, Screen } from "../page-types.js"
 *  @import { MemberView, RoomChangedMessage, RoomView } from "../types.js"
 *  @import { RoomBoard, RoomListener } from "./room-socket.js" */

const CLOCK_INTERVAL_MS = 500;

/** @param {Page} page @param {string[]} path @returns {Promise<Screen>} */
export async function open(page, [text = "", what = "", secret = ""]) {
  await loadTextGroup("rooms");
  loadRoomStyles();
  page.panel.className = "panel wide room";
  const code = normalizeCode(text);
  if (what === "host" && secret) {
    await openAsHost(page, code, secret);
    return {};
  }
  const kept = storedRoom(code);
  if (!kept?.member && !kept?.host) {
    const { room } = await roomApi.get(code || "-");
    if (!room.state.closed) {
      joinForm(page, room);
      return {};
    }
  }
  const screen = new RoomScreen(page, code);
  page.setScreen(screen);
  await screen.ready;
  return screen;
}

/** Keeps the secret of a host's link, and opens the room without it in the address. @param {Page} page @param {string} code @param {string} secret */
async function openAsHost(page, code, secret) {
  const { room, host } = await roomApi.get(code || "-", secret);
  if (host) storeRoom({ code: room.code, title: room.state.title, host: secret });
  history.replaceState(null, "", `#/room/${room.code}`);
  page.navigate(`/room/${room.code}`);
}

/** @type {Record<string, string>} */
const REST_SENTENCES = { knockout: "room.now.knockout_rest", teams: "room.now.rest_plain" };

/** The key of the text for a member who has no game at the moment. @param {RoomView} room @param {number} member */
function waitingText({ format, state, members }, member) {
  if (members[member - 1]?.waiting) return "room.now.waiting";
  if (state.out.includes(member)) return "room.now.out";
  if (state.paused) return "room.now.paused";
  if (state.resting.includes(member)) return REST_SENTENCES[format] ?? "room.now.rest";
  if (format === "challenges") return "room.now.choose";
  return state.begun ? "room.now.next" : "room.now.wait";
}

/** @implements {RoomListener} */
class RoomScreen {
  /** @param {Page} page @param {string} code */
  constructor(page, code) {
    this.page = page;
    this.code = code;
    this.stored = storedRoom(code) ?? { code, title: "" };
    this.network = new NetworkAccess(() => this.#onNetwork());
    this.drawnHostControls = ""; // the controls are redrawn only when they change
    this.level = select(
      t("room.add_level"),
      LEVELS.map((one) => [String(one), `${one}  ${levelName(one)}`]),
      "3",
      () => {},
    );
    this.news = h("ol.news", { reversed: true });
    this.elements = {
      head: h("div.stack"),
      progress: h("p.progress"),
      timeLeft: h("p.time-left.number"),
      now: h("div.stack.room-now", { "aria-live": "polite" }),
      lead: h("div.stack"),
      people: h("div"),
      standings: h("div.stack"),
      sharing: h("div"),
      results: h("div.stack"),
      status: h("p.bad", { role: "status" }),
    };
    this.readyDeferred = Promise.withResolvers();
    this.ready = this.readyDeferred.promise;
    this.socket = new RoomSocket(code, this.stored.member ?? this.stored.host ?? null, this);
    this.timer = setInterval(() => this.#drawTimeLeft(), CLOCK_INTERVAL_MS);
    this.network.find();
  }

  close() {
    clearInterval(this.timer);
    this.socket.close();
  }

  /** The secret that opens the host's rights: of a host, or of a member who is one; "" for others. */
  get hostSecret() {
    return this.stored.host || (this.socket.me?.host && this.stored.member) || "";
  }

  #drawTimeLeft() {
    const { room } = this.socket;
    if (room) this.elements.timeLeft.textContent = timeLeftText(room, this.socket.now());
  }

  #onNetwork() {
    const { room } = this.socket;
    this.drawnHostControls = ""; // the host's link has the address, too
    if (!room) return;
    this.#drawHead(room);
    this.draw();
  }

  // Events of the room.

  onWelcome() {
    const { room } = this.socket;
    if (!room) return;
    const gone = this.stored.member && this.socket.memberNumber === null;
    if (gone) storeRoom({ ...this.stored, member: "" });
    storeRoom({ code: room.code, title: room.state.title });
    this.drawnHostControls = "";
    this.page.panel.replaceChildren(
      this.elements.head,
      this.elements.progress,
      this.elements.timeLeft,
      this.elements.now,
      this.elements.status,
      this.elements.lead,
      h(
        "div.room-columns",
        h("section.stack", h("h2", t("room.people")), this.elements.people),
        h("section.stack", h("h2", t("room.table")), this.elements.standings),
      ),
      this.elements.results,
      this.elements.sharing,
      h("section.stack", h("h2", t("room.news")), this.news),
    );
    this.#drawHead(room);
    this.draw();
    this.readyDeferred.resolve(this);
  }

  /** @param {RoomChangedMessage} message */
  onChange(message) {
    const { room } = this.socket;
    if (!room) return;
    const words = eventText(room, message, Boolean(this.hostSecret));
    if (words) this.news.prepend(h("li", words));
    while (this.news.children.length > 20) this.news.lastElementChild?.remove();
    if (message.event === "closed" || message.event === "host_added") this.#drawHead(room);
    this.draw();
  }

  /** Opens a match in which this member plays. @param {RoomBoard} board */
  onBoard(board) {
    if (!board.sides.length || board.match.state.result || !this.stored.member) return;
    storeSeatSecret(board.match.id, this.stored.member);
    this.page.announce(t("room.now.go"));
    this.page.navigate(`/match/${board.match.id}`);
  }

  onStandings() {
    this.draw();
  }

  /** @param {boolean} isUp */
  onConnectionChange(isUp) {
    this.page.showNotice(isUp ? "" : t("room.away"), { calm: true });
  }

  /** @param {Error} error */
  onLost(error) {
    this.readyDeferred.reject(error);
  }

  // Drawing.

  /** @param {RoomView} room */
  #drawHead(room) {
    const isOpen = !room.state.closed;
    this.elements.head.replaceChildren(
      h("h1", room.state.title || t("room.one", { code: room.code })),
      h("p.quiet", t(`room.about.${room.format}`)),
      h("p.quiet.small", isOpen ? roomRules(room) : ""),
      h(
        "div.row",
        h("a.button", { href: `#/wall/${room.code}` }, t("room.wall")),
        isOpen && this.socket.memberNumber !== null && button(t("room.leave"), () => this.#leave()),
      ),
    );
    if (isOpen && this.hostSecret)
      this.elements.head.append(roomInvitation(room.code, this.network), this.network.offer);
    this.elements.results.replaceChildren(...(isOpen ? [] : [roomResults(room, this.page), ...this.#hostResults()]));
  }

  #hostResults() {
    if (!this.hostSecret) return [];
    return [
      gradesSection(this.code, this.hostSecret),
      h(
        "div.row",
        button(t("room.delete_room"), () => this.#deleteRoom()),
      ),
    ];
  }

  draw() {
    redrawWhenReleased(this, () => this.#draw());
  }

  #draw() {
    const { room } = this.socket;
    if (!room) return;
    const { begun, locked, closed, paused } = room.state;
    const hostControls = !this.hostSecret || closed ? "" : [this.hostSecret, begun, locked, paused].join();
    const [act, secret] = [this.#act, this.hostSecret];
    preserveFocus(this.page.panel, () => {
      this.elements.now.replaceChildren(...this.#currentTask(room));
      if (hostControls !== this.drawnHostControls) {
        const sharing = { origin: this.network.origin, secret, act, resign: () => this.#resignAsHost() };
        this.elements.lead.replaceChildren(...(hostControls ? [hostButtons(room, this.level, act)] : []));
        this.elements.sharing.replaceChildren(...(hostControls ? [hostSharing(room, sharing)] : []));
      }
      this.elements.people.replaceChildren(this.#memberList(room));
      this.elements.standings.replaceChildren(...teamScore(room), standingsTable(room), ...bracketTable(room));
    });
    this.drawnHostControls = hostControls;
    const progress = closed ? "" : `${progressText(room)} ${gamesText(room)}`;
    if (this.elements.progress.textContent !== progress) this.elements.progress.textContent = progress;
    this.#drawTimeLeft();
  }

  /** Performs an action of the host; returns the answer, or null if it was refused. */
  #act = (/** @type {string} */ what, body = {}) => this.#send(what, body, true);

  async #resignAsHost() {
    if (!(await this.#act("host/resign"))) return;
    if (this.stored.host) this.#forgetHost();
    this.page.navigate(this.stored.member ? `/room/${this.code}` : "/rooms");
  }

  #forgetHost() {
    this.stored.host = "";
    storeRoom({ ...this.stored, host: "" });
    this.draw();
  }

  /** Says what the member waits for or has to do. @param {RoomView} room */
  #currentTask(room) {
    const { memberNumber, me } = this.socket;
    if (room.state.closed) return [h("p.headline", t("room.now.closed"))];
    if (memberNumber === null || !me) return [];
    if (me.away)
      return [h("p.headline", t("room.now.away")), button(t("room.here"), () => this.#send("here"), { class: "main" })];
    const meeting = room.meetings.find(
      ({ first, second, reason }) => reason === null && [first, second].includes(memberNumber),
    );
    if (meeting?.match) {
      const other = memberNameByNumber(room, meeting.first === memberNumber ? meeting.second : meeting.first);
      return [
        h("p.headline", t("room.now.play", { name: other })),
        h("a.button.main", { href: `#/match/${meeting.match}` }, t("room.now.board")),
      ];
    }
    const questions = room.state.challenges
      .filter(({ to, accepted }) => to === memberNumber && !accepted)
      .map(({ by }) =>
        h(
          "div.row",
          h("span", t("room.now.challenged", { name: memberNameByNumber(room, by) })),
          button(t("room.yes"), () => this.#send("reply", { by, yes: true }), { class: "main" }),
          button(t("room.no"), () => this.#send("reply", { by, yes: false })),
        ),
      );
    if (room.format === "challenges" && !questions.length) questions.push(h("div.row")); // reserves the height of the first question
    return [...questions, h("p.headline", t(waitingText(room, memberNumber), { name: me.name }))];
  }

  /** @param {RoomView} room */
  #memberList(room) {
    const isHost = Boolean(this.hostSecret);
    const all = isHost && room.state.closed ? namedMembers(room) : presentMembers(room, isHost);
    if (!all.length) return h("p.quiet", t("room.nobody"));
    return h(
      "div.stack",
      isHost && !room.state.closed && admitAllButton(room, this.#act),
      h(
        "ul.matches",
        all.map(({ member, name }) =>
          h(
            "li",
            h("span", name, h("span.quiet.small", ` ${memberStatus(member, room)}`)),
            h("span.row", ...this.#memberActions(room, member, name)),
          ),
        ),
      ),
    );
  }

  /** Buttons to challenge, rename or remove a member. @param {RoomView} room @param {MemberView} member @param {string} name */
  #memberActions(room, member, name) {
    const { memberNumber } = this.socket;
    const actions = [];
    const asks = room.state.challenges.some(({ by, to }) => by === memberNumber && to === member.number);
    if (room.format === "challenges" && !room.state.closed && memberNumber !== null && memberNumber !== member.number) {
      actions.push(
        button(t("room.challenge"), () => this.#send("challenge", { to: member.number }), {
          disabled: asks,
          "aria-label": t("room.challenge_name", { name }),
        }),
      );
    }
    if (this.hostSecret && !room.state.closed) {
      actions.push(...hostMemberButtons(room, member, this.#act));
      if (member.kind !== "level")
        actions.push(
          button(t("room.rename"), () => this.#rename(member), {
            class: "plain",
            "aria-label": t("room.rename_name", { name }),
          }),
        );
      actions.push(
        button(t("room.remove"), () => this.#send(`members/${member.number}/remove`, {}, true), {
          class: "plain",
          "aria-label": t("room.remove_name", { name }),
        }),
      );
    }
    if (this.hostSecret && member.kind !== "level")
      actions.push(
        button(t("room.delete"), () => this.#deleteMember(member), {
          class: "plain",
          "aria-label": t("room.delete_name", { name }),
        }),
      );
    return actions;
  }

  /** @param {MemberView} member */
  async #deleteMember({ number, name }) {
    if (await confirmDialog(t("room.ask.delete_name", { name }), t("room.delete"), t("room.ask.delete_name_more")))
      await this.#send(`members/${number}/delete`, {}, true);
  }

  async #deleteRoom() {
    if (!(await confirmDialog(t("room.ask.delete"), t("room.delete_room"), t("room.ask.delete_more")))) return;
    this.socket.close();
    if (!(await this.#send("delete", {}, true))) return;
    forgetRoom(this.code);
    this.page.navigate("/rooms");
  }

  /** @param {MemberView} member */
  #rename(member) {
    const label = t("room.rename_name", { name: member.name });
    const input = textInput(label, member.name);
    const dialog = openDialog(
      { class: "question", "aria-label": label },
      h(
        "form.stack",
        {
          method: "dialog",
          onsubmit: () => this.#send(`members/${member.number}/rename`, { name: input.value }, true),
        },
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
    if (!(await confirmDialog(t("room.ask.leave"), t("room.leave")))) return;
    await this.#send(`members/${this.socket.memberNumber}/remove`);
    storeRoom({ ...this.stored, member: "" });
    this.page.navigate("/rooms");
  }

  /** Sends a request, and returns the server's answer, or null if it has refused.
   * @param {string} what @param {object} body @param {boolean} asHost */
  async #send(what, body = {}, asHost = false) {
    const secret = (asHost ? this.hostSecret : this.stored.member) ?? "";
    this.elements.status.textContent = "";
    try {
      return await roomApi.act(this.code, what, secret, body);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.elements.status.textContent = error.message;
      if (asHost && error.reason === "not_host" && this.stored.host) this.#forgetHost(); // handed over elsewhere
      return null;
    }
  }
}
