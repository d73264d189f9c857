// Many files at once: each goes by itself with a bar of its own, two at a time, so that one that fails holds up none.
// The server answers with the page it would show without script; the line about the file is taken out of it.
import { announce } from "./announce.js";

const AT_ONCE = 2;
const TRIES = 3;
const waiting = [];
let underway = 0;

export function mindMany() {
  document.addEventListener("change", (event) => {
    const form = event.target.closest("[data-many]");
    if (form && event.target.type === "file") take(form, event.target);
  });
  document.addEventListener("submit", (event) => {
    // What was chosen is on its way already.
    if (event.target.matches("[data-many]") && event.target.querySelector("[data-sending] li")) {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
  for (const kind of ["dragover", "dragleave", "drop"]) document.addEventListener(kind, dragged);
}

function dragged(event) {
  const place = event.target.closest?.("[data-drop]");
  if (!place) return;
  event.preventDefault();
  place.classList.toggle("is-over", event.type === "dragover");
  const form = place.closest("[data-many]");
  if (event.type === "drop") add(form, [...event.dataTransfer.files]);
}

function take(form, input) {
  add(form, [...input.files]);
  input.value = "";
}

function add(form, files) {
  for (const file of files) waiting.push({ form, file, row: rowFor(form, file), tries: 0 });
  if (files.length) form.querySelector(".actions").hidden = true; // they go as they are chosen
  if (files.length) announce(`${files.length} ${files.length === 1 ? "file is" : "files are"} being sent`);
  while (underway < AT_ONCE && waiting.length) send(waiting.shift());
}

function rowFor(form, file) {
  const row = document.createElement("li");
  const name = document.createElement("strong");
  const words = document.createElement("span");
  const bar = document.createElement("progress");
  name.textContent = file.name;
  words.textContent = " Waiting";
  bar.max = 100;
  bar.value = 0;
  bar.setAttribute("aria-label", `Sending ${file.name}`);
  row.append(name, words, bar);
  form.querySelector("[data-sending]").append(row);
  return { row, words, bar };
}

function send(one) {
  underway += 1;
  const { form, file, row } = one;
  const limit = Number(form.querySelector("input[type=file]").dataset.maxBytes || Infinity);
  if (file.size > limit) return done(one, "Not received", `This file is too large. The limit is ${Math.floor(limit / 1e6)} MB.`);
  const body = new FormData();
  body.append("csrf_token", form.elements.csrf_token.value);
  body.append("files", file, file.name);
  const request = new XMLHttpRequest();
  request.upload.addEventListener("progress", ({ loaded, total }) => {
    row.bar.value = Math.floor((100 * loaded) / total);
    row.words.textContent = loaded === total ? " Sent. We are looking at it." : ` ${Math.floor((100 * loaded) / total)} %`;
  });
  request.addEventListener("load", () => answered(one, request));
  request.addEventListener("error", () => again(one, 3, "The connection was lost. Choose this file again."));
  request.open("POST", form.action || location.href);
  request.send(body);
}

function answered(one, request) {
  const page = new DOMParser().parseFromString(request.responseText, "text/html");
  const line = page.querySelector("[data-outcomes] li");
  if (line) {
    const isReceived = line.dataset.received === "yes";
    return done(one, isReceived ? "Received" : "Not received", line.querySelector("[data-sentence]").textContent);
  }
  if (new URL(request.responseURL).pathname.startsWith("/sign-in")) return done(one, "Not received", "Sign in again, then choose this file once more.");
  const wait = Number(request.getResponseHeader("Retry-After")) || 5;
  if (request.status === 429 || request.status === 503) return again(one, wait, "Too much at once. Wait a few minutes, then choose this file again.");
  const said = page.querySelector("[data-failure] p, .error-summary li");
  done(one, "Not received", said?.textContent.trim() || "Something went wrong on our side. Choose this file again.");
}

function again(one, seconds, words) {
  one.tries += 1;
  if (one.tries >= TRIES) return done(one, "Not received", words);
  one.row.words.textContent = " Waiting to try again";
  setTimeout(() => {
    underway -= 1;
    waiting.unshift(one);
    send(waiting.shift());
  }, Math.min(seconds, 60) * 1000);
}

function done(one, state, words) {
  underway -= 1;
  const { row, words: place, bar } = one.row;
  const tag = document.createElement("span");
  tag.className = `tag tag--${state === "Received" ? "good" : "problem"}`;
  tag.textContent = state;
  bar.replaceWith(tag);
  place.textContent = ` ${words} `;
  row.append(tag);
  if (state !== "Received") announce(`${one.file.name}: ${words}`);
  if (waiting.length) return send(waiting.shift());
  if (!underway) announce("All files are sent");
}
