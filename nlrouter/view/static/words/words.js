// The page's words in the language at hand, and how cells and counts are told in it.

import { all } from "../panel/dom.js";
import { toJapanese } from "./ja_sentences.js";
import { table } from "./table.js";

const LANGUAGES = ["en", "ja"];
const MEMORY = "nlview:language";

let language = "en";

// The language that was chosen here before, or else the browser's.
export function preferredLanguage() {
  const chosen = localStorage.getItem(MEMORY);
  if (LANGUAGES.includes(chosen)) return chosen;
  return navigator.language.startsWith("ja") ? "ja" : "en";
}

// Speak a language from now on; remember it if the user chose it.
export function speak(name, isChosen = false) {
  language = name;
  if (isChosen) localStorage.setItem(MEMORY, name);
  document.documentElement.lang = name;
  for (const element of all("[data-t]")) {
    element.textContent = t(element.dataset.t);
  }
  for (const element of all("[data-t-title]")) {
    const { key } = element.dataset;
    element.title = t(element.dataset.tTitle) + (key ? ` (${key})` : "");
    if (element.dataset.t !== undefined) continue;
    // A name has what can be read on the button, for those who say it.
    const text = element.querySelector("[data-t]")?.textContent;
    element.setAttribute("aria-label", text ? `${text}: ${element.title}` : element.title);
  }
  for (const element of all("[data-t-label]")) {
    element.setAttribute("aria-label", t(element.dataset.tLabel));
  }
}

// The words under a key, see table.js.
export function t(key, values = {}) {
  const words = table[key][LANGUAGES.indexOf(language)];
  if (typeof words === "function") return words(values);
  if (Array.isArray(words)) return words;
  return words.replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

// A sentence of the server's, which speaks English.
export function sentence(text) {
  return language === "ja" ? toJapanese(text) : text;
}

// A message as the store has it.
export function messageText({ key, values }) {
  return key === "sentence" ? sentence(values.text) : t(key, values);
}

// A cell as the checker names it.
export function nameCell([z, y, x]) {
  return t("cell", { x, y, layer: z + 1 });
}
