// The canvases: the board on one, what changes with each movement of the pointer on the other.

import { coloursOf, paintBoard, paintCursor, paintHighlight } from "./paint.js";
import { View } from "./view.js";

export class Stage {
  constructor(element, store) {
    this.element = element;
    this.store = store;
    this.view = new View();
    this.base = element.querySelector("#base");
    this.overlay = element.querySelector("#overlay");
    this.waiting = new Set();
    new ResizeObserver(() => this.#resize()).observe(element);
    store.listen((changed) => this.#onChange(changed));
  }

  // Change the view by a function of it, and draw anew.
  look(change) {
    if (!this.store.shown) return;
    change(this.view);
    this.#request(this.base, this.overlay);
  }

  #onChange(changed) {
    const { shown } = this.store;
    if (!shown) return;
    if (shown !== this.view.grid) {
      const before = this.view.grid;
      this.view.grid = shown;
      const sizeOf = ({ width, height, layers }) => `${width}X${height}X${layers}`;
      if (!before || sizeOf(before) !== sizeOf(shown)) this.view.fit();
    }
    const board = ["grid", "answer", "verdict", "draft"].some((name) => name in changed);
    this.#request(...(board ? [this.base] : []), this.overlay);
  }

  #resize() {
    const { width, height } = this.element.getBoundingClientRect();
    this.view.screen = { width, height };
    for (const canvas of [this.base, this.overlay]) {
      canvas.width = width * devicePixelRatio;
      canvas.height = height * devicePixelRatio;
    }
    this.look((view) => view.fit());
  }

  // Draw before the next frame; often asked, drawn once.
  #request(...canvases) {
    if (!this.waiting.size) requestAnimationFrame(() => this.#paint());
    for (const canvas of canvases) this.waiting.add(canvas);
  }

  #paint() {
    const { store, view } = this;
    const { shown, draft, verdict, hover } = store;
    const answer = draft ? null : store.answer;
    if (this.waiting.has(this.base)) {
      // A verdict on the drawing of a moment ago still points at the right places.
      const violations = draft ? [] : (verdict?.violations ?? []);
      paintBoard(this.#clear(this.base), view, shown, answer, violations.filter(this.#onBoard));
    }
    if (this.waiting.has(this.overlay)) {
      const context = this.#clear(this.overlay);
      if (hover && answer) paintHighlight(context, view, shown, answer, hover);
      if (store.cursor !== null) {
        const colour = store.penDown ? coloursOf(shown, store.selected).line : "#1d2330";
        paintCursor(context, view, shown.cell(store.cursor), colour);
      }
    }
    this.waiting.clear();
  }

  #onBoard = ({ cell }) => cell !== null && this.store.shown.has(cell);

  #clear(canvas) {
    const context = canvas.getContext("2d");
    context.setTransform(devicePixelRatio, 0, 0, devicePixelRatio, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    return context;
  }
}
