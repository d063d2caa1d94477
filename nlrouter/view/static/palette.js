// Colours of lines: hues a golden angle apart, so that near numbers differ most, in four steps of
// lightness as the eye sees it, so that they also differ for who sees no hues. The numbers in the
// ends say the rest.

const GOLDEN_ANGLE = 137.508;
const LIGHTNESS = [0.5, 0.75, 0.36, 0.63];
const DARK_TEXT_FROM = 0.62;

const cache = new Map();

// The colour of a line, and that of text on it.
export function colours(number) {
  if (!cache.has(number)) {
    const hue = (number * GOLDEN_ANGLE + 110) % 360;
    const lightness = LIGHTNESS[number % LIGHTNESS.length];
    cache.set(number, {
      line: `oklch(${lightness} 0.16 ${hue.toFixed(1)})`,
      text: lightness < DARK_TEXT_FROM ? "#fff" : "#000",
    });
  }
  return cache.get(number);
}
