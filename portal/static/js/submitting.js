// One press sends a form once. A second press while it is on its way does nothing; nobody is ever locked out.
const RELEASE_AFTER_MS = 15000;
// A file to keep leaves this page standing, and nothing tells when it has come: as long as a second press by accident.
const RELEASE_AFTER_FILE_MS = 1500;
const underway = new Set();

export function mindSubmitting() {
  document.addEventListener("submit", holdBack, true);
  document.addEventListener("submit", (event) => {
    // htmx has taken the ones whose default is prevented, and tells when they end.
    if (event.defaultPrevented || event.target.method === "get") return;
    mark(event.target);
    setTimeout(() => release(event.target), givesFile(event) ? RELEASE_AFTER_FILE_MS : RELEASE_AFTER_MS);
  });
  document.addEventListener("htmx:beforeRequest", (event) => mark(formOf(event)));
  document.addEventListener("htmx:afterRequest", (event) => {
    // The next page is on its way.
    if (event.detail.xhr.getResponseHeader("HX-Redirect")) setTimeout(() => release(formOf(event)), RELEASE_AFTER_MS);
    else release(formOf(event));
  });
  // A page fetched back from the browser's memory comes with its buttons as they were left.
  window.addEventListener("pageshow", () => underway.forEach(release));
}

function holdBack(event) {
  if (!underway.has(event.target)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
}

function givesFile({ submitter, target }) {
  return [submitter, target].some((one) => one?.hasAttribute("data-download"));
}

// A part of a form that asks by itself how things stand sends nothing, and holds nothing back.
function formOf(event) {
  return event.detail.elt.matches("form") ? event.detail.elt : null;
}

function mark(form) {
  if (!form) return;
  underway.add(form);
  for (const button of buttons(form)) button.setAttribute("aria-disabled", "true");
}

function release(form) {
  if (!form) return;
  underway.delete(form);
  for (const button of buttons(form)) button.removeAttribute("aria-disabled");
}

function buttons(form) {
  return form.querySelectorAll("button:not([type=button])");
}
