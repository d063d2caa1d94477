// The canvases: the board on one, what changes with each movement of the pointer on the other.

import { carry } from "../model/drawing.js";
import { coloursOf, patternsOf, readTheme } from "./colours.js";
import { paintLabels, paintLinks } from "./labels.js";
import {
  paintCrosses,
  paintCursor,
  paintHalo,
  paintLines,
  paintMark,
  paintPaper,
  paintRings,
  paintTerminals,
} from "./paint.js";
import { ROOM, View } from "./view.js";

const NO_LINES = new Set();
const DIM_BELOW = 20; // Pixels of a cell: where cells are smaller, all but the line pointed at pales.
const BOARD = ["grid", "draft", "locked", "tentative", "isOffline", "language", "stuck", "marks"];

export class Stage {
  #look = ""; // Of the verdict on show.

  constructor(element, store, pen) {
    this.element = element;
    this.store = store;
    this.pen = pen;
    this.view = new View();
    this.base = element.querySelector("#base");
    this.overlay = element.querySelector("#overlay");
    this.theme = readTheme(element);
    this.waiting = new Set();
    this.before = null; // What was on show before a jump.
    this.painted = null; // The drawing that the base shows; null if it has to be drawn anew.
    this.patterned = null; // The drawing that the patterns are about.
    this.patterns = new Map();
    this.places = {}; // Scale and place of the modes that are not on show.
    new ResizeObserver(() => this.#resize()).observe(element);
    store.listen((changed) => this.#onChange(changed));
  }

  // Change the view by a function of it, and draw anew.
  look(change) {
    if (!this.store.shown) return;
    change(this.view);
    this.#repaint();
  }

  // Show a cell, on its layer, large enough to be read, with the ends of its line if there is room.
  lookAt(cell) {
    const { store, view } = this;
    const { scale, left, top, isFitted } = view;
    const { mode, layer } = store;
    this.before ??= { mode, layer, place: { scale, left, top, isFitted } };
    store.set({ canGoBack: true, ...(mode === "one" && { layer: cell[0] }) });
    const number = store.answer?.[store.shown.index(cell)];
    const ends = store.shown.lines[number - 1]?.ends ?? [];
    this.look(() => view.lookAt(cell, ends.filter((end) => view.layers.includes(end[0]))));
  }

  // Show what was on show before the first of some jumps.
  goBack() {
    if (!this.before) return;
    const { mode, layer, place } = this.before;
    this.before = null;
    this.store.set({ mode, layer, canGoBack: false });
    this.look((view) => (place.isFitted ? view.fit() : Object.assign(view, place)));
  }

  // Take up the colours of another theme.
  changeTheme() {
    this.theme = readTheme(this.element);
    this.#repaint();
  }

  #repaint() {
    this.painted = null;
    if (this.store.shown) this.#request(this.base, this.overlay);
  }

  #onChange(changed) {
    const { view, store } = this;
    const { shown } = store;
    if (!shown) return;
    if (shown !== view.grid) {
      const before = view.grid;
      view.grid = shown;
      const sizeOf = ({ width, height, layers }) => `${width}X${height}X${layers}`;
      if (!before || sizeOf(before) !== sizeOf(shown)) {
        this.places = {};
        view.layer = Math.min(view.layer, shown.layers - 1);
        view.fit();
      }
    }
    if (store.mode !== view.mode) this.#changeMode(store.mode);
    const isOtherLayer = view.layer !== Math.min(store.layer, shown.layers - 1);
    view.layer = Math.min(store.layer, shown.layers - 1);
    const isOtherLook = "verdict" in changed && store.verdict.look !== this.#look;
    this.#look = store.verdict?.look;
    if (isOtherLayer || isOtherLook || "mode" in changed || BOARD.some((name) => name in changed)) this.painted = null;
    const isBase = this.painted === null || "answer" in changed;
    this.#request(...(isBase ? [this.base] : []), this.overlay);
  }

  // Each mode keeps its zoom and place.
  #changeMode(mode) {
    const { view } = this;
    const { scale, columns, left, top, isFitted } = view;
    this.places[view.mode] = { scale, columns, left, top, isFitted };
    view.mode = mode;
    const known = this.places[mode];
    if (known && !known.isFitted) Object.assign(view, known);
    else view.fit();
  }

  // Zoom stays, and what is in the middle; a board that is shown as a whole is shown so again.
  #resize() {
    const { width, height } = this.element.getBoundingClientRect();
    const { screen, isFitted } = this.view;
    this.view.screen = { width, height };
    if (!isFitted && this.store.shown) this.view.move((width - screen.width) / 2, (height - screen.height) / 2);
    for (const canvas of [this.base, this.overlay]) {
      canvas.width = width * devicePixelRatio;
      canvas.height = height * devicePixelRatio;
    }
    if (!this.store.shown) return;
    if (this.view.isFitted && !this.pen.isDown) this.view.fit();
    this.painted = null;
    this.#paint([this.base, this.overlay]); // At once: the canvases have just been emptied.
  }

  // Draw before the next frame; often asked, drawn once.
  #request(...canvases) {
    if (!this.waiting.size) {
      requestAnimationFrame(() => {
        const waiting = [...this.waiting];
        this.waiting.clear();
        this.#paint(waiting);
      });
    }
    for (const canvas of canvases) this.waiting.add(canvas);
  }

  #paint(canvases) {
    const board = this.#board();
    if (canvases.includes(this.base)) this.#paintBase(board);
    if (canvases.includes(this.overlay)) this.#paintOverlay(board);
  }

  #board() {
    const { store, view, theme } = this;
    const { shown: grid, draft, verdict, isOffline, locked, tentative } = store;
    // Of a moment ago, the verdict still says the right thing about most lines.
    const known = draft || isOffline || !verdict ? NO_LINES : verdict.joinedSet;
    const joined = tentative.size ? new Set([...known].filter((line) => !tentative.has(line))) : known;
    const answer = this.#drawing();
    if (answer && this.patterned !== answer) this.patterns = patternsOf(grid, answer);
    this.patterned = answer;
    return { view, grid, answer, joined, tentative, locked, patterns: this.patterns, theme };
  }

  // What is drawn; in a board being edited, what will be left of it.
  #drawing() {
    const { grid, answer, draft } = this.store;
    if (!draft) return answer;
    if (!grid) return null;
    if (this.carried?.grid !== draft.grid) {
      this.carried = { grid: draft.grid, answer: carry(grid, answer, draft.grid) };
    }
    return this.carried.answer;
  }

  #paintBase(board) {
    const { view, answer } = board;
    const context = this.#context(this.base);
    const changed = this.#changedLayers(answer);
    if (!changed) context.clearRect(0, 0, view.screen.width, view.screen.height);
    this.painted = { answer };
    for (const z of changed ?? view.layers) {
      context.save();
      if (changed) {
        context.beginPath();
        context.rect(...view.panel(z));
        context.clip();
        context.clearRect(...view.panel(z));
      }
      this.#paintLayer(context, board, z);
      context.restore();
    }
  }

  // The layers that differ from what the base shows; null if all have to be drawn.
  #changedLayers(answer) {
    const { view, painted } = this;
    if (!painted?.answer || !answer) return null;
    const size = view.grid.width * view.grid.height;
    return view.layers.filter((z) => {
      for (let i = z * size; i < (z + 1) * size; i++) {
        if (answer[i] !== painted.answer[i]) return true;
      }
      return false;
    });
  }

  #paintLayer(context, board, z) {
    const { view } = this;
    const range = view.visible(z);
    const isOnScreen = range.x0 < range.x1 && range.y0 < range.y1;
    if (isOnScreen) {
      this.#onLayer(context, z, () => {
        paintPaper(context, board, range);
        if (board.answer) paintLines(context, board, z, range);
        paintTerminals(context, board, z, range);
        if (!this.store.draft) paintCrosses(context, board, z, this.store.marks);
      });
    }
    paintLabels(context, board, z, range);
  }

  #marks() {
    const { draft, verdict, shown, isOffline, stuck, answer } = this.store;
    if (draft) return draft.flaws.flatMap(({ cells }) => cells).filter((cell) => shown.has(cell));
    if (isOffline) return [];
    // A verdict on the drawing of a moment ago still points at the right places.
    const cells = (verdict?.mistakes ?? []).map(({ cell }) => cell);
    if (stuck?.answer === answer) cells.push(...stuck.cells);
    return cells.filter((cell) => cell !== null && shown.has(cell));
  }

  #paintOverlay(board) {
    const { store, view, theme } = this;
    const { grid, answer } = board;
    const context = this.#context(this.overlay);
    context.clearRect(0, 0, view.screen.width, view.screen.height);
    const number = store.draft ? 0 : store.hover || (store.cursor !== null && answer[store.cursor]);
    const only = (found) => found === number;
    const isDim = number && view.scale < DIM_BELOW;
    if (isDim) {
      context.globalAlpha = 0.6;
      context.fillStyle = theme.paper;
      context.fillRect(0, 0, view.screen.width, view.screen.height);
      context.globalAlpha = 1;
    }
    for (const z of number ? view.layers : []) {
      const range = view.visible(z);
      if (range.x0 >= range.x1 || range.y0 >= range.y1) continue;
      this.#onLayer(context, z, () => {
        const ends = grid.lines[number - 1]?.ends ?? [];
        if (isDim) paintRings(context, board, ends.filter((end) => end[0] === z));
        paintHalo(context, board, z, range, only);
        paintLines(context, board, z, range, only);
        paintTerminals(context, board, z, range, only);
      });
      const [left, top] = view.origin(z);
      if (left < ROOM.left || top < ROOM.top) paintLabels(context, board, z, range); // They lie over the board.
    }
    if (number) paintLinks(context, board, number);
    for (const cell of this.#marks()) {
      if (view.layers.includes(cell[0])) this.#onLayer(context, cell[0], () => paintMark(context, board, cell));
    }
    if (store.cursor === null) return;
    const cell = grid.cell(store.cursor);
    if (!view.layers.includes(cell[0])) return;
    const colour = store.penDown ? coloursOf(grid, store.selected, theme).line : theme.accent;
    this.#onLayer(context, cell[0], () => paintCursor(context, board, cell, colour));
  }

  #onLayer(context, z, paint) {
    context.save();
    context.translate(...this.view.origin(z));
    paint();
    context.restore();
  }

  #context(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    return context;
  }
}
