// Edit mode: the problem by clicks and as text, each following the other, with its errors shown.

import { addEnd, addVia, change, crop, flaws, freeName, move, remove } from "../model/draft.js";
import { blank, carry } from "../model/drawing.js";
import { Grid } from "../model/grid.js";
import { History } from "../model/history.js";
import * as api from "../work/api.js";
import { nameCell, sentence, t } from "../words/words.js";
import { showChosen, useArrows } from "./radios.js";
import { byId } from "./dom.js";

const MOST_LAYERS = 8;
const MOST_CELLS = 2 ** 20; // Larger boards are not even tried to be shown; the server refuses them.

const inputs = { width: "edit-width", height: "edit-height", layers: "edit-layers" };

// The server's word may come while somebody is typing, whose field it must leave alone.
function fill(id, value) {
  if (document.activeElement !== byId(id)) byId(id).value = value;
}

// The draft in the store: { grid, text, error, flaws, names }; `error` is null while the server is
// asked, "" where there is none; `flaws` are those of the grid, see draft.js; `names` are those under which it will be saved.
export class Editor {
  #tool = "end";
  #pressed = null;
  history = null;

  constructor(store) {
    this.store = store;
    for (const [field, id] of Object.entries(inputs)) {
      byId(id).addEventListener("change", () => this.#resize(field, byId(id).valueAsNumber));
    }
    byId("edit-tools").addEventListener("click", ({ target }) => {
      if (target.dataset.value) this.#choose(target.dataset.value);
    });
    useArrows(byId("edit-tools"), (tool) => this.#choose(tool));
    byId("edit-text").addEventListener("input", () => {
      // The browser's own undo reaches the text even while it is hidden.
      if (store.draft) this.#take(byId("edit-text").value);
    });
    byId("edit-done").addEventListener("click", () => this.finish());
    byId("edit-cancel").addEventListener("click", () => this.#close());
    byId("edit-crop").addEventListener("click", () => this.#change(crop(store.draft.grid)));
    store.listen((changed) => {
      if ("draft" in changed || "language" in changed) this.#show();
    });
  }

  // Edit a board that will be saved under some names, and whose text may be another one by now.
  begin(grid, names, text = grid.text) {
    this.history = new History({ grid });
    this.store.set({ hover: 0, cursor: null });
    this.#ask(grid, names);
    if (text !== grid.text) this.#take(text);
    byId("via-bottom").value = 1;
    byId("via-top").value = Math.max(2, grid.layers);
    this.#choose("end");
  }

  // Put the edited board in the place of the old one.
  finish() {
    const { store } = this;
    const { draft, grid, answer } = store;
    this.#close();
    if (draft.names === store.names) {
      if (draft.grid.text !== grid.text) store.commit(draft.grid, carry(grid, answer, draft.grid));
      return;
    }
    store.commit(draft.grid, blank(draft.grid), draft.names);
  }

  undo() {
    this.#ask(this.history.undo().grid);
  }

  redo() {
    this.#ask(this.history.redo().grid);
  }

  // A pointer goes down on a cell; return whether there is something to do.
  press(index) {
    this.#pressed = index;
    const { grid } = this.store.draft;
    return this.#tool !== "remove" || this.#isTaken(grid, index);
  }

  // The pointer goes up, on a cell or, with null, outside.
  release(index) {
    if (index === null || !this.store.draft) return;
    const { grid } = this.store.draft;
    const [from, to] = [grid.cell(this.#pressed), grid.cell(index)];
    if (index !== this.#pressed) {
      if (!this.#isTaken(grid, this.#pressed)) return;
      if (this.#isTaken(grid, index)) this.store.say("isTaken");
      else this.#change(move(grid, from, to));
    } else if (this.#tool === "remove") this.#change(remove(grid, to));
    else if (this.#isTaken(grid, index)) this.store.say("isTaken");
    else if (this.#tool === "end") this.#change(addEnd(grid, to));
    else this.#addVia(grid, to);
  }

  #isTaken(grid, index) {
    return grid.endAt.has(index) || grid.viaAt.has(index);
  }

  #addVia(grid, cell) {
    const name = byId("via-name").value.trim();
    const [bottom, top] = [byId("via-bottom").valueAsNumber - 1, byId("via-top").valueAsNumber - 1];
    if (!(bottom >= 0 && top < grid.layers && bottom < top)) {
      this.store.complain("viaSpan", { layers: grid.layers });
      return;
    }
    this.#change(addVia(grid, cell, name, bottom, top));
  }

  #resize(field, value) {
    const { grid } = this.store.draft;
    const size = { width: grid.width, height: grid.height, layers: grid.layers, [field]: value };
    const isSize = Number.isInteger(value) && value > 0 && size.layers <= MOST_LAYERS;
    if (isSize && size.width * size.height * size.layers <= MOST_CELLS) {
      this.#change(change(grid, size));
    } else {
      byId(inputs[field]).value = grid[field];
      this.store.complain("boardTooLarge");
    }
  }

  // A change by click: the board shows it at once, the server says whether it may be.
  #change(grid) {
    this.history.push({ grid });
    this.#ask(grid);
  }

  #ask(grid, names = this.store.draft.names) {
    this.store.set({ draft: { grid, text: grid.text, error: null, flaws: flaws(grid), names }, message: null });
    this.#check(grid.text, null);
  }

  // A change of the text: the board follows where the text is right.
  #take(text) {
    this.store.set({ draft: { ...this.store.draft, text, error: null } });
    this.#check(text, (grid) => this.history.push({ grid }));
  }

  // Have the server read a text, and show the board as it does: only the server knows its colours.
  async #check(text, take) {
    const { store } = this;
    const isCurrent = () => store.draft?.text === text;
    try {
      const grid = new Grid(await api.read("problem", store.draft.names.problem.name, text));
      if (!isCurrent()) return;
      take?.(grid);
      store.set({ draft: { ...store.draft, grid, text, error: "", flaws: [] } });
    } catch (error) {
      const words = error.key ? t(error.key) : error.message;
      if (isCurrent()) store.set({ draft: { ...store.draft, error: words } });
    }
  }

  #close() {
    this.store.set({ draft: null });
  }

  #choose(tool) {
    this.#tool = tool;
    showChosen(byId("edit-tools"), tool);
    byId("via-fields").hidden = tool !== "via";
  }

  #show() {
    const { draft } = this.store;
    byId("editor").hidden = !draft;
    document.body.classList.toggle("editing", Boolean(draft));
    if (!draft) return;
    for (const [field, id] of Object.entries(inputs)) fill(id, draft.grid[field]);
    fill("via-name", freeName(draft.grid));
    // Setting a text moves its caret, so not while it is being typed.
    if (byId("edit-text").value !== draft.text) byId("edit-text").value = draft.text;
    if (draft.error !== null) {
      // A text may be wrong in other ways than a board; half way through nothing is an error yet.
      const flaws = draft.text === draft.grid.text ? draft.flaws : [];
      const tell = ({ key, values: { cell, ...values } }) => t(key, { ...values, cell: cell && nameCell(cell) });
      byId("edit-error").textContent = draft.error && (flaws.map(tell).join("\n") || sentence(draft.error));
      byId("edit-error").classList.toggle("hint", flaws.some(({ isHint }) => isHint));
      byId("edit-crop").hidden = !flaws.some(({ key }) => key === "isOutside");
    }
    byId("edit-done").disabled = draft.error !== "";
  }
}
