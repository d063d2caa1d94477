// What the router is doing: a clock from the first moment, its figures, and what it has to tell.

import { sentence, t } from "../words/words.js";
import { byId, make } from "./dom.js";

// Show a run, as `Router` tells of it.
export function showProgress(run) {
  byId("progress-state").textContent = tellState(run);
  byId("go-on").hidden = !run.isOver || !["feasible", "unknown"].includes(run.status);
  byId("go-on").dataset.command = run.mode;
  byId("progress-figures").replaceChildren(...figures(run).slice(0, run.mode === "count" ? 2 : undefined));
  const told = [
    ["fixedLines", run.fixed],
    ["continuedLines", run.continued],
    ["droppedLines", run.dropped],
    ["cutLines", run.cut ?? []],
  ].filter(([, numbers]) => numbers.length);
  byId("told").replaceChildren(
    ...told.map(([key, numbers]) => make("li", t(key, { numbers }))),
    ...run.told.map((text) => make("li", sentence(text))),
    ...(run.board && (run.fixed.length || run.continued.length) ? [make("li", t("ownBound", { bound: run.board }))] : []),
  );
}

function tellState({ isWaiting, status, reason, isOver, cost, lines, all, fixed, continued }) {
  if (status) {
    const numbers = [...fixed, ...continued].sort((one, other) => one - other);
    const isAsDrawn = numbers.length && (status === "optimal" || status === "infeasible");
    const ending = t(`ending_${status}`) + (reason ? `: ${sentence(reason)}` : "");
    return isAsDrawn ? t("asDrawn", { numbers }) + ending + (cost ? `, ${cost}` : "") : ending;
  }
  if (isOver) return t("stoppedState");
  if (lines && typeof cost !== "number") return t("searchingLines", { lines, all });
  return t(isWaiting ? "waiting" : "searching");
}

function figures({ seconds, cost, bound }) {
  const isKnown = (value) => typeof value === "number";
  const gap = isKnown(cost) && isKnown(bound) ? `${((100 * (cost - bound)) / cost).toFixed(1)} %` : "–";
  const pairs = [
    ["time", t("seconds", { seconds: seconds.toFixed(1) })],
    ["costWord", cost ?? "–"],
    ["bound", bound ?? "–"],
    ["gap", gap],
  ];
  return pairs.flatMap(([key, value]) => [make("dt", t(key)), make("dd", String(value))]);
}
