// Puts the page together: which button and which key does what.

import { Keyboard } from "./board/keyboard.js";
import { Pen } from "./board/pen.js";
import { usePointers } from "./board/pointer.js";
import { Stage } from "./board/stage.js";
import { clear } from "./model/drawing.js";
import { Store } from "./model/store.js";
import { ask, isDialogOpen, showHelp } from "./panel/dialogs.js";
import { Editor } from "./panel/editor.js";
import { rejoice } from "./panel/joy.js";
import { showPanel } from "./panel/panel.js";
import { showProgress } from "./panel/progress.js";
import { showChosen, useArrows } from "./panel/radios.js";
import { showTabs } from "./panel/tabs.js";
import { useTheme } from "./panel/theme.js";
import { runTimer } from "./panel/timer.js";
import { Welcome } from "./panel/welcome.js";
import { preferredLanguage, speak } from "./words/words.js";
import { Autosave, isOnShow } from "./work/autosave.js";
import { Files } from "./work/files.js";
import { judgeLive } from "./work/judge.js";
import { Router } from "./work/router.js";
import { all, byId } from "./panel/dom.js";

const ZOOM_STEP = 1.25;

const store = new Store();
const pen = new Pen(store);
const stage = new Stage(byId("stage"), store, pen);
const editor = new Editor(store);
const keyboard = new Keyboard(stage, store, pen, editor);
const router = new Router(store, showProgress);
const files = new Files(store, byId("file"));
const autosave = new Autosave(store);
const welcome = new Welcome(store, files, editor, () => stage.theme);

// By the data-command of their buttons.
const commands = {
  "open-problem": () => files.choose("problem"),
  "open-answer": () => files.choose("answer"),
  welcome: () => welcome.show(),
  "save-answer": () => files.save("answer"),
  "save-problem": () => files.save("problem"),
  "picture-svg": () => files.picture("svg", stage.theme.isDark),
  "picture-png": () => files.picture("png", stage.theme.isDark),
  undo: () => (store.draft ? editor.undo() : store.undo()),
  redo: () => (store.draft ? editor.redo() : store.redo()),
  draw: () => store.set({ tool: "draw" }),
  erase: () => store.set({ tool: "erase" }),
  mark: () => store.set({ tool: "mark" }),
  "zoom-in": () => stage.look((view) => view.zoom(ZOOM_STEP)),
  "zoom-out": () => stage.look((view) => view.zoom(1 / ZOOM_STEP)),
  "zoom-fit": () => stage.look((view) => view.fit()),
  stack: () => files.showStack(stage.theme.isDark),
  finish: () => router.run("finish"),
  improve: () => router.run("improve"),
  count: () => router.run("count"),
  share: () => files.share(),
  stop: () => router.stop(),
  "try-out": () => (store.trial ? endTrial(true) : startTrial()),
  "keep-trial": () => endTrial(true),
  "discard-trial": () => endTrial(false),
  lock: toggleLock,
  "clear-all": clearAll,
  "erase-line": () => pen.erase(store.answer.indexOf(pointedLine()), true),
  "draw-line": () => router.drawLine(pointedLine()),
  cuts: () => store.set({ cuts: !store.cuts }),
  edit: () => (store.draft ? editor.finish() : editor.begin(store.grid, store.names)),
  back: () => stage.goBack(),
  fold: () => document.body.classList.toggle("folded"),
  theme: () => changeTheme(),
  language: () => changeLanguage(),
  help: () => showHelp(store.shown?.layers !== 1),
};

// Keys are those of the buttons, and some that are the same.
const ALIASES = { "=": "+", escape: "esc", "ctrl+shift+z": "ctrl+y" };

function run(command) {
  if (command === "stop" && pen.isDown) pen.cancel();
  keyboard.lift();
  commands[command]();
}

function startTrial() {
  store.set({ trial: store.answer });
}

function endTrial(isKept) {
  if (!isKept) store.commit(store.grid, store.trial);
  store.set({ trial: null });
}

// Open the menu of a line, at a point of the window.
function openMenu(x, y) {
  const menu = byId("line-menu");
  menu.dataset.line = store.hover;
  menu.showPopover();
  menu.style.left = `${Math.min(x, innerWidth - menu.offsetWidth)}px`;
  menu.style.top = `${Math.min(y, innerHeight - menu.offsetHeight)}px`;
  menu.querySelector("button").focus();
}

// The line that a command is about: that of its menu, or under the mouse, or at the cursor.
function pointedLine() {
  const { answer, hover, cursor, selected } = store;
  const menu = byId("line-menu");
  if (menu.matches(":popover-open")) return Number(menu.dataset.line);
  return hover || (cursor !== null && answer?.[cursor]) || selected;
}

function toggleLock() {
  const number = pointedLine();
  if (!number) {
    store.say("nothingToLock");
    return;
  }
  const locked = new Set(store.locked);
  if (!locked.delete(number)) locked.add(number);
  store.set({ locked });
}

function clearAll() {
  const { grid, answer, locked, names } = store;
  store.commit(grid, clear(grid, answer, locked), names, new Set());
}

function changeLanguage(name = store.language === "en" ? "ja" : "en", isChosen = true) {
  speak(name, isChosen);
  store.set({ language: name });
}

// Offer a drawing again that was left unsaved.
async function offerUnsaved() {
  const entry = await autosave.find();
  if (!entry) return;
  const time = new Date(entry.time).toLocaleString(store.language);
  const isElsewhere = localStorage.getItem(entry.key) === null; // Kept by the server alone.
  const values = { name: entry.names.problem.name, time, isElsewhere };
  const choices = ["restore", "discard", "later"];
  const choice = isOnShow(entry, store) ? "restore" : await ask("found", values, choices);
  try {
    if (choice === "restore") await autosave.restore(entry, editor);
    if (choice !== "later") autosave.forget(entry);
  } catch (error) {
    store.complainOf(error);
  }
}

for (const button of all("[data-command]")) {
  button.addEventListener("click", () => {
    run(button.dataset.command);
    button.closest("[popover]")?.hidePopover();
  });
}
useArrows(byId("tools"), run);
for (const id of ["menu-list", "line-menu"]) useArrows(byId(id));
byId("sheet").addEventListener("click", () => document.body.classList.toggle("sheet-open"));

document.addEventListener("keydown", (event) => {
  document.body.classList.add("by-keyboard");
  const key = event.key.toLowerCase();
  const control = event.ctrlKey || event.metaKey;
  const isTyping = event.target instanceof Element && event.target.matches("input, textarea");
  if (isTyping && !(control && key === "s") || isDialogOpen() || event.altKey) return;
  const name = `${control ? "ctrl+" : ""}${control && event.shiftKey ? "shift+" : ""}${key}`;
  const [button] = all(`[data-key="${CSS.escape(ALIASES[name] ?? name)}" i]`);
  // Without a search to stop, Esc is the browser's: it closes the menu.
  if (!button || (button.id === "stop" && !store.routing && !pen.isDown)) return;
  event.preventDefault();
  button.click(); // Does nothing where it is disabled.
});
document.addEventListener("paste", ({ target, clipboardData }) => {
  const isField = target instanceof Element && target.matches("input, textarea");
  if (!isField && !isDialogOpen()) files.openText(clipboardData.getData("text"));
});
document.addEventListener("pointerdown", () => document.body.classList.remove("by-keyboard"));

addEventListener("beforeunload", (event) => {
  if (store.draft || store.isDirty) event.preventDefault();
});

const NEED_BOARD = ["open-answer", "finish", "improve", "picture-svg", "picture-png", "stack",
  "try-out", "keep-trial", "discard-trial", "lock", "clear-all"];
const NEED_REST = ["open-problem", "welcome"];

function enable(command, isEnabled) {
  for (const button of all(`[data-command="${command}"]`)) {
    button.disabled = !isEnabled;
  }
}

store.listen((changed) => {
  const { canDraw, isIdle, draft, routing, history, trial } = store;
  for (const command of NEED_BOARD) enable(command, canDraw);
  enable("count", canDraw && store.grid.layers === 1);
  enable("share", canDraw && Boolean(store.grid.address));
  for (const command of NEED_REST) enable(command, isIdle);
  const past = draft ? editor.history : canDraw ? history : null;
  enable("undo", Boolean(past?.canUndo));
  enable("redo", Boolean(past?.canRedo));
  enable("edit", draft ? draft.error === "" : canDraw);
  for (const tool of ["draw", "erase", "mark"]) enable(tool, !draft);
  byId("edit").setAttribute("aria-pressed", String(Boolean(draft)));
  byId("try-out").setAttribute("aria-pressed", String(Boolean(trial)));
  byId("trial").hidden = !trial;
  document.body.classList.toggle("trying-out", Boolean(trial));
  byId("back").hidden = !store.canGoBack;
  byId("cuts").setAttribute("aria-pressed", String(store.cuts));
  byId("finish").hidden = Boolean(routing);
  byId("stop").hidden = !routing;
  showChosen(byId("tools"), store.tool);
  if (!["grid", "answer", "saved", "names"].some((name) => name in changed)) return;
  document.title = `${store.isDirty ? "• " : ""}${store.names.problem?.name ?? ""} – nlview`;
});

showTabs(store);
showPanel(
  store,
  (cell) => {
    document.body.classList.remove("sheet-open");
    keyboard.goTo(cell);
  },
  () => rejoice(byId("table"), byId("verdict"), lineColours()),
);
usePointers(stage, store, pen, editor, { openMenu, drawLine: (number) => router.drawLine(number) });
judgeLive(store);
runTimer(store);
const changeTheme = useTheme(() => stage.changeTheme());
changeLanguage(preferredLanguage(), false);

function lineColours() {
  const name = stage.theme.isDark ? "dark" : "light";
  return store.grid.colours.map((colour) => colour[name]);
}

// For the browser's console, and for tests.
Object.assign(window, { nlview: { store, stage } });

// On a telephone all layers beside each other would be too small to draw on.
if (matchMedia("(max-width: 760px)").matches) store.set({ mode: "one" });
const hasBoard = await files.start();
store.set({ isStarted: true });
stage.element.focus();
if (hasBoard || !store.message) await offerUnsaved();
if (!store.shown && !store.message) welcome.show();
