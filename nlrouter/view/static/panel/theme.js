// Light or dark: as the system has it, until the user chooses.

const MEMORY = "nlview:theme";
const DARK = matchMedia("(prefers-color-scheme: dark)");
const FORCED = matchMedia("(forced-colors: active)");

let tell = () => {};

// Take up the theme, and call `onChange` whenever it changes.
export function useTheme(onChange) {
  tell = onChange;
  show(localStorage.getItem(MEMORY));
  for (const query of [DARK, FORCED]) query.addEventListener("change", () => tell());
}

// Change from light to dark or back.
export function changeTheme() {
  const shown = document.documentElement.dataset.theme ?? (DARK.matches ? "dark" : "light");
  const next = shown === "dark" ? "light" : "dark";
  localStorage.setItem(MEMORY, next);
  show(next);
}

function show(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  tell();
}
