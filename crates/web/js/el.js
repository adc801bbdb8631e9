// Makes elements. Text becomes text nodes only, so that no text of a stranger becomes markup.

const SVG_NS = "http://www.w3.org/2000/svg";

/** Sets attributes and event handlers, and appends children. */
function dress(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (typeof value === "function") node.addEventListener(name, value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  for (const child of children.flat(Infinity)) {
    if (child !== undefined && child !== null && child !== false) node.append(child);
  }
  return node;
}

/** An element of HTML: `el("p", { class: "a", click: f }, "text", child)`. */
export function el(tag, attributes, ...children) {
  return dress(document.createElement(tag), attributes, children);
}

/** An element of SVG. */
export function svgEl(tag, attributes, ...children) {
  return dress(document.createElementNS(SVG_NS, tag), attributes, children);
}

/** Replaces all children of a node. */
export function fill(node, ...children) {
  node.replaceChildren(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false));
  return node;
}

/** A text with at most so many characters, without characters that turn or break a line. */
export function tame(text, most = 200) {
  const plain = String(text).replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/g, " ");
  const letters = Array.from(plain.slice(0, most * 2 + 2));
  return letters.length > most ? letters.slice(0, most - 1).join("") + "…" : letters.join("");
}
