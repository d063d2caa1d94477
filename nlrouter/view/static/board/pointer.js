// Mouse, pen and touch on the stage: drawing, erasing, moving, zooming, and what is hovered over.

const WHEEL_ZOOM = 1.0015; // Factor per pixel that the wheel reports.
const PAN_MEMORY = 250; // Milliseconds for which a trackpad that has moved sideways goes on to pan.

// `openMenu(x, y)` opens the menu of the line that is hovered over; `drawLine(number)` lets the
// router draw it.
export function usePointers(stage, store, pen, editor, { openMenu, drawLine }) {
  const { element, view } = stage;
  const pointers = new Map(); // Where each finger or button is that is down.
  let action = null; // "draw", "move", "pinch", "edit" or "mark".
  let tapped = null; // The line to open a menu for, and the cell that the pointer must not leave.
  let lastPan = -Infinity;

  const point = (event) => {
    const box = element.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };

  /** @param {number[]} place */
  const indexAt = ([x, y]) => {
    const cell = store.shown && view.cellAt(x, y);
    return cell ? store.shown.index(cell) : null;
  };

  function hover(index) {
    const isLine = index !== null && store.grid && !store.draft;
    store.set({ pointed: isLine ? index : null, hover: isLine ? store.answer[index] || store.grid.endAt.get(index) || 0 : 0 });
  }

  function start(event, index) {
    if (event.button === 1 || index === null) return "move";
    if (store.draft) return editor.press(index) ? "edit" : "move";
    if (store.routing) store.say("routerIsAtWork");
    if (store.tool === "mark" && event.button === 0) return "mark";
    return pen.down(index, event.button === 2 || store.tool === "erase") ? "draw" : "move";
  }

  element.addEventListener("pointerdown", (event) => {
    if (!store.shown) return;
    event.preventDefault();
    element.focus({ preventScroll: true });
    element.setPointerCapture(event.pointerId);
    pointers.set(event.pointerId, point(event));
    if (pointers.size > 1) {
      if (action === "draw") pen.cancel();
      action = "pinch";
    } else {
      const index = indexAt(point(event));
      store.set({ cursor: null });
      hover(index);
      const pointed = store.hover;
      action = start(event, index);
      tapped = event.button === 2 && pointed && store.canDraw ? { index, pointed } : null;
    }
  });

  element.addEventListener("pointermove", (event) => {
    const now = point(event);
    const before = pointers.get(event.pointerId);
    if (before === undefined) {
      hover(indexAt(now));
      return;
    }
    if (action === "pinch") pinch(event.pointerId, now);
    if (action === "move") stage.look(() => view.move(now[0] - before[0], now[1] - before[1]));
    if (action === "draw" && pen.isDown) {
      // The pointer may have gone far since the last event; the events in between are kept.
      const between = event.getCoalescedEvents?.() ?? [];
      for (const each of between.length ? between : [event]) {
        const index = indexAt(point(each));
        if (index !== tapped?.index) tapped = null;
        if (index !== null) pen.moveTo(index);
      }
    }
    pointers.set(event.pointerId, now);
  });

  function pinch(id, now) {
    const other = [...pointers].find(([each]) => each !== id)[1];
    const before = pointers.get(id);
    const distance = ([x, y]) => Math.hypot(x - other[0], y - other[1]);
    const middle = ([x, y]) => [(x + other[0]) / 2, (y + other[1]) / 2];
    const [from, to] = [middle(before), middle(now)];
    stage.look(() => {
      view.move(to[0] - from[0], to[1] - from[1]);
      view.zoom(distance(now) / Math.max(1, distance(before)), ...to);
    });
  }

  function end(event) {
    if (!pointers.delete(event.pointerId)) return;
    const cancelled = event.type === "pointercancel";
    if (tapped) {
      if (pen.isDown) pen.cancel();
      store.set({ hover: tapped.pointed });
      openMenu(event.clientX, event.clientY);
    }
    tapped = null;
    if (action === "draw" && pen.isDown) cancelled ? pen.cancel() : pen.up(true);
    const side = action === "mark" && !cancelled ? view.sideAt(...point(event)) : null;
    if (side !== null) store.mark(side);
    if (action === "edit" && !cancelled) editor.release(indexAt(point(event)));
    // The finger that is left of a pinch goes on to move the boards.
    action = pointers.size ? "move" : null;
  }

  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
  element.addEventListener("pointerleave", (event) => {
    // A finger that has been lifted leaves its line lit; only a mouse has gone elsewhere.
    if (event.pointerType === "mouse") hover(null);
  });
  element.addEventListener("contextmenu", (event) => {
    event.preventDefault();
    if (event.pointerType !== "touch" || !store.hover || !store.canDraw) return;
    action = "rest"; // The menu opens when the finger is lifted: that, or a click, would close it.
    element.addEventListener("touchend", (end) => end.preventDefault(), { once: true });
    tapped = { index: null, pointed: store.hover };
  });
  element.addEventListener("dblclick", (event) => {
    const index = indexAt(point(event));
    if (index !== null && store.canDraw && store.grid.endAt.has(index)) drawLine(store.grid.endAt.get(index));
  });
  element.addEventListener(
    "wheel",
    (event) => {
      event.preventDefault();
      // Only trackpads, and wheels with Shift, move sideways; a trackpad's pinch comes as Ctrl.
      const isPan = event.deltaX !== 0 || event.timeStamp - lastPan < PAN_MEMORY;
      if (isPan && !event.ctrlKey) {
        lastPan = event.timeStamp;
        stage.look(() => view.move(-event.deltaX, -event.deltaY));
      } else {
        stage.look(() => view.zoom(WHEEL_ZOOM ** -event.deltaY, ...point(event)));
      }
    },
    { passive: false },
  );
}
