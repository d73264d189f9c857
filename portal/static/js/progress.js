// How much of a file is sent, drawn and said at every quarter.
import { announce } from "./announce.js";

const bars = new WeakMap();

export function mindProgress() {
  document.addEventListener("htmx:xhr:progress", (event) => {
    const form = event.target.closest("form");
    const { lengthComputable, loaded, total } = event.detail;
    if (form && lengthComputable && hasFile(form)) draw(form, loaded, total);
  });
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.elt.matches("form")) clear(event.detail.elt);
  });
}

function hasFile(form) {
  return [...form.querySelectorAll("input[type=file]")].some((input) => input.files.length);
}

function draw(form, loaded, total) {
  const bar = bars.get(form) ?? begin(form);
  if (bar.isSent) return; // the rest is the answer coming back
  const percent = Math.floor((100 * loaded) / total);
  bar.isSent = loaded === total;
  bar.line.value = percent;
  bar.words.textContent = bar.isSent ? "Sent. We are looking at it." : `Sending: ${percent} %`;
  const quarter = Math.floor(percent / 25);
  if (quarter > bar.quarter) {
    bar.quarter = quarter;
    announce(bar.isSent ? "Sent. We are looking at it." : `${quarter * 25} percent sent`);
  }
}

function begin(form) {
  const box = document.createElement("div");
  const words = document.createElement("p");
  const line = document.createElement("progress");
  words.className = "hint";
  line.max = 100;
  line.setAttribute("aria-label", "Sending");
  box.append(words, line);
  (form.querySelector(".actions") ?? form).prepend(box);
  const bar = { box, words, line, quarter: 0, isSent: false };
  bars.set(form, bar);
  return bar;
}

function clear(form) {
  bars.get(form)?.box.remove();
  bars.delete(form);
}
