// Puts the page together: which button and which key does what.

import { Editor } from "./editor.js";
import { Files } from "./files.js";
import { judgeLive } from "./judge.js";
import { Keyboard } from "./keyboard.js";
import { showPanel } from "./panel.js";
import { Pen } from "./pen.js";
import { usePointers } from "./pointer.js";
import { Router } from "./router.js";
import { Stage } from "./stage.js";
import { Store } from "./store.js";

const ZOOM_STEP = 1.25;

const byId = (id) => document.getElementById(id);

const store = new Store();
const stage = new Stage(byId("stage"), store);
const pen = new Pen(store);
const editor = new Editor(store);
const keyboard = new Keyboard(stage, store, pen, editor);
const router = new Router(store);
const files = new Files(store, byId("file"));

// By the id of their button.
const commands = {
  "open-problem": () => files.choose("problem"),
  "open-answer": () => files.choose("answer"),
  "save-answer": () => files.save("answer"),
  "save-problem": () => files.save("problem"),
  undo: () => (store.draft ? editor.undo() : store.undo()),
  redo: () => (store.draft ? editor.redo() : store.redo()),
  draw: () => store.set({ tool: "draw" }),
  erase: () => store.set({ tool: "erase" }),
  move: () => store.set({ tool: "move" }),
  "zoom-in": () => stage.look((view) => view.zoom(ZOOM_STEP)),
  "zoom-out": () => stage.look((view) => view.zoom(1 / ZOOM_STEP)),
  "zoom-fit": () => stage.look((view) => view.fit()),
  finish: () => router.run("finish"),
  improve: () => router.run("improve"),
  stop: () => router.stop(),
  edit: () => (store.draft ? editor.finish() : editor.start()),
  help: () => byId("help-dialog").showModal(),
};

const keys = {
  d: "draw",
  x: "erase",
  m: "move",
  "+": "zoom-in",
  "=": "zoom-in",
  "-": "zoom-out",
  0: "zoom-fit",
  f: "finish",
  i: "improve",
  e: "edit",
  escape: "stop",
  "?": "help",
};

const controlKeys = {
  z: "undo",
  "shift+z": "redo",
  y: "redo",
  s: "save-answer",
  "shift+s": "save-problem",
  o: "open-answer",
  "shift+o": "open-problem",
};

function run(command) {
  keyboard.lift();
  commands[command]();
}

for (const button of document.querySelectorAll("#toolbar button")) {
  button.addEventListener("click", () => run(button.dataset.tool ?? button.id));
}

document.addEventListener("keydown", (event) => {
  if (event.target.matches("input, textarea") || byId("help-dialog").open || event.altKey) return;
  const key = event.key.toLowerCase();
  const control = event.ctrlKey || event.metaKey;
  const command = control ? controlKeys[event.shiftKey ? `shift+${key}` : key] : keys[key];
  if (!command) return;
  event.preventDefault();
  run(command);
});

addEventListener("beforeunload", (event) => {
  if (store.draft || files.isDirty) event.preventDefault();
});

store.listen((changed) => {
  const { canDraw, draft, routing, history } = store;
  const idle = ["open-problem", "open-answer", "save-answer", "save-problem", "finish", "improve"];
  for (const id of idle) byId(id).disabled = !canDraw;
  byId("undo").disabled = !draft && !(canDraw && history.canUndo);
  byId("redo").disabled = !draft && !(canDraw && history.canRedo);
  byId("edit").disabled = !store.grid || Boolean(routing) || Boolean(draft?.error ?? draft);
  byId("edit").textContent = draft ? "Done editing" : "Edit board";
  byId("stop").hidden = !routing;
  for (const button of byId("tools").children) {
    button.setAttribute("aria-checked", button.dataset.tool === store.tool);
    button.disabled = Boolean(draft);
  }
  if (!["grid", "answer", "saved"].some((name) => name in changed)) return;
  document.title = `${files.isDirty ? "• " : ""}${store.names.problem?.name ?? ""} – nlview`;
});

showPanel(store, (cell) => keyboard.goTo(cell));
usePointers(stage, store, pen, editor);
judgeLive(store);
await files.start();
stage.element.focus();

// For the browser's console, and for tests.
window.nlview = { store, stage };
