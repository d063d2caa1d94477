// The page's state, in one place, and who wants to know when it changes.

import { sameDrawing } from "./drawing.js";
import { History } from "./history.js";

export class Store {
  grid = null; // The problem, a Grid.
  answer = null; // What is drawn, see drawing.js.
  marks = new Set(); // Sides that the user has crossed out: 2 * index, + 1 for the one below.
  elapsed = 0; // Seconds for which the board has been on show without being solved.
  history = null; // Of { grid, answer, names, marks }.
  saved = {}; // What the files hold: { problem: text, answer: drawing }.
  names = {}; // Of the files: { problem, answer }, each { name, onServer }.
  verdict = null; // The checker's, with the drawing it is about as `about`.
  isOffline = false; // Or why nothing is judged: "noServer", or "otherServer" after a new start.
  home = ""; // What the server's files are, for what is kept.
  bound = null; // { text, value }: a proven bound on the cost of the problem with that text.
  routed = null; // What the router has drawn and no hand has drawn over since, a drawing.
  stuck = null; // { answer, cells }: where lines end that the router says have no way.
  draft = null; // The board being edited, see editor.js.
  routing = null; // Mode of the router while it runs.
  tentative = new Set(); // Numbers of lines that the router shows while it has no answer yet.
  loading = null; // Name of the file that is being read.
  trial = null; // While trying out, the drawing to go back to.
  cuts = false; // Whether a pen goes over other lines.
  locked = new Set(); // Numbers of lines that nothing changes.
  tool = "draw"; // "draw", "erase" or "mark".
  mode = "all"; // "all" layers side by side, or "one" layer.
  layer = 0; // The one on show in mode "one".
  selected = 0; // Number of the line that was drawn last.
  hover = 0; // Number of the line under the pointer.
  pointed = null; // Index of the cell under the pointer.
  canGoBack = false; // Whether a jump has moved the view.
  filter = "all"; // Which lines of those to do are listed, see panel.js.
  cursor = null; // Index of the keyboard's cell.
  penDown = false; // Whether the keyboard draws.
  isStarted = false; // Whether the files of the command line have been asked for.
  message = null; // { key, values, isError }, see words.js; a server's sentence has `text`.
  language = null; // "en" or "ja".

  #listeners = [];

  // Call `listener(changed)` after each change, with an object of the changed fields.
  listen(listener) {
    this.#listeners.push(listener);
  }

  set(fields) {
    const changed = Object.fromEntries(
      Object.entries(fields).filter(([name, value]) => this[name] !== value),
    );
    if (!Object.keys(changed).length) return;
    Object.assign(this, changed);
    for (const listener of this.#listeners) listener(changed);
  }

  // The board on show.
  get shown() {
    return this.draft ? this.draft.grid : this.grid;
  }

  get isIdle() {
    return !this.draft && !this.routing && !this.loading;
  }

  get canDraw() {
    return this.grid !== null && this.isIdle;
  }

  // Whether the verdict is about what is drawn.
  get isJudged() {
    return this.verdict !== null && this.verdict.about === this.answer && !this.isOffline;
  }

  get isDirty() {
    const { grid, answer, saved } = this;
    if (!grid) return false;
    return grid.text !== saved.problem || !sameDrawing(answer, saved.answer);
  }

  // Whether the drawing costs no more than is proven that it must.
  get isOptimal() {
    const { verdict, bound, grid } = this;
    return this.isJudged && verdict.correct && bound?.text === grid.text
      && verdict.cost.total <= bound.value;
  }

  say(key, values = {}) {
    this.set({ message: { key, values, isError: false } });
  }

  complain(key, values = {}) {
    this.set({ message: { key, values, isError: true } });
  }

  // Tell of an error: of one of ours, by its key, or in the server's words.
  complainOf(error) {
    if (error.key) this.complain(error.key, error.values);
    else this.complain("sentence", { text: error.message });
  }

  // Show another board and drawing, and the names of other files, as one step of the history.
  commit(grid, answer, names = this.names, marks = grid === this.grid ? this.marks : new Set()) {
    const state = { grid, answer, names, marks };
    this.history ??= new History(state);
    const known = this.history.state;
    if (Object.keys(state).some((field) => state[field] !== known[field])) this.history.push(state);
    this.#show(state);
  }

  undo() {
    if (this.canDraw) this.#show(this.history.undo());
  }

  redo() {
    if (this.canDraw) this.#show(this.history.redo());
  }

  // Cross a side out, or no longer.
  mark(side) {
    const { grid, answer, names, marks } = this;
    if (this.canDraw) this.commit(grid, answer, names, marks.symmetricDifference(new Set([side])));
  }

  #show({ grid, answer, names, marks }) {
    const isOther = grid !== this.grid;
    const lost = isOther
      ? { selected: 0, hover: 0, cursor: null, penDown: false, trial: null, locked: new Set(), layer: 0, routed: null, elapsed: 0 }
      : {};
    this.set({ grid, answer, names, marks, ...lost, message: null });
  }
}
