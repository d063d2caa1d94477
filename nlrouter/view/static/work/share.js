// A board and its drawing as part of an address, and back.

const MARK = "#board=";

// Pack a document of two texts.
export async function pack(document) {
  const stream = new Blob([JSON.stringify(document)]).stream();
  const packed = await new Response(stream.pipeThrough(new CompressionStream("deflate"))).arrayBuffer();
  const letters = Array.from(new Uint8Array(packed), (byte) => String.fromCharCode(byte)).join("");
  return MARK + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

// Unpack what stands behind the mark in a text; null if nothing does that can be read.
export async function unpack(text) {
  const at = text.indexOf(MARK);
  if (at < 0) return null;
  try {
    const code = text.slice(at + MARK.length).trim();
    const letters = atob(code.replaceAll("-", "+").replaceAll("_", "/"));
    const stream = new Blob([Uint8Array.from(letters, (letter) => letter.charCodeAt(0))]).stream();
    const document = await new Response(stream.pipeThrough(new DecompressionStream("deflate"))).json();
    return typeof document.problem === "string" && typeof document.answer === "string" ? document : null;
  } catch {
    return null;
  }
}
