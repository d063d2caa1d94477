// Light or dark: as the system has it, until the user chooses.

const MEMORY = "nlview:theme";
const DARK = matchMedia("(prefers-color-scheme: dark)");
const FORCED = matchMedia("(forced-colors: active)");

// Take up the theme, and call `onChange` whenever it changes; return what changes it from light to
// dark or back.
export function useTheme(onChange) {
  const { dataset } = document.documentElement;
  if (localStorage.getItem(MEMORY)) dataset.theme = localStorage.getItem(MEMORY);
  onChange();
  for (const query of [DARK, FORCED]) query.addEventListener("change", onChange);
  return () => {
    const shown = dataset.theme ?? (DARK.matches ? "dark" : "light");
    dataset.theme = shown === "dark" ? "light" : "dark";
    localStorage.setItem(MEMORY, dataset.theme);
    onChange();
  };
}
