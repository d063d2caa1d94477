// Where each cell is on the screen: the layers side by side, moved and zoomed.
// Lengths are CSS pixels from the stage's top left corner. Zooming spreads the cells; the room
// around a layer, for its title and coordinates, stays as it is.

const ROOM = { left: 26, top: 44, right: 14, bottom: 8 };
const SMALLEST_CELL = 1; // Eight layers of 36 columns have to go on a telephone.
const LARGEST_CELL = 90;
const LARGEST_FIT = 56; // A small board need not fill the screen.
const REVEAL_MARGIN = 40;

export class View {
  constructor() {
    this.scale = 20; // Pixels per cell.
    this.columns = 1; // Layers in a row.
    this.left = 0;
    this.top = 0;
    this.screen = { width: 0, height: 0 };
    this.grid = null;
  }

  // Show all layers, as large as they go in.
  fit(grid = this.grid) {
    this.grid = grid;
    const { width, height } = this.screen;
    let best = 0;
    for (let columns = 1; columns <= grid.layers; columns++) {
      const rows = Math.ceil(grid.layers / columns);
      const scale = Math.min(
        (width / columns - ROOM.left - ROOM.right) / grid.width,
        (height / rows - ROOM.top - ROOM.bottom) / grid.height,
      );
      if (columns === 1 || scale > best) {
        best = scale;
        this.columns = columns;
      }
    }
    this.scale = Math.min(LARGEST_FIT, Math.max(SMALLEST_CELL, best));
    const rows = Math.ceil(grid.layers / this.columns);
    this.left = Math.max(0, (width - this.columns * this.#panelWidth()) / 2);
    this.top = Math.max(0, (height - rows * this.#panelHeight()) / 2);
  }

  // Top left corner of a cell, which may be a fraction, on the screen.
  position([z, y, x]) {
    const column = z % this.columns;
    const row = Math.floor(z / this.columns);
    return [
      this.left + column * this.#panelWidth() + ROOM.left + x * this.scale,
      this.top + row * this.#panelHeight() + ROOM.top + y * this.scale,
    ];
  }

  centre([z, y, x]) {
    return this.position([z, y + 0.5, x + 0.5]);
  }

  // The cell at a point of the screen, or null.
  cellAt(px, py) {
    const [z, y, x] = this.#place(px, py).map(Math.floor);
    return this.grid.has([z, y, x]) ? [z, y, x] : null;
  }

  // Rows and columns of a layer that are on the screen, with ends that are not included.
  visible(z) {
    const [left, top] = this.position([z, 0, 0]);
    const range = (start, length, count) => [
      Math.max(0, Math.floor(-start / this.scale)),
      Math.min(count, Math.ceil((length - start) / this.scale)),
    ];
    const [x0, x1] = range(left, this.screen.width, this.grid.width);
    const [y0, y1] = range(top, this.screen.height, this.grid.height);
    return { x0, x1, y0, y1 };
  }

  move(dx, dy) {
    this.left += dx;
    this.top += dy;
  }

  // Zoom so that what is at a point stays there.
  zoom(factor, px = this.screen.width / 2, py = this.screen.height / 2) {
    const place = this.#place(px, py);
    this.scale = Math.min(LARGEST_CELL, Math.max(SMALLEST_CELL, this.scale * factor));
    const [x, y] = this.position(place);
    this.move(px - x, py - y);
  }

  // Move as little as needed to have a cell on the screen.
  reveal(cell) {
    const [x, y] = this.centre(cell);
    const { width, height } = this.screen;
    const pull = (at, length) =>
      Math.max(0, REVEAL_MARGIN - at) + Math.min(0, length - REVEAL_MARGIN - at);
    this.move(pull(x, width), pull(y, height));
  }

  // The layer at or next to a point, and the row and column there as fractions.
  #place(px, py) {
    const rows = Math.ceil(this.grid.layers / this.columns);
    const limit = (value, count) => Math.max(0, Math.min(count - 1, Math.floor(value)));
    const column = limit((px - this.left) / this.#panelWidth(), this.columns);
    const row = limit((py - this.top) / this.#panelHeight(), rows);
    const z = Math.min(this.grid.layers - 1, row * this.columns + column);
    const [x0, y0] = this.position([z, 0, 0]);
    return [z, (py - y0) / this.scale, (px - x0) / this.scale];
  }

  #panelWidth() {
    return ROOM.left + this.grid.width * this.scale + ROOM.right;
  }

  #panelHeight() {
    return ROOM.top + this.grid.height * this.scale + ROOM.bottom;
  }
}
