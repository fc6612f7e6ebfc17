// What the page asks the server over HTTP. A refusal becomes an Error with a `reason` that never changes.
import { language, t } from "./texts.js";

// Reasons that have words of their own in the catalogue; others keep the server's sentence.
const WORDS = {
  not_found: "refused.not_found", seat_taken: "refused.seat_taken", not_your_turn: "refused.not_your_turn",
  match_over: "refused.match_over", stale: "refused.stale", busy: "refused.busy", too_fast: "refused.busy",
  time_is_up: "refused.time_is_up", waiting_for_opponent: "refused.waiting", declined: "refused.declined",
  already_offered: "refused.already_offered", nothing_to_take_back: "error.NothingToUndo",
  nothing_to_redo: "error.NothingToRedo", no_seat: "refused.no_seat", unknown_player: "refused.unknown_player",
};

export class Refused extends Error {
  constructor({ reason, message }) {
    super(reason in WORDS ? t(WORDS[reason]) : message);
    this.reason = reason;
  }
}

export class Away extends Error {
  constructor() {
    super(t("page.away"));
    this.away = true;
  }
}

/** @param {string} path
 *  @param {{ body?: unknown, text?: string, secret?: string | null, signal?: AbortSignal, as?: "json" | "text" | "blob" }} question
 *  @returns {Promise<any>} */
export async function ask(path, { body, text, secret, signal, as = "json" } = {}) {
  const headers = { "Accept-Language": language };
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? text : JSON.stringify(body);
  const answer = await fetch(path, { method: sent === undefined ? "GET" : "POST", headers, body: sent, signal })
    .catch((error) => { throw error.name === "AbortError" ? error : new Away(); });
  if (answer.ok) return answer[as]();
  const facts = await answer.json().catch(() => null);
  throw facts?.reason ? new Refused(facts) : new Away();
}

// Some questions are answered with what is wrong: a position under construction, a file that is something else.
async function right(answer) {
  const facts = await answer;
  if (facts.wrong) throw new Refused({ reason: "wrong", message: facts.wrong });
  return facts;
}

export const api = {
  game: (body, signal) => /** @type {Promise<import("./types.js").WholeGameAnswer>} */ (right(ask("/api/page/game", { body, signal }))),
  threats: (body, signal) => /** @type {Promise<import("./types.js").ThreatsAnswer>} */ (ask("/api/page/threats", { body, signal })),
  read: (text) => /** @type {Promise<import("./types.js").FileAnswer>} */ (right(ask("/api/page/read", { text }))),
  review: (body, signal) => /** @type {Promise<import("./types.js").ReviewAnswer>} */ (ask("/api/review", { body, signal })),
  arena: (text) => /** @type {Promise<import("./types.js").ArenaAnswer>} */ (right(ask("/api/page/arena", { text }))),
  qr: (text) => ask("/api/page/qr", { body: { text }, as: "text" }),
  about: () => /** @type {Promise<import("./types.js").AboutAnswer>} */ (ask("/api/page/about")),
  letIn: () => /** @type {Promise<import("./types.js").AddressAnswer>} */ (ask("/api/network", { body: {} })),
  close: () => ask("/api/close", { body: {} }),
  create: (body) => /** @type {Promise<import("./types.js").EntryAnswer>} */ (ask("/api/matches", { body })),
  look: (id, secret) => /** @type {Promise<import("./types.js").MatchAnswer>} */ (ask(`/api/matches/${id}`, { secret })),
  join: (id, invitation, name, secret) => /** @type {Promise<import("./types.js").EntryAnswer>} */ (ask(`/api/matches/${id}/join`, { body: { invitation, name, secret } })),
  matches: () => /** @type {Promise<import("./types.js").MatchesAnswer>} */ (ask("/api/matches")),
  players: () => /** @type {Promise<import("./types.js").PlayersAnswer>} */ (ask("/api/players")),
  scores: (body, signal) => /** @type {Promise<import("./types.js").ScoresAnswer>} */ (ask("/api/scores", { body, signal })),
  hint: (body, signal) => /** @type {Promise<import("./types.js").HintAnswer>} */ (ask("/api/hint", { body, signal })),
};
