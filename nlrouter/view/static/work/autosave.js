// Keeps what is not saved, in the browser and by the server, and finds it again after a crash.
//
// Each page has an entry of its own, and holds a lock of that name while it lives. Only entries that
// nobody holds are offered; one goes after a save, or once it was taken over or discarded.

import { sameDrawing } from "../model/drawing.js";
import { Grid } from "../model/grid.js";
import * as api from "./api.js";

const PREFIX = "nlview:drawing:";
const DELAY = 400; // Milliseconds after a change: a stroke is kept once, not at each cell.
const PATIENCE = 500; // Milliseconds in which a page that is being left lets go of its entry.
const FIELDS = ["grid", "answer", "saved", "draft", "locked", "trial", "routed", "marks", "isOffline"];

export class Autosave {
  #key = PREFIX + crypto.randomUUID();
  /** @type {(value?: any) => void} */
  #letGo = () => {};
  #timer = 0;
  #text = ""; // Of the entry, "" where there is nothing to keep,
  #sent = ""; // and as the server has it.
  #isSending = false;

  constructor(store) {
    this.store = store;
    navigator.locks.request(this.#key, () => new Promise((letGo) => (this.#letGo = letGo)));
    store.listen((changed) => {
      if (!FIELDS.some((name) => name in changed)) return;
      // A page that nlview has left behind can save nothing: the next one takes its entry over.
      if (store.isOffline === "otherServer") this.#letGo();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#keep(), DELAY);
    });
    addEventListener("pagehide", () => this.#keep());
  }

  // The latest entry of this board that no living page holds, or null; see `#entry`.
  async find() {
    const known = Object.entries(localStorage).filter(([key]) => key.startsWith(PREFIX));
    try {
      const { drafts, complaint } = await api.drafts();
      known.push(...Object.entries(drafts));
      if (complaint) this.store.complain("sentence", { text: complaint });
    } catch {
      // Those of the browser are there.
    }
    const entries = known.map(([key, text]) => ({ ...parse(text), key }));
    if (entries.some(({ time }) => !time)) this.store.complain("strangeEntry");
    entries.sort((one, other) => other.time - one.time);
    for (const entry of entries) {
      if (entry.time && entry.home === this.store.home && (await isFree(entry.key))) return entry;
    }
    return null;
  }

  // Show an entry again, to be saved where it came from.
  async restore({ board, draft }, editor) {
    const { store } = this;
    if (board) {
      const { text, names } = board;
      const isSame = text === store.grid?.text;
      const grid = isSame ? store.grid : new Grid(await api.read("problem", names.problem.name, text));
      const [answer, trial, routed] = [board.answer, board.trial, board.routed].map(
        (list) => list && Int32Array.from({ length: grid.size }, (_, i) => list[i]),
      );
      store.commit(grid, answer, names, new Set(board.marks));
      store.set({ locked: new Set(board.locked), trial, routed, elapsed: board.elapsed ?? 0 });
    }
    if (draft) editor.begin(new Grid(draft.grid), draft.names, draft.text);
    this.#keep();
  }

  forget({ key }) {
    localStorage.removeItem(key);
    api.keep(key, "").catch(() => {}); // It will be offered again.
  }

  #keep() {
    clearTimeout(this.#timer);
    const entry = this.#entry();
    this.#text = entry ? JSON.stringify(entry) : "";
    let isHere = true;
    try {
      if (entry) localStorage.setItem(this.#key, this.#text);
      else localStorage.removeItem(this.#key);
    } catch {
      isHere = false; // The storage is full, or forbidden.
    }
    this.#send(isHere);
  }

  async #send(isHere) {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      while (this.#sent !== this.#text) {
        const text = this.#text;
        await api.keep(this.#key, text);
        this.#sent = text;
      }
    } catch {
      if (!isHere) this.store.complain("notKept");
    }
    this.#isSending = false;
  }

  // All that would be lost, or null where nothing would.
  #entry() {
    const { grid, answer, names, home, isDirty, locked, trial, routed, marks, elapsed, draft } = this.store;
    const isEdited = draft && draft.text !== grid?.text;
    if (!isEdited && !(grid && (isDirty || locked.size || marks.size || trial))) return null;
    const list = (drawing) => drawing && [...drawing];
    return {
      time: Date.now(),
      home,
      names: draft?.names ?? names,
      board: grid && {
        text: grid.text, names, elapsed,
        ...{ answer: list(answer), locked: list(locked), marks: list(marks), trial: list(trial), routed: list(routed) },
      },
      draft: isEdited && { grid: draft.grid, text: draft.text, names: draft.names },
    };
  }
}

// Whether an entry holds nothing but what is on show.
export function isOnShow({ board, draft }, { grid, answer }) {
  return !draft && board.text === grid?.text && sameDrawing(Int32Array.from(board.answer), answer);
}

function parse(text) {
  try {
    const { time, home, names, board, draft } = JSON.parse(text);
    const isBoard = !board || (typeof board.text === "string" && Array.isArray(board.answer));
    const isDraft = !draft || (typeof draft.text === "string" && draft.grid.width > 0);
    if (names.problem.name && names.answer.name && isBoard && isDraft && (board || draft)) {
      return { time, home, names, board, draft };
    }
  } catch {
    // Damaged, or by another version of nlview.
  }
  return null;
}

const isFree = (key) =>
  navigator.locks.request(key, { signal: AbortSignal.timeout(PATIENCE) }, () => true).catch(() => false);
