// "Finish" and "Improve": the server routes, the board follows.

import { format } from "../model/drawing.js";
import * as api from "./api.js";

export class Router {
  #abort = null;
  #clock = 0;

  // `show(news)` gets all that is known of the run: its mode, the `seconds` since its start, and
  // the router's latest news; see `nlrouter.view.routing`.
  constructor(store, show) {
    this.store = store;
    this.show = show;
  }

  // Run in a mode of the server's until the router ends or is stopped; the best answer found is
  // one step of the history.
  async run(mode) {
    const { store } = this;
    if (!store.canDraw) return;
    const { grid, answer, locked } = store;
    this.#abort = new AbortController();
    store.set({ routing: mode, message: null, hover: 0 });
    const started = performance.now();
    const run = { mode, told: [], fixed: [], continued: [], dropped: [], all: grid.lines.length };
    const tick = () => {
      run.seconds = (performance.now() - started) / 1000;
      this.show(run);
    };
    this.#clock = setInterval(tick, 100);
    tick();
    let message = null;
    try {
      const task = { problem: grid.text, answer: format(grid, answer), locked: [...locked] };
      const take = (news) => {
        Object.assign(run, news, { isWaiting: "waiting" in news, seconds: run.seconds });
        this.#draw(news, run);
        this.#noteBound(run, grid);
        tick();
      };
      await api.route(mode, task, take, this.#abort.signal);
      if (!run.status) message = { key: "noResult", values: {}, isError: true };
    } catch (error) {
      if (error.name === "AbortError") message = { key: "stopped", values: {}, isError: false };
      else message = { key: error.key ?? "sentence", values: { text: error.message }, isError: true };
    }
    clearInterval(this.#clock);
    run.isOver = true;
    tick();
    store.set({ routing: null, tentative: new Set() });
    store.commit(grid, store.answer);
    store.set({ message });
  }

  stop() {
    this.#abort?.abort();
  }

  // Lines that go together are shown as such, until there is an answer.
  #draw({ answer, partial }, { fixed }) {
    const layers = answer ?? partial;
    if (!layers) return;
    const drawing = Int32Array.from(layers.flat(2));
    const tentative = new Set(answer ? [] : drawing);
    for (const number of fixed) tentative.delete(number);
    this.store.set({ answer: drawing, tentative });
  }

  // A bound holds for the problem only if nothing had to stay as drawn.
  #noteBound(run, grid) {
    if (run.fixed.length || run.continued.length || typeof run.bound !== "number") return;
    const known = this.store.bound?.text === grid.text ? this.store.bound.value : 0;
    if (run.bound > known) this.store.set({ bound: { text: grid.text, value: run.bound } });
  }
}
