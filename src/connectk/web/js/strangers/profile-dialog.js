// The dialog about the own profile: the name, and how to use it on another device.
import { runOrShowError } from "../common/api.js";
import { confirmDialog } from "../common/confirm.js";
import { button, download, field, h, openDialog, textInput } from "../common/dom.js";
import { newSecret } from "../common/storage.js";
import { profileSecret, storeProfile, strangerApi } from "./api.js";
import { ratingText } from "./words.js";
import { t } from "../texts/texts.js";

/** @import { ProfileAnswer } from "../types.js" */

const PROFILE_FILE_KEY = "connectk_profile";

/** @param {ProfileAnswer} profile @param {() => unknown} changed */
export function openProfileDialog(profile, changed) {
  const status = h("p", { role: "status" });
  const dialog = openDialog(
    { class: "profile-dialog", "aria-labelledby": "profile-title", onclose: () => changed() },
    h(
      "div.stack",
      h("h2", { id: "profile-title", tabindex: -1, autofocus: true }, t("stranger.profile")),
      h("p.quiet.small", t("stranger.profile_lead")),
      nameForm(profile, status),
      h("p", t("stranger.your_rating", { rating: ratingText(profile.rating) })),
      h("h3", t("stranger.other_device")),
      transferArea(status),
      h("h3", t("stranger.from_device")),
      claimForm(status, () => dialog.close()),
      status,
      h(
        "div.row",
        button(t("help.close"), () => dialog.close(), { class: "main" }),
        button(t("stranger.delete"), () => deleteProfile(changed), { class: "plain" }),
      ),
    ),
  );
}

/** @param {ProfileAnswer} profile @param {HTMLElement} status */
function nameForm(profile, status) {
  const input = textInput(t("home.name"), profile.name, { name: "profile-name", placeholder: t("name.guest") });
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    return runOrShowError(status, async () => {
      input.value = (await strangerApi.rename(input.value)).name;
      status.textContent = t("stranger.saved");
    });
  };
  return h("form.row", { onsubmit: save }, field(t("home.name"), input), h("button", t("stranger.save")));
}

/** Shows a code, or saves a file, for another device. @param {HTMLElement} status */
function transferArea(status) {
  const code = h("p.transfer-code", { role: "status" });
  const show = () =>
    runOrShowError(status, async () => {
      const made = await strangerApi.transferCode();
      code.replaceChildren(
        h("strong", `${made.code.slice(0, 4)}-${made.code.slice(4)}`),
        h("span.quiet.small", t("stranger.code_lasts")),
      );
    });
  const save = () =>
    download("connectk-profile.json", new Blob([JSON.stringify({ [PROFILE_FILE_KEY]: profileSecret() })]));
  return h(
    "div.stack",
    h("div.row", button(t("stranger.make_code"), show), button(t("stranger.save_file"), save)),
    code,
    h("p.quiet.small", t("stranger.file_secret")),
  );
}

/** Uses a profile of another device here. @param {HTMLElement} status @param {() => void} done */
function claimForm(status, done) {
  const input = textInput(t("stranger.code"), "", { name: "code", class: "code-input" });
  const claim = (/** @type {Event} */ event) => {
    event.preventDefault();
    return runOrShowError(status, async () => {
      const secret = newSecret();
      await strangerApi.claim(input.value, secret);
      storeProfile(secret);
      done();
    });
  };
  const file = h("input", { type: "file", accept: ".json", "aria-label": t("stranger.load_file") });
  file.addEventListener("change", () => runOrShowError(status, () => loadFile(file, done)));
  return h(
    "div.stack",
    h("form.row", { onsubmit: claim }, field(t("stranger.code"), input), h("button", t("stranger.use_code"))),
    field(t("stranger.load_file"), file),
  );
}

/** @param {HTMLInputElement} file @param {() => void} done */
async function loadFile(file, done) {
  const text = (await file.files?.[0]?.text()) ?? "";
  const secret = readSecret(text);
  if (!secret) throw new Error(t("stranger.bad_file"));
  await strangerApi.profile(secret);
  storeProfile(secret);
  done();
}

/** @param {string} text @returns {string | null} */
function readSecret(text) {
  try {
    const secret = JSON.parse(text)[PROFILE_FILE_KEY];
    return typeof secret === "string" ? secret : null;
  } catch {
    return null;
  }
}

/** @param {() => unknown} changed */
async function deleteProfile(changed) {
  if (!(await confirmDialog(t("stranger.delete_sure"), t("stranger.delete")))) return;
  await strangerApi.deleteProfile().catch(() => {});
  storeProfile(null);
  changed();
}
