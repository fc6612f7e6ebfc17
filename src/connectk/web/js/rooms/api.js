// HTTP requests of rooms, and the stored secrets of the rooms that this device has joined.
import { request } from "../common/api.js";
import { writeStorage, readStorage } from "../common/storage.js";

/** @import { CrosstableAnswer, RoomAnswer, RoomEntryAnswer, RoomGamesAnswer, RoomGradesAnswer, NewRoomRequest } from "../types.js"
 *  @typedef {{ code: string, title: string, member?: string, host?: string }} StoredRoom */

const MAX_STORED_ROOMS = 20;

/** @returns {StoredRoom[]} */
export const storedRooms = () => readStorage("rooms", /** @type {StoredRoom[]} */ ([]));

/** Forgets a room that was deleted. @param {string} code */
export const forgetRoom = (code) =>
  writeStorage(
    "rooms",
    storedRooms().filter((room) => room.code !== code),
  );

/** @param {string} code */
export const storedRoom = (code) => storedRooms().find((room) => room.code === code);

/** @param {StoredRoom} room */
export function storeRoom(room) {
  const others = storedRooms().filter(({ code }) => code !== room.code);
  writeStorage("rooms", [{ ...storedRoom(room.code), ...room }, ...others].slice(0, MAX_STORED_ROOMS));
}

/** A room's code as the server writes it. @param {string} text */
export const normalizeCode = (text) => text.replace(/[\s-]/g, "").toUpperCase();

export const roomApi = {
  /** @param {NewRoomRequest} body @returns {Promise<RoomEntryAnswer>} */
  create: (body) => request("/api/rooms", { body }),
  /** @param {string} code @param {string | null} secret @returns {Promise<RoomAnswer>} */
  get: (code, secret = null) => request(`/api/rooms/${encodeURIComponent(code)}`, { secret }),
  /** @param {string} code @param {string} name @param {string} secret @param {number | null} team @returns {Promise<RoomEntryAnswer>} */
  join: (code, name, secret, team = null) =>
    request(`/api/rooms/${encodeURIComponent(code)}/join`, { body: { name, secret, team } }),
  /** Makes this person a host
   * too. @param {string} code @param {string} hostCode @param {string} secret @returns {Promise<RoomEntryAnswer>} */
  becomeHost: (code, hostCode, secret) =>
    request(`/api/rooms/${encodeURIComponent(code)}/host`, { body: { code: hostCode, secret } }),
  /** An action of a member or the host. @param {string} code @param {string} what @param {string} secret @param {object} body @returns {Promise<any>} */
  act: (code, what, secret, body = {}) => request(`/api/rooms/${code}/${what}`, { body, secret }),
  /** @param {string} code @param {number} after @returns {Promise<RoomGamesAnswer>} */
  games: (code, after = 0) => request(`/api/rooms/${code}/games?after=${after}`),
  /** @param {string} code @returns {Promise<CrosstableAnswer>} */
  crosstable: (code) => request(`/api/rooms/${code}/crosstable`),
  /** @param {string} code @param {string} secret @returns {Promise<RoomGradesAnswer>} */
  grades: (code, secret) => request(`/api/rooms/${code}/grades`, { secret }),
  /** @param {string} code @param {string} file @param {string | null} secret @returns {Promise<Blob>} */
  download: (code, file, secret = null) => request(`/api/rooms/${code}/${file}`, { secret, as: "blob" }),
};
