// A board being edited: every change makes a new Grid, whether or not the rules allow it.

import { Grid } from "./grid.js";

const same = (one, other) => one.every((value, i) => value === other[i]);

// Put an end on a cell: of the first line that lacks one, or else of a new line.
export function addEnd(grid, cell) {
  const open = grid.lines.findIndex(({ ends }) => ends.length < 2);
  const at = open < 0 ? grid.lines.length : open;
  const ends = [...(grid.lines[at]?.ends ?? []), cell];
  return change(grid, { lines: grid.lines.toSpliced(at, 1, { number: at + 1, ends }) });
}

// Put a via on a cell's column.
export function addVia(grid, [, y, x], name, bottom, top) {
  const cells = Array.from({ length: top - bottom + 1 }, (_, i) => [bottom + i, y, x]);
  return change(grid, { vias: [...grid.vias, { name, cells }] });
}

// Take an end or a whole via away; a line without ends goes, and the lines after it move up.
export function remove(grid, cell) {
  const keep = (other) => !same(cell, other);
  const lines = grid.lines
    .map((line) => ({ ...line, ends: line.ends.filter(keep) }))
    .filter(({ ends }) => ends.length)
    .map((line, i) => ({ ...line, number: i + 1 }));
  const colours = grid.colours.filter((_, i) => grid.lines[i]?.ends.some(keep));
  return change(grid, { lines, vias: grid.vias.filter(({ cells }) => cells.every(keep)), colours });
}

// Move an end, or a whole via, to another place.
export function move(grid, from, to) {
  const lines = grid.lines.map((line) => ({
    ...line,
    ends: line.ends.map((end) => (same(end, from) ? to : end)),
  }));
  const vias = grid.vias.map((via) => ({
    ...via,
    cells: via.cells.some((cell) => same(cell, from))
      ? via.cells.map(([z]) => [z, to[1], to[2]])
      : via.cells,
  }));
  return change(grid, { lines, vias });
}

// A board without anything on it.
export function emptyBoard(width, height, layers) {
  return change({ width, height, layers, lines: [], vias: [], colours: [] }, {});
}

// The board without what lies outside of it.
export function crop(grid) {
  const outside = things(grid).map(({ cell }) => cell).filter((cell) => !grid.has(cell));
  return outside.reduce(remove, grid);
}

// Ends and cells of vias, each as { name, cell }.
function things({ lines, vias }) {
  const ends = lines.flatMap(({ number, ends }) => ends.map((cell) => ({ name: `LINE#${number}`, cell })));
  return [...ends, ...vias.flatMap(({ name, cells }) => cells.map((cell) => ({ name: `VIA#${name}`, cell })))];
}

// All that keeps a draft from being a board, each as { key, values, cells }: the key of its words,
// and where it is. If nothing is wrong, what is lacking comes as one with `isHint`.
export function flaws(grid) {
  const found = [];
  const at = new Map();
  for (const { name, cell } of things(grid)) {
    if (!grid.has(cell)) found.push({ key: "isOutside", values: { name, cell }, cells: [] });
    at.set(String(cell), [...(at.get(String(cell)) ?? []), { name, cell }]);
  }
  for (const [one, other] of at.values()) {
    if (other) found.push({ key: "sameCell", values: { one: one.name, other: other.name, cell: one.cell }, cells: [one.cell] });
  }
  grid.vias.forEach(({ name, cells }, i) => {
    const isTaken = grid.vias.findIndex((via) => via.name === name) < i;
    if (isTaken || !/^[a-z]{1,2}$/.test(name)) found.push({ key: "badName", values: { name }, cells });
  });
  if (found.length) return found;
  const open = grid.lines.find(({ ends }) => ends.length < 2);
  const crossing = grid.lines.filter(({ ends: [a, b] }) => a && b && a[0] !== b[0]).length;
  const vias = grid.vias.length;
  const hint = (key, values, cells = []) => [{ key, values, cells, isHint: true }];
  if (!grid.lines.length) return hint("needsLine", {});
  if (open) return hint("needsEnd", { line: open.number }, open.ends);
  return crossing === vias ? [] : hint("needsVias", { crossing, vias });
}

// The first letters that no via has.
export function freeName(grid) {
  const letters = [..."abcdefghijklmnopqrstuvwxyz"];
  const names = [...letters, ...letters.flatMap((a) => letters.map((b) => a + b))];
  const taken = new Set(grid.vias.map(({ name }) => name.toLowerCase()));
  return names.find((name) => !taken.has(name)) ?? "";
}

// The text of a problem file.
export function format(grid) {
  const points = (cells) => cells.map(([z, y, x]) => `(${x},${y},${z + 1})`).join(" ");
  const rows = [
    `SIZE ${grid.width}X${grid.height}X${grid.layers}`,
    `LINE_NUM ${grid.lines.length}`,
    "",
    ...grid.lines.map(({ number, ends }) => `LINE#${number} ${points(ends)}`),
  ];
  if (grid.vias.length) rows.push("");
  rows.push(...grid.vias.map(({ name, cells }) => `VIA#${name} ${points(cells)}`));
  return rows.join("\n") + "\n";
}

// The board with other fields, such as its size.
export function change(grid, fields) {
  const { width, height, layers, lines, vias, colours } = grid;
  const next = { width, height, layers, lines, vias, colours, ...fields };
  return new Grid({ ...next, text: format(next) });
}
