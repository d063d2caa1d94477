// Hands the user a file, as browsers do.

// `content` is a text or a Blob.
export function download(name, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content]));
  link.download = name.split(/[/\\]/).at(-1);
  link.click();
  URL.revokeObjectURL(link.href);
}
