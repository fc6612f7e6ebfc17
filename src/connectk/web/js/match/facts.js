// The facts of an invitation: the board, the clock and who starts.
import { t } from "../texts/texts.js";

/** @import { MatchView } from "../types.js"
 *  @import { Side } from "../page-types.js" */

/** @param {MatchView} match @param {Side} host the side of the person who invites @param {boolean} isHost whether the reader is the host */
export function matchFacts({ variant, state, seats, swap, swap_discs: discs }, host, isHost) {
  const rule = swap ? [t(discs > 1 ? "home.begin.three" : "home.begin.swap")] : [];
  return [t("join.board", { ...variant }), clockText(state.clock), startsText(), ...rule].join(" · ");

  function startsText() {
    const hostStarts = state.side_to_move === host;
    if (hostStarts === isHost) return t("join.starts_you");
    const { name } = seats[host];
    return !isHost && name ? t("join.starts", { name }) : t("join.starts_friend");
  }
}

/** @param {MatchView["state"]["clock"]} clock the clock before the first drop */
function clockText(clock) {
  if (!clock) return t("home.clock.0");
  const each = t("join.clock", { minutes: Math.round(clock.first / 6) / 10 });
  return clock.increment ? t("home.clock.increment", { each, increment: clock.increment }) : each;
}
