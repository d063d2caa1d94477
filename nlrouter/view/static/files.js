// Opening and saving files: those of the command line on the server, all others by the browser.

import * as api from "./api.js";
import { blank, format } from "./drawing.js";
import { Grid } from "./grid.js";
import { History } from "./history.js";

export class Files {
  constructor(store, input) {
    this.store = store;
    this.input = input;
    input.addEventListener("change", () => this.#take());
  }

  // Show the files named on the command line.
  async start() {
    await this.#tell(async () => {
      const { problem, answer, problem_file, answer_file, complaint } = await api.open();
      const grid = new Grid(problem);
      this.#show(grid, answer ? Int32Array.from(answer.flat(2)) : blank(grid), {
        problem: { name: problem_file ?? "problem.txt", onServer: problem_file !== null },
        answer: { name: answer_file ?? "answer.txt", onServer: answer_file !== null },
      });
      if (complaint) throw new Error(complaint);
    });
  }

  // Let the user choose a file of a kind, "problem" or "answer".
  choose(kind) {
    if (!this.store.canDraw) return;
    this.kind = kind;
    this.input.value = "";
    this.input.click();
  }

  async save(kind) {
    const { store } = this;
    if (!store.canDraw) return;
    const { grid, answer, names } = store;
    const texts = { problem: grid.text, answer: format(grid, answer) };
    await this.#tell(async () => {
      if (names[kind].onServer) {
        const { saved } = await api.save(kind, texts);
        store.say(`Saved ${saved}.`);
      } else {
        download(names[kind].name, texts[kind]);
        store.say(`Saved ${names[kind].name} as a download.`);
      }
      const saved = { ...store.saved, [kind]: texts[kind] };
      store.set({ saved });
    });
  }

  get isDirty() {
    const { grid, answer, saved } = this.store;
    return Boolean(grid) && (grid.text !== saved.problem || format(grid, answer) !== saved.answer);
  }

  async #take() {
    const [file] = this.input.files;
    if (!file || !this.store.canDraw) return;
    if (this.isDirty && !confirm("Leave what is not saved? (Undo brings it back.)")) return;
    await this.#tell(() => (this.kind === "problem" ? this.#openProblem(file) : this.#openAnswer(file)));
  }

  async #openProblem(file) {
    const { store } = this;
    const grid = new Grid(await api.read("problem", file.name, file));
    // The files of the command line are of another problem now, so nothing is written there.
    this.#show(grid, blank(grid), {
      problem: { name: file.name, onServer: false },
      answer: { name: "answer.txt", onServer: false },
    });
  }

  async #openAnswer(file) {
    const { store } = this;
    const { grid } = store;
    const { answer: layers } = await api.read("answer", file.name, file);
    const [depth, height, width] = [layers.length, layers[0].length, layers[0][0].length];
    if (depth !== grid.layers || height !== grid.height || width !== grid.width) {
      const size = `${grid.width}X${grid.height}X${grid.layers}`;
      throw new Error(
        `${file.name}: found SIZE ${width}X${height}X${depth}, expected the problem's SIZE ${size}`,
      );
    }
    const answer = Int32Array.from(layers.flat(2));
    const names = { ...store.names, answer: { name: file.name, onServer: false } };
    store.commit(grid, answer, names);
    store.set({ saved: { ...store.saved, answer: format(grid, answer) } });
  }

  #show(grid, answer, names) {
    const { store } = this;
    store.history ??= new History({ grid, answer, names });
    store.commit(grid, answer, names);
    store.set({ saved: { problem: grid.text, answer: format(grid, answer) } });
  }

  async #tell(work) {
    try {
      await work();
    } catch (error) {
      this.store.complain(error.message);
    }
  }
}

function download(name, text) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name.split("/").at(-1);
  link.click();
  URL.revokeObjectURL(link.href);
}
