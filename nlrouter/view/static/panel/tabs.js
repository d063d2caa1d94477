// The name of the board, and the tabs that choose which of its layers are on show.

import { nameCell, t } from "../words/words.js";
import { showChosen, useArrows } from "./radios.js";
import { byId, make } from "./dom.js";

export function showTabs(store) {
  const tabs = byId("tabs");
  const choose = (value) => {
    if (value === "all") store.set({ mode: "all" });
    else store.set({ mode: "one", layer: Number(value) });
  };
  tabs.addEventListener("click", ({ target }) => {
    if (target.dataset.value) choose(target.dataset.value);
  });
  useArrows(tabs, choose);
  let built = "";
  store.listen((changed) => {
    const { shown, mode, layer, draft, language } = store;
    const names = draft?.names ?? store.names;
    byId("cursor-text").textContent = shown ? describeCursor(store) : "";
    if (!shown) return;
    byId("board-name").title = names.problem?.name ?? "";
    byId("board-name").textContent = byId("board-name").title.split(/[/\\]/).at(-1);
    const { width, height, layers, lines } = shown;
    byId("stack").hidden = layers === 1;
    byId("board-size").textContent = t("boardSize", { width, height, layers, lines: lines.length });
    if (built !== `${layers}${language}`) build(tabs, layers);
    built = `${layers}${language}`;
    showChosen(tabs, mode === "one" ? Math.min(layer, layers - 1) : mode);
    if ("mode" in changed || "layer" in changed) {
      tabs.querySelector('[aria-checked="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  });
}

function build(tabs, layers) {
  const button = (value, text, title, key) => {
    const tab = make("button", text);
    tab.dataset.value = value;
    tab.title = `${title} (${key})`;
    tab.dataset.key = key;
    tab.setAttribute("role", "radio");
    return tab;
  };
  const all = button("all", t("allLayers"), t("allLayersTitle"), "A");
  const single = Array.from({ length: layers }, (_, z) =>
    button(String(z), String(z + 1), t("oneLayerTitle", { number: z + 1 }), z + 1),
  );
  tabs.replaceChildren(...(layers > 1 ? [all, ...single] : []));
}

function describeCursor({ shown, answer, cursor, penDown, selected, draft }) {
  if (cursor === null || cursor >= shown.size) return "";
  const parts = [nameCell(shown.cell(cursor))];
  const via = shown.viaAt.get(cursor);
  if (via) parts.push(`VIA#${via.name}`);
  if (!draft) parts.push(answer[cursor] ? `LINE#${answer[cursor]}` : t("empty"));
  if (penDown) parts.push(t("drawing", { line: selected }));
  return parts.join(" · ");
}
