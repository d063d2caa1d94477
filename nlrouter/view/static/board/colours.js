// The colours of the paper, which the style sheet sets, and of the lines, which the server sends.

const STRANGER = "#888888"; // For a number that no line has, or a line that has just been added.
const NAMES = ["paper", "ink", "pale-ink", "grid-line", "frame", "wrong", "accent"];

// Read the style sheet's colours, as they are in the theme at hand: { paper, ink, ..., isDark }.
export function readTheme(element) {
  const probe = document.createElement("span");
  element.append(probe);
  const theme = {};
  for (const name of NAMES) {
    probe.style.color = `var(--${name})`;
    theme[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  theme.isDark = luminance(theme.paper) < 0.4;
  return theme;
}

// The colour of a line, and that of text on it.
export function coloursOf(grid, number, { isDark }) {
  const line = grid.colours[number - 1]?.[isDark ? "dark" : "light"] ?? STRANGER;
  if (!textOn.has(line)) textOn.set(line, luminance(line) > 0.18 ? "#000" : "#fff");
  return { line, text: textOn.get(line) };
}

const PATTERNS = [null, [0.25, 0.25], [0.6, 0.15], [0.1, 0.4]]; // Dashes, in cells.

// The patterns, by number, of lines that lie beside others of their colour: { number: dashes }.
export function patternsOf(grid, answer) {
  const beside = new Map(); // By number: lines of its colour next to it, with smaller numbers.
  const compare = (one, other) => {
    if (!one || !other || one === other) return;
    const [low, high] = one < other ? [one, other] : [other, one];
    if (!grid.colours[high - 1] || grid.colours[low - 1]?.light !== grid.colours[high - 1].light) return;
    beside.set(high, (beside.get(high) ?? new Set()).add(low));
  };
  answer.forEach((number, index) => {
    if ((index + 1) % grid.width) compare(number, answer[index + 1]);
    if (Math.floor(index / grid.width + 1) % grid.height) compare(number, answer[index + grid.width]);
  });
  const chosen = new Map();
  for (const [number, others] of [...beside].sort(([one], [other]) => one - other)) {
    const taken = [...others].map((other) => chosen.get(other) ?? null);
    chosen.set(number, PATTERNS.find((pattern) => !taken.includes(pattern)) ?? null);
  }
  return chosen;
}

const textOn = new Map();

// Relative luminance (WCAG 2) of "#rrggbb" or "rgb(r, g, b)"; from 0.18 on, black is read better
// than white.
function luminance(colour) {
  const parts = colour.startsWith("#")
    ? [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16))
    : colour.match(/[\d.]+/g).slice(0, 3).map(Number);
  const [r, g, b] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
