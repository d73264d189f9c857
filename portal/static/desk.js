// Keys of the desk. Each does what a button or a link on the page does; nothing is reached by a key alone.
//
// Marks in the page: data-keys on the body where keys are on, data-key on what a key presses, data-row on lines of a list,
// data-find on the box to look for something.
import { mindPasskeys } from "./js/passkeys.js";

const TYPING = "input:not([type=radio]):not([type=checkbox]):not([type=submit]), textarea, select";
const PLACES = { q: "/desk", s: "/desk/search", x: "/desk/exports" };
let isGoing = false;

document.addEventListener("keydown", (event) => {
  if (!document.body.hasAttribute("data-keys") || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.target.closest(TYPING)) {
    if (event.key === "Escape") event.target.blur();
    return;
  }
  if (act(event.key)) event.preventDefault();
});

mindPasskeys();

function act(key) {
  if (isGoing) {
    isGoing = false;
    return PLACES[key] ? go(PLACES[key]) : false;
  }
  if (key === "g") return (isGoing = true);
  if (key === "?") return go("/desk/keys");
  if (key === "j" || key === "k") return move(key === "j" ? 1 : -1);
  if (key === "b") return press(document.querySelector(".back a"));
  if (key === "/") return focus(document.querySelector("[data-find]")) || go(PLACES.s);
  if (key === "w") return focus(document.querySelector("main textarea"));
  if (/^[1-9]$/.test(key)) return choose(document.querySelectorAll("main input[type=radio]")[key - 1]);
  return press([...document.querySelectorAll("[data-key]")].find((one) => one.dataset.key === key));
}

function go(path) {
  location.assign(path);
  return true;
}

// Where the rules noticed something the key first goes to the button: pressed for the one before, it decides nothing here.
function press(target) {
  if (target?.hasAttribute("data-twice") && document.activeElement !== target) return focus(target);
  target?.click();
  return Boolean(target);
}

function focus(target) {
  target?.focus();
  return Boolean(target);
}

function choose(radio) {
  if (radio) radio.checked = true;
  return focus(radio);
}

function move(step) {
  const rows = [...document.querySelectorAll("[data-row]")];
  if (!rows.length) return false;
  const now = rows.indexOf(document.activeElement.closest("[data-row]"));
  const next = now < 0 ? (step > 0 ? 0 : rows.length - 1) : Math.min(Math.max(now + step, 0), rows.length - 1);
  return focus(rows[next].querySelector("a, input, button"));
}
