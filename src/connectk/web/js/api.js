// What the page asks the server over HTTP. A refusal becomes an Error with a `reason` that never changes.
import { language, plain, t } from "./texts.js";

/** @import { AboutAnswer, AddressAnswer, ArenaAnswer, EntryAnswer, FileAnswer, GameOrder, HintAnswer, MatchAnswer, MatchesAnswer, MatchOrder,
 *    PlayersAnswer, PositionOrder, RefusedAnswer, ReviewAnswer, ReviewOrder, ScoresAnswer, ScoresOrder, ThreatsAnswer, WholeGameAnswer,
 *    WrongAnswer } from "./types.js"
 *  @typedef {{ body?: unknown, text?: string, secret?: string | null, signal?: AbortSignal, as?: "json" | "text" | "blob" }} Question */

// A reason that has no text under its own name.
const NAMED = new Map([["nothing_to_take_back", "error.NothingToUndo"], ["nothing_to_redo", "error.NothingToRedo"]]);

export class Refused extends Error {
  /** @param {RefusedAnswer} refusal */
  constructor({ reason, message }) {
    super(plain(NAMED.get(reason) ?? `refused.${reason}`) ?? message);
    this.reason = reason;
  }
}

export class Away extends Error {
  constructor() {
    super(t("page.away"));
    this.away = true;
  }
}

/** The sentence of something that was thrown. @param {unknown} error */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

/** What it answers is as the server's description says; `api` names it.
 *  @param {string} path @param {Question} question @returns {Promise<any>} */
export async function ask(path, { body, text, secret, signal, as = "json" } = {}) {
  /** @type {Record<string, string>} */
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
/** @template T @param {Promise<T | WrongAnswer>} answer @returns {Promise<T>} */
async function right(answer) {
  const facts = await answer;
  if (isWrong(facts)) throw new Refused({ reason: "wrong", message: facts.wrong });
  return facts;
}

/** @param {any} facts @returns {facts is WrongAnswer} */
const isWrong = (facts) => Boolean(facts?.wrong);

export const api = {
  /** @param {GameOrder} body @param {AbortSignal} [signal] @returns {Promise<WholeGameAnswer>} */
  game: (body, signal) => right(ask("/api/page/game", { body, signal })),
  /** @param {PositionOrder} body @param {AbortSignal} [signal] @returns {Promise<ThreatsAnswer>} */
  threats: (body, signal) => ask("/api/page/threats", { body, signal }),
  /** @param {string} text @returns {Promise<FileAnswer>} */
  read: (text) => right(ask("/api/page/read", { text })),
  /** @param {ReviewOrder} body @param {AbortSignal} [signal] @returns {Promise<ReviewAnswer>} */
  review: (body, signal) => ask("/api/review", { body, signal }),
  /** @param {string} text @returns {Promise<ArenaAnswer>} */
  arena: (text) => right(ask("/api/page/arena", { text })),
  /** @param {string} text @returns {Promise<string>} */
  qr: (text) => ask("/api/page/qr", { body: { text }, as: "text" }),
  /** @returns {Promise<AboutAnswer>} */
  about: () => ask("/api/page/about"),
  /** @returns {Promise<AddressAnswer>} */
  letIn: () => ask("/api/network", { body: {} }),
  close: () => ask("/api/close", { body: {} }),
  /** @param {MatchOrder} body @returns {Promise<EntryAnswer>} */
  create: (body) => ask("/api/matches", { body }),
  /** @param {string} id @param {string | null} secret @returns {Promise<MatchAnswer>} */
  look: (id, secret) => ask(`/api/matches/${id}`, { secret }),
  /** @param {string} id @param {string | null} invitation @param {string} name @param {string} secret @returns {Promise<EntryAnswer>} */
  join: (id, invitation, name, secret) => ask(`/api/matches/${id}/join`, { body: { invitation, name, secret } }),
  /** @returns {Promise<MatchesAnswer>} */
  matches: () => ask("/api/matches"),
  /** @returns {Promise<PlayersAnswer>} */
  players: () => ask("/api/players"),
  /** @param {ScoresOrder} body @param {AbortSignal} [signal] @returns {Promise<ScoresAnswer>} */
  scores: (body, signal) => ask("/api/scores", { body, signal }),
  /** @param {PositionOrder} body @param {AbortSignal} [signal] @returns {Promise<HintAnswer>} */
  hint: (body, signal) => ask("/api/hint", { body, signal }),
};
