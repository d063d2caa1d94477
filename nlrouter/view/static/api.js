// The server, as functions. Each throws an Error whose message is fit to be shown.

const token = new URLSearchParams(location.search).get("token") ?? "";

// The files named on the command line.
export const open = () => request("api/open");

// The content of a problem or answer file; `kind` is "problem" or "answer".
export const read = (kind, name, content) =>
  request(`api/${kind}?name=${encodeURIComponent(name)}`, content);

// The verdict on { problem, answer }, both as texts of files.
export const judge = (document) => request("api/judge", JSON.stringify(document));

export const save = (kind, document) => request(`api/save/${kind}`, JSON.stringify(document));

// Route, and call `tell` with each piece of news until the router ends or `signal` stops it.
export async function route(mode, document, tell, signal) {
  const response = await send(`api/route/${mode}`, JSON.stringify(document), signal);
  let rest = "";
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop();
    for (const line of lines) tell(JSON.parse(line));
  }
}

async function request(path, body) {
  return (await send(path, body)).json();
}

async function send(path, body, signal) {
  const method = body === undefined ? "GET" : "POST";
  let response;
  try {
    response = await fetch(path, { method, body, signal, headers: { "X-Nlview-Token": token } });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Error("The server does not answer: nlview has ended, or the file is too large.");
  }
  if (!response.ok) throw new Error((await response.json()).error);
  return response;
}
