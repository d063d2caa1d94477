// Questions that the page asks, and the dialogs that it shows.

import { t } from "../words/words.js";
import { all, byId, make } from "./dom.js";

// Ask a question, `key` with `key + "Text"` in words.js, and return which of the choices was made;
// closing the dialog is the last one.
export function ask(key, values, choices) {
  const dialog = byId("ask-dialog");
  byId("ask-heading").textContent = t(key, values);
  byId("ask-text").textContent = t(`${key}Text`, values);
  const buttons = choices.map((choice, i) => {
    const button = make("button", t(`choice_${choice}`));
    button.value = choice;
    button.autofocus = i === choices.length - 1;
    return button;
  });
  byId("ask-choices").replaceChildren(...buttons);
  dialog.returnValue = choices.at(-1);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => resolve(dialog.returnValue || choices.at(-1)), {
      once: true,
    });
  });
}

// Show rules, of which the last two are about layers, gestures, and the keys of buttons.
export function showHelp(hasLayers) {
  const rules = t("rules").slice(0, hasLayers ? undefined : -2);
  byId("help-rules").replaceChildren(...rules.map((text) => make("li", text)));
  const buttons = all("[data-key]:not(#stack[hidden])");
  const named = new Map(buttons.map(({ title, dataset: { key } }) => [key, title.replace(` (${key})`, "")]));
  const rows = [...t("keys").slice(0, hasLayers ? undefined : -1), ...named].map(([key, meaning]) => {
    const row = document.createElement("tr");
    row.append(make("th", key), make("td", meaning));
    return row;
  });
  byId("help-keys").replaceChildren(...rows);
  byId("help-dialog").showModal();
  byId("help-dialog").scrollTop = 0; // The button that has the focus stands at its end.
}

// Show a picture, a Blob.
export function showPicture(content) {
  byId("picture").src = URL.createObjectURL(content);
  byId("picture-dialog").showModal();
}

export function isDialogOpen() {
  return document.querySelector("dialog[open]") !== null;
}
