// What a host sees and does in a room: begin, pause, the next round, levels, the door, and other hosts.
import { button, h, openDialog } from "../common/dom.js";
import { FORMATS_IN_ROUNDS } from "../common/constants.js";
import { confirmDialog } from "../common/confirm.js";
import { memberName } from "./sentences.js";
import { t } from "../texts/texts.js";

/** @import { MemberView, RoomView } from "../types.js"
 *  @typedef {(what: string, body?: object) => Promise<any>} Act performs an action of the host; the answer, or null if it was refused */

const SECONDS_PER_MINUTE = 60;

/** The buttons of a host. @param {RoomView} room @param {HTMLSelectElement} level @param {Act} act */
export function hostButtons(room, level, act) {
  const { begun, locked, paused } = room.state;
  const isPairing = begun && room.format !== "challenges";
  return h(
    "div.row.room-lead",
    !begun && button(t("room.begin"), () => act("begin"), { class: "main" }),
    isPairing &&
      (paused
        ? button(t("room.resume"), () => act("resume"), { class: "main" })
        : button(t("room.pause"), () => act("pause"))),
    isPairing && FORMATS_IN_ROUNDS.includes(room.format) && button(t("room.next_round"), () => nextRound(room, act)),
    level,
    button(t("room.add_level"), () => act("levels", { level: Number(level.value) })),
    locked ? button(t("room.unlock"), () => act("unlock")) : button(t("room.lock"), () => act("lock")),
    button(t("room.close"), async () => {
      if (await confirmDialog(t("room.ask.close"), t("room.close"), t("room.ask.close_more"))) act("close");
    }),
  );
}

/** @param {RoomView} room @param {Act} act */
async function nextRound(room, act) {
  const isPlayed = room.meetings.some(({ reason }) => reason === null);
  const more = room.format === "knockout" ? "room.ask.next_round_knockout" : "room.ask.next_round_more";
  if (!isPlayed || (await confirmDialog(t("room.ask.next_round"), t("room.next_round"), t(more)))) act("next-round");
}

/** The buttons that concern hosts: this host's link, a code for one more host, and resigning.
 *  @param {RoomView} room @param {{ origin: string, secret: string, act: Act, resign: () => void }} host */
export function hostSharing(room, { origin, secret, act, resign }) {
  const status = h("p.small", { role: "status" });
  const link = `${origin}/#/room/${room.code}/host/${secret}`;
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link);
      status.textContent = t("room.host_link_copied");
    } catch {
      status.replaceChildren(t("room.host_link_shown"), " ", h("a", { href: link }, link));
    }
  };
  return h(
    "div.stack.tight",
    h(
      "div.row",
      button(t("room.host_link"), copy),
      button(t("room.host_code"), () => showHostCode(origin, act)),
      button(t("room.resign_host"), async () => {
        if (await confirmDialog(t("room.ask.resign_host"), t("room.resign_host"))) resign();
      }),
    ),
    status,
  );
}

/** Asks for a code and shows it until it is closed. @param {string} origin @param {Act} act */
async function showHostCode(origin, act) {
  const answer = await act("host-code");
  if (!answer) return;
  const lead = t("room.host_code.lead", {
    address: new URL(origin).host,
    choice: t("room.become_host"),
    minutes: Math.round(answer.seconds / SECONDS_PER_MINUTE),
  });
  const dialog = openDialog(
    { class: "question", "aria-label": t("room.host_code") },
    h(
      "div.stack",
      h("h2", t("room.host_code")),
      h("p", lead),
      h("p.room-code", answer.code),
      h(
        "div.row",
        button(t("room.done"), () => dialog.close(), { class: "main", autofocus: true }),
      ),
    ),
  );
}

/** The buttons of a host for one member, other than renaming and removing. @param {RoomView} room @param {MemberView} member @param {Act} act */
export function hostMemberButtons(room, member, act) {
  const name = memberName(member);
  /** @type {HTMLElement[]} */
  const buttons = [];
  /** @param {string} key @param {() => void} action */
  const add = (key, action) =>
    buttons.push(button(t(`room.${key}`), action, { class: "plain", "aria-label": t(`room.${key}_name`, { name }) }));
  if (member.waiting) add("admit", () => act("admit", { members: [member.number] }));
  if (member.team !== null && !room.state.begun)
    add("other_team", () => act(`members/${member.number}/team`, { team: 3 - (member.team ?? 1) }));
  if (member.kind === "person" && !member.host && !member.waiting)
    add("make_host", () => askPromotion(name, (instead) => act(`members/${member.number}/host`, { instead })));
  return buttons;
}

/** The button that lets in everyone who is waiting. @param {RoomView} room @param {Act} act */
export function admitAllButton(room, act) {
  const waiting = room.members.filter((member) => member.waiting && !member.left).map(({ number }) => number);
  if (waiting.length < 2) return null;
  return button(t("room.admit_all"), () => act("admit", { members: waiting }), { class: "main" });
}

/** Asks whether this member becomes a host as well, or in place of this
 * person. @param {string} name @param {(instead: boolean) => void} promote */
function askPromotion(name, promote) {
  const question = t("room.ask.promote", { name });
  const choose = (/** @type {boolean} */ instead) => {
    dialog.close();
    promote(instead);
  };
  const dialog = openDialog(
    { class: "question", "aria-label": question },
    h(
      "div.stack",
      h("h2", question),
      h(
        "div.row",
        button(t("room.host_also"), () => choose(false), { class: "main" }),
        button(t("room.hand_over"), () => choose(true)),
        button(t("ask.not_now"), () => dialog.close(), { autofocus: true }),
      ),
    ),
  );
}
