// The colours of a page: those of the system, light, or dark.
import { el } from "./el.js";

const KINDS = ["system", "light", "dark"];
const KEY = "ludus-colours";

/** What was chosen on another page. A page from a disk may not be allowed to remember anything. */
function remembered() {
  try {
    return Math.max(0, KINDS.indexOf(localStorage.getItem(KEY)));
  } catch {
    return 0;
  }
}

function remember(kind) {
  try {
    localStorage.setItem(KEY, kind);
  } catch {
    // The choice holds for this page.
  }
}

/** A button that goes from the colours of the system to light, and to dark. */
export function themeButton() {
  let at = remembered();
  const button = el("button", {
    type: "button", class: "theme", click: () => {
      at = (at + 1) % KINDS.length;
      remember(KINDS[at]);
      show();
    },
  });
  function show() {
    document.documentElement.classList.remove("light", "dark");
    if (at > 0) document.documentElement.classList.add(KINDS[at]);
    button.textContent = `Colours: ${KINDS[at]}`;
  }
  show();
  return button;
}

/** Puts the button into the menu of a server, or above the page. */
export function startTheme() {
  const menu = document.querySelector(".menu nav");
  if (menu) menu.append(themeButton());
  else document.querySelector("main").prepend(themeButton());
}
