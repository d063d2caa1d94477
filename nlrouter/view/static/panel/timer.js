// How long the board has been worked on: while it is in sight, and not yet solved.

import { byId } from "./dom.js";

const SECOND = 1000;

export function runTimer(store) {
  setInterval(() => {
    const isSolved = store.isJudged && store.verdict.correct;
    if (store.canDraw && !isSolved && !document.hidden) store.elapsed++;
    const [hours, minutes, seconds] = [3600, 60, 1].map((unit) => Math.floor(store.elapsed / unit) % 60);
    const two = (count) => String(count).padStart(2, "0");
    byId("timer").textContent = store.grid ? `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds)}` : "";
  }, SECOND);
}
