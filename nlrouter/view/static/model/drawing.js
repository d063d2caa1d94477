// What is drawn: an Int32Array of line numbers by cell index, 0 where a cell is empty.
// No function changes an array; each returns a new one, or the same where nothing changes.

// The board with nothing but the ends of its lines.
export function blank(grid) {
  const answer = new Int32Array(grid.size);
  for (const [index, number] of grid.endAt) answer[index] = number;
  return answer;
}

// Whether two drawings are alike.
export function sameDrawing(one, other) {
  if (one === other) return true;
  if (!one || !other || one.length !== other.length) return false;
  return one.every((number, index) => number === other[index]);
}

// How many cells each number has; an Int32Array by number, as long as the lines ask for.
export function countCells(grid, answer) {
  const counts = new Int32Array(grid.lines.length + 1);
  for (const number of answer) if (number < counts.length) counts[number]++;
  return counts;
}

// The drawing without the lines that are not locked.
export function clear(grid, answer, locked) {
  return answer.map((number, index) => (locked.has(number) ? number : (grid.endAt.get(index) ?? 0)));
}

// Draw a number into a cell, and into the whole via if the cell is part of one.
// Another line's end stays what it is.
export function put(grid, answer, index, number) {
  const end = grid.endAt.get(index);
  if (end !== undefined && end !== number) return answer;
  return fill(answer, grid.column(index), number);
}

// Empty a cell, and the whole via if it is part of one; an end gets its own number.
export function erase(grid, answer, index) {
  return fill(answer, grid.column(index), grid.endAt.get(index) ?? 0);
}

// Empty all cells of a line but its ends.
export function eraseLine(grid, answer, number) {
  return answer.map((found, index) => (found === number ? (grid.endAt.get(index) ?? 0) : found));
}

// Take what is drawn over to a changed board. A line keeps its drawing if it keeps its ends,
// whatever its number; a cell keeps it if nothing else stands there now.
export function carry(old, answer, grid) {
  const name = (line) => JSON.stringify(line.ends);
  const newNumber = new Map(grid.lines.map((line) => [name(line), line.number]));
  const renumbered = new Map(old.lines.map((line) => [line.number, newNumber.get(name(line)) ?? 0]));
  const viaName = (where, index) => JSON.stringify(where.viaAt.get(index)?.cells ?? null);
  const next = blank(grid);
  answer.forEach((number, before) => {
    const cell = old.cell(before);
    if (!grid.has(cell)) return;
    const index = grid.index(cell);
    if (grid.endAt.has(index) || viaName(old, before) !== viaName(grid, index)) return;
    next[index] = renumbered.get(number) ?? 0;
  });
  return next;
}

// The text of an answer file.
export function format(grid, answer) {
  const digits = grid.lines.length < 100 ? 2 : 3;
  const rows = [`SIZE ${grid.width}X${grid.height}X${grid.layers}`];
  for (let z = 0; z < grid.layers; z++) {
    rows.push(`LAYER ${z + 1}`);
    for (let y = 0; y < grid.height; y++) {
      const start = grid.index([z, y, 0]);
      const row = Array.from(answer.subarray(start, start + grid.width));
      rows.push(row.map((number) => String(number).padStart(digits, "0")).join(","));
    }
  }
  return rows.join("\n") + "\n";
}

function fill(answer, indices, number) {
  if (indices.every((index) => answer[index] === number)) return answer;
  const next = answer.slice();
  for (const index of indices) next[index] = number;
  return next;
}
