// The column beside the board: what the checker says, and what is known of one line.

import { messageText, nameCell, sentence, t } from "../words/words.js";
import { byId, make } from "./dom.js";

// Lines to do, by the value of the filter.
const FILTERS = {
  all: (open) => open,
  layer: (open, { layer, grid }) =>
    open.filter(({ line }) => grid.lines[line - 1]?.ends.some((end) => end[0] === layer)),
  begun: (open) => open.filter(({ isBegun }) => isBegun),
  short: (open, { grid }) => {
    const reach = ({ line }) => {
      const [[, y, x], [, v, u]] = grid.lines[line - 1]?.ends ?? [[], []];
      return Math.abs(y - v) + Math.abs(x - u);
    };
    return open.toSorted((one, other) => reach(one) - reach(other));
  },
};
const MOST_ROWS = 200; // Violations listed; the board marks all of them.
const PATIENCE = 250; // Milliseconds for which the verdict on the drawing before may stand.
const MESSAGE_TIME = 8000; // Milliseconds for which good news stays.

// `goTo(cell)` shows a cell; `rejoice()` is called when the drawing becomes a correct answer.
export function showPanel(store, goTo, rejoice) {
  let waiting = 0;
  store.listen((changed) => {
    if ("message" in changed || "language" in changed || "loading" in changed) showMessage(store);
    byId("no-board").hidden = store.shown !== null || store.loading !== null || !store.isStarted;
    if ("language" in changed) {
      byId("filter").replaceChildren(...Object.keys(FILTERS).map((name) => Object.assign(make("option", t(`filter_${name}`)), { value: name })));
      byId("filter").value = store.filter;
    }
    if (!store.grid) return;
    byId("line-text").textContent = describeLine(store);
    if (("filter" in changed || "layer" in changed) && store.isJudged) showPlaces(store, goTo);
    const names = ["verdict", "answer", "isOffline", "bound", "language"];
    if (!names.some((name) => name in changed)) return;
    clearTimeout(waiting);
    if (store.isJudged || store.isOffline) {
      showVerdict(store);
      if ("verdict" in changed || "language" in changed) showPlaces(store, goTo);
      if ("verdict" in changed && store.isJudged && becameCorrect(store)) rejoice();
      return;
    }
    byId("verdict").classList.add("stale");
    // What was correct may not be so any more; that something is missing can stand for a moment.
    const isDoubtful = byId("verdict").classList.contains("correct") || !store.verdict;
    waiting = setTimeout(() => showVerdict(store), isDoubtful ? 0 : PATIENCE);
  });
  byId("filter").addEventListener("change", ({ target }) => store.set({ filter: target.value }));
  byId("dismiss").addEventListener("click", () => store.set({ message: null }));
}

let judgedBefore = { grid: null, correct: true };

function becameCorrect({ grid, verdict }) {
  const before = judgedBefore;
  judgedBefore = { grid, correct: verdict.correct };
  return before.grid === grid && !before.correct && verdict.correct;
}

let messageTimer = 0;

function showMessage(store) {
  const { message, loading } = store;
  const shown = message ?? (loading ? { key: "loading", values: { name: loading } } : null);
  byId("toast").hidden = !shown;
  byId("message").textContent = shown ? messageText(shown) : "";
  byId("message").classList.toggle("error", Boolean(shown?.isError));
  clearTimeout(messageTimer);
  if (!message || message.isError) return;
  messageTimer = setTimeout(() => store.set({ message: null }), MESSAGE_TIME);
}

function showVerdict(store) {
  const { grid, verdict, isJudged, isOffline } = store;
  const heading = byId("verdict");
  heading.className = isJudged ? "" : isOffline ? "unknown" : "unknown stale";
  byId("joined").value = isJudged ? verdict.joined.length / Math.max(1, grid.lines.length) : 0;
  if (!isJudged) {
    heading.textContent = t(isOffline ? "notJudged" : "judging");
    byId("cost").textContent = "";
    byId("contest").textContent = isOffline ? t(`${isOffline}Hint`) : "";
    return;
  }
  const { correct, joined, mistakes, cost, contest } = verdict;
  const counts = { joined: joined.length, all: grid.lines.length, mistakes: mistakes.length };
  heading.classList.toggle("correct", correct);
  heading.textContent = t(store.isOptimal ? "optimal" : correct ? "correct" : "joined", counts);
  byId("cost").textContent = t(correct ? "cost" : "costSoFar", cost);
  const differs = contest !== correct && (correct || contest || mistakes.length > 0);
  byId("contest").textContent = differs ? t(`contest_${contest}`) : "";
  const isBegun = store.isDirty || cost.length > 2 * grid.lines.length;
  byId("how").hidden = byId("how-in-short").hidden = isBegun;
  byId("how-layers").hidden = grid.layers === 1;
}

function showPlaces(store, goTo) {
  const { grid, verdict, filter } = store;
  const { mistakes, open, count, violations } = verdict;
  list("mistakes", mistakes, ({ text }) => sentence(text), goTo, count - violations.length);
  const tell = ({ line, text, isBegun }) => {
    if (isBegun || line === null) return sentence(text);
    const [from, to] = grid.lines[line - 1].ends.map(nameCell);
    return t("notBegun", { line, from, to });
  };
  list("open", FILTERS[filter](open, store), tell, goTo, 0);
  byId("open-section").hidden = !open.length;
}

function list(id, places, tell, goTo, untold) {
  const rows = places.slice(0, MOST_ROWS).map((place) => {
    const row = document.createElement("li");
    const button = make("button", tell(place));
    button.disabled = place.cell === null;
    button.addEventListener("click", () => goTo(place.cell));
    row.append(button);
    return row;
  });
  const more = places.length - rows.length + untold;
  if (more > 0) rows.push(make("li", t("moreRows", { count: more })));
  byId(id).replaceChildren(...rows);
  byId(`${id}-section`).hidden = !places.length;
}

function describeLine({ grid, answer, verdict, hover, pointed, cursor, selected, draft, locked, isJudged }) {
  const number = hover || (cursor !== null && answer[cursor]) || selected;
  if (draft) return "";
  const via = grid.viaAt.get(pointed ?? cursor);
  if (via && !hover) {
    const layers = via.cells.map(([z]) => z + 1);
    return t("viaJoins", { name: via.name, bottom: Math.min(...layers), top: Math.max(...layers) });
  }
  if (!number) return t("lineHint");
  const line = grid.lines[number - 1];
  if (!line) return t("noLine", { line: number });
  const vias = grid.vias.filter(({ cells }) => answer[grid.index(cells[0])] === number);
  const layers = [...new Set(line.ends.map(([z]) => z + 1))].sort();
  const parts = [t("lineOn", { line: number, layers })];
  if (isJudged && (verdict.length_of[number] > 2 || verdict.joinedSet.has(number))) {
    parts.push(t("lineLength", { length: verdict.length_of[number], bends: verdict.bends_of[number] }));
  }
  if (vias.length) parts.push(t("lineVias", { vias: vias.map(({ name }) => name) }));
  if (locked.has(number)) parts.push(t("isLockedMark"));
  return parts.join(t("comma"));
}
