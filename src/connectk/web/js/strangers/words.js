// Ratings, clocks and challenges in words.
import { writeVariant } from "../board/convert.js";
import { t } from "../texts/texts.js";

/** @import { RatingView, SeekView } from "../types.js" */

/** A rating; one that is still uncertain has a question mark. @param {RatingView} view */
export const ratingText = ({ rating, provisional }) => (provisional ? `${rating}?` : String(rating));

/** @param {number[]} clock the seconds of each side, and those added after each drop */
export function clockText([seconds, increment]) {
  const each = t("stranger.minutes", { minutes: Math.round(seconds / 6) / 10 });
  return increment ? t("stranger.increment", { each, increment }) : each;
}

/** Board, clock, rated or not, the swap rule and the length of the series. @param {Pick<SeekView, "variant" | "clock" | "rated" | "best_of" | "swap_discs">} seek */
export function seekText({ variant, clock, rated, best_of, swap_discs }) {
  const facts = [
    writeVariant(variant),
    clockText(clock),
    t(rated ? "stranger.rated" : "stranger.unrated"),
    swap_discs ? t(swap_discs > 1 ? "stranger.three" : "stranger.swap") : "",
    best_of > 1 ? t("stranger.best_of", { games: best_of }) : "",
  ];
  return facts.filter(Boolean).join(", ");
}

/** @param {string} name */
export const nameOrGuest = (name) => name || t("name.guest");
