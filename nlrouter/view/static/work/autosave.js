// Keeps what is not saved in the browser, and offers it again after a crash.
//
// Browsers keep storage apart by address and port; nlview takes the same port for the same board
// where it can. Each tab has an entry of its own, so that two do not overwrite each other's.

import { format } from "../model/drawing.js";

const PREFIX = "nlview:drawing:";
const DELAY = 400; // Milliseconds after a change: a stroke is written once, not at each cell.
const LONGEST = 2 ** 20; // Characters; browsers keep about five million in all.

export class Autosave {
  constructor(store) {
    this.store = store;
    this.timer = 0;
    this.key = PREFIX + (sessionStorage.getItem("nlview:tab") ?? newTab());
    store.listen((changed) => {
      if (!["grid", "answer", "saved"].some((name) => name in changed)) return;
      clearTimeout(this.timer);
      this.timer = setTimeout(() => this.#keep(), DELAY);
    });
    addEventListener("pagehide", () => this.#keep());
  }

  // The latest drawing that was not saved, as { problem, answer, names, time, key }, or null.
  // Those of other boards stay for their time.
  find() {
    const { grid, answer, names } = this.store;
    const found = [];
    for (let i = 0; i < localStorage.length; i++) {
      const key = localStorage.key(i);
      if (!key.startsWith(PREFIX)) continue;
      const entry = parse(localStorage.getItem(key));
      if (!entry) continue;
      const isOther = grid && entry.names.problem.name !== names.problem.name;
      const isSame = grid && entry.problem === grid.text && entry.answer === format(grid, answer);
      if (!isOther && !isSame) found.push({ ...entry, key });
    }
    return found.sort((one, other) => other.time - one.time)[0] ?? null;
  }

  forget({ key }) {
    localStorage.removeItem(key);
  }

  #keep() {
    clearTimeout(this.timer);
    const { grid, answer, names, isDirty } = this.store;
    if (!grid) return;
    if (!isDirty) {
      localStorage.removeItem(this.key);
      return;
    }
    const entry = { problem: grid.text, answer: format(grid, answer), names, time: Date.now() };
    const text = JSON.stringify(entry);
    if (text.length > LONGEST) return;
    try {
      localStorage.setItem(this.key, text);
    } catch {
      // Full, or forbidden: the browser's question before leaving is still there.
    }
  }
}

function newTab() {
  const name = Math.random().toString(36).slice(2);
  sessionStorage.setItem("nlview:tab", name);
  return name;
}

function parse(text) {
  try {
    const entry = JSON.parse(text);
    return entry.problem && entry.answer && entry.names ? entry : null;
  } catch {
    return null;
  }
}
