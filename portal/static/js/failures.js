// No request fails in silence. What was typed and chosen stays in the page; the words stand beside the button.
const LOST = {
  title: "The connection was lost",
  words: ["Everything you entered is still here."],
};
const BROKEN = {
  title: "Something went wrong on our side",
  words: ["Everything you entered is still here. Try again in a minute."],
};
const BY_STATUS = {
  413: { title: "This is too large to send", words: ["Choose a smaller file, or shorten the text. Everything else is still here."] },
  429: { title: "Too many tries", words: ["Wait a few minutes, then press the button again."] },
};
const RETRY_AFTER_S = [3, 8, 20];
const retries = new WeakMap();

export function mindFailures() {
  document.addEventListener("htmx:beforeRequest", (event) => isWatching(event) || clear(placeOf(event)));
  document.addEventListener("htmx:responseError", answered);
  for (const name of ["htmx:sendError", "htmx:timeout"]) document.addEventListener(name, lost);
  for (const name of ["htmx:swapError", "htmx:onLoadError", "htmx:targetError"]) {
    document.addEventListener(name, (event) => show(placeOf(event), BROKEN));
  }
  document.addEventListener("htmx:afterOnLoad", (event) => retries.delete(placeOf(event)));
}

// A part of a form that asks by itself how things stand asks again soon; nobody has to be told.
function isWatching(event) {
  const { elt } = event.detail;
  return Boolean(elt) && !elt.matches("form") && elt.closest("form") !== null;
}

function placeOf(event) {
  return event.detail.elt?.closest("form") ?? document.querySelector("main");
}

function answered(event) {
  const { xhr } = event.detail;
  if (isWatching(event)) return;
  if (xhr.status === 401) {
    const next = encodeURIComponent(location.pathname + location.search);
    location.assign(`/sign-in?next=${next}`);
    return;
  }
  show(placeOf(event), said(xhr.responseText) ?? BY_STATUS[xhr.status] ?? BROKEN);
}

// The server's own page knows the limit, the wait and the reference: its words come first.
function said(html) {
  const part = new DOMParser().parseFromString(html ?? "", "text/html").querySelector("[data-failure]");
  if (!part) return null;
  const words = [...part.querySelectorAll("p:not([data-page-only])")].map((line) => line.textContent.trim());
  return { title: part.querySelector("h1")?.textContent.trim() ?? BROKEN.title, words };
}

// A file on a bad line is sent again by itself: the second takes the place of the first, or has the same key.
function lost(event) {
  if (isWatching(event)) return;
  const form = placeOf(event);
  const button = document.createElement("button");
  button.type = "button";
  button.className = "usa-button usa-button--outline";
  button.textContent = "Try again";
  const again = () => form.isConnected && form.requestSubmit();
  const canSubmit = form.matches("form");
  const wait = RETRY_AFTER_S[retries.get(form) ?? 0];
  const isAutomatic = canSubmit && wait && form.querySelector("[data-upload]");
  const words = isAutomatic ? [...LOST.words, "We try again by ourselves in a moment."] : LOST.words;
  show(form, { title: LOST.title, words }, canSubmit ? button : null);
  button.addEventListener("click", again);
  if (!isAutomatic) return;
  retries.set(form, (retries.get(form) ?? 0) + 1);
  const timer = setTimeout(again, wait * 1000);
  form.addEventListener("submit", () => clearTimeout(timer), { once: true, capture: true });
}

function show(place, { title, words }, button) {
  clear(document);
  for (const older of document.querySelectorAll(".error-summary")) older.remove();
  for (const field of document.querySelectorAll(".field.is-wrong")) forget(field);
  const box = document.createElement("div");
  box.className = "notice notice--problem";
  box.setAttribute("role", "alert");
  box.dataset.failed = "";
  const heading = document.createElement("h2");
  heading.textContent = title;
  const lines = words.map((text) => Object.assign(document.createElement("p"), { textContent: text }));
  box.append(heading, ...lines, ...(button ? [button] : []));
  const actions = place.querySelector(".actions");
  if (actions) actions.before(box);
  else place.prepend(box);
  box.scrollIntoView({ block: "nearest" });
}

function clear(place) {
  for (const box of place?.querySelectorAll("[data-failed]") ?? []) box.remove();
}

// The newest answer stands alone: what an older one said beside a control may be put right by now.
function forget(field) {
  field.classList.remove("is-wrong");
  for (const said of field.querySelectorAll("p.error[id$='-error']")) {
    said.remove();
    for (const told of [field, ...field.querySelectorAll("[aria-describedby]")]) unlink(told, said.id);
  }
  for (const control of field.querySelectorAll("[aria-invalid]")) control.removeAttribute("aria-invalid");
}

function unlink(told, id) {
  const left = (told.getAttribute("aria-describedby") ?? "").split(" ").filter((one) => one && one !== id);
  if (left.length) told.setAttribute("aria-describedby", left.join(" "));
  else told.removeAttribute("aria-describedby");
}
