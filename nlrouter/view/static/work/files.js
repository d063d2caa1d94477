// Opening and saving files: those of the command line on the server, all others by the browser.

import { blank, format } from "../model/drawing.js";
import { Grid } from "../model/grid.js";
import { ask, showPicture } from "../panel/dialogs.js";
import { byId } from "../panel/dom.js";
import * as api from "./api.js";

// Hand the user a file, a text or a Blob, as browsers do.
function download(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name.split(/[/\\]/).at(-1);
  link.click();
  URL.revokeObjectURL(link.href);
}

// The names of a board, and of its answer, that are in none of the command line's files.
export const namesOf = (name) => ({
  problem: { name, onServer: false },
  answer: { name: `${name.replace(/\.txt$/, "")}_answer.txt`, onServer: false },
});

export class Files {
  #seen = {}; // Digests of the files on the server, as this page knows them.
  #kind = null; // Of the file to open.

  constructor(store, input) {
    this.store = store;
    this.input = input;
    input.addEventListener("change", () => {
      const [file] = input.files;
      if (file) this.open(this.#kind, file.name, file);
    });
  }

  // Show the files named on the command line; return whether there were any.
  async start() {
    try {
      const { problem, answer, problem_file, answer_file, seen, complaint, seconds, home } = await api.open();
      this.store.set({ home });
      byId("seconds").value = seconds;
      this.#seen = seen;
      if (!problem) return false;
      const grid = new Grid(problem);
      this.show(grid, answer ? Int32Array.from(answer.flat(2)) : blank(grid), {
        problem: { name: problem_file ?? "problem.txt", onServer: problem_file !== null },
        answer: { name: answer_file ?? "answer.txt", onServer: answer_file !== null },
      });
      if (complaint) this.store.complain("sentence", { text: complaint });
    } catch (error) {
      this.store.complainOf(error);
    }
    return this.store.grid !== null;
  }

  // Open a text that is a problem, or an answer to the board on show.
  openText(text) {
    const isProblem = /LINE_NUM|^\s*(https?:|numlin|numberlink|pzprv3)/i.test(text) || !this.store.grid;
    return this.open(isProblem ? "problem" : "answer", isProblem ? "board.txt" : "answer.txt", text);
  }

  // Let the user choose a file of a kind, "problem" or "answer".
  choose(kind) {
    this.#kind = kind;
    this.input.value = "";
    this.input.click();
  }

  // Open a file's content, a text or a Blob, as a kind.
  async open(kind, name, content) {
    const { store } = this;
    if (!store.isIdle || !(await this.mayLeave())) return;
    store.set({ loading: name, message: null }); // So that nothing else begins meanwhile.
    let take = () => {};
    try {
      const read = await api.read(kind, name, content);
      take = kind === "problem" ? () => this.showProblem(read, name) : () => this.#takeAnswer(read, name);
    } catch (error) {
      take = () => store.complainOf(error);
    }
    store.set({ loading: null });
    take();
  }

  // Ask whether what is not saved may be left, if there is any.
  async mayLeave() {
    if (!this.store.isDirty) return true;
    return (await ask("leaveUnsaved", {}, ["leave", "cancel"])) === "leave";
  }

  // Show a problem, as the server sends it, that is in none of the command line's files.
  showProblem(problem, name) {
    const grid = new Grid(problem);
    this.show(grid, blank(grid), namesOf(name));
  }

  // Show a board and a drawing that are saved already.
  show(grid, answer, names) {
    const { store } = this;
    store.commit(grid, answer, names);
    store.set({ saved: { problem: grid.text, answer } });
  }

  #takeAnswer({ answer: layers }, name) {
    const { store } = this;
    const { grid } = store;
    const [depth, height, width] = [layers.length, layers[0].length, layers[0][0].length];
    if (depth !== grid.layers || height !== grid.height || width !== grid.width) {
      const own = `${grid.width}X${grid.height}X${grid.layers}`;
      store.complain("otherSize", { name, found: `${width}X${height}X${depth}`, own });
      return;
    }
    const answer = Int32Array.from(layers.flat(2));
    store.commit(grid, answer, { ...store.names, answer: { name, onServer: false } });
    store.set({ saved: { ...store.saved, answer } });
  }

  async save(kind) {
    const { store } = this;
    if (!store.canDraw) {
      store.say(store.routing ? "routerIsAtWork" : store.draft ? "finishEditing" : "nothingToSave");
      return;
    }
    const { grid, answer, names } = store;
    try {
      if (names[kind].onServer) await this.#saveOnServer(kind, grid, answer);
      else this.#saveAsDownload([kind]);
    } catch (error) {
      store.complainOf(error);
    }
  }

  // Hand out the address that holds the board.
  async share() {
    const { address } = this.store.grid;
    try {
      await navigator.clipboard.writeText(address);
      this.store.say("shared", { address });
    } catch {
      this.store.complain("sentence", { text: address }); // To be copied by hand.
    }
  }

  // Save a picture of the board, "svg" or "png", that looks like the page.
  async picture(form, isDark) {
    const content = await this.#draw(form, isDark && { dark: "" });
    if (!content) return;
    const name = `${this.#title}.${form}`;
    download(name, content);
    this.store.say("downloaded", { names: [name] });
  }

  // Show a picture of the layers above each other.
  async showStack(isDark) {
    const content = await this.#draw("svg", { stack: "", ...(isDark && { dark: "" }) });
    if (content) showPicture(content);
  }

  get #title() {
    return this.store.names.problem.name.split(/[/\\]/).at(-1).replace(/\.txt$/, "");
  }

  async #draw(form, look) {
    const { store } = this;
    const { grid, answer, language } = store;
    const document = { problem: grid.text, answer: format(grid, answer) };
    try {
      return await api.picture(form, { title: this.#title, language, ...look }, document);
    } catch (error) {
      store.complainOf(error);
      return null;
    }
  }

  // Save in the command line's files, after a question where that would lose something.
  async #saveOnServer(kind, grid, answer) {
    const { store } = this;
    const texts = { problem: grid.text, answer: format(grid, answer) };
    const accepted = new Set();
    for (;;) {
      const wish = { ...texts, seen: this.#seen, accepted: [...accepted] };
      const { saved, kinds, backups, seen, objections } = await api.save(kind, wish);
      if (!objections) {
        this.#seen = seen;
        this.#noteSaved(kinds, grid, answer);
        store.say("saved", { saved, backups });
        return;
      }
      const choice = await ask("wouldLose", { objections }, ["replace", "download", "cancel"]);
      if (choice === "download") {
        const isOther = objections.some(({ code }) => code === "board");
        this.#saveAsDownload(isOther ? ["problem", "answer"] : [kind]);
      }
      if (choice !== "replace") return;
      // It is asked again if the files change once more in between.
      this.#seen = seen;
      for (const { code } of objections) accepted.add(code);
    }
  }

  #saveAsDownload(kinds) {
    const { grid, answer, names } = this.store;
    const texts = { problem: grid.text, answer: format(grid, answer) };
    for (const kind of kinds) download(names[kind].name, texts[kind]);
    this.#noteSaved(kinds, grid, answer);
    this.store.say("downloaded", { names: kinds.map((kind) => names[kind].name) });
  }

  #noteSaved(kinds, grid, answer) {
    const now = { problem: grid.text, answer };
    const saved = { ...this.store.saved };
    for (const kind of kinds) saved[kind] = now[kind];
    this.store.set({ saved });
  }
}
