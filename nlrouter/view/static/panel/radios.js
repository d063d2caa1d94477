// Groups of buttons, such as those of which one is chosen: one stop for Tab, arrow keys in between.

// `choose(value)` is called with the data-value of the button that the arrow keys reach.
export function useArrows(group, choose = null) {
  group.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    const buttons = [...group.querySelectorAll("button")].filter((button) => !button.disabled);
    const at = buttons.indexOf(document.activeElement);
    const next = buttons.at((at + step) % buttons.length);
    choose?.(next.dataset.value);
    next.focus();
  });
}

// Show which value is chosen.
export function showChosen(group, value) {
  const buttons = [...group.children];
  for (const button of buttons) {
    const isChosen = button.dataset.value === String(value);
    button.setAttribute("aria-checked", isChosen);
    button.tabIndex = isChosen ? 0 : -1;
  }
  if (buttons.length && !buttons.some(({ tabIndex }) => tabIndex === 0)) buttons[0].tabIndex = 0;
}
