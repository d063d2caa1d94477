// A moment of joy: confetti in the colours of the lines, unless the user wants things to stay put.

const PIECES = 60;
const DURATION = 1400; // Milliseconds.

// Let confetti fall over an element.
export function rejoice(element, heading, colours) {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  heading.animate({ scale: [1, 1.12, 1] }, 600);
  const { width, height } = element.getBoundingClientRect();
  for (let i = 0; i < PIECES; i++) {
    const piece = document.createElement("span");
    piece.className = "confetti";
    piece.style.background = colours[i % colours.length];
    element.append(piece);
    const angle = Math.random() * 2 * Math.PI;
    const reach = (0.15 + 0.35 * Math.random()) * Math.min(width, height);
    const [x, y] = [reach * Math.cos(angle), reach * Math.sin(angle)];
    const fall = piece.animate(
      [
        { transform: "none", opacity: 1 },
        { transform: `translate(${x}px, ${y}px) rotate(${angle}rad)`, opacity: 1, offset: 0.5 },
        { transform: `translate(${1.2 * x}px, ${y + height / 4}px) rotate(${3 * angle}rad)`, opacity: 0 },
      ],
      { duration: DURATION, easing: "cubic-bezier(.2,.7,.4,1)" },
    );
    fall.onfinish = () => piece.remove();
  }
}
