// The timer of a barking log. Taps are kept on this phone as instants, so that sleep, a reload or no signal loses none;
// they are sent when there is a signal, each under an id of its own, so that sending twice adds nothing. What the log
// shows is read by the server alone.
import { announce } from "./announce.js";

const TRY_AGAIN_MS = 20000;
const MOST_AT_ONCE = 100;
const EMPTY = { running: null, quietSince: null, waiting: [] };

export function mindBarking() {
  document.addEventListener("submit", forget, true);
  htmx.onLoad((part) => {
    const box = part.querySelector("[data-barking]");
    if (box?.hidden) new Timer(box).begin();
  });
}

// "Forget this report on this device" takes what the timer kept along.
function forget(event) {
  const name = event.target.dataset?.forgetBarking;
  if (name) localStorage.removeItem(keyOf(name));
}

function keyOf(name) {
  return `barking:${name}`;
}

class Timer {
  constructor(box) {
    this.box = box;
    this.key = keyOf(box.dataset.barking || nameHere());
    this.form = box.querySelector("form");
    this.state = this.read();
    this.isSending = false;
  }

  begin() {
    this.box.hidden = false;
    this.box.addEventListener("click", (event) => {
      const button = event.target.closest("[data-tap]");
      if (button) this.tap(button.dataset.tap);
    });
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.send();
    });
    addEventListener("online", () => this.send());
    addEventListener("pageshow", () => this.wake());
    addEventListener("storage", (event) => event.key === this.key && this.wake());
    document.addEventListener("visibilitychange", () => document.hidden || this.wake());
    setInterval(() => this.drawTime(), 1000);
    setInterval(() => this.send(), TRY_AGAIN_MS);
    this.draw();
    this.send();
    navigator.serviceWorker?.register(this.box.dataset.worker).catch(() => {}); // without it a reload needs a signal
  }

  wake() {
    if (!this.box.isConnected) return; // the page was replaced, and has a timer of its own
    this.state = this.read();
    this.draw();
    this.send();
  }

  tap(what) {
    this.state = this.read(); // another window may have tapped too
    const now = Date.now();
    const { running } = this.state;
    if (what === "start" && !running) this.state = { ...this.state, running: { id: newId(), from: now, heard: now }, quietSince: null };
    if (what === "still" && running) this.state.running = { ...running, heard: now };
    if (what === "quiet" && running) this.end(now);
    if (what === "earlier" && running) this.end(running.heard);
    if (what === "stop") {
      if (running) this.end(now);
      this.state.quietSince = null;
    }
    this.keep();
    this.draw();
    announce(this.words().textContent.trim());
    const focused = document.activeElement;
    if (!focused || focused === document.body || focused.hidden) this.box.querySelector("[data-tap]:not([hidden])").focus();
    this.send();
  }

  end(at) {
    const { id, from } = this.state.running;
    this.state = { running: null, quietSince: at, waiting: [...this.state.waiting, { id, from, to: Math.max(from, at) }] };
  }

  read() {
    try {
      return { ...EMPTY, ...JSON.parse(localStorage.getItem(this.key) ?? "{}") };
    } catch {
      return this.state ?? EMPTY;
    }
  }

  keep() {
    const { running, quietSince, waiting } = this.state;
    try {
      if (running || quietSince || waiting.length) localStorage.setItem(this.key, JSON.stringify(this.state));
      else localStorage.removeItem(this.key);
    } catch {
      this.say("This browser keeps nothing. Leave this page open until everything is sent.");
    }
  }

  mode() {
    if (this.state.running) return "barking";
    return this.state.quietSince ? "quiet" : "idle";
  }

  words() {
    return this.box.querySelector(`[data-when~="${this.mode()}"][data-words]`);
  }

  draw() {
    const mode = this.mode();
    for (const part of this.box.querySelectorAll("[data-when]")) part.hidden = !part.dataset.when.split(" ").includes(mode);
    const heard = this.box.querySelector("[data-heard]");
    if (this.state.running) heard.textContent = clockTime(this.state.running.heard);
    this.drawTime();
    const count = this.state.waiting.length;
    this.form.hidden = !count;
    if (count) this.say(`${count === 1 ? "1 entry is" : `${count} entries are`} on this device. Sent as soon as there is a signal.`);
  }

  drawTime() {
    const since = this.state.running?.from ?? this.state.quietSince;
    this.box.querySelector("[data-elapsed]").textContent = since ? elapsed(Date.now() - since) : "";
  }

  say(words) {
    const place = this.box.querySelector("[data-sent]");
    if (place.textContent !== words) place.textContent = words;
  }

  async send() {
    const entries = this.state.waiting.slice(0, MOST_AT_ONCE);
    if (this.isSending || !entries.length || !this.box.isConnected) return;
    this.isSending = true;
    try {
      if ("alone" in this.box.dataset) await reopen();
      else await this.post(entries);
    } catch {
      // No signal: what waits stays, and goes with the next try.
    } finally {
      this.isSending = false;
    }
  }

  async post(entries) {
    this.form.elements.entries.value = JSON.stringify(entries);
    this.form.elements.phone_says.value = Date.now();
    const answer = await fetch(this.form.action, { method: "POST", body: new FormData(this.form), headers: { Accept: "text/html" } });
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const shown = page.querySelector("[data-barking-shown]");
    if (!answer.ok || !shown) return this.refused(page);
    const sent = new Set(entries.map(({ id }) => id));
    this.state = this.read();
    this.state.waiting = this.state.waiting.filter(({ id }) => !sent.has(id));
    this.keep();
    this.form.hidden = !this.state.waiting.length;
    document.querySelector("[data-barking-shown]").replaceWith(shown);
    this.say("Everything is sent.");
    if (this.state.waiting.length) setTimeout(() => this.send(), 0);
  }

  // What waits stays on this device; the page that came may hold a fresh token for the next try.
  refused(page) {
    const fresh = page.querySelector("[data-barking] [name=csrf_token]");
    if (fresh) this.form.elements.csrf_token.value = fresh.value;
    const said = page.querySelector(".error-summary li, [data-failure] p")?.textContent.trim();
    this.say(`Not sent yet, and still on this device. ${said ?? "Open the private link of your report again."}`);
  }
}

// The page that stands in for a log's page without a signal is the same for all: the address says which log it is.
function nameHere() {
  return location.pathname.match(/^\/reports\/([^/]+)\/log$/)?.[1] ?? "new";
}

// With a signal the log's own page comes, and sends.
async function reopen() {
  const answer = await fetch(location.pathname, { method: "HEAD", cache: "no-store" });
  if (answer.ok) location.reload();
}

function newId() {
  if (crypto.randomUUID) return crypto.randomUUID();
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // a page without https
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

function elapsed(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const minutes = Math.floor(seconds / 60);
  const hours = Math.floor(minutes / 60);
  const tail = `${minutes % 60} min ${seconds % 60} s`;
  return hours ? `${hours} h ${tail}` : tail;
}

function clockTime(instant) {
  const at = new Date(instant);
  const [minutes, seconds] = [at.getMinutes(), at.getSeconds()].map((number) => String(number).padStart(2, "0"));
  return `${at.getHours() % 12 || 12}:${minutes}:${seconds} ${at.getHours() < 12 ? "a.m." : "p.m."}`; // as the pages say it
}
