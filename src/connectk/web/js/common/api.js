// What the page asks: the server over HTTP, or, where there is none or it is away, the core in this page, with the same
// shapes. A refusal becomes an Error with a `reason` that never changes.
import { writeMoves, writeVariant } from "../board/boards.js";
import { isHere } from "./memory.js";
import { isCompiled } from "./players.js";
import { Refused } from "../texts/refused.js";
import { language, t } from "../texts/texts.js";

export { Refused };

/** @import { AboutAnswer, AddressAnswer, ArenaAnswer, EntryAnswer, FileAnswer, GameOrder, MatchAnswer, MatchesAnswer, MatchOrder,
 *    PlayersAnswer, SavedOrder, WholeGameAnswer, WhyAnswer, WhyOrder, WrongAnswer } from "../types.js"
 *  @typedef {{ body?: unknown, text?: string, secret?: string | null, signal?: AbortSignal, as?: "json" | "text" | "blob" }} Question */

export class Away extends Error {
  constructor() {
    super(t("page.away"));
    this.away = true;
  }
}

/** The sentence of something that was thrown. @param {unknown} error */
export const wordsOf = (error) => (error instanceof Error ? error.message : String(error));

/** Does something, and says what goes wrong. @param {HTMLElement} status @param {() => unknown} act */
export async function attempt(status, act) {
  try {
    await act();
  } catch (error) {
    status.textContent = wordsOf(error);
  }
}

/** What it answers is as the server's description says; `api` names it.
 *  @param {string} path @param {Question} question @returns {Promise<any>} */
export async function ask(path, { body, text, secret, signal, as = "json" } = {}) {
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": language };
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? text : JSON.stringify(body);
  const answer = await fetch(path, { method: sent === undefined ? "GET" : "POST", headers, body: sent, signal }).catch(
    (error) => {
      throw error.name === "AbortError" ? error : new Away();
    },
  );
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

/** Whether a server stands behind this page. One that is a folder of files says so in its first line. */
export const hasServer = !document.documentElement.hasAttribute("data-alone");

/** @typedef {typeof import("../core/local.js").local} Backend */
const backend = () => import("../core/local.js").then(({ local }) => local);

/** The server's answer; without a server, or while it is away, the answer of the core here.
 * @template T @param {() => Promise<T>} there @param {(local: Backend) => Promise<T>} here @returns {Promise<T>} */
async function either(there, here) {
  if (!hasServer) return here(await backend());
  return there().catch(async (error) => {
    if (!(error instanceof Away)) throw error;
    const local = await backend().catch(() => {
      throw error;
    });
    dispatchEvent(new Event("connectk-away"));
    return here(local).catch((trouble) => {
      throw trouble instanceof TypeError ? error : trouble;
    }); // the core could not be fetched either
  });
}

/** The boards that a folder of files brings along, so that the first one needs no core. @type {Promise<FirstBoards> | null} */
let first = null;

/** @typedef {{ version: string, docs: boolean, games: Record<string, WholeGameAnswer> }} FirstBoards
 *  @returns {Promise<FirstBoards>} */
export const firstBoards = () =>
  (first ??= fetch(new URL("../../first.json", import.meta.url)).then((answer) => answer.json()));

/** A question that the server answers at an address, and the core here by a name.
 * @template {"threats" | "review" | "scores" | "hint"} N @param {string} address @param {N} name @returns {Backend[N]} */
const question = (address, name) =>
  /** @type {Backend[N]} */ (
    (/** @type {any} */ body, /** @type {AbortSignal | undefined} */ signal) =>
      either(
        () => ask(address, { body, signal }),
        (local) => local[name](body, signal),
      )
  );

/** @param {GameOrder} body */
async function firstGame({ variant = "7x6x4", moves = "", start = "" }) {
  return hasServer || start ? undefined : (await firstBoards()).games[`${variant}/${moves}`];
}

export const api = {
  /** @param {GameOrder} body @param {AbortSignal} [signal] @returns {Promise<WholeGameAnswer>} */
  game: async (body, signal) =>
    (await firstGame(body)) ??
    either(
      () => right(ask("/api/page/game", { body, signal })),
      (local) => local.game(body, signal),
    ),
  threats: question("/api/page/threats", "threats"),
  /** @param {string} text @returns {Promise<FileAnswer>} */
  read: (text) =>
    either(
      () => right(ask("/api/page/read", { text })),
      (local) => local.read(text),
    ),
  review: question("/api/review", "review"),
  /** The game as a file that every part of connectk reads. @param {SavedOrder} body @returns {Promise<Blob>} */
  saved: (body) =>
    either(
      () => ask("/api/page/saved", { body, as: "blob" }),
      (local) => local.saved(body),
    ),
  /** The board at a ply, or the whole game as a film, which only a server draws. @param {WholeGameAnswer} game @param {number} ply @param {"svg" | "png" | "gif"} format
   * @returns {Promise<Blob>} */
  picture(game, ply, format) {
    const moves = writeMoves(game.columns.slice(0, format === "gif" ? undefined : ply), game.variant.width);
    const facts = new URLSearchParams({ variant: writeVariant(game.variant), start: game.start, moves });
    const there = () => ask(`/api/picture.${format}?${facts}`, { as: "blob" });
    return format === "gif" ? there() : either(there, (local) => local.picture(game, ply, format));
  },
  /** @param {string} text @returns {Promise<ArenaAnswer>} */
  arena: (text) => right(ask("/api/page/arena", { text })),
  /** @param {string} text @returns {Promise<string>} */
  qr: (text) => ask("/api/page/qr", { body: { text }, as: "text" }),
  /** @returns {Promise<AboutAnswer>} */
  about: () => ask("/api/page/about"),
  /** @returns {Promise<AddressAnswer>} */
  letIn: () => ask("/api/network", { body: {} }),
  close: () => ask("/api/close", { body: {} }),
  /** A match that needs nobody else, and no player that only Python has, can be made here. @param {MatchOrder} body @returns {Promise<EntryAnswer>} */
  create(body) {
    const there = () => ask("/api/matches", { body });
    const needsServer = [body.first, body.second].some(
      (seat) => seat?.kind === "invited" || (seat?.player && !isCompiled(seat.player)),
    );
    return needsServer ? there() : either(there, (local) => local.create(body));
  },
  /** @param {string} id @param {string | null} secret @returns {Promise<MatchAnswer>} */
  look: (id, secret) =>
    isHere(id) ? backend().then((local) => local.look(id)) : ask(`/api/matches/${id}`, { secret }),
  /** @param {string} id @param {string | null} invitation @param {string} name @param {string} secret @returns {Promise<EntryAnswer>} */
  join: (id, invitation, name, secret) => ask(`/api/matches/${id}/join`, { body: { invitation, name, secret } }),
  /** @returns {Promise<MatchesAnswer>} */
  matches: () => ask("/api/matches"),
  /** @returns {Promise<PlayersAnswer>} */
  players: () => ask("/api/players"),
  scores: question("/api/scores", "scores"),
  hint: question("/api/hint", "hint"),
  /** @param {WhyOrder} body @param {AbortSignal} [signal] @returns {Promise<WhyAnswer>} */
  explain: (body, signal) =>
    either(
      () => ask("/api/why", { body: { ...body, language }, signal }),
      (local) => local.why(body, signal),
    ),
  /** An explanation from a file, played through before it is told. @param {string} text @returns {Promise<WhyAnswer>} */
  checkWhy: (text) =>
    either(
      () => ask(`/api/why/check?language=${language}`, { text }),
      (local) => local.checkWhy(text),
    ),
};
