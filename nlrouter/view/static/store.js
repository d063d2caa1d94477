// The page's state, in one place, and who wants to know when it changes.

export class Store {
  grid = null; // The problem, a Grid.
  answer = null; // What is drawn, see drawing.js.
  history = null; // Of { grid, answer, names }.
  saved = {}; // Texts that the files hold: { problem, answer }.
  names = {}; // Of the files: { problem, answer }, each { name, onServer }.
  verdict = null; // The checker's, with the drawing it is about as `about`.
  draft = null; // The board being edited, see editor.js.
  routing = null; // News of the router while it runs.
  tool = "draw"; // "draw", "erase" or "move".
  selected = 0; // Number of the line that was drawn last.
  hover = 0; // Number of the line under the pointer.
  cursor = null; // Index of the keyboard's cell.
  penDown = false; // Whether the keyboard draws.
  message = { text: "", error: false };

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

  get canDraw() {
    return this.grid !== null && !this.draft && !this.routing;
  }

  say(text) {
    this.set({ message: { text, error: false } });
  }

  complain(text) {
    this.set({ message: { text, error: true } });
  }

  // Show another board and drawing, and the names of other files, as one step of the history.
  commit(grid, answer, names = this.names) {
    const state = { grid, answer, names };
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

  #show({ grid, answer, names }) {
    const resized = grid !== this.grid;
    const lost = resized ? { selected: 0, hover: 0, cursor: null, penDown: false } : {};
    this.set({ grid, answer, names, ...lost, message: { text: "", error: false } });
  }
}
