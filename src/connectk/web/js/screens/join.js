// The screen after a person follows an invitation: take the free seat, or watch.
import { RefusedError, api, errorMessage } from "../common/api.js";
import { button, field, h, textInput } from "../common/dom.js";
import { storeSeatSecret, newSecret, writeStorage, readStorage, seatSecret } from "../common/storage.js";
import { boardState } from "../board/convert.js";
import { matchFacts } from "../match/facts.js";
import { t } from "../texts/texts.js";

/** @import { Page } from "../page-types.js" */

/** @param {Page} page @param {string[]} path */
export async function open(page, [id, invitation]) {
  if (seatSecret(id)) return page.navigate(`/match/${id}`);
  const { match } = await api.getMatch(id, invitation);
  if (page.isClosed) return null;
  page.board.show(boardState(match.state, match.variant));
  if (!match.state.waiting) return watch(page, id, invitation);
  const side = match.seats.first.kind === "free" ? "second" : "first";
  const host = match.seats[side];
  const settings = readStorage("home", { name: "" });
  const input = textInput(t("home.name"), settings.name ?? "");
  const status = h("p.bad");
  const secret = newSecret(); // made in the page, so that after a lost answer another try finds the seat taken by this device
  const join = async () => {
    writeStorage("home", { ...settings, name: input.value });
    try {
      await api.join(id, invitation, input.value.trim(), secret);
      storeSeatSecret(id, secret);
      page.navigate(`/match/${id}`);
    } catch (error) {
      if (error instanceof RefusedError && error.reason === "seat_taken") watch(page, id, invitation);
      else status.textContent = errorMessage(error);
    }
  };
  page.panel.append(
    h(
      "div.stack",
      h("h1", t("join.title")),
      h("p.quiet", host.name ? t("join.lead_name", { name: host.name }) : t("join.lead")),
      h("p", { id: "facts" }, matchFacts(match, side, false)),
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
  storeSeatSecret(id, invitation);
  page.navigate(`/match/${id}`);
}
