// Draws and erases in the store: one stroke at a time, by pointer or keyboard.

import { erase, eraseLine } from "../model/drawing.js";
import { Stroke, numberFor } from "../model/stroke.js";

export class Pen {
  #stroke = null;
  #tapped = null; // The drawn cell that the pen was put down on, until it moves away.

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
    const { grid, answer, locked, cuts } = store;
    const number = erasing ? 0 : numberFor(grid, answer, index, store.selected);
    if (!erasing && !number) return false;
    if (this.#isLocked(number || answer[index])) return false;
    const isDrawn = answer[index] && answer[index] === (number || answer[index]);
    this.#tapped = isDrawn && !grid.endAt.has(index) ? index : null;
    this.#stroke = new Stroke(grid, answer, index, number, { locked, cuts });
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

  // Lift the pen; the stroke becomes one step to undo. A tap on a drawn cell takes it away. What a
  // hand has drawn is no longer the router's.
  up(tapErases = false) {
    const { store } = this;
    const { number, stoppedBy, before } = this.#stroke;
    const isTap = tapErases && this.#tapped !== null;
    const answer = isTap ? erase(store.grid, before, this.#tapped) : store.answer;
    this.#stroke = null;
    if (number && answer !== before) {
      store.set({ routed: store.routed?.map((found) => (found === number ? 0 : found)) ?? null });
    }
    store.commit(store.grid, answer);
    if (stoppedBy) store.say("isInTheWay", { line: stoppedBy });
  }

  // Lift the pen as if it had not been put down.
  cancel() {
    this.#stroke = null;
    this.store.commit(this.store.grid, this.store.history.state.answer);
  }

  // Take a cell away, or the whole line in it.
  erase(index, wholeLine) {
    const { grid, answer, canDraw } = this.store;
    const number = answer?.[index];
    if (!canDraw || this.#isLocked(number)) return;
    this.store.commit(grid, wholeLine && number ? eraseLine(grid, answer, number) : erase(grid, answer, index));
  }

  #isLocked(number) {
    const isLocked = this.store.locked.has(number);
    if (isLocked) this.store.say("isLocked", { line: number });
    return isLocked;
  }
}
