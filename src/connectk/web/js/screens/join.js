// Someone followed an invitation: take the free seat, or watch.
import { Refused, api, wordsOf } from "../common/api.js";
import { button, field, h, textInput } from "../common/dom.js";
import { keepSeat, newSecret, remember, remembered, seatSecret } from "../common/memory.js";
import { boardOf } from "../board/boards.js";
import { t } from "../texts/texts.js";

/** @import { Page } from "../shapes.js" */

/** @param {Page} page @param {string[]} path */
export async function open(page, [id, invitation]) {
  if (seatSecret(id)) return page.go(`/match/${id}`);
  const { match } = await api.look(id, invitation);
  if (page.isLeft) return null;
  page.board.show(boardOf(match.state, match.variant));
  if (!match.state.waiting) return watch(page, id, invitation);
  const host = Object.values(match.seats).find((seat) => seat.kind !== "free");
  const settings = remembered("home", { name: "" });
  const input = textInput(t("home.name"), settings.name ?? "");
  const status = h("p.bad");
  const own = newSecret(); // so that a second press, when no answer came to the first, finds the seat ours
  const join = async () => {
    remember("home", { ...settings, name: input.value });
    try {
      await api.join(id, invitation, input.value.trim(), own);
      keepSeat(id, own);
      page.go(`/match/${id}`);
    } catch (error) {
      if (error instanceof Refused && error.reason === "seat_taken") watch(page, id, invitation);
      else status.textContent = wordsOf(error);
    }
  };
  page.panel.append(
    h(
      "div.stack",
      h("h1", t("join.title")),
      h("p.quiet", host?.name ? t("join.lead_name", { name: host.name }) : t("join.lead")),
    ),
    field(t("home.name"), input),
    h(
      "div.row",
      button(t("join.join"), join, { class: "main" }),
      button(t("join.watch"), () => watch(page, id, invitation)),
    ),
    status,
  );
  return null;
}

/** @param {Page} page @param {string} id @param {string} invitation */
function watch(page, id, invitation) {
  keepSeat(id, invitation);
  page.go(`/match/${id}`);
}
