// Boards that come and go by other ways than files: pictures, addresses, texts, and what was
// kept after a crash.

import { format } from "../model/drawing.js";
import { Grid } from "../model/grid.js";
import { History } from "../model/history.js";
import { t } from "../words/words.js";
import * as api from "./api.js";
import { download } from "./download.js";
import { pack, unpack } from "./share.js";

export class Exports {
  constructor(store, files) {
    this.store = store;
    this.files = files;
  }

  // Save a picture of the board, "svg" or "png", that looks like the page.
  async picture(form, isDark) {
    const { store } = this;
    if (!store.canDraw) return;
    const title = stem(store.names.problem.name);
    const look = { title, language: store.language };
    if (store.mode === "stack") look.stack = "";
    if (isDark) look.dark = "";
    try {
      const name = `${title}.${form}`;
      download(name, await api.picture(form, look, this.#document()));
      store.say("downloaded", { names: [name] });
    } catch (error) {
      store.complainOf(error);
    }
  }

  // Copy an address that holds the board; not the token, which is nobody else's.
  async copyAddress() {
    if (!this.store.canDraw) return;
    await this.#copy(`${location.origin}/${await pack(this.#document())}`);
  }

  async copyResult() {
    const { store } = this;
    if (!store.canDraw) return;
    const { grid, verdict, isJudged, isOptimal, names } = store;
    const isCorrect = isJudged && verdict.correct;
    const counts = { joined: verdict?.joined.length ?? 0, all: grid.lines.length };
    const state = isCorrect ? t(isOptimal ? "optimal" : "correct") : t("joined", counts);
    await this.#copy(
      t("resultText", {
        name: stem(names.problem.name),
        size: `${grid.width}×${grid.height}×${grid.layers}`,
        lines: grid.lines.length,
        state: isJudged ? state : t("notJudged"),
        cost: isCorrect ? t("cost", verdict.cost) : "",
      }),
    );
  }

  // Open the board of the page's own address, if it has one.
  async openAddress() {
    if (!location.hash) return;
    const document = await unpack(location.hash);
    history.replaceState(null, "", location.pathname + location.search);
    if (document) await this.#show(document);
    else this.store.complain("badAddress");
  }

  // Open a text: an address with a board, a problem, or an answer to the board on show.
  async openText(text) {
    if (text.includes("#board=")) {
      const document = await unpack(text);
      if (!document) this.store.complain("badAddress");
      else if (await this.files.mayLeave()) await this.#show(document);
      return;
    }
    const isProblem = /LINE_NUM/i.test(text) || !this.store.grid;
    await this.files.open(isProblem ? "problem" : "answer", isProblem ? "board.txt" : "answer.txt", text);
  }

  // Show what the browser has kept, to be saved where it came from.
  async restore({ problem, answer, names }) {
    const own = this.store.names;
    const isSame = own.problem?.name === names.problem.name;
    await this.#show({ problem, answer }, isSame ? own : undefined);
  }

  async #show({ problem, answer }, names) {
    const { store } = this;
    try {
      const read = await api.read("problem", "board.txt", problem);
      const { answer: layers } = await api.read("answer", "answer.txt", answer);
      const isSame = store.grid?.text === read.text;
      const grid = isSame ? store.grid : new Grid(read);
      const drawing = Int32Array.from(layers.flat(2));
      if (drawing.length !== grid.size) throw new Error("the answer's SIZE is not the problem's");
      const state = {
        grid,
        answer: drawing,
        names: names ?? {
          problem: { name: "board.txt", onServer: false },
          answer: { name: "answer.txt", onServer: false },
        },
      };
      store.history ??= new History(state);
      store.commit(state.grid, state.answer, state.names);
    } catch (error) {
      store.complainOf(error);
    }
  }

  #document() {
    const { grid, answer } = this.store;
    return { problem: grid.text, answer: format(grid, answer) };
  }

  async #copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      this.store.say("copied");
    } catch {
      this.store.complain("notCopied");
    }
  }
}

function stem(name) {
  return name.split(/[/\\]/).at(-1).replace(/\.txt$/, "");
}
