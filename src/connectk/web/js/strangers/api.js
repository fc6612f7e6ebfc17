// HTTP requests of those who play strangers, and the profile's secret on this device.
import { RefusedError, request } from "../common/api.js";
import { newSecret, readStorage, writeStorage } from "../common/storage.js";

/** @import { EncounterAnswer, NewSeekRequest, ProfileAnswer, ReportRequest, SeekAnswer, SeeksAnswer, TransferAnswer } from "../types.js"
 *  @typedef {Omit<NewSeekRequest, "secret" | "device">} SeekRequest */

/** @returns {string | null} */
export const profileSecret = () => readStorage("profile", /** @type {string | null} */ (null));

/** @param {string | null} secret */
export const storeProfile = (secret) => writeStorage("profile", secret);

/** A random text that this device keeps, so that it is not paired with itself. */
function deviceSecret() {
  const kept = readStorage("device", "");
  if (kept) return kept;
  const made = newSecret();
  writeStorage("device", made);
  return made;
}

/** The profile of this device, which is made when it is first needed. @returns {Promise<ProfileAnswer>} */
export async function openProfile() {
  const secret = profileSecret();
  if (secret) {
    try {
      return await strangerApi.profile(secret);
    } catch (error) {
      if (!(error instanceof RefusedError) || error.reason !== "no_profile") throw error;
    }
  }
  const made = newSecret();
  storeProfile(made); // before the request, so that another try after a lost answer finds the same profile
  return request("/api/profiles", { body: { secret: made } });
}

export const strangerApi = {
  /** @param {string | null} secret @returns {Promise<ProfileAnswer>} */
  profile: (secret) => request("/api/profiles/me", { secret }),
  /** @param {string} name @returns {Promise<ProfileAnswer>} */
  rename: (name) => request("/api/profiles/me/name", { body: { name }, secret: profileSecret() }),
  /** @returns {Promise<TransferAnswer>} */
  transferCode: () => request("/api/profiles/me/transfer", { body: {}, secret: profileSecret() }),
  /** @param {string} code @param {string} secret @returns {Promise<ProfileAnswer>} */
  claim: (code, secret) => request("/api/profiles/claim", { body: { code, secret } }),
  deleteProfile: () => request("/api/profiles/me/delete", { body: {}, secret: profileSecret() }),
  /** @returns {Promise<SeeksAnswer>} */
  seeks: () => request("/api/seeks"),
  /** @param {SeekRequest} wish @param {string} secret @returns {Promise<SeekAnswer>} */
  seek: (wish, secret) =>
    request("/api/seeks", { body: { ...wish, secret, device: deviceSecret() }, secret: profileSecret() }),
  /** @param {string} id @param {string} secret @param {number} seconds @param {AbortSignal} signal @returns {Promise<SeekAnswer>} */
  wait: (id, secret, seconds, signal) => request(`/api/seeks/${id}?wait=${seconds}`, { secret, signal }),
  /** Stops waiting, also while the page is being closed. @param {string} id @param {string} secret */
  cancel: (id, secret) =>
    fetch(`/api/seeks/${id}/cancel`, {
      method: "POST",
      headers: { Authorization: `Bearer ${secret}` },
      keepalive: true,
    }).catch(() => {}),
  /** @param {string} id @param {boolean} rated @param {string} secret @returns {Promise<SeekAnswer>} */
  take: (id, rated, secret) =>
    request(`/api/seeks/${id}/take`, { body: { rated, secret, device: deviceSecret() }, secret: profileSecret() }),
  /** @param {string} match @param {string | null} secret @returns {Promise<EncounterAnswer>} */
  encounter: (match, secret) => request(`/api/matches/${match}/encounter`, { secret }),
  /** @param {string} match @param {string | null} secret @param {boolean} muted */
  mute: (match, secret, muted) => request(`/api/matches/${match}/mute`, { body: { muted }, secret }),
  /** @param {string} match @param {string | null} secret @param {ReportRequest["reason"]} reason */
  report: (match, secret, reason) => request(`/api/matches/${match}/report`, { body: { reason }, secret }),
};
