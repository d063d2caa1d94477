// The board: its size, and what stands in which cell.
// A cell is [z, y, x], each from 0; its index is (z * height + y) * width + x.

export class Grid {
  // `problem` is as the server sends it: size, lines with their ends, vias with their cells.
  // While a board is edited it may break any rule; what lies outside is left out here.
  constructor(problem) {
    const { width, height, layers, lines, vias, colours, text, address } = problem;
    this.width = width;
    this.height = height;
    this.layers = layers;
    this.lines = lines; // Each { number, ends }.
    this.vias = vias; // Each { name, cells }.
    this.colours = colours; // Of the lines, each { light, dark }.
    this.text = text; // Of the problem file.
    this.address = address; // Of puzz.link, if it can hold the board and the server has been asked.
    this.size = this.layers * this.height * this.width;
    this.endAt = new Map();
    this.viaAt = new Map();
    this.terminals = new Map(); // By layer: what stands there, as [index, number or via].
    for (const line of this.lines) {
      for (const end of line.ends) this.#place(end, "ends", this.endAt, line.number);
    }
    for (const via of this.vias) {
      for (const cell of via.cells) this.#place(cell, "vias", this.viaAt, via);
    }
  }

  #place(cell, kind, places, value) {
    if (!this.has(cell)) return;
    places.set(this.index(cell), value);
    this.terminalsOn(cell[0])[kind].push([this.index(cell), value]);
  }

  // The ends and vias on a layer.
  terminalsOn(z) {
    if (!this.terminals.has(z)) this.terminals.set(z, { ends: [], vias: [] });
    return this.terminals.get(z);
  }

  /** @param {number[]} cell */
  has([z, y, x]) {
    return z >= 0 && z < this.layers && y >= 0 && y < this.height && x >= 0 && x < this.width;
  }

  /** @param {number[]} cell */
  index([z, y, x]) {
    return (z * this.height + y) * this.width + x;
  }

  cell(index) {
    const row = Math.floor(index / this.width);
    return [Math.floor(row / this.height), row % this.height, index % this.width];
  }

  // How many layers up the other end of an end's line is; 0 for one that has none.
  rise(index, number) {
    const z = this.cell(index)[0];
    const other = this.lines[number - 1].ends.find((end) => end[0] !== z);
    return other ? other[0] - z : 0;
  }

  // The indices that always carry the same number as this one: those of its via.
  column(index) {
    const via = this.viaAt.get(index);
    return via ? via.cells.map((cell) => this.index(cell)) : [index];
  }

  neighbours(index) {
    const [z, y, x] = this.cell(index);
    const around = [[z, y, x - 1], [z, y, x + 1], [z, y - 1, x], [z, y + 1, x]];
    return around.filter((cell) => this.has(cell)).map((cell) => this.index(cell));
  }
}
