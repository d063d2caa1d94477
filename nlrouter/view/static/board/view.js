// Where each cell is on the screen: all layers side by side, or one of them; moved and zoomed.
// Lengths are CSS pixels from the stage's top left corner. Zooming spreads the cells; the room
// around a layer, for its title and coordinates, stays as it is.

export const ROOM = { left: 26, top: 44, right: 14, bottom: 8 };
const SMALLEST_CELL = 1; // Eight layers of 36 columns have to go on a telephone.
const LARGEST_CELL = 180;
const LARGEST_FIT = 100; // A small board need not fill the screen.
const READABLE = 26; // Cells in which a number can be read.
const REVEAL_MARGIN = 40;

// How far to move so that one of some places is in sight.
const pull = (places, length) =>
  Math.max(0, REVEAL_MARGIN - Math.max(...places)) + Math.min(0, length - REVEAL_MARGIN - Math.min(...places));

export class View {
  constructor() {
    this.mode = "all";
    this.layer = 0; // On show in mode "one".
    this.scale = 20; // Pixels per cell.
    this.columns = 1; // Layers in a row, in mode "all".
    this.left = 0;
    this.top = 0;
    this.screen = { width: 0, height: 0 };
    this.grid = null;
    this.isFitted = true; // Whether nobody has zoomed or moved since the last fit.
  }

  // The layers on show.
  get layers() {
    if (this.mode === "one") return [this.layer];
    return Array.from({ length: this.grid.layers }, (_, z) => z);
  }

  // Show all there is to show, as large as it goes in.
  fit() {
    this.isFitted = true;
    const { grid } = this;
    const count = this.layers.length;
    const { width, height } = this.screen;
    let best = 0;
    for (let columns = 1; columns <= count; columns++) {
      const rows = Math.ceil(count / columns);
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
    const rows = Math.ceil(count / this.columns);
    this.left = Math.max(0, (width - this.columns * this.#panelWidth()) / 2);
    this.top = Math.max(0, (height - rows * this.#panelHeight()) / 2);
  }

  // Where a layer's first corner is.
  origin(z) {
    const [left, top] = this.#corner(z);
    return [left + ROOM.left, top + ROOM.top];
  }

  // A layer with its title and coordinates, as [left, top, width, height].
  panel(z) {
    return [...this.#corner(z), this.#panelWidth(), this.#panelHeight()];
  }

  /**
   * Top left corner of a cell, which may be a fraction, on the screen.
   * @param {number[]} cell
   */
  position([z, y, x]) {
    const [left, top] = this.origin(z);
    return [left + x * this.scale, top + y * this.scale];
  }

  centre([z, y, x]) {
    return this.position([z, y + 0.5, x + 0.5]);
  }

  // The cell at a point of the screen, or null.
  cellAt(px, py) {
    const cell = this.#place(this.#layerAt(px, py), px, py).map(Math.floor);
    return this.grid.has(cell) ? cell : null;
  }

  // The side between two cells that is nearest to a point, as `Store` has it, or null.
  sideAt(px, py) {
    const [z, y, x] = this.#place(this.#layerAt(px, py), px, py);
    const isBelow = Math.abs(y - Math.round(y)) < Math.abs(x - Math.round(x));
    const [v, u] = isBelow ? [Math.round(y), Math.floor(x)] : [Math.floor(y), Math.round(x)];
    const before = isBelow ? [z, v - 1, u] : [z, v, u - 1];
    const isInside = this.grid.has(before) && this.grid.has([z, v, u]);
    return isInside ? 2 * this.grid.index(before) + Number(isBelow) : null;
  }

  // Rows and columns of a layer that are on the screen, with ends that are not included.
  visible(z) {
    const [, y0, x0] = this.#place(z, 0, 0).map(Math.floor);
    const [, y1, x1] = this.#place(z, this.screen.width, this.screen.height).map(Math.ceil);
    const limit = (value, count) => Math.min(count, Math.max(0, value));
    const { width, height } = this.grid;
    return { x0: limit(x0, width), x1: limit(x1, width), y0: limit(y0, height), y1: limit(y1, height) };
  }

  // Move, but never so far that no board is to be seen.
  move(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.isFitted = false;
    const { width, height } = this.screen;
    const places = this.layers.flatMap((z) => [this.origin(z), this.position([z, this.grid.height, this.grid.width])]);
    this.left += pull(places.map(([x]) => x), width);
    this.top += pull(places.map(([, y]) => y), height);
  }

  // Zoom so that what is at a point stays there.
  zoom(factor, px = this.screen.width / 2, py = this.screen.height / 2) {
    const place = this.#place(this.#layerAt(px, py), px, py);
    this.scale = Math.min(LARGEST_CELL, Math.max(SMALLEST_CELL, this.scale * factor));
    const [x, y] = this.position(place);
    this.move(px - x, py - y);
  }

  // Move as little as needed to have a cell on the screen.
  reveal(cell) {
    const [x, y] = this.centre(cell);
    const { width, height } = this.screen;
    const [dx, dy] = [pull([x], width), pull([y], height)];
    if (dx || dy) this.move(dx, dy);
  }

  // Have a cell on the screen, large enough to be read, in the middle of it and others if they go in.
  lookAt(cell, others = []) {
    this.scale = Math.max(this.scale, READABLE);
    const { width, height } = this.screen;
    for (const cells of [[cell, ...others], [cell]]) {
      const places = cells.map((each) => this.centre(each));
      const [xs, ys] = [places.map(([x]) => x), places.map(([, y]) => y)];
      const span = (values) => Math.max(...values) - Math.min(...values) + 2 * REVEAL_MARGIN;
      if (cells.length > 1 && (span(xs) > width || span(ys) > height)) continue;
      const middle = (values) => (Math.max(...values) + Math.min(...values)) / 2;
      this.move(width / 2 - middle(xs), height / 2 - middle(ys));
      break;
    }
    this.#fill();
  }

  // Leave no more of the screen empty beside the boards than has to be.
  #fill() {
    const { width, height } = this.screen;
    const rows = Math.ceil(this.layers.length / this.columns);
    const pull = (start, length, room) =>
      length < room ? (room - length) / 2 - start : Math.min(0, -start) + Math.max(0, room - start - length);
    const dx = pull(this.left, this.columns * this.#panelWidth(), width);
    this.move(dx, pull(this.top, rows * this.#panelHeight(), height));
  }

  // A layer, and the row and column there as fractions.
  #place(z, px, py) {
    const [left, top] = this.origin(z);
    return [z, (py - top) / this.scale, (px - left) / this.scale];
  }

  // The layer at or next to a point.
  #layerAt(px, py) {
    const { grid } = this;
    if (this.mode === "one") return this.layer;
    const limit = (value, count) => Math.max(0, Math.min(count - 1, Math.floor(value)));
    const rows = Math.ceil(grid.layers / this.columns);
    const column = limit((px - this.left) / this.#panelWidth(), this.columns);
    const row = limit((py - this.top) / this.#panelHeight(), rows);
    return Math.min(grid.layers - 1, row * this.columns + column);
  }

  #corner(z) {
    const place = this.mode === "one" ? 0 : z;
    return [
      this.left + (place % this.columns) * this.#panelWidth(),
      this.top + Math.floor(place / this.columns) * this.#panelHeight(),
    ];
  }

  #panelWidth() {
    return ROOM.left + this.grid.width * this.scale + ROOM.right;
  }

  #panelHeight() {
    return ROOM.top + this.grid.height * this.scale + ROOM.bottom;
  }
}
