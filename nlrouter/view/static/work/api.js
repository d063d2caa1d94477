// The server, as functions. Each throws an Error that is fit to be shown: with a sentence of the
// server's as its message, or with a `key` of our own words.

const MEMORY = "nlview:token";
let token = takeToken(); // A promise of it; of "" once the server has refused it, which is for ever.

// The files named on the command line.
export const open = () => request("api/open");

// What was kept, texts by keys; and keeping a text, with "" no longer.
export const drafts = () => request("api/drafts");
export const keep = (key, text) => request(`api/draft?key=${encodeURIComponent(key)}`, text);

// Boards to begin with.
export const samples = () => request("api/samples");

// The content of a problem or answer file; `kind` is "problem" or "answer".
export const read = (kind, name, content) =>
  request(`api/${kind}?name=${encodeURIComponent(name)}`, content);

// The verdict on { problem, answer }, both as texts of files.
export const judge = (document) => request("api/judge", JSON.stringify(document));

// Save a kind of file. The request has, beside the document, what was `seen` on disk and the
// codes of objections that are `accepted`; where there are others, the reply has `objections`.
export const save = (kind, wish) => request(`api/save/${kind}`, JSON.stringify(wish));

// A picture, as a Blob; `form` is "svg" or "png", `look` an object of texts, see
// `nlrouter.view.pictures`.
export const picture = async (form, look, document) =>
  (await send(`api/picture/${form}?${new URLSearchParams(look)}`, JSON.stringify(document))).blob();

// The drawing with one line drawn anew; its `answer` is null where there is no way.
export const line = (number, document) => request(`api/line?number=${number}`, JSON.stringify(document));

// Route, and call `tell` with each piece of news until the router ends or `signal` stops it.
export async function route(task, tell, signal) {
  const response = await send("api/route", JSON.stringify(task), signal);
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

// The secret of the address, or that for which its ticket is exchanged. It does not stay there for
// others to see; a reload keeps it.
async function takeToken() {
  const address = new URL(location.href);
  const [given, ticket] = ["token", "ticket"].map((name) => address.searchParams.get(name));
  if (given === null && ticket === null) return sessionStorage.getItem(MEMORY) ?? "";
  for (const name of ["token", "ticket"]) address.searchParams.delete(name);
  history.replaceState(null, "", address);
  const found = given ?? (await exchange(ticket));
  sessionStorage.setItem(MEMORY, found);
  return found;
}

async function exchange(ticket) {
  try {
    const response = await fetch("api/enter", { method: "POST", body: ticket });
    return response.ok ? (await response.json()).token : "";
  } catch {
    return "none"; // The first request will tell that the server does not answer.
  }
}

async function request(path, body) {
  const reply = await (await send(path, body)).json();
  if (reply.error !== undefined) throw new Error(reply.error);
  return reply;
}

async function send(path, body, signal) {
  const method = body === undefined ? "GET" : "POST";
  const headers = { "X-Nlview-Token": await token };
  if (headers["X-Nlview-Token"] === "") throw ourOwn("otherServer");
  let response;
  try {
    response = await fetch(path, { method, body, signal, headers });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw ourOwn("noServer");
  }
  if (response.ok) return response;
  if (response.status === 403) {
    token = Promise.resolve("");
    throw ourOwn("otherServer");
  }
  throw new Error((await response.json()).error);
}

const ourOwn = (key) => Object.assign(new Error(key), { key });
