// Draws layers onto a canvas, in pixels from a layer's first corner. Knows what to draw, not when.
//
// `board` is what all functions draw: { view, grid, answer, joined, locked, patterns, theme }, of them
// `joined` and `locked` sets of line numbers, `patterns` a Map (see `patternsOf`), and the answer
// null for a bare board.

import { coloursOf } from "./colours.js";

const SMALLEST_TEXT = 6.5; // Pixels; below that a text is but a smudge.
const READABLE = 26; // Pixels of a cell in which two texts have room.
const SMALLEST_MARK = 11; // Pixels; it must be seen where cells are small.
/** @type {(number: number) => boolean} */
const everyLine = () => true;
const WIDTH = { begun: 0.22, joined: 0.42 }; // Of lines, in cells.

// Draw the empty paper of a layer.
export function paintPaper(context, { view, grid, theme }, { x0, x1, y0, y1 }) {
  const { scale } = view;
  const [width, height] = [grid.width * scale, grid.height * scale];
  context.fillStyle = theme.paper;
  context.fillRect(0, 0, width, height);
  if (scale >= 4) {
    context.strokeStyle = theme["grid-line"];
    context.lineWidth = 1;
    context.beginPath();
    for (let x = x0; x <= x1; x++) {
      context.moveTo(x * scale, y0 * scale);
      context.lineTo(x * scale, y1 * scale);
    }
    for (let y = y0; y <= y1; y++) {
      context.moveTo(x0 * scale, y * scale);
      context.lineTo(x1 * scale, y * scale);
    }
    context.stroke();
  }
  context.strokeStyle = theme.frame;
  context.strokeRect(0, 0, width, height);
}

// Draw the pieces of lines between neighbours of one number, one path for each number.
export function paintLines(context, board, z, range, wanted = everyLine) {
  const { view: { scale }, grid, joined, locked, patterns, theme } = board;
  for (const [number, path] of linePaths(board, z, range, wanted)) {
    context.lineCap = "round";
    context.lineWidth = Math.max(1.5, scale * (joined.has(number) ? WIDTH.joined : WIDTH.begun));
    context.strokeStyle = coloursOf(grid, number, theme).line;
    context.stroke(path);
    const pattern = patterns.get(number);
    if (!locked.has(number) && !pattern) continue;
    context.lineCap = "butt";
    context.setLineDash(locked.has(number) ? [] : pattern.map((part) => part * scale));
    context.lineWidth = Math.max(1, scale * (locked.has(number) ? 0.08 : 0.14));
    context.strokeStyle = theme.paper;
    context.stroke(path);
    context.setLineDash([]);
  }
}

// Draw a light around some lines.
export function paintHalo(context, board, z, range, wanted) {
  const { view: { scale }, theme } = board;
  context.lineCap = context.lineJoin = "round";
  for (const path of linePaths(board, z, range, wanted).values()) {
    for (const [colour, extra] of [[theme.ink, 6], [theme.paper, 3]]) {
      context.strokeStyle = colour;
      context.lineWidth = scale * WIDTH.joined + extra;
      context.stroke(path);
    }
  }
}

function linePaths({ view: { scale }, grid, answer }, z, { x0, x1, y0, y1 }, wanted) {
  const paths = new Map();
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const index = grid.index([z, y, x]);
      const number = answer[index];
      if (!number || !wanted(number)) continue;
      if (!paths.has(number)) paths.set(number, new Path2D());
      const path = paths.get(number);
      const [px, py] = [(x + 0.5) * scale, (y + 0.5) * scale];
      path.moveTo(px, py);
      path.lineTo(px, py); // A dot, for a cell that is alone.
      if (x + 1 < grid.width && answer[index + 1] === number) path.lineTo(px + scale, py);
      path.moveTo(px, py);
      if (y + 1 < grid.height && answer[index + grid.width] === number) {
        path.lineTo(px, py + scale);
      }
    }
  }
  return paths;
}

// Draw ends, as discs with their number, and vias, as squares with letters and number.
export function paintTerminals(context, board, z, { x0, x1, y0, y1 }, wanted = everyLine) {
  const { grid, answer } = board;
  const onScreen = ([, y, x]) => y >= y0 && y < y1 && x >= x0 && x < x1;
  const { ends, vias } = grid.terminalsOn(z);
  for (const [index, number] of ends) {
    const cell = grid.cell(index);
    if (wanted(number) && onScreen(cell)) paintEnd(context, board, cell, number);
  }
  for (const [index, via] of vias) {
    const cell = grid.cell(index);
    const number = answer?.[index] ?? 0;
    if (wanted(number) && onScreen(cell)) paintVia(context, board, cell, via, number);
  }
}

// An end is a ring until its line is joined.
export function paintEnd(context, board, cell, number) {
  const { view: { scale }, grid, joined, theme } = board;
  const colour = coloursOf(grid, number, theme);
  const isJoined = joined.has(number);
  const [x, y] = middle(scale, cell);
  const rim = Math.max(1, scale * 0.11);
  context.beginPath();
  context.arc(x, y, Math.max(0.5, scale * 0.44 - rim / 2), 0, 2 * Math.PI);
  context.fillStyle = isJoined ? colour.line : theme.paper;
  context.fill();
  context.strokeStyle = colour.line;
  context.lineWidth = rim;
  context.stroke();
  const ink = isJoined ? colour.text : theme.ink;
  const rise = grid.rise(grid.index(cell), number);
  const isTold = rise !== 0 && scale >= READABLE;
  const name = String(number);
  paintText(context, board, cell, name, ink, Math.min(0.74, isTold ? 0.3 * name.length : 1), isTold ? -0.13 : 0);
  const sign = rise > 0 ? "▲" : "▼";
  if (isTold) paintText(context, board, cell, `${sign}${cell[0] + rise + 1}`, ink, 0.36, 0.25);
  else if (rise) {
    context.font = `${Math.max(6, scale * 0.4)}px "DejaVu Sans", sans-serif`;
    context.fillStyle = theme.ink;
    context.textAlign = "center";
    context.fillText(sign, x + scale * 0.5, y - Math.sign(rise) * scale * 0.3);
  }
}

// Draw rings around ends, which are seen however small the cells are.
export function paintRings(context, { view: { scale }, theme }, cells) {
  for (const cell of cells) {
    context.beginPath();
    context.arc(...middle(scale, cell), Math.max(8, scale * 0.62), 0, 2 * Math.PI);
    context.strokeStyle = theme.accent;
    context.lineWidth = 3;
    context.stroke();
  }
}

// Draw crosses on the sides that the user has crossed out.
export function paintCrosses(context, { view: { scale }, grid, theme }, z, marks) {
  const arm = Math.max(2, scale * 0.11);
  context.strokeStyle = theme.wrong;
  context.lineWidth = Math.max(1, scale * 0.05);
  context.beginPath();
  for (const side of marks) {
    const [layer, row, column] = grid.cell(side >> 1);
    if (layer !== z) continue;
    const [x, y] = middle(scale, side & 1 ? [z, row + 0.5, column] : [z, row, column + 0.5]);
    for (const slope of [1, -1]) {
      context.moveTo(x - arm, y - slope * arm);
      context.lineTo(x + arm, y + slope * arm);
    }
  }
  context.stroke();
}

function paintVia(context, board, cell, via, number) {
  const { view: { scale }, grid, theme } = board;
  const [y, x] = [cell[1] * scale, cell[2] * scale];
  const colour = coloursOf(grid, number, theme);
  const inset = scale * 0.1;
  const layers = via.cells.map(([z]) => z);
  const [bottom, top] = [Math.min(...layers), Math.max(...layers)];
  context.beginPath();
  context.rect(x + inset, y + inset, scale - 2 * inset, scale - 2 * inset);
  // A middle cell is passed only: nothing may be attached to it.
  const isPassed = cell[0] > bottom && cell[0] < top;
  context.fillStyle = number && !isPassed ? colour.line : theme.paper;
  context.fill();
  context.lineWidth = Math.max(1, scale * 0.07);
  context.strokeStyle = theme.ink;
  context.setLineDash(isPassed ? [scale * 0.14, scale * 0.12] : []);
  context.stroke();
  context.setLineDash([]);
  const ink = number && !isPassed ? colour.text : theme.ink;
  const hasSpan = grid.layers > 2 && scale >= READABLE;
  const lift = hasSpan ? -0.14 : 0;
  const name = number ? `${via.name}${number}` : via.name;
  const part = (text) => Math.min(0.72, hasSpan ? 0.3 * text.length : 1);
  const both = paintText(context, board, cell, name, ink, part(name), lift);
  if (!both) paintText(context, board, cell, via.name, ink, part(via.name), lift);
  if (hasSpan) paintText(context, board, cell, `${bottom + 1}–${top + 1}`, ink, 0.5, 0.24);
}

// A mark on the cell of a violation: a red frame, with a corner turned down.
export function paintMark(context, { view: { scale }, theme }, cell) {
  const [x, y] = middle(scale, cell);
  const size = Math.max(SMALLEST_MARK, scale);
  const [left, right, top] = [x - size / 2, x + size / 2, y - size / 2];
  const corner = size * 0.38;
  context.fillStyle = context.strokeStyle = theme.wrong;
  context.beginPath();
  context.moveTo(right - corner, top);
  context.lineTo(right, top);
  context.lineTo(right, top + corner);
  context.fill();
  context.lineWidth = 2;
  context.strokeRect(left, top, size, size);
}

// Draw the frame of the keyboard's cell.
export function paintCursor(context, { view: { scale }, theme }, cell, colour) {
  const [x, y] = [cell[2] * scale, cell[1] * scale];
  for (const [stroke, width] of [[theme.paper, 5], [colour, 3]]) {
    context.strokeStyle = stroke;
    context.lineWidth = width;
    context.strokeRect(x, y, scale, scale);
  }
}

function middle(scale, [, y, x]) {
  return [(x + 0.5) * scale, (y + 0.5) * scale];
}

// Write into a cell, over no more than a part of its width and so far below its middle, if that
// can be read; return whether.
function paintText(context, { view: { scale } }, cell, text, colour, part, below = 0) {
  const widthOfLetter = 0.65; // In sizes of the font, about.
  const size = Math.min(scale * 0.56, (scale * part) / (text.length * widthOfLetter));
  if (size < SMALLEST_TEXT) return false;
  const [x, y] = middle(scale, cell);
  context.font = `600 ${size}px system-ui, "DejaVu Sans", sans-serif`;
  context.fillStyle = colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + scale * below + size * 0.06);
  return true;
}
