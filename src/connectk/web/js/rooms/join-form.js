// The form with which a person joins a room, or becomes a host of it.
import { runOrShowError } from "../common/api.js";
import { field, h, radioGroup, textInput } from "../common/dom.js";
import { newSecret, writeStorage, readStorage } from "../common/storage.js";
import { normalizeCode, roomApi, storeRoom } from "./api.js";
import { roomRules } from "./tournament.js";
import { t } from "../texts/texts.js";

/** @import { Page } from "../page-types.js"
 *  @import { RoomView } from "../types.js" */

/** @param {Page} page @param {RoomView} room */
export function joinForm(page, room) {
  const status = h("p.bad", { role: "status" });
  page.panel.replaceChildren(
    h(
      "div.stack",
      h("h1", room.state.title || t("room.one", { code: room.code })),
      h("p.quiet", t(`room.about.${room.format}`)),
      h("p.quiet.small", roomRules(room)),
    ),
    nameForm(page, room, status),
    status,
    h(
      "p.quiet.small",
      t("room.bots", {
        command: `connectk connect mybot.py --server ${location.origin} --room ${room.code} --name Robo`,
      }),
    ),
    hostForm(page, room, status),
  );
}

/** @param {Page} page @param {RoomView} room @param {HTMLElement} status */
function nameForm(page, room, status) {
  const home = readStorage("home", { name: "" });
  const secret = newSecret(); // made in the page, so that another try after a lost answer joins as the same member
  const name = textInput(t("room.your_name"), home.name ?? "", { name: "name" });
  let team = "";
  const teams = room.teams.map((one, index) => [String(index + 1), one.name]);
  const join = async (/** @type {Event} */ event) => {
    event.preventDefault();
    writeStorage("home", { ...home, name: name.value });
    await runOrShowError(status, async () => {
      await roomApi.join(room.code, name.value, secret, team ? Number(team) : null);
      storeRoom({ code: room.code, title: room.state.title, member: secret });
      page.navigate(`/room/${room.code}`);
    });
  };
  return h(
    "form.stack",
    { onsubmit: join },
    field(t("room.your_name"), name),
    teams.length > 0 &&
      field(
        t("room.team"),
        radioGroup(t("room.team"), "team", teams, team, (value) => (team = value)),
      ),
    h(
      "div.row",
      h("button.main", { type: "submit" }, t("room.join")),
      h("a.button", { href: `#/wall/${room.code}` }, t("room.watch")),
    ),
  );
}

/** @param {Page} page @param {RoomView} room @param {HTMLElement} status */
function hostForm(page, room, status) {
  const secret = newSecret();
  const label = t("room.host_code.label");
  const code = textInput(label, "", {
    class: "code-input",
    maxlength: 12,
    autocapitalize: "characters",
    spellcheck: "false",
  });
  const enter = async (/** @type {Event} */ event) => {
    event.preventDefault();
    await runOrShowError(status, async () => {
      await roomApi.becomeHost(room.code, normalizeCode(code.value) || "-", secret);
      storeRoom({ code: room.code, title: room.state.title, host: secret });
      page.navigate(`/room/${room.code}`);
    });
  };
  return h(
    "details",
    h("summary", t("room.become_host")),
    h("form.row", { onsubmit: enter }, field(label, code), h("button", { type: "submit" }, t("room.enter"))),
  );
}
