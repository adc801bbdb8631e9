// Tables whose columns sort by a click. Numbers sort as numbers, the largest first.
import { el } from "./el.js";

/** The value of a cell for sorting: a number if the cell begins with one. */
export function sortKey(text) {
  const number = /^[+−-]?\d+(\.\d+)?/.exec(text.trim().replace("−", "-"));
  return number ? Number(number[0]) : text.trim().toLowerCase();
}

/** Compares two keys. Numbers come before words. */
export function compareKeys(a, b) {
  if (typeof a === typeof b) return a < b ? -1 : a > b ? 1 : 0;
  return typeof a === "number" ? -1 : 1;
}

function sortBy(table, column, ascending) {
  const body = table.tBodies[0];
  const rows = [...body.rows].map((row) => [sortKey(row.cells[column]?.textContent ?? ""), row]);
  rows.sort(([a], [b]) => (ascending ? compareKeys(a, b) : compareKeys(b, a)));
  body.append(...rows.map(([, row]) => row));
}

/** Makes the heads of a table's columns buttons. */
export function makeSortable(table) {
  const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
  heads.forEach((head, column) => {
    const button = el("button", { type: "button", class: "sort" }, ...head.childNodes);
    head.replaceChildren(button);
    button.addEventListener("click", () => {
      const first = head.classList.contains("number") ? "descending" : "ascending";
      const other = first === "ascending" ? "descending" : "ascending";
      const order = head.getAttribute("aria-sort") === first ? other : first;
      heads.forEach((each) => each.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", order);
      sortBy(table, column, order === "ascending");
    });
  });
}

export function startTables() {
  document.querySelectorAll("table.sortable").forEach(makeSortable);
}
