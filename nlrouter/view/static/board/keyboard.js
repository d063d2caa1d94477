// Drawing without a pointer: a cursor, and a pen that follows it.

const ARROWS = {
  ArrowLeft: [0, 0, -1],
  ArrowRight: [0, 0, 1],
  ArrowUp: [0, -1, 0],
  ArrowDown: [0, 1, 0],
  PageUp: [1, 0, 0],
  PageDown: [-1, 0, 0],
};

export class Keyboard {
  constructor(stage, store, pen, editor) {
    this.stage = stage;
    this.store = store;
    this.pen = pen;
    this.editor = editor;
    stage.element.addEventListener("keydown", (event) => {
      if (!store.shown || event.ctrlKey || event.metaKey || event.altKey) return;
      if (this.#onKey(event)) event.preventDefault();
    });
    stage.element.addEventListener("keyup", (event) => {
      if (event.key === "Shift" && !store.penDown) this.lift();
    });
    stage.element.addEventListener("blur", () => this.lift());
    store.listen((changed) => {
      if (changed.cursor === null || "draft" in changed || "routing" in changed) this.lift();
      if (store.cursor !== null && store.cursor >= store.shown.size) store.set({ cursor: null });
    });
  }

  // Put the cursor on a cell and show it, large enough to be read.
  goTo(cell) {
    this.lift();
    this.store.set({ cursor: this.store.shown.index(cell) });
    this.stage.lookAt(cell);
  }

  #onKey({ key, shiftKey, code }) {
    if (key in ARROWS) this.#step(ARROWS[key], shiftKey);
    else if (code === "Space" && this.store.draft) this.#edit();
    else if (code === "Space") this.#togglePen();
    else if (key === "Delete" || key === "Backspace") this.#erase(shiftKey);
    else if (key === "n" || key === "N") this.#nextViolation(shiftKey ? -1 : 1);
    else return false;
    return true;
  }

  #step([dz, dy, dx], shift) {
    const { store, pen } = this;
    const grid = store.shown;
    if (dz && store.mode === "one" && store.cursor === null) {
      store.set({ layer: Math.max(0, Math.min(grid.layers - 1, store.layer + dz)) });
      return;
    }
    if (store.cursor === null) {
      const [line] = grid.lines; // A board being edited may have none, or its ends outside.
      this.#place(line && grid.has(line.ends[0]) ? line.ends[0] : [0, 0, 0]);
      return;
    }
    const [z, y, x] = grid.cell(store.cursor);
    const cell = [z + dz, y + dy, x + dx];
    if (!grid.has(cell)) return;
    if (shift && store.tool === "mark") {
      if (!dz) store.mark(2 * Math.min(store.cursor, grid.index(cell)) + Math.abs(dy));
      return;
    }
    if (shift && !pen.isDown) pen.down(store.cursor, false);
    if (dz) {
      const isUp = !store.penDown;
      this.lift();
      this.#place(cell);
      if (!isUp) this.#togglePen();
      return;
    }
    if (pen.isDown) pen.moveTo(grid.index(cell));
    this.#place(cell);
  }

  // Do in edit mode what a click on the cursor's cell does.
  #edit() {
    const { cursor } = this.store;
    if (cursor !== null && this.editor.press(cursor)) this.editor.release(cursor);
  }

  #togglePen() {
    const { store, pen } = this;
    if (store.penDown) this.lift();
    else if (store.cursor !== null && pen.down(store.cursor, false)) store.set({ penDown: true });
    else if (store.message?.key !== "isLocked") store.say("noLineHere");
  }

  // Lift the pen, if it is down.
  lift() {
    if (this.pen.isDown) this.pen.up();
    this.store.set({ penDown: false });
  }

  // Erase at the cursor or, without one, the line that the mouse points at.
  #erase(wholeLine) {
    const { cursor, answer, hover } = this.store;
    this.lift();
    if (cursor !== null) this.pen.erase(cursor, wholeLine);
    else if (hover) this.pen.erase(answer.indexOf(hover), true);
  }

  #nextViolation(direction) {
    const { mistakes = [], open = [] } = this.store.verdict ?? {};
    const cells = [...mistakes, ...open].flatMap(({ cell }) => (cell ? [cell] : []));
    if (!cells.length || this.store.draft) return;
    const { grid, cursor } = this.store;
    const at = cells.findIndex((cell) => grid.index(cell) === cursor);
    const start = at < 0 && direction < 0 ? 0 : at;
    this.goTo(cells[(start + direction + cells.length) % cells.length]);
  }

  #place(cell) {
    const isOne = this.store.mode === "one";
    this.store.set({
      cursor: this.store.shown.index(cell),
      hover: 0,
      ...(isOne ? { layer: cell[0] } : {}),
    });
    this.stage.look((view) => view.reveal(cell));
  }
}
