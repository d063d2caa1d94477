// What the checker says, sorted for people: what is wrong, and what is only not done yet.

import { countCells } from "./drawing.js";

const NOT_DONE = new Set(["empty", "missing", "cut", "via-none"]);

// Take up the checker's verdict on a drawing. Added are
// - `about`, the drawing, and `joinedSet`;
// - `mistakes`, violations that are wrong whatever else will be drawn;
// - `open`, those of lines that lack something, one for each, at the place where it is lacking;
//   `isBegun` tells whether more of the line than its ends is drawn;
// - `look`, which is the same for verdicts that look the same on the board.
export function sortVerdict(verdict, grid, answer) {
  const counts = countCells(grid, answer);
  const isNotDone = ({ rule }) => NOT_DONE.has(rule);
  const open = verdict.violations.filter(isNotDone).map((violation) => ({
    ...violation,
    cell: violation.rule === "cut" ? tipOf(grid, answer, violation.cell) : violation.cell,
    isBegun: violation.line !== null && counts[violation.line] > 2,
  }));
  const perLine = new Map(open.map((violation) => [violation.line, violation]).reverse());
  const mistakes = verdict.violations.filter((violation) => !isNotDone(violation));
  return {
    ...verdict,
    about: answer,
    joinedSet: new Set(verdict.joined),
    mistakes,
    look: `${verdict.joined.join()}|${mistakes.map(({ cell }) => cell).join(";")}`,
    open: [...perLine.values()].reverse(),
  };
}

// Where the piece that a cell is part of ends: its cell that is farthest away on the layer.
function tipOf(grid, answer, cell) {
  const start = grid.index(cell);
  const reached = new Set([start]);
  for (const index of reached) {
    for (const near of grid.neighbours(index)) {
      if (answer[near] === answer[start]) reached.add(near);
    }
  }
  return grid.cell([...reached].at(-1));
}
