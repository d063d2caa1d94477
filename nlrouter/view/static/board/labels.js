// Titles and coordinates of layers, which stay in sight wherever the board is moved; and links
// between layers.

import { t } from "../words/words.js";

const SMALLEST_STEP = 17; // Pixels between coordinates.
const SMALLEST_REST = 70; // Pixels of a board at the screen's upper edge that are worth labels.
const FONT = 'system-ui, "DejaVu Sans", sans-serif';

// Write a layer's title, and its coordinates at the edge of the screen if its own are outside.
export function paintLabels(context, { view, theme }, z, { x0, x1, y0, y1 }) {
  const { scale, screen } = view;
  const [left, top] = view.origin(z);
  context.textBaseline = "middle";
  context.font = `bold 13px ${FONT}`;
  if (x0 >= x1 || y0 >= y1) return;
  if (view.position([z, view.grid.height, 0])[1] < SMALLEST_REST) return;
  const [, , width, height] = view.panel(z);
  const [right, bottom] = [left - 26 + width, top - 44 + height];
  const rowTop = Math.min(Math.max(top - 9, 33), bottom - 12);
  const columnLeft = Math.min(Math.max(left - 5, 21), right - 8);
  // Over the board they stand on strips of their own, like the heads of a table.
  context.fillStyle = theme.paper;
  const from = Math.max(0, left - 26);
  if (rowTop > top - 9) context.fillRect(from, 0, Math.min(right, screen.width) - from, rowTop + 8);
  if (columnLeft > left - 5) context.fillRect(0, Math.max(0, top - 44), columnLeft + 3, Math.min(bottom, screen.height));
  write(context, theme.ink, t("layer", { number: z + 1 }), Math.max(left, 26), rowTop - 18, "left");
  context.font = `10px ${FONT}`;
  const step = [1, 2, 5, 10, 20, 50, 100].find((every) => every * scale >= SMALLEST_STEP) ?? 1000;
  const first = (start) => Math.ceil(start / step) * step;
  for (let x = first(x0); x < x1; x += step) {
    const at = left + (x + 0.5) * scale;
    if (at >= columnLeft + 8 && at <= screen.width) write(context, theme["pale-ink"], String(x), at, rowTop, "center");
  }
  for (let y = first(y0); y < y1; y += step) {
    const at = top + (y + 0.5) * scale;
    if (at >= rowTop + 8 && at <= screen.height) write(context, theme["pale-ink"], String(y), columnLeft, at, "right");
  }
}

function write(context, colour, text, x, y, align) {
  context.textAlign = align;
  context.fillStyle = colour;
  context.fillText(text, x, y);
}

// Draw links between the cells of a line's via on layers that lie side by side.
export function paintLinks(context, { view, grid, answer, theme }, number) {
  if (view.mode !== "all") return;
  for (const via of grid.vias) {
    if (answer[grid.index(via.cells[0])] !== number) continue;
    const places = via.cells.map((cell) => view.centre(cell));
    context.setLineDash([7, 5]);
    for (const [colour, width] of [[theme.paper, 4], [theme.ink, 2]]) {
      context.beginPath();
      places.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.stroke();
    }
    context.setLineDash([]);
  }
}
