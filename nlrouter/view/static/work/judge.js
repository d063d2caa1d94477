// Keeps the verdict up with the drawing: one question at a time, always about the latest state.
// While the server does not answer nothing is judged, and it is asked again and again.

import { format } from "../model/drawing.js";
import { sortVerdict } from "../model/verdict.js";
import * as api from "./api.js";

const PATIENCE = { first: 500, longest: 8000 }; // Milliseconds until it is asked again.

export function judgeLive(store) {
  let isAsking = false;
  let wait = PATIENCE.first;
  let timer = 0;

  async function ask() {
    if (isAsking || !store.grid) return;
    isAsking = true;
    clearTimeout(timer);
    while (!store.isJudged) {
      const { grid, answer } = store;
      const document = { problem: grid.text, answer: format(grid, answer) };
      try {
        const verdict = sortVerdict(await api.judge(document), grid, answer);
        wait = PATIENCE.first;
        store.set({ verdict, isOffline: false });
      } catch (error) {
        store.set({ isOffline: error.key ?? "noServer" });
        if (!error.key) store.complainOf(error); // It does answer, but not with a verdict.
        timer = setTimeout(ask, wait);
        wait = Math.min(PATIENCE.longest, 2 * wait);
        break;
      }
    }
    isAsking = false;
  }

  store.listen((changed) => {
    if (!("answer" in changed)) return;
    wait = PATIENCE.first; // Somebody is there who wants to know.
    ask();
  });
}
