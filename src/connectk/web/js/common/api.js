// Requests to the server over HTTP. Without a server, or while the server is unreachable, the core in this page gives the
// same answers. A refusal becomes a RefusedError, whose `reason` is a fixed key.
import { writeMoves, writeVariant } from "../board/convert.js";
import { isLocalMatch } from "./storage.js";
import { isCompiled } from "./players.js";
import { RefusedError, errorMessage, runOrShowError } from "../texts/refusals.js";
import { language, t } from "../texts/texts.js";

export { RefusedError, errorMessage, runOrShowError };

/** @import { AboutAnswer, AddressAnswer, ArenaAnswer, EntryAnswer, ExplorerAnswer, FileAnswer, GameRequest, MatchAnswer, MatchesAnswer, NewMatchRequest,
 *    PlayersAnswer, PositionRequest, SavedGameRequest, WholeGameAnswer, WhyAnswer, WhyRequest, WrongAnswer } from "../types.js"
 *  @typedef {{ body?: unknown, text?: string, secret?: string | null, signal?: AbortSignal, as?: "json" | "text" | "blob" }} RequestOptions */

export class ServerUnreachable extends Error {
  constructor() {
    super(t("page.away"));
    this.away = true;
  }
}

/** Sends one request. The answers' types are given in `api` below.
 *  @param {string} path @param {RequestOptions} question @returns {Promise<any>} */
export async function request(path, { body, text, secret, signal, as = "json" } = {}) {
  /** @type {Record<string, string>} */
  const headers = { "Accept-Language": language };
  if (secret) headers.Authorization = `Bearer ${secret}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const sent = body === undefined ? text : JSON.stringify(body);
  const answer = await fetch(path, { method: sent === undefined ? "GET" : "POST", headers, body: sent, signal }).catch(
    (error) => {
      throw error.name === "AbortError" ? error : new ServerUnreachable();
    },
  );
  if (answer.ok) return answer[as]();
  const facts = await answer.json().catch(() => null);
  throw facts?.reason ? new RefusedError(facts) : new ServerUnreachable();
}

// Turns an answer of the form { wrong } into an error: an impossible position in the editor, or a file that cannot be
// read.
/** @template T @param {Promise<T | WrongAnswer>} answer @returns {Promise<T>} */
async function unwrap(answer) {
  const facts = await answer;
  if (isWrongAnswer(facts)) throw new RefusedError({ reason: "wrong", message: facts.wrong });
  return facts;
}

/** @param {any} facts @returns {facts is WrongAnswer} */
const isWrongAnswer = (facts) => Boolean(facts?.wrong);

/** Whether the page comes from a connectk server; a static site has `<html data-alone>`. */
export const hasServer = !document.documentElement.hasAttribute("data-alone");

/** @typedef {typeof import("../core/local-api.js").localApi} Backend */
const loadLocalApi = () => import("../core/local-api.js").then(({ localApi }) => localApi);

/** The answer of the server. If there is none, or it cannot be reached, the answer of the core in this page.
 * @template T @param {() => Promise<T>} there @param {(local: Backend) => Promise<T>} here @returns {Promise<T>} */
async function serverOrLocal(there, here) {
  if (!hasServer) return here(await loadLocalApi());
  return there().catch(async (error) => {
    if (!(error instanceof ServerUnreachable)) throw error;
    const local = await loadLocalApi().catch(() => {
      throw error;
    });
    dispatchEvent(new Event("connectk-away"));
    return here(local).catch((trouble) => {
      throw trouble instanceof TypeError ? error : trouble;
    }); // the core could not be loaded either
  });
}

/** Empty boards that a static site ships, so that the first board is shown without the core. @type {Promise<PrecomputedBoards> | null} */
let precomputedBoards = null;

/** @typedef {{ version: string, docs: boolean, games: Record<string, WholeGameAnswer> }} PrecomputedBoards
 *  @returns {Promise<PrecomputedBoards>} */
export const loadPrecomputedBoards = () =>
  (precomputedBoards ??= fetch(new URL("../../first.json", import.meta.url)).then((answer) => answer.json()));

/** Makes a function that sends one kind of request: to an address of the server, or to a function of the core in this
 * page.
 * @template {"threats" | "review" | "scores" | "hint"} N @param {string} address @param {N} name @returns {Backend[N]} */
const endpoint = (address, name) =>
  /** @type {Backend[N]} */ (
    (/** @type {any} */ body, /** @type {AbortSignal | undefined} */ signal) =>
      serverOrLocal(
        () => request(address, { body, signal }),
        (local) => local[name](body, signal),
      )
  );

/** @param {GameRequest} body */
async function precomputedGame({ variant = "7x6x4", moves = "", start = "" }) {
  return hasServer || start ? undefined : (await loadPrecomputedBoards()).games[`${variant}/${moves}`];
}

export const api = {
  /** @param {GameRequest} body @param {AbortSignal} [signal] @returns {Promise<WholeGameAnswer>} */
  game: async (body, signal) =>
    (await precomputedGame(body)) ??
    serverOrLocal(
      () => unwrap(request("/api/page/game", { body, signal })),
      (local) => local.game(body, signal),
    ),
  threats: endpoint("/api/page/threats", "threats"),
  /** @param {string} text @returns {Promise<FileAnswer>} */
  parseFile: (text) =>
    serverOrLocal(
      () => unwrap(request("/api/page/read", { text })),
      (local) => local.read(text),
    ),
  review: endpoint("/api/review", "review"),
  /** The game as a file that every part of connectk can read. @param {SavedGameRequest} body @returns {Promise<Blob>} */
  exportGame: (body) =>
    serverOrLocal(
      () => request("/api/page/saved", { body, as: "blob" }),
      (local) => local.saved(body),
    ),
  /** The board at a ply, or the whole game as a GIF, which needs a server. @param {WholeGameAnswer} game @param {number} ply @param {"svg" | "png" | "gif"} format
   * @returns {Promise<Blob>} */
  picture(game, ply, format) {
    const moves = writeMoves(game.columns.slice(0, format === "gif" ? undefined : ply), game.variant.width);
    const facts = new URLSearchParams({ variant: writeVariant(game.variant), start: game.start, moves });
    const there = () => request(`/api/picture.${format}?${facts}`, { as: "blob" });
    return format === "gif" ? there() : serverOrLocal(there, (local) => local.picture(game, ply, format));
  },
  /** @param {string} text @returns {Promise<ArenaAnswer>} */
  arena: (text) => unwrap(request("/api/page/arena", { text })),
  /** @param {string} text @returns {Promise<string>} */
  qr: (text) => request("/api/page/qr", { body: { text }, as: "text" }),
  /** @returns {Promise<AboutAnswer>} */
  about: () => request("/api/page/about"),
  /** @returns {Promise<AddressAnswer>} */
  openToNetwork: () => request("/api/network", { body: {} }),
  closeServer: () => request("/api/close", { body: {} }),
  /** Creates a match. If nobody else takes part and the core in this page has its players, it needs no server.
   * @param {NewMatchRequest} body @returns {Promise<EntryAnswer>} */
  createMatch(body) {
    const there = () => request("/api/matches", { body });
    const needsServer = [body.first, body.second].some(
      (seat) => seat?.kind === "invited" || (seat?.player && !isCompiled(seat.player)),
    );
    return needsServer ? there() : serverOrLocal(there, (local) => local.create(body));
  },
  /** @param {string} id @param {string | null} secret @returns {Promise<MatchAnswer>} */
  getMatch: (id, secret) =>
    isLocalMatch(id) ? loadLocalApi().then((local) => local.look(id)) : request(`/api/matches/${id}`, { secret }),
  /** @param {string} id @param {string | null} invitation @param {string} name @param {string} secret @returns {Promise<EntryAnswer>} */
  join: (id, invitation, name, secret) => request(`/api/matches/${id}/join`, { body: { invitation, name, secret } }),
  /** @returns {Promise<MatchesAnswer>} */
  matches: () => request("/api/matches"),
  /** @returns {Promise<PlayersAnswer>} */
  players: () => request("/api/players"),
  scores: endpoint("/api/scores", "scores"),
  /** How often each column was played on this server. @param {PositionRequest} body @param {AbortSignal} [signal] @returns {Promise<ExplorerAnswer>} */
  explorer: (body, signal) => request("/api/explorer", { body, signal }),
  hint: endpoint("/api/hint", "hint"),
  /** @param {WhyRequest} body @param {AbortSignal} [signal] @returns {Promise<WhyAnswer>} */
  explain: (body, signal) =>
    serverOrLocal(
      () => request("/api/why", { body: { ...body, language }, signal }),
      (local) => local.why(body, signal),
    ),
  /** Checks an explanation from a file and returns it with its steps. @param {string} text @returns {Promise<WhyAnswer>} */
  checkWhy: (text) =>
    serverOrLocal(
      () => request(`/api/why/check?language=${language}`, { text }),
      (local) => local.checkWhy(text),
    ),
};
