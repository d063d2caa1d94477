// The page's door: samples, a new board, a file.

import { coloursOf } from "../board/colours.js";
import { emptyBoard } from "../model/draft.js";
import * as api from "../work/api.js";
import { namesOf } from "../work/files.js";
import { t } from "../words/words.js";
import { byId, make } from "./dom.js";

const THUMBNAIL = 184; // Pixels of a sample's picture, shown at half its size.

// `theme()` gives the colours to draw samples in.
export class Welcome {
  constructor(store, files, editor, theme) {
    this.store = store;
    this.files = files;
    this.editor = editor;
    this.theme = theme;
    const dialog = byId("welcome-dialog");
    dialog.addEventListener("close", () => this.#take(dialog.returnValue));
  }

  async show() {
    const dialog = byId("welcome-dialog");
    if (dialog.open || !this.store.isIdle) return;
    try {
      const { samples } = await api.samples();
      byId("samples").replaceChildren(...samples.map((sample, i) => this.#button(sample, i)));
    } catch (error) {
      this.store.complainOf(error);
      return;
    }
    dialog.returnValue = "";
    if (!dialog.open) dialog.showModal();
    byId("samples").querySelector("button").focus();
  }

  async #take(choice) {
    if (choice === "open") this.files.choose("problem");
    if (choice !== "new" || !(await this.files.mayLeave())) return;
    const [width, height, layers] = ["new-width", "new-height", "new-layers"].map(
      (id) => byId(id).valueAsNumber,
    );
    this.editor.begin(emptyBoard(width, height, layers), namesOf(`${byId("new-name").value.trim()}.txt`));
  }

  #button({ name, problem }, i) {
    const button = document.createElement("button");
    const { width, height, layers, lines } = problem;
    button.append(
      this.#picture(problem),
      make("span", t(`sample_${i + 1}`)),
      make("small", t("boardSize", { width, height, layers, lines: lines.length })),
    );
    button.addEventListener("click", async () => {
      byId("welcome-dialog").close("");
      if (await this.files.mayLeave()) this.files.showProblem(problem, name);
    });
    return button;
  }

  #picture(problem) {
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = THUMBNAIL;
    const context = canvas.getContext("2d");
    const scale = THUMBNAIL / Math.max(problem.width, problem.height);
    const theme = this.theme();
    context.fillStyle = theme.paper;
    context.fillRect(0, 0, problem.width * scale, problem.height * scale);
    for (const { number, ends } of problem.lines) {
      context.fillStyle = coloursOf(problem, number, theme).line;
      for (const [z, y, x] of ends) {
        context.globalAlpha = z ? 0.5 : 1;
        context.beginPath();
        context.arc((x + 0.5) * scale, (y + 0.5) * scale, 0.42 * scale, 0, 2 * Math.PI);
        context.fill();
      }
    }
    return canvas;
  }
}
