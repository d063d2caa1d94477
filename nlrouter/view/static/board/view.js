// Where each cell is on the screen: all layers side by side, one of them, or a slanted stack;
// moved and zoomed. Lengths are CSS pixels from the stage's top left corner. Zooming spreads the
// cells; the room around a layer, for its title and coordinates, stays as it is.

export const ROOM = { left: 26, top: 44, right: 14, bottom: 8 };
const SMALLEST_CELL = 1; // Eight layers of 36 columns have to go on a telephone.
const LARGEST_CELL = 180;
const LARGEST_FIT = 100; // A small board need not fill the screen.
const READABLE = 26; // Cells in which a number can be read.
const REVEAL_MARGIN = 40;
const SLANT = 0.42; // How far a row of the stack is to the left of the one behind it, in cells.
const FLATNESS = 0.52; // How far it is below it.
const LIFT = { least: 0.5, most: 1.12 }; // From layer to layer, in depths of a layer.
const FREE_LIFT = 0.9; // The least where so few layers are to be shown that they need not overlap:
const FREE_LAYERS = 4;

export class View {
  constructor() {
    this.mode = "all";
    this.layer = 0; // On show in mode "one".
    this.scale = 20; // Pixels per cell.
    this.columns = 1; // Layers in a row, in mode "all".
    this.lift = 1; // From layer to layer of the stack, in cells.
    this.left = 0;
    this.top = 0;
    this.screen = { width: 0, height: 0 };
    this.grid = null;
    this.isFitted = true; // Whether nobody has zoomed or moved since the last fit.
  }

  // The layers on show, from the back to the front.
  get layers() {
    if (this.mode === "one") return [this.layer];
    return Array.from({ length: this.grid.layers }, (_, z) => z);
  }

  // Show all there is to show, as large as it goes in.
  fit() {
    this.isFitted = true;
    if (this.mode === "stack") this.#fitStack();
    else this.#fitPanels(this.layers.length);
  }

  #fitPanels(count) {
    const { grid } = this;
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

  #fitStack() {
    const { grid } = this;
    const width = this.screen.width - 2 * ROOM.left;
    const height = this.screen.height - ROOM.top - 3 * ROOM.bottom; // Titles stand below.
    const depth = grid.height * FLATNESS;
    const across = grid.width + grid.height * SLANT;
    const steps = grid.layers - 1;
    const least = grid.layers <= FREE_LAYERS ? FREE_LIFT : LIFT.least;
    const scale = Math.min(width / across, height / (depth * (1 + steps * least)));
    this.scale = Math.min(LARGEST_FIT, Math.max(SMALLEST_CELL, scale));
    const room = steps ? (height / this.scale - depth) / steps : 0;
    this.lift = Math.max(depth * least, Math.min(depth * LIFT.most, room));
    this.left = (this.screen.width - across * this.scale) / 2 - ROOM.left;
    const used = (depth + steps * this.lift) * this.scale;
    this.top = Math.max(0, (height - used) / 2) - ROOM.top / 2;
  }

  // Where a layer's first corner is.
  origin(z) {
    const { grid, scale } = this;
    if (this.mode === "stack") {
      return [
        this.left + ROOM.left + grid.height * SLANT * scale,
        this.top + ROOM.top + (grid.layers - 1 - z) * this.lift * scale,
      ];
    }
    const [left, top] = this.#corner(z);
    return [left + ROOM.left, top + ROOM.top];
  }

  // The transform from pixels on a layer, from its first corner, to the screen; as for a canvas.
  matrix(z) {
    const [left, top] = this.origin(z);
    return this.mode === "stack" ? [1, 0, -SLANT, FLATNESS, left, top] : [1, 0, 0, 1, left, top];
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
    const [a, b, c, d, e, f] = this.matrix(z);
    const [px, py] = [x * this.scale, y * this.scale];
    return [a * px + c * py + e, b * px + d * py + f];
  }

  centre([z, y, x]) {
    return this.position([z, y + 0.5, x + 0.5]);
  }

  // The cell at a point of the screen, or null; where layers overlap, that of the upper one.
  cellAt(px, py) {
    for (const z of this.mode === "stack" ? this.layers.reverse() : [this.#layerAt(px, py)]) {
      const cell = this.#place(z, px, py).map(Math.floor);
      if (this.grid.has(cell)) return cell;
    }
    return null;
  }

  // Rows and columns of a layer that are on the screen, with ends that are not included.
  visible(z) {
    const { width, height } = this.screen;
    const corners = [[0, 0], [width, 0], [0, height], [width, height]];
    const places = corners.map(([px, py]) => this.#place(z, px, py));
    const range = (axis, count) => {
      const values = places.map((place) => place[axis]);
      return [
        Math.max(0, Math.floor(Math.min(...values))),
        Math.min(count, Math.ceil(Math.max(...values))),
      ];
    };
    const [y0, y1] = range(1, this.grid.height);
    const [x0, x1] = range(2, this.grid.width);
    return { x0, x1, y0, y1 };
  }

  // Move, but never so far that no board is to be seen.
  move(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.isFitted = false;
    const { width, height } = this.screen;
    const corners = this.layers.flatMap((z) => [[z, 0, 0], [z, 0, this.grid.width], [z, this.grid.height, 0], [z, this.grid.height, this.grid.width]]);
    const places = corners.map((corner) => this.position(corner));
    const pull = (values, length) =>
      Math.max(0, REVEAL_MARGIN - Math.max(...values)) + Math.min(0, length - REVEAL_MARGIN - Math.min(...values));
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
    const pull = (at, length) =>
      Math.max(0, REVEAL_MARGIN - at) + Math.min(0, length - REVEAL_MARGIN - at);
    const [dx, dy] = [pull(x, width), pull(y, height)];
    if (dx || dy) this.move(dx, dy);
  }

  // Have a cell on the screen, large enough to be read, in the middle of it and others if they go in.
  lookAt(cell, others) {
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
    if (this.mode === "stack") return;
    const { width, height } = this.screen;
    const rows = Math.ceil(this.layers.length / this.columns);
    const pull = (start, length, room) =>
      length < room ? (room - length) / 2 - start : Math.min(0, -start) + Math.max(0, room - start - length);
    const dx = pull(this.left, this.columns * this.#panelWidth(), width);
    this.move(dx, pull(this.top, rows * this.#panelHeight(), height));
  }

  // A layer, and the row and column there as fractions.
  #place(z, px, py) {
    const [a, , c, d, e, f] = this.matrix(z);
    const y = (py - f) / d;
    return [z, y / this.scale, (px - e - c * y) / (a * this.scale)];
  }

  // The layer at or next to a point.
  #layerAt(px, py) {
    const { grid } = this;
    if (this.mode === "one") return this.layer;
    const limit = (value, count) => Math.max(0, Math.min(count - 1, Math.floor(value)));
    if (this.mode === "stack") {
      const fromTop = (py - this.top - ROOM.top) / (this.lift * this.scale);
      return grid.layers - 1 - limit(fromTop, grid.layers);
    }
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
