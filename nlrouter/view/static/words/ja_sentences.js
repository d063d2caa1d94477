// The server's sentences in Japanese: those of the checker, of the files' readers and of the router.
// What is not known here stays English.

const CELL = String.raw`\((\d+),(\d+)\) layer (\d+)`;
const cell = (x, y, layer) => `(${x},${y}) 第 ${layer} 層`;

// Each pattern stands for a whole sentence or, in lists, for a part of it.
const SENTENCES = [
  // The checker's.
  ["the answer's SIZE is (\\S+), the problem's is (\\S+)", (a, b) => `回答の SIZE は ${a}、問題の SIZE は ${b} です`],
  ["the answer is empty", () => "回答が空です"],
  ["LINE#(\\d+) is missing: no cell carries its number", (n) => `LINE#${n} がありません`],
  [`LINE#(\\d+): its end ${CELL} is empty`, (n, ...c) => `LINE#${n} の端点 ${cell(...c)} が空です`],
  [`LINE#(\\d+): its end ${CELL} carries (\\d+)`, (n, x, y, z, m) => `LINE#${n} の端点 ${cell(x, y, z)} に ${m} があります`],
  ["number (\\d+) at (.+): there are LINE#1 to LINE#(\\d+) only", (n, places, m) => `${tellPlaces(places)} に ${n} がありますが、線は LINE#1 から LINE#${m} までです`],
  ["VIA#(\\w+) does not carry one number: (.+)", (name, states) => `VIA#${name} の数字がそろっていません: ${states.replace(/(\d+) on layer (\d+)/g, "第 $2 層は $1")}`],
  ["LINE#(\\d+) joins layers (\\d+) and (\\d+) but takes no via(?: \\((.+) unused\\))?", (n, a, b, vias) => `LINE#${n} は第 ${a} 層と第 ${b} 層を結びますが、ビアを通っていません${vias ? `(${names(vias)} が空いています)` : ""}`],
  ["LINE#(\\d+) has both ends on one layer but takes (.+)", (n, vias) => `LINE#${n} は両端が同じ層にあるのに ${names(vias)} を通っています`],
  ["LINE#(\\d+) takes more than one via: (.+)", (n, vias) => `LINE#${n} は二つ以上のビアを通っています: ${names(vias)}`],
  ["LINE#(\\d+) joins layers (\\d+) and (\\d+) but takes (\\S+), which joins layers (\\d+) and (\\d+)", (n, a, b, via, c, d) => `LINE#${n} は第 ${a} 層と第 ${b} 層を結びますが、第 ${c} 層と第 ${d} 層をつなぐ ${via} を通っています`],
  ["LINE#(\\d+) does not stop at (.+)", (n, what) => `LINE#${n} が${terminal(what)}で止まっていません`],
  [`LINE#(\\d+) is cut: the piece at ${CELL} does not reach (.+)`, (n, x, y, z, what) => `LINE#${n} が切れています: ${cell(x, y, z)}から${terminal(what)}に届いていません`],
  ["LINE#(\\d+) branches or touches itself at (.+)", (n, places) => `LINE#${n} が ${tellPlaces(places)} で枝分かれしているか、自分自身に接しています`],
  [`LINE#(\\d+) leaves VIA#(\\w+) by its middle cell ${CELL}`, (n, via, ...c) => `LINE#${n} が VIA#${via} の途中のマス ${cell(...c)} から出ています`],
  ["a piece of LINE#(\\d+) hangs loose at (.+)", (n, places) => `LINE#${n} のどこにもつながらない部分が ${tellPlaces(places)} にあります`],
  ["LINE#(\\d+) has its ends on layer ([\\d and]+) but a piece at (.+)", (n, layers, places) => `LINE#${n} の端点は第 ${layers.replace(" and ", " 層と第 ")} 層にありますが、${tellPlaces(places)} にも線があります`],
  // The router's.
  ["(adc|nikoli|flow): (.+)", (rules, found) => `${rules}: ${{ "only one answer": "解は一つだけ", "several answers": "解は複数", "no answer": "解なし" }[found] ?? "時間内にはわかりません"}`],
  ["the exact search found none", () => "厳密な探索で解がないことがわかりました"],
  ["(\\d+) of (\\d+) lines could be routed together; missing:", (a, b) => `${b} 本中 ${a} 本は同時に配線できました。残り:`],
  ["LINE#(\\d+): ends and vias leave it no way", (n) => `LINE#${n}: 端点とビアにふさがれて通り道がありません`],
  ["LINE#(\\d+): (.+) stands? in its way", (n, others) => `LINE#${n}: ${others.replaceAll(", ", "、").replace("what is drawn of it", "描いてある部分")} が邪魔をしています`],
  ["(\\d+) of (\\d+) lines could be routed together: a longer search has an answer", (a, b) => `${b} 本中 ${a} 本は同時に配線できました。もっと長く探せば解が見つかります`],
  [`LINE#(\\d+) is walled in: no free way on layer (\\d+) leads from its end ${CELL} to (.+)`, (n, l, x, y, z, goal) => `LINE#${n} は囲まれています: 第 ${l} 層で端点 ${cell(x, y, z)} から${target(goal)}への道がありません`],
  ["(\\d+) lines? \\((.+)\\) must cross from layer (\\d+) to layer (\\d+), but (\\d+) vias? joins? just these layers", (k, lines, a, b, v) => `${lines.replaceAll(", ", "、")} の ${k} 本が第 ${a} 層から第 ${b} 層へ渡りますが、この二層をつなぐビアは ${v} 個です`],
  ["on layer (\\d+), LINE#(\\d+) must cross (.+?)(, whichever via it takes,)? as their ends( and vias)? alternate along the (border|wall at (\\(.+\\)))", (l, n, who, any, vias, along, at) => `第 ${l} 層で、LINE#${n} は${any ? "どのビアを通っても" : ""}${others(who)}と交差します(${at ? `${at} の壁` : "盤面の縁"}に沿って端点${vias ? "やビア" : ""}が互い違いに並んでいます)`],
  ["on layer (\\d+), between (column|row)s (\\d+) and (\\d+) \\(counted from 0\\), (\\d+) lines? must cross \\((.+)\\), but only (\\d+) places? (?:is|are) open to (?:them|it)", (l, axis, a, b, k, who, places) => `第 ${l} 層の ${a} ${axis === "row" ? "行" : "列"}目と ${b} ${axis === "row" ? "行" : "列"}目の間(0 から数える)を ${k} 本が通りますが(${who.replace(/(\d+) of /g, "このうち $1 本: ").replaceAll(", ", "、")})、通れる場所は ${places} か所です`],
  ["on layer (\\d+), (\\d+) lines? must leave the block from (\\(.+?\\)) to (\\(.+?\\)) \\((.+)\\), but only (\\d+) places? (?:is|are) open to (?:them|it)", (l, k, from, to, who, places) => `第 ${l} 層の ${from} から ${to} までの区画を ${k} 本が出ますが(${who.replace(/(\d+) of /g, "このうち $1 本: ").replaceAll(", ", "、")})、通れる場所は ${places} か所です`],
];

// Halves of "found ..., expected ...".
const FOUND = [
  ["no SIZE line", () => "SIZE の行がありません"],
  ["no LINE_NUM line", () => "LINE_NUM の行がありません"],
  ["the end of the file", () => "ファイルが途中で終わっています"],
  ["a larger file", () => "ファイルが大きすぎます"],
  ["no readable file \\((.+)\\)", (why) => `ファイルを読めません (${why})`],
  ["no way to write it \\((.+)\\)", (why) => `書き込めません (${why})`],
  ["the byte (\\S+)", (byte) => `バイト ${byte} があります`],
  ["LINE_NUM (\\d+) but no LINE#(\\d+)", (a, b) => `LINE_NUM は ${a} ですが LINE#${b} がありません`],
  ["(\\d+) VIA for (\\d+) LINE with ends on different layers", (v, l) => `層をまたぐ線 ${l} 本に対してビアが ${v} 個です`],
  ["(.+) of length (\\d+)", (text, n) => `${text} は ${n} 個です`],
  ["(.+) after a blank line", (text) => `空行のあとに ${text} があります`],
  ["(SIZE \\S+)", (size) => `${size} です`],
  ["([\"'(].*)", (text) => `${text} とあります`],
];
const EXPECTED = [
  ["'SIZE XxYxZ' at the start", () => "最初に「SIZE XxYxZ」が必要です"],
  ["'LINE_NUM n' after SIZE", () => "SIZE のあとに「LINE_NUM n」が必要です"],
  ["'LINE_NUM n'", () => "「LINE_NUM n」が必要です"],
  ["each of LINE#1 to LINE#(\\d+)", (n) => `LINE#1 から LINE#${n} まですべて必要です`],
  ["one VIA for each such LINE", () => "一本につき一つ必要です"],
  ["exactly two ends of a line", () => "線の端点はちょうど二つです"],
  ["a cell of the board: x up to (\\d+), y up to (\\d+), layer from 1 to (\\d+)", (x, y, z) => `盤面のマスは x が ${x} まで、y が ${y} まで、層が 1 から ${z} までです`],
  ["another cell, as (.+) in line (\\d+) names this one", (what, n) => `このマスは ${n} 行目の ${what} が使っています`],
  ["a point (\\S+), as SIZE has (\\d) numbers", (form, n) => `SIZE の数は ${n} 個なので ${form} の形が必要です`],
  ["a line that starts with SIZE, LINE_NUM, LINE# or VIA#", () => "SIZE、LINE_NUM、LINE#、VIA# のどれかで始まる行が必要です"],
  ["a line number from 1 to LINE_NUM (\\d+)", (n) => `線の番号は 1 から ${n} までです`],
  ["a LINE_NUM from 1 to (\\d+)", (n) => `LINE_NUM は 1 から ${n} までです`],
  ["a via's name of one or two letters a-z", () => "ビアの名前は a から z の一文字か二文字です"],
  ["at least two cells of a via", () => "ビアには二つ以上のマスが必要です"],
  ["cells of a via with the same x and y", () => "ビアのマスは x と y が同じでなければなりません"],
  ["no second (\\S+), as line (\\d+) has it", (what, n) => `${what} は ${n} 行目にすでにあります`],
  ["a SIZE of 1 or more.*", () => "SIZE は 1 以上です"],
  ["at most (\\d+) layers", (n) => `層は ${n} 以下です`],
  ["a board of at most (\\d+) cells", (n) => `マスは ${n} 個以下です`],
  ["at most (\\d+) bytes", (n) => `${n} バイト以下です`],
  ["text in UTF-8", () => "UTF-8 の文字が必要です"],
  ["a text file", () => "テキストファイルが必要です"],
  ["a file in a folder that can be written", () => "書き込めるフォルダーのファイルが必要です"],
  ["the problem's SIZE (\\S+)", (size) => `問題の SIZE は ${size} です`],
  ["a number from 0 to (\\d+) in (.+)", (n, row) => `${place(row)}には 0 から ${n} までの数が必要です`],
  ["(row .+) of length (\\d+)", (row, n) => `${place(row)}は ${n} 個です`],
  ["an answer", () => "回答が必要です"],
  ["the end of the file after the answer's last row", () => "回答の最後の行のあとには何も書けません"],
];

const compiled = new Map();

// Put a sentence into Japanese, or leave it as it is.
export function toJapanese(text) {
  const file = text.match(/^(.*?): found (.*), expected (.*)$/s);
  if (!file) return translate(SENTENCES, text.trim()) ?? text;
  const [, where, found, expected] = file;
  const line = where.match(/^(.*):(\d+)$/);
  const name = line ? `${line[1]} の ${line[2]} 行目` : where;
  const halves = [
    translate(FOUND, found) ?? `found ${found}`,
    translate(EXPECTED, expected) ?? `expected ${expected}`,
  ];
  return `${name}: ${halves.join("。")}`;
}

function translate(table, text) {
  for (const [pattern, words] of table) {
    if (!compiled.has(pattern)) compiled.set(pattern, new RegExp(`^${pattern}$`, "s"));
    const match = text.match(compiled.get(pattern));
    if (match) return words(...match.slice(1));
  }
  return null;
}

// "(1,2) layer 1 and 3 more cells".
function tellPlaces(text) {
  return text
    .replace(/\((\d+),(\d+)\) layer (\d+)/, "($1,$2) 第 $3 層")
    .replace(/ and (\d+) more cells?/, " ほか $1 マス");
}

// "its end (0,2) layer 1" or "VIA#a at (0,2) layer 1".
function terminal(text) {
  return tellPlaces(text).replace("its end ", "端点 ").replace(/(VIA#\w+) at /, " $1 ");
}

// "its other end (0,2) layer 1" or "a via from layer 1 to layer 2".
function target(text) {
  return tellPlaces(text)
    .replace("its other end ", "もう一方の端点 ")
    .replace(/a via from layer (\d+) to layer (\d+)/, "第 $1 層と第 $2 層をつなぐビア");
}

// "row 1 of 3 in layer 2".
function place(text) {
  const [, row, , layer] = text.match(/row (\d+) of (\d+)(?: in layer (\d+))?/) ?? [];
  if (!row) return text;
  return layer ? `第 ${layer} 層の ${row} 行目` : `${row} 行目`;
}

// "LINE#2 or one of LINE#3, LINE#4"
function others(text) {
  const choices = text.split(" or ").map((one) => {
    const lines = one.replace("one of ", "").replaceAll(", ", "、");
    return lines === one ? one : `${lines} のどれか`;
  });
  return ` ${choices.join("または ")} `;
}

function names(text) {
  return text.replaceAll(" and ", "、");
}
