// "Finish" and "Improve": the server routes, the board follows.

import { format } from "../model/drawing.js";
import { byId } from "../panel/dom.js";
import * as api from "./api.js";

const LONGEST = 86400; // Seconds.

export class Router {
  #abort = null;
  #clock = 0;
  #run = null; // The latest.

  // `show(news)` gets all that is known of the run: its mode, the `seconds` since its start, and
  // the router's latest news; see `nlrouter.view.routing`.
  constructor(store, show) {
    this.store = store;
    this.show = show;
  }

  // "finish", which keeps what was drawn by hand, "improve", which keeps what is locked, or "count",
  // which only tells how many answers there are, until the router ends or is stopped; the best
  // answer found is one step of the history.
  async run(mode) {
    const { store } = this;
    this.#abort?.abort(); // An earlier run may still look for a bound.
    const seconds = Math.min(LONGEST, Math.max(1, byId("seconds").valueAsNumber || 60));
    byId("seconds").value = seconds;
    const { grid, answer, locked, routed } = store;
    const isKept = (number, i) => locked.has(number) || (mode === "finish" && number !== routed?.[i]);
    const kept = answer.map((number, i) => (isKept(number, i) ? number : 0));
    this.#abort = new AbortController();
    store.set({ routing: mode, message: null, hover: 0 });
    const started = performance.now();
    const run = { mode, reason: "", told: [], fixed: [], continued: [], dropped: [], all: grid.lines.length };
    this.#run = run;
    store.set({ stuck: null });
    const tick = () => {
      run.seconds = (performance.now() - started) / 1000;
      this.show(run);
    };
    this.#clock = setInterval(tick, 100);
    tick();
    const end = (message) => {
      if (run.isOver) return;
      run.isOver = true;
      clearInterval(this.#clock);
      store.set({ routing: null, tentative: new Set() });
      store.commit(grid, store.answer);
      const isByHand = (number, i) => number === kept[i] || (number === answer[i] && number !== routed?.[i]);
      store.set({ message, routed: store.answer.map((number, i) => (isByHand(number, i) ? 0 : number)) });
      if (run.status === "infeasible" || run.told.length || run.cells) this.#markStuck(run, grid);
    };
    try {
      const texts = { problem: grid.text, answer: format(grid, answer), kept: format(grid, kept) };
      const task = { ...texts, seconds, counts: mode === "count" };
      const take = (news) => {
        Object.assign(run, news, { isWaiting: "waiting" in news, seconds: run.seconds });
        this.#draw(news, run);
        this.#noteBound(run, grid);
        if (run.status) end(null);
        if (this.#run === run) this.show(run);
      };
      await api.route(task, take, this.#abort.signal);
      end({ key: "noResult", values: {}, isError: true });
    } catch (error) {
      if (error.name === "AbortError") end({ key: "stopped", values: {}, isError: false });
      else end({ key: error.key ?? "sentence", values: { text: error.message }, isError: true });
    }
    if (this.#run === run) this.show(run);
  }

  // Draw one line on its cheapest way past all the others.
  async drawLine(number) {
    const { store } = this;
    if (!store.canDraw || store.locked.has(number) || !store.grid.lines[number - 1]) return;
    const { grid, answer } = store;
    store.set({ routing: "line", message: null });
    let layers = null;
    try {
      const reply = await api.line(number, { problem: grid.text, answer: format(grid, answer) });
      layers = reply.answer;
      if (!layers) store.say("noWay", { line: number });
    } catch (error) {
      store.complainOf(error);
    }
    store.set({ routing: null });
    if (!layers) return;
    store.commit(grid, Int32Array.from(layers.flat(2)));
    const routed = store.answer.map((found, i) => (found === number ? number : (store.routed?.[i] ?? 0)));
    store.set({ routed });
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
    const found = run.own ?? (run.fixed.length || run.continued.length ? null : run.bound);
    const known = this.store.bound?.text === grid.text ? this.store.bound.value : 0;
    if (found > known) this.store.set({ bound: { text: grid.text, value: found } });
    run.board = this.store.bound?.text === grid.text ? this.store.bound.value : null;
  }

  // Mark the ends of the lines that the reasons are about, the first that each names; or `cells`.
  #markStuck({ reason, told, cells: known = [] }, grid) {
    const numbers = [reason, ...told].flatMap((text) => text.match(/LINE#(\d+)/)?.[1] ?? []);
    const cells = [...known, ...numbers.flatMap((number) => grid.lines[number - 1].ends)];
    this.store.set({ stuck: { answer: this.store.answer, cells } });
  }
}
