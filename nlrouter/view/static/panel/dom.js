// The page's elements.

/**
 * The element with an id; of whatever kind index.html says it is.
 * @param {string} id
 * @returns {any}
 */
export const byId = (id) => document.getElementById(id);

/**
 * All elements that a selector finds.
 * @param {string} selector
 * @returns {any[]}
 */
export const all = (selector) => [...document.querySelectorAll(selector)];

/**
 * An element with a text.
 * @param {string} tag
 * @param {string} text
 * @returns {any}
 */
export function make(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}
