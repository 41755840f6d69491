function textBlock(block) {
  return element("p", block.class ? { class: block.class } : {}, block.text);
}

// Blocks of which one is shown at a time, by a list.
function choiceBlock(block) {
  const content = element("div");
  const select = element("select", {}, ...block.items.map((item, i) => element("option", { value: String(i) }, item.name)));
  const show = () => {
    content.replaceChildren(...blockElements(block.items[Number(select.value)].blocks));
  };
  select.addEventListener("change", show);
  const made = element("div", {}, element("label", {}, block.label + " ", select), content);
  block.items.forEach((item, i) => {
    if (!item.target) return;
    targets.set(item.target, { open: () => { select.value = String(i); show(); }, shown: () => made });
  });
  select.value = String(block.first);
  show();
  return made;
}

// Blocks below a heading that opens and closes. They are made when it first opens.
function foldBlock(block) {
  const heading = element("summary", {}, block.title, " ");
  if (block.verdict !== undefined) heading.append(element("span", { class: "verdict " + classOfVerdict(block.verdict) }, block.more));
  const made = element("details", { class: "fold" }, heading);
  const fill = () => {
    if (made.children.length === 1) made.append(...blockElements(block.blocks));
  };
  made.addEventListener("toggle", () => { if (made.open) fill(); });
  if (block.target) targets.set(block.target, { open: () => { fill(); made.open = true; }, shown: () => made });
  return made;
}

const makersOfBlocks = {
  text: textBlock,
  heading: (block) => element("h3", {}, block.text),
  table: tableBlock,
  chart: chartBlock,
  choice: choiceBlock,
  fold: foldBlock,
  command: (block) => commandBlock(block.text),
  output: (block) => element("pre", { class: "wrapped" }, block.text),
  code: codeBlock,
  diff: diffBlock,
};

function blockElements(blocks) {
  return blocks.map((block) => makersOfBlocks[block.kind](block));
}

function showPage(page) {
  document.title = page.title;
  sharedTexts = page.texts;
  const main = document.querySelector("main");
  const sections = page.sections.map((section) =>
    element("section", { id: section.id }, element("h2", {}, section.title), ...blockElements(section.blocks)));
  const links = page.sections.map((section) => element("a", { href: "#" + section.id }, section.title));
  main.replaceChildren(element("h1", {}, page.title), ...blockElements(page.summary), element("nav", {}, ...links), ...sections);
  for (const target of targets.keys()) {
    if (location.hash === "#" + encodeURIComponent(target)) openTarget(target);
  }
}

showPage(JSON.parse(document.getElementById("data").textContent));
