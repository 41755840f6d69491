// Sources of which several blocks show a part. A block names them by their place in this list.
let sharedTexts = [];

const keywords = new Set(("alignas auto bool break case char class const constexpr continue decltype default delete do double else " +
  "enum explicit extern false float for friend if inline int long mutable namespace new nullptr operator private public return short signed sizeof " +
  "static struct switch template this throw true try typedef typename union unsigned using virtual void volatile while " +
  "__device__ __global__ __host__ __shared__ __restrict__ __launch_bounds__ size_t int32_t int64_t uint32_t half").split(" "));

const tokens = new RegExp([
  String.raw`(?<comment>\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$))`,
  String.raw`(?<text>"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?)`,
  String.raw`(?<directive>^[ \t]*#[ \t]*\w+)`,
  String.raw`(?<number>\b\d[\w.]*)`,
  String.raw`(?<word>\b[A-Za-z_]\w*)`,
].join("|"), "gm");

function classOfToken(groups) {
  if (groups.comment !== undefined) return "token-comment";
  if (groups.text !== undefined) return "token-text";
  if (groups.number !== undefined) return "token-number";
  if (groups.directive !== undefined) return "token-word";
  return keywords.has(groups.word) ? "token-word" : "";
}

// The source as one list of nodes a line. A comment over several lines is divided at their ends.
function highlightedLines(source) {
  const lines = [[]];
  const add = (text, kind) => {
    text.split("\n").forEach((part, i) => {
      if (i > 0) lines.push([]);
      if (part) lines.at(-1).push(kind ? element("span", { class: kind }, part) : part);
    });
  };
  let at = 0;
  for (const match of source.matchAll(tokens)) {
    add(source.slice(at, match.index), "");
    add(match[0], classOfToken(match.groups));
    at = match.index + match[0].length;
  }
  add(source.slice(at), "");
  if (lines.length > 1 && lines.at(-1).length === 0) lines.pop();
  return lines;
}

function lineElement(kind, mark, nodes) {
  return element("span", { class: ("line " + kind).trim() }, mark, ...nodes);
}

function codeBlock(block) {
  const lines = highlightedLines(sharedTexts[block.text]).map((nodes) => lineElement("", "", nodes));
  return element("pre", { class: "code" }, ...lines);
}

// Unchanged lines further than this from a change are left out.
const contextLines = 3;

// `edits` are runs of lines [mark, count]: " " of both texts, "-" of the first alone, "+" of the
// second alone.
function diffBlock(block) {
  const before = highlightedLines(sharedTexts[block.before]);
  const after = highlightedLines(sharedTexts[block.after]);
  const made = [];
  let old = 0;
  let now = 0;
  block.edits.forEach(([mark, count], i) => {
    if (mark === "-") {
      for (let k = 0; k < count; ++k) made.push(lineElement("removed", "- ", before[old++] ?? []));
      return;
    }
    if (mark === "+") {
      for (let k = 0; k < count; ++k) made.push(lineElement("added", "+ ", after[now++] ?? []));
      return;
    }
    const head = i === 0 ? 0 : contextLines;
    const tail = i === block.edits.length - 1 ? 0 : contextLines;
    for (let k = 0; k < count; ++k) {
      if (k < head || k >= count - tail) {
        made.push(lineElement("", "  ", after[now] ?? []));
      } else if (k === head) {
        made.push(lineElement("gap", `  … ${count - head - tail} lines as before`, []));
      }
      ++now;
      ++old;
    }
  });
  return element("pre", { class: "code diff" }, ...made);
}
