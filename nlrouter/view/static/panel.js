// The column beside the board: what the checker says, and what is known of one line.

import { nameCell, plural } from "./words.js";

const MOST_ROWS = 200; // Violations listed; the board marks all of them.

const byId = (id) => document.getElementById(id);

export function showPanel(store, goTo) {
  store.listen((changed) => {
    byId("message").textContent = store.message.text;
    byId("message").classList.toggle("error", store.message.error);
    if (!store.grid) return;
    if ("verdict" in changed) {
      showVerdict(store.verdict);
      showViolations(store.verdict.violations, store.verdict.count, goTo);
    }
    if ("verdict" in changed || "answer" in changed) {
      byId("verdict").classList.toggle("stale", store.verdict?.about !== store.answer);
    }
    byId("line-text").textContent = describeLine(store);
    byId("cursor-text").textContent = describeCursor(store);
  });
}

function showVerdict({ correct, count, cost, contest }) {
  const heading = byId("verdict");
  heading.className = correct ? "correct" : "wrong";
  heading.textContent = correct ? "✓ correct" : `✗ ${plural(count, "violation")}`;
  byId("cost").textContent =
    `cost ${cost.total} = ${plural(cost.length, "cell")} + ${plural(cost.bends, "bend")}`;
  const differs = contest === null || contest !== correct;
  const says = { true: "passes it", false: "does not pass it", null: "gives no verdict" };
  byId("contest").textContent = differs ? `The contest's checker ${says[contest]}.` : "";
}

function showViolations(violations, count, goTo) {
  const rows = violations.slice(0, MOST_ROWS).map(({ text, cell }) => {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.textContent = text;
    button.disabled = cell === null;
    button.addEventListener("click", () => goTo(cell));
    row.append(button);
    return row;
  });
  if (count > rows.length) {
    const row = document.createElement("li");
    row.textContent = `and ${count - rows.length} more`;
    rows.push(row);
  }
  byId("violations").replaceChildren(...rows);
  byId("violations-section").hidden = !count;
}

function describeLine({ grid, answer, verdict, hover, cursor, selected, draft }) {
  const number = hover || (cursor !== null && answer[cursor]) || selected;
  if (draft) return "";
  if (!number) return "Point at a line, or drag from one of the numbers to draw it.";
  const line = grid.lines[number - 1];
  if (!line) return `There is no LINE#${number}.`;
  const vias = grid.vias.filter(({ cells }) => answer[grid.index(cells[0])] === number);
  const layers = [...new Set(line.ends.map(([z]) => z + 1))].sort();
  const parts = [`LINE#${number} on layer${layers.length > 1 ? "s" : ""} ${layers.join(" and ")}`];
  if (verdict?.length_of[number] !== undefined) {
    parts.push(`length ${verdict.length_of[number]}`, plural(verdict.bends_of[number], "bend"));
  }
  if (vias.length) parts.push(vias.map(({ name }) => `VIA#${name}`).join(" and "));
  return parts.join(", ");
}

function describeCursor({ shown, answer, cursor, penDown, selected, draft }) {
  if (cursor === null) return "";
  const parts = [nameCell(shown.cell(cursor))];
  const via = shown.viaAt.get(cursor);
  if (via) parts.push(`VIA#${via.name}`);
  if (!draft) parts.push(answer[cursor] ? `LINE#${answer[cursor]}` : "empty");
  if (penDown) parts.push(`drawing LINE#${selected}`);
  return parts.join(" · ");
}
