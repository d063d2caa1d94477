// Words for messages.

// A cell as the checker names it.
export function nameCell([z, y, x]) {
  return `(${x},${y}) layer ${z + 1}`;
}

// A count with its noun.
export function plural(count, noun) {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
