// One movement of the pen: draws a line, or erases (number 0), cell by cell on one layer.

import { erase, put } from "./drawing.js";

export class Stroke {
  // `locked` has the numbers of lines that the stroke must not change; it stops before other lines
  // too unless it `cuts` them.
  constructor(grid, answer, index, number, { locked = new Set(), cuts = false } = {}) {
    this.grid = grid;
    this.before = answer;
    this.number = number;
    this.locked = locked;
    this.cuts = cuts;
    this.trail = [index];
    this.stoppedBy = 0; // The line that it could not go over.
  }

  get index() {
    return this.trail.at(-1);
  }

  // What is drawn now, made of what was drawn before and the trail: so going back undoes.
  get answer() {
    let next = this.#withoutOldWays();
    for (const index of this.trail) {
      if (this.#obstacle(index)) continue;
      next = this.number ? put(this.grid, next, index, this.number) : erase(this.grid, next, index);
    }
    return next;
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
    const at = this.trail.indexOf(index);
    if (at >= 0) {
      this.trail.length = at + 1; // Back, or around a loop, which is left out.
      return true;
    }
    if (this.number && !this.#mayGo(index)) return false;
    this.trail.push(index);
    return true;
  }

  // A line neither runs over another's end nor beyond its own.
  #mayGo(index) {
    const isFinished = this.trail.length > 1 && this.grid.endAt.get(this.index) === this.number;
    if (isFinished || (this.grid.endAt.get(index) ?? this.number) !== this.number) return false;
    this.stoppedBy = this.#obstacle(index);
    return !this.stoppedBy;
  }

  // The number of the line in a cell, or in its via, that the stroke must not change; or 0.
  #obstacle(index) {
    const numbers = this.grid.column(index).map((each) => this.before[each]);
    const isKept = (found) => this.locked.has(found) || (this.number && !this.cuts && found !== this.number);
    return numbers.find((found) => found && isKept(found)) ?? 0;
  }

  // What was drawn before, but for the ways of the line that the trail takes the place of. Of the
  // pieces that hang on its old cells one stays at each of its ends; those of a loop go.
  #withoutOldWays() {
    const { grid, before, number, trail } = this;
    if (!number || trail.length < 2) return before;
    const mine = new Set(trail);
    const hanging = (index) => grid.neighbours(index).filter((near) => before[near] === number && !mine.has(near));
    const pieces = new Map(); // Each as a Set of cells, with the cells of the trail it hangs on.
    for (const at of trail.filter((index, i) => !i || before[index] === number)) {
      for (const first of hanging(at)) {
        let piece = [...pieces.keys()].find((each) => each.has(first));
        if (!piece) {
          piece = new Set([first]);
          for (const index of piece) hanging(index).forEach((near) => piece.add(near));
          pieces.set(piece, []);
        }
        pieces.get(piece).push(at);
      }
    }
    for (const tip of [trail[0], this.index]) {
      const [kept] = [...pieces.keys()]
        .filter((piece) => String([...new Set(pieces.get(piece))]) === String(tip) && !this.#leadsOn(tip))
        .sort((one, other) => this.#worth(other) - this.#worth(one));
      pieces.delete(kept);
    }
    let next = before;
    for (const piece of pieces.keys()) for (const index of piece) next = erase(grid, next, index);
    return next;
  }

  // Whether a line needs no second neighbour here: at its end, and where a via takes it on.
  #leadsOn(index) {
    return this.grid.endAt.has(index) || this.grid.viaAt.has(index);
  }

  // How much a piece is worth keeping: most if it leads to where the pen is not about to go.
  #worth(piece) {
    const [, y, x] = this.grid.cell(this.index);
    const ends = [...piece].filter((index) => this.#leadsOn(index)).map((index) => this.grid.cell(index));
    return Math.max(-1, ...ends.map(([, v, u]) => Math.abs(v - y) + Math.abs(u - x)));
  }
}

// The number that a pen put down on a cell draws: the cell's own, or else the selected line's if
// that ends beside the cell; 0 if there is none.
export function numberFor(grid, answer, index, selected) {
  const own = grid.endAt.get(index) ?? answer[index];
  if (own || !selected) return own;
  const same = (at) => grid.neighbours(at).filter((near) => answer[near] === selected);
  return same(index).some((near) => same(near).length < (grid.endAt.has(near) ? 1 : 2)) ? selected : 0;
}
