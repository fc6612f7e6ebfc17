// Theme, discs and sound, chosen in a dialog; each choice is seen or heard at once.
import { button, check, chip, choice, h, openDialog } from "../common/dom.js";
import { DISCS, THEMES, look, setLook } from "../common/look.js";
import { sounds } from "../common/sound.js";
import { t } from "../texts/texts.js";

export function openLook() {
  const open = document.querySelector("dialog");
  if (open) return void open.close();
  const now = look();
  const discs = choice(
    t("look.discs"),
    "discs",
    DISCS.map((name) => [name, t(`look.discs.${name}`)]),
    now.discs,
    (value) => setLook("discs", value),
  );
  discs.querySelectorAll("label").forEach((label, index) => {
    label.dataset.discs = DISCS[index];
    label.querySelector("span")?.prepend(chip("first"), chip("second"));
  });
  const dialog = openDialog(
    { "aria-labelledby": "look-title" },
    h(
      "div.stack",
      h("h2", { id: "look-title", tabindex: -1, autofocus: true }, t("look.title")),
      h("h3", t("look.theme")),
      choice(
        t("look.theme"),
        "theme",
        THEMES.map((name) => [name, t(`look.theme.${name}`)]),
        now.theme,
        (value) => setLook("theme", value),
      ),
      h("h3", t("look.discs")),
      discs,
      check(t("look.sound"), now.sound, (on) => {
        setLook("sound", on);
        sounds.land();
      }),
      h(
        "div.row",
        button(t("help.close"), () => dialog.close(), { class: "main" }),
      ),
    ),
  );
}
