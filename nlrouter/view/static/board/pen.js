// Draws and erases in the store: one stroke at a time, by pointer or keyboard.

import { erase } from "../model/drawing.js";
import { Stroke, numberFor } from "../model/stroke.js";

export class Pen {
  #stroke = null;
  #tapped = null; // A drawn cell that the pen was put down on, until it moves away.

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
    const { grid, answer, locked } = store;
    const number = erasing ? 0 : numberFor(grid, answer, index, store.selected);
    if (!erasing && !number) return false;
    if (locked.has(number || answer[index])) {
      store.say("isLocked", { line: number || answer[index] });
      return false;
    }
    const isDrawn = answer[index] === number && !grid.endAt.has(index);
    this.#tapped = !erasing && isDrawn ? index : null;
    this.#stroke = new Stroke(grid, answer, index, number, locked);
    store.set({
      answer: this.#stroke.answer,
      ...(erasing ? { hover: 0 } : { selected: number, hover: number }),
    });
    return true;
  }

  moveTo(index) {
    if (index !== this.#tapped) this.#tapped = null;
    this.#stroke.moveTo(index);
    this.store.set({ answer: this.#stroke.answer });
  }

  // Lift the pen; the stroke becomes one step to undo. A tap on a drawn cell takes it away.
  up(tapErases = false) {
    const { store } = this;
    const isTap = tapErases && this.#tapped !== null;
    const answer = isTap ? erase(store.grid, store.answer, this.#tapped) : store.answer;
    this.#stroke = null;
    store.commit(store.grid, answer);
  }

  // Lift the pen as if it had not been put down.
  cancel() {
    this.#stroke = null;
    this.store.commit(this.store.grid, this.store.history.state.answer);
  }
}
