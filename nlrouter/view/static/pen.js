// Draws and erases in the store: one stroke at a time, by pointer or keyboard.

import { Stroke, numberFor } from "./stroke.js";

export class Pen {
  #stroke = null;

  constructor(store) {
    this.store = store;
  }

  get isDown() {
    return this.#stroke !== null;
  }

  // Put the pen down to draw, or to erase; return whether there is anything to draw with.
  down(index, erasing) {
    const { store } = this;
    if (!store.canDraw) return false;
    const number = erasing ? 0 : numberFor(store.grid, store.answer, index, store.selected);
    if (!erasing && !number) return false;
    this.#stroke = new Stroke(store.grid, store.answer, index, number);
    store.set({ answer: this.#stroke.answer, ...(erasing ? {} : { selected: number }) });
    return true;
  }

  moveTo(index) {
    this.#stroke.moveTo(index);
    this.store.set({ answer: this.#stroke.answer });
  }

  // Lift the pen; the stroke becomes one step to undo.
  up() {
    this.#stroke = null;
    this.store.commit(this.store.grid, this.store.answer);
  }

  // Lift the pen as if it had not been put down.
  cancel() {
    this.#stroke = null;
    this.store.commit(this.store.grid, this.store.history.state.answer);
  }
}
