// What the checker says, sorted for people: what is wrong, and what is only not done yet.

import { countCells } from "./drawing.js";

const NOT_DONE = new Set(["empty", "missing", "cut", "via-none"]);

// Take up the checker's verdict on a drawing. Added are `about`, the drawing; `joinedSet`;
// `mistakes`, violations that are wrong whatever else will be drawn; `open`, those of lines that
// lack something, where `isBegun` tells whether more than their ends is drawn; and `look`, which
// is the same for verdicts that look the same on the board.
export function sortVerdict(verdict, grid, answer) {
  const counts = countCells(grid, answer);
  const isNotDone = ({ rule }) => NOT_DONE.has(rule);
  const open = verdict.violations.filter(isNotDone).map((violation) => ({
    ...violation,
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
