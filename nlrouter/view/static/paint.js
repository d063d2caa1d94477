// Draws boards onto a canvas. Knows what to draw, not when.

import { colours } from "./palette.js";

const SMALLEST_TEXT = 6.5; // Pixels; below that a text is but a smudge.
const SMALLEST_MARK = 11; // Pixels; it must be seen where cells are small.
const STRANGER = { line: "#777", text: "#fff" };

// Draw all layers, with what is drawn on them and marks on the violations' cells.
export function paintBoard(context, view, grid, answer, violations) {
  for (let z = 0; z < grid.layers; z++) {
    const range = view.visible(z);
    if (range.x0 >= range.x1 || range.y0 >= range.y1) continue;
    paintPaper(context, view, grid, z, range);
    if (answer) paintLines(context, view, grid, answer, z, range, () => true);
    paintTerminals(context, view, grid, answer, z, range);
  }
  for (const { cell } of violations) if (cell) paintMark(context, view, cell);
}

// Draw one line over a faded board.
export function paintHighlight(context, view, grid, answer, number) {
  for (let z = 0; z < grid.layers; z++) {
    const range = view.visible(z);
    if (range.x0 >= range.x1 || range.y0 >= range.y1) continue;
    const [left, top] = view.position([z, 0, 0]);
    context.fillStyle = "rgb(255 255 255 / 68%)";
    context.fillRect(left, top, grid.width * view.scale, grid.height * view.scale);
    paintLines(context, view, grid, answer, z, range, (found) => found === number);
    paintTerminals(context, view, grid, answer, z, range, (found) => found === number);
  }
}

// Draw the frame of the keyboard's cell.
export function paintCursor(context, view, cell, colour) {
  const [x, y] = view.position(cell);
  context.lineWidth = 3;
  context.strokeStyle = "#fff";
  context.strokeRect(x, y, view.scale, view.scale);
  context.lineWidth = 2;
  context.strokeStyle = colour;
  context.strokeRect(x, y, view.scale, view.scale);
}

// The colours of a line, or of a number that no line has.
export function coloursOf(grid, number) {
  return number <= grid.lines.length ? colours(number) : STRANGER;
}

function paintPaper(context, view, grid, z, { x0, x1, y0, y1 }) {
  const { scale } = view;
  const [left, top] = view.position([z, 0, 0]);
  const [right, bottom] = view.position([z, grid.height, grid.width]);
  context.fillStyle = "#fff";
  context.fillRect(left, top, right - left, bottom - top);
  context.strokeStyle = scale < 8 ? "#e9ecf1" : "#dfe3ea";
  context.lineWidth = 1;
  context.beginPath();
  for (let x = x0; x <= x1; x++) {
    const at = Math.round(left + x * scale) + 0.5;
    context.moveTo(at, Math.max(0, top));
    context.lineTo(at, Math.min(view.screen.height, bottom));
  }
  for (let y = y0; y <= y1; y++) {
    const at = Math.round(top + y * scale) + 0.5;
    context.moveTo(Math.max(0, left), at);
    context.lineTo(Math.min(view.screen.width, right), at);
  }
  context.stroke();
  context.strokeStyle = "#8d96a6";
  context.strokeRect(left + 0.5, top + 0.5, right - left, bottom - top);
  paintCoordinates(context, view, z, { x0, x1, y0, y1 });
}

function paintCoordinates(context, view, z, { x0, x1, y0, y1 }) {
  const [left, top] = view.position([z, 0, 0]);
  context.fillStyle = "#1d2330";
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.font = "bold 13px system-ui, sans-serif";
  context.fillText(`layer ${z + 1}`, left, top - 27);
  context.fillStyle = "#5b6475";
  context.font = "10px system-ui, sans-serif";
  const step = [1, 2, 5, 10, 20, 50, 100].find((every) => every * view.scale >= 17) ?? 1000;
  const first = (start) => Math.ceil(start / step) * step;
  context.textAlign = "center";
  for (let x = first(x0); x < x1; x += step) {
    context.fillText(x, left + (x + 0.5) * view.scale, top - 9);
  }
  context.textAlign = "right";
  for (let y = first(y0); y < y1; y += step) {
    context.fillText(y, left - 5, top + (y + 0.5) * view.scale);
  }
}

// Draw the pieces of lines between neighbours of one number, one path for each number.
function paintLines(context, view, grid, answer, z, { x0, x1, y0, y1 }, wanted) {
  const { scale } = view;
  const [left, top] = view.position([z, 0.5, 0.5]);
  const paths = new Map();
  for (let y = y0; y < y1; y++) {
    for (let x = x0; x < x1; x++) {
      const index = grid.index([z, y, x]);
      const number = answer[index];
      if (!number || !wanted(number)) continue;
      if (!paths.has(number)) paths.set(number, new Path2D());
      const path = paths.get(number);
      const [px, py] = [left + x * scale, top + y * scale];
      path.moveTo(px, py);
      path.lineTo(px, py); // A dot, for a cell that is alone.
      if (x + 1 < grid.width && answer[index + 1] === number) path.lineTo(px + scale, py);
      path.moveTo(px, py);
      if (y + 1 < grid.height && answer[index + grid.width] === number) {
        path.lineTo(px, py + scale);
      }
    }
  }
  context.lineCap = "round";
  context.lineWidth = Math.max(1.5, scale * 0.34);
  for (const [number, path] of paths) {
    context.strokeStyle = coloursOf(grid, number).line;
    context.stroke(path);
  }
}

// Draw ends, as discs with their number, and vias, as squares with letters and number.
function paintTerminals(context, view, grid, answer, z, { x0, x1, y0, y1 }, wanted = () => true) {
  const layer = grid.width * grid.height;
  const onLayer = (index) => index >= z * layer && index < (z + 1) * layer;
  const onScreen = ([, y, x]) => y >= y0 && y < y1 && x >= x0 && x < x1;
  for (const [index, number] of grid.endAt) {
    const cell = grid.cell(index);
    if (!onLayer(index) || !wanted(number) || !onScreen(cell)) continue;
    paintEnd(context, view, cell, number, coloursOf(grid, number), answer?.[index] === number);
  }
  for (const [index, via] of grid.viaAt) {
    const cell = grid.cell(index);
    const number = answer?.[index] ?? 0;
    if (!onLayer(index) || !wanted(number) || !onScreen(cell)) continue;
    paintVia(context, view, cell, via, number, coloursOf(grid, number));
  }
}

function paintEnd(context, view, cell, number, colour, filled) {
  const { scale } = view;
  const [x, y] = view.centre(cell);
  context.beginPath();
  context.arc(x, y, scale * 0.43, 0, 2 * Math.PI);
  context.fillStyle = filled ? colour.line : "#fff";
  context.fill();
  if (!filled) {
    context.strokeStyle = colour.line;
    context.lineWidth = Math.max(1, scale * 0.08);
    context.stroke();
  }
  paintText(context, view, cell, String(number), filled ? colour.text : colour.line, 0.8);
}

function paintVia(context, view, cell, via, number, colour) {
  const { scale } = view;
  const [x, y] = view.position(cell);
  const inset = scale * 0.1;
  const layers = via.cells.map(([z]) => z);
  const inside = cell[0] > Math.min(...layers) && cell[0] < Math.max(...layers);
  context.beginPath();
  context.rect(x + inset, y + inset, scale - 2 * inset, scale - 2 * inset);
  context.fillStyle = number ? colour.line : "#fff";
  context.fill();
  context.lineWidth = Math.max(1, scale * 0.07);
  context.strokeStyle = "#1d2330";
  // A middle cell is passed only: nothing may be attached to it.
  context.setLineDash(inside ? [scale * 0.14, scale * 0.12] : []);
  context.stroke();
  context.setLineDash([]);
  const ink = number ? colour.text : "#1d2330";
  const both = number && paintText(context, view, cell, `${via.name}${number}`, ink, 0.72);
  if (!both) paintText(context, view, cell, via.name, ink, 0.72);
}

// A mark on the cell of a violation: a red frame, with a corner turned down.
function paintMark(context, view, cell) {
  const [x, y] = view.centre(cell);
  const size = Math.max(SMALLEST_MARK, view.scale);
  const [left, right, top] = [x - size / 2, x + size / 2, y - size / 2];
  const corner = size * 0.38;
  context.fillStyle = context.strokeStyle = "#d3180c";
  context.beginPath();
  context.moveTo(right - corner, top);
  context.lineTo(right, top);
  context.lineTo(right, top + corner);
  context.fill();
  context.lineWidth = 2;
  context.strokeRect(left, top, size, size);
}

// Write into a cell, over no more than a part of its width, if that can be read; return whether.
function paintText(context, view, cell, text, colour, part) {
  const widthOfLetter = 0.65; // In sizes of the font, about.
  const size = Math.min(view.scale * 0.56, (view.scale * part) / (text.length * widthOfLetter));
  if (size < SMALLEST_TEXT) return false;
  const [x, y] = view.centre(cell);
  context.font = `600 ${size}px system-ui, "DejaVu Sans", sans-serif`;
  context.fillStyle = colour;
  context.textAlign = "center";
  context.textBaseline = "middle";
  context.fillText(text, x, y + size * 0.06);
  return true;
}
