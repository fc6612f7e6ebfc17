// The dialog to choose theme, board, discs and sound; each choice takes effect at once.
import { button, checkbox, discIcon, radioGroup, h, openDialog } from "../common/dom.js";
import { THEMES, readAppearance, setAppearance } from "../common/appearance.js";
import { BOARD_STYLES, DISC_STYLES } from "../common/constants.js";
import { sounds } from "../common/sound.js";
import { t } from "../texts/texts.js";

export function openAppearance() {
  const open = document.querySelector("dialog");
  if (open) return void open.close();
  const now = readAppearance();
  const boards = swatches("board", BOARD_STYLES, now.board, (name) => ({ board: name }));
  const discs = swatches("discs", DISC_STYLES, now.discs, (name) =>
    name === "board" ? { board: readAppearance().board } : { discs: name },
  );
  const dialog = openDialog(
    { "aria-labelledby": "look-title" },
    h(
      "div.stack",
      h("h2", { id: "look-title", tabindex: -1, autofocus: true }, t("look.title")),
      h("h3", t("look.theme")),
      radioGroup(
        t("look.theme"),
        "theme",
        THEMES.map((name) => [name, t(`look.theme.${name}`)]),
        now.theme,
        (value) => setAppearance("theme", value),
      ),
      h("h3", t("look.board")),
      boards,
      h("h3", t("look.discs")),
      discs,
      checkbox(t("look.sound"), now.sound, (on) => {
        setAppearance("sound", on);
        sounds.land();
      }),
      h(
        "div.row",
        button(t("help.close"), () => dialog.close(), { class: "main" }),
      ),
    ),
  );
}

/** Radio buttons with two discs in the colours of each choice.
 * @param {"board" | "discs"} part @param {string[]} names @param {string} chosen @param {(name: string) => DOMStringMap} colours */
function swatches(part, names, chosen, colours) {
  const group = radioGroup(
    t(`look.${part}`),
    part,
    names.map((name) => [name, t(`look.${part}.${name}`)]),
    chosen,
    (value) => setAppearance(part, value),
    "swatches",
  );
  group.querySelectorAll("label").forEach((label, index) => {
    const swatch = h("span.swatch", discIcon("first"), discIcon("second"));
    Object.assign(swatch.dataset, colours(names[index]));
    label.querySelector("span")?.prepend(swatch);
  });
  return group;
}
