// One movement of the pen: draws a line, or erases (number 0), cell by cell on one layer.

import { erase, put } from "./drawing.js";

const NONE = new Set();

export class Stroke {
  // `locked` has the numbers of lines that the stroke must not change.
  constructor(grid, answer, index, number, locked = NONE) {
    this.grid = grid;
    this.number = number;
    this.locked = locked;
    // Each cell with the drawing that it led to, so that going back restores what was there.
    this.trail = [{ index, answer: this.#touch(answer, index) }];
  }

  get index() {
    return this.trail.at(-1).index;
  }

  get answer() {
    return this.trail.at(-1).answer;
  }

  // Go to a cell of the same layer, straight on where the pointer has skipped cells.
  moveTo(index) {
    const target = this.grid.cell(index);
    if (target[0] !== this.grid.cell(this.index)[0]) return;
    while (this.index !== index && this.#step(target));
  }

  // Go one cell towards the target; return whether that was possible.
  #step([, targetY, targetX]) {
    const [z, y, x] = this.grid.cell(this.index);
    const [dy, dx] = [targetY - y, targetX - x];
    const next = Math.abs(dx) >= Math.abs(dy) ? [z, y, x + Math.sign(dx)] : [z, y + Math.sign(dy), x];
    const index = this.grid.index(next);
    if (this.trail.length > 1 && this.trail.at(-2).index === index) {
      this.trail.pop();
      return true;
    }
    if (this.number && !this.#mayGo(index)) return false;
    if (this.number && this.#isLocked(this.answer, index)) return false;
    this.trail.push({ index, answer: this.#touch(this.answer, index) });
    return true;
  }

  // A line neither runs over another's end nor beyond its own.
  #mayGo(index) {
    const { endAt } = this.grid;
    const finished = this.trail.length > 1 && endAt.get(this.index) === this.number;
    return !finished && (endAt.get(index) ?? this.number) === this.number;
  }

  #isLocked(answer, index) {
    return this.grid.column(index).some((each) => this.locked.has(answer[each]));
  }

  #touch(answer, index) {
    if (this.#isLocked(answer, index)) return answer;
    return this.number
      ? put(this.grid, answer, index, this.number)
      : erase(this.grid, answer, index);
  }
}

// The number that a pen put down on a cell draws: the cell's own, or else the selected line's if
// it reaches the cell; 0 if there is none.
export function numberFor(grid, answer, index, selected) {
  const own = grid.endAt.get(index) ?? answer[index];
  if (own || !selected) return own;
  return grid.neighbours(index).some((near) => answer[near] === selected) ? selected : 0;
}
