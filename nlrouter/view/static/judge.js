// Keeps the verdict up with the drawing: one question at a time, always about the latest state.

import * as api from "./api.js";
import { format } from "./drawing.js";

export function judgeLive(store) {
  let asking = false;

  async function ask() {
    if (asking) return;
    asking = true;
    while (store.verdict?.about !== store.answer) {
      const { grid, answer } = store;
      const document = { problem: grid.text, answer: format(grid, answer) };
      try {
        store.set({ verdict: { ...(await api.judge(document)), about: answer } });
      } catch (error) {
        store.complain(error.message);
        break;
      }
    }
    asking = false;
  }

  store.listen((changed) => {
    if ("answer" in changed) ask();
  });
}
