// More rows are shown on demand, since thousands of them take seconds to lay out.
const rowsAtFirst = 250;
const rowsWithoutSearch = 15;
// Letters of a first cell that a phone need not break.
const longestShort = 8;

// A cell is a text, a number with its text {n, t}, a text with a verdict {t, verdict}, a text that
// leads to a target {t, to}, a list of chips {chips}, or null.
function textOfCell(cell) {
  if (cell === null) return "";
  if (typeof cell === "string") return cell;
  if (cell.chips) return cell.chips.map((chip) => (chip.of ? chip.of + " " : "") + chip.t + " " + chip.more).join(" ");
  return cell.t;
}

function sortKey(cell) {
  if (cell === null) return null;
  if (typeof cell === "object" && "n" in cell) return cell.n;
  return textOfCell(cell);
}

// Missing values come last in both directions.
function compareCells(a, b, direction) {
  const left = sortKey(a);
  const right = sortKey(b);
  if (left === null || right === null) return (left === null) - (right === null);
  const both = typeof left === "number" && typeof right === "number";
  return direction * (both ? left - right : String(left).localeCompare(String(right), "en", { numeric: true }));
}

function chipElement(chip) {
  const name = chip.to ? linkTo(chip.to, chip.t) : chip.t;
  const of = chip.of ? [element("span", { class: "of" }, chip.of), " "] : [];
  return element("span", { class: "chip verdict " + classOfVerdict(chip.verdict) },
                 ...of, name, " ", element("small", {}, chip.more));
}

function cellElement(cell) {
  const isNumber = cell !== null && typeof cell === "object" && "n" in cell;
  const made = element("td", isNumber ? { class: "number" } : {});
  if (cell !== null && typeof cell === "object" && cell.chips) {
    made.append(...cell.chips.map(chipElement));
  } else if (cell !== null && typeof cell === "object" && "verdict" in cell) {
    made.append(element("span", { class: "verdict " + classOfVerdict(cell.verdict) }, cell.t));
  } else if (cell !== null && typeof cell === "object" && cell.to) {
    made.append(linkTo(cell.to, cell.t));
  } else {
    made.append(textOfCell(cell));
  }
  return made;
}

function tableBlock(block) {
  const body = element("tbody");
  const more = element("p");
  const state = { column: -1, direction: 1, all: false, search: "" };
  const isShort = block.rows.every((row) => textOfCell(row[0]).length <= longestShort);
  const isNumber = block.columns.map((_, i) => block.rows.some((row) => row[i] !== null && typeof row[i] === "object" && "n" in row[i]));

  function chosenRows() {
    let rows = block.rows;
    if (state.search) {
      rows = rows.filter((row) => row.some((cell) => textOfCell(cell).toLowerCase().includes(state.search)));
    }
    if (state.column < 0) return rows;
    return [...rows].sort((a, b) => compareCells(a[state.column], b[state.column], state.direction));
  }

  function draw() {
    const rows = chosenRows();
    const shown = state.all ? rows : rows.slice(0, rowsAtFirst);
    body.replaceChildren(...shown.map((row) => element("tr", {}, ...row.map(cellElement))));
    more.replaceChildren();
    if (shown.length === rows.length) return;
    const showAll = () => { state.all = true; draw(); };
    more.append(element("button", { class: "plain", type: "button", onclick: showAll }, `Show all ${rows.length} rows`));
  }

  const heads = block.columns.map((name, i) => {
    const head = element("th", isNumber[i] ? { class: "number", scope: "col" } : { scope: "col" });
    const sort = () => {
      state.direction = state.column === i ? -state.direction : 1;
      state.column = i;
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", state.direction > 0 ? "ascending" : "descending");
      draw();
    };
    head.append(element("button", { type: "button", onclick: sort }, name));
    return head;
  });

  const parts = [];
  if (block.rows.length > rowsWithoutSearch) {
    const input = element("input", { type: "search", placeholder: "Search", "aria-label": "Search rows" });
    input.addEventListener("input", () => { state.search = input.value.toLowerCase(); draw(); });
    parts.push(element("label", {}, input));
  }
  draw();
  parts.push(element("div", { class: "scroll" }, element("table", isShort ? { class: "short" } : {}, element("thead", {}, element("tr", {}, ...heads)), body)), more);
  return element("div", {}, ...parts);
}
