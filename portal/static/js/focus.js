// After a part of the page was replaced, the focus is where one reads on, and the change is heard.
import { announce } from "./announce.js";

const seen = new WeakSet();
let hadFocus = false;

export function mindFocus() {
  document.querySelector("[data-focus]")?.focus();
  document.addEventListener("htmx:beforeSwap", (event) => {
    hadFocus = event.detail.target.contains(document.activeElement) && document.activeElement !== document.body;
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (seen.has(xhr)) return; // one answer can settle in several parts
    seen.add(xhr);
    nameProblems();
    moveFocus(event.target, requestConfig.verb !== "get", !requestConfig.triggeringEvent);
  });
  document.addEventListener("click", (event) => {
    const link = event.target.closest(".error-summary a");
    if (link) toControl(event, document.getElementById(link.hash.slice(1)));
  });
}

// A part that asks by itself how things stand takes the focus only from where it had it: somebody may be reading elsewhere.
function moveFocus(part, wasSent, isWatching) {
  const spoken = part.matches("[data-announce]") ? part : part.querySelector(`[data-announce]${wasSent ? ", .notice h2" : ""}`);
  if (spoken) announce(spoken.textContent.trim());
  if (isWatching && !hadFocus) return;
  const isLost = !document.activeElement || document.activeElement === document.body;
  const place = part.querySelector("[data-focus]") ?? (wasSent || isLost ? part.querySelector("h1, h2") ?? (isLost ? part : null) : null);
  if (!place) return;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus();
}

// The title says "Error: " as it does when the whole page is loaded.
function nameProblems() {
  const plain = document.title.replace(/^Error: /, "");
  document.title = document.querySelector(".error-summary") ? `Error: ${plain}` : plain;
}

// Some phones scroll to the control without giving it the focus, and hide its question above the edge.
function toControl(event, control) {
  if (!control) return;
  event.preventDefault();
  control.focus({ preventScroll: true });
  (control.closest("fieldset, .field") ?? control).scrollIntoView();
}
