"use strict";

// Every text of a page comes from kernels, compilers or models. It enters the document through
// `append` alone, which makes text nodes of strings, so that no text becomes markup.
function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") {
      made.addEventListener("click", value);
    } else {
      made.setAttribute(name, value);
    }
  }
  made.append(...children);
  return made;
}

const goodVerdicts = new Set(["pass", "accepted", "kept", "seed", "specialised"]);
const oddVerdicts = new Set(["skipped", "harness_error", "open", ""]);

function classOfVerdict(verdict) {
  if (goodVerdicts.has(verdict)) return "good";
  return oddVerdicts.has(verdict) ? "odd" : "bad";
}

// A part of the page that other parts lead to. `open` shows it, and is called once a visit.
const targets = new Map();

function linkTo(target, text) {
  const open = (event) => {
    event.preventDefault();
    openTarget(target);
  };
  return element("a", { href: "#" + encodeURIComponent(target), onclick: open }, text);
}

function openTarget(target) {
  const found = targets.get(target);
  if (!found) return;
  found.open();
  history.replaceState(null, "", "#" + encodeURIComponent(target));
  found.shown().scrollIntoView({ block: "start" });
}

function commandBlock(text) {
  const button = element("button", { class: "plain", type: "button" }, "Copy");
  button.addEventListener("click", () => copyText(text, button));
  return element("div", { class: "command" }, element("pre", { class: "wrapped" }, text), button);
}

// Browsers give the clipboard to files only sometimes. The selection is the way that always works.
async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    getSelection().selectAllChildren(button.previousSibling);
    document.execCommand("copy");
  }
  button.textContent = "Copied";
}
