// Edit mode: the problem by clicks and as text, each following the other, with its errors shown.

import * as api from "./api.js";
import { addEnd, addVia, freeName, move, remove, resize } from "./draft.js";
import { carry } from "./drawing.js";
import { Grid } from "./grid.js";
import { History } from "./history.js";

const MOST_CELLS = 2 ** 20; // Larger boards are not even tried to be shown; the server refuses them.

const byId = (id) => document.getElementById(id);
const inputs = { width: "edit-width", height: "edit-height", layers: "edit-layers" };

// The server's word may come while somebody is typing, whose field it must leave alone.
function fill(id, value) {
  if (document.activeElement !== byId(id)) byId(id).value = value;
}

// The draft in the store: { grid, text, error }; `error` is null while the server is asked, ""
// where there is none.
export class Editor {
  #tool = "end";
  #pressed = null;
  #history = null;

  constructor(store) {
    this.store = store;
    for (const [field, id] of Object.entries(inputs)) {
      byId(id).addEventListener("change", () => this.#resize(field, byId(id).valueAsNumber));
    }
    byId("edit-tools").addEventListener("click", ({ target }) => {
      if (target.dataset.tool) this.#choose(target.dataset.tool);
    });
    byId("edit-text").addEventListener("input", () => this.#take(byId("edit-text").value));
    byId("edit-done").addEventListener("click", () => this.finish());
    byId("edit-cancel").addEventListener("click", () => this.#close());
    byId("via-bottom").addEventListener("change", () => this.#keepSpan());
    store.listen((changed) => {
      if ("draft" in changed) this.#show();
    });
  }

  start() {
    const { store } = this;
    if (!store.canDraw) return;
    this.#history = new History({ grid: store.grid });
    store.set({ hover: 0, cursor: null, draft: { grid: store.grid, text: store.grid.text, error: "" } });
    byId("via-bottom").value = 1;
    byId("via-top").value = store.grid.layers;
    this.#choose("end");
  }

  // Put the edited board in the place of the old one.
  finish() {
    const { store } = this;
    const { draft, grid, answer } = store;
    if (draft?.error !== "") return;
    this.#close();
    if (draft.grid.text !== grid.text) store.commit(draft.grid, carry(grid, answer, draft.grid));
  }

  undo() {
    this.#ask(this.#history.undo().grid);
  }

  redo() {
    this.#ask(this.#history.redo().grid);
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
      if (this.#isTaken(grid, this.#pressed)) this.#change(move(grid, from, to));
    } else if (this.#tool === "remove") this.#change(remove(grid, to));
    else if (this.#isTaken(grid, index)) this.store.say("Something is there already; drag it to move it.");
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
      this.store.complain(`A via joins two or more of the layers 1 to ${grid.layers}.`);
      return;
    }
    this.#change(addVia(grid, cell, name, bottom, top));
  }

  #resize(field, value) {
    const { grid } = this.store.draft;
    const size = { width: grid.width, height: grid.height, layers: grid.layers, [field]: value };
    const isSize = Number.isInteger(value) && value > 0;
    if (isSize && size.width * size.height * size.layers <= MOST_CELLS) this.#change(resize(grid, size));
    else byId(inputs[field]).value = grid[field];
  }

  // A change by click: the board shows it at once, the server says whether it may be.
  #change(grid) {
    this.#history.push({ grid });
    this.#ask(grid);
  }

  #ask(grid) {
    this.store.set({ draft: { grid, text: grid.text, error: null }, message: { text: "", error: false } });
    this.#check(grid.text, () => grid);
  }

  // A change of the text: the board follows where the text is right.
  #take(text) {
    this.store.set({ draft: { grid: this.store.draft.grid, text, error: null } });
    this.#check(text, (problem) => {
      const grid = new Grid(problem);
      this.#history.push({ grid });
      return grid;
    });
  }

  async #check(text, gridOf) {
    const { store } = this;
    const isCurrent = () => store.draft?.text === text;
    try {
      const problem = await api.read("problem", store.names.problem.name, text);
      if (isCurrent()) store.set({ draft: { grid: gridOf(problem), text, error: "" } });
    } catch (error) {
      if (isCurrent()) store.set({ draft: { ...store.draft, error: error.message } });
    }
  }

  #close() {
    this.store.set({ draft: null });
  }

  #choose(tool) {
    this.#tool = tool;
    for (const button of byId("edit-tools").children) {
      button.setAttribute("aria-checked", button.dataset.tool === tool);
    }
    byId("via-fields").hidden = tool !== "via";
  }

  // A via has at least two layers.
  #keepSpan() {
    const bottom = byId("via-bottom").valueAsNumber;
    if (bottom >= byId("via-top").valueAsNumber) byId("via-top").value = bottom + 1;
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
    if (draft.error !== null) byId("edit-error").textContent = draft.error;
    byId("edit-done").disabled = draft.error !== "";
  }
}
