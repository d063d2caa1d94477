// "Finish it for me" and "Improve": the server routes, the board follows.

import * as api from "./api.js";
import { format } from "./drawing.js";
import { plural } from "./words.js";

const byId = (id) => document.getElementById(id);

export class Router {
  #abort = null;
  #kept = ""; // How many lines stay as drawn, in words.

  constructor(store) {
    this.store = store;
  }

  // Run in a mode of the server's until the router ends or is stopped; the best answer found is
  // one step of the history.
  async run(mode) {
    const { store } = this;
    if (!store.canDraw) return;
    const { grid, answer } = store;
    this.#abort = new AbortController();
    store.set({ routing: mode });
    this.#kept = "";
    byId("progress").hidden = false;
    byId("progress-text").textContent = "starting…";
    byId("told").replaceChildren();
    let last = null;
    try {
      const drawing = { problem: grid.text, answer: format(grid, answer) };
      await api.route(mode, drawing, (news) => (last = this.#take(news)), this.#abort.signal);
      store.say(last?.status ? "" : "The router has ended without a result.");
    } catch (error) {
      if (error.name === "AbortError") store.say("Stopped.");
      else store.complain(error.message);
    }
    const { message } = store;
    store.set({ routing: null });
    store.commit(grid, store.answer);
    store.set({ message });
  }

  stop() {
    this.#abort?.abort();
  }

  #take(news) {
    if (news.fixed) {
      byId("told").replaceChildren(); // The waiting for an earlier search is over.
      if (news.fixed.length) this.#kept = `, with ${plural(news.fixed.length, "line")} kept as drawn`;
    }
    if (news.told) tell(news.told);
    if ("seconds" in news) byId("progress-text").textContent = describe(news, this.#kept);
    if (news.answer) this.store.set({ answer: Int32Array.from(news.answer.flat(2)) });
    return news;
  }
}

const ENDINGS = {
  optimal: "optimal",
  feasible: "not proven to be optimal",
  infeasible: "there is no answer",
  unknown: "no answer found in time",
};

function describe({ seconds, cost, bound, status, reason }, kept) {
  const parts = [`${seconds} s`, `cost ${cost ?? "–"}`, `bound ${bound ?? "–"}`];
  if (cost !== null && bound !== null) {
    parts.push(`gap ${((100 * (cost - bound)) / cost).toFixed(1)} %`);
  }
  if (status) parts.unshift(ENDINGS[status] + kept);
  if (reason) parts.push(reason);
  return parts.join("  ·  ");
}

function tell(sentences) {
  const rows = sentences.map((text) => {
    const row = document.createElement("li");
    row.textContent = text;
    return row;
  });
  byId("told").append(...rows);
}
