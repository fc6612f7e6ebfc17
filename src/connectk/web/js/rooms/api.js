// What rooms ask the server over HTTP, and the secrets of the rooms that this device is in.
import { ask } from "../common/api.js";
import { remember, remembered } from "../common/memory.js";

/** @import { RoomAnswer, RoomEntryAnswer, RoomGamesAnswer, RoomOrder } from "../types.js"
 *  @typedef {{ code: string, title: string, member?: string, host?: string }} KeptRoom */

const MOST_ROOMS = 20;

/** @returns {KeptRoom[]} */
export const keptRooms = () => remembered("rooms", /** @type {KeptRoom[]} */ ([]));

/** @param {string} code */
export const keptRoom = (code) => keptRooms().find((room) => room.code === code);

/** @param {KeptRoom} room */
export function keepRoom(room) {
  const others = keptRooms().filter(({ code }) => code !== room.code);
  remember("rooms", [{ ...keptRoom(room.code), ...room }, ...others].slice(0, MOST_ROOMS));
}

/** @param {string} text */
export const readCode = (text) => text.replace(/[\s-]/g, "").toUpperCase();

export const roomApi = {
  /** @param {RoomOrder} body @returns {Promise<RoomEntryAnswer>} */
  create: (body) => ask("/api/rooms", { body }),
  /** @param {string} code @param {string | null} secret @returns {Promise<RoomAnswer>} */
  look: (code, secret = null) => ask(`/api/rooms/${encodeURIComponent(code)}`, { secret }),
  /** @param {string} code @param {string} name @param {string} secret @returns {Promise<RoomEntryAnswer>} */
  join: (code, name, secret) => ask(`/api/rooms/${encodeURIComponent(code)}/join`, { body: { name, secret } }),
  /** Something that a member or the host does. @param {string} code @param {string} what @param {string} secret @param {object} body @returns {Promise<RoomAnswer>} */
  act: (code, what, secret, body = {}) => ask(`/api/rooms/${code}/${what}`, { body, secret }),
  /** @param {string} code @param {number} after @returns {Promise<RoomGamesAnswer>} */
  games: (code, after = 0) => ask(`/api/rooms/${code}/games?after=${after}`),
  /** @param {string} code @param {"table" | "games"} what @param {"csv" | "zip"} kind @returns {Promise<Blob>} */
  file: (code, what, kind) => ask(`/api/rooms/${code}/${what}.${kind}`, { as: "blob" }),
};
