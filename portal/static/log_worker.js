// Answers for the page of a barking log where there is no signal: with the timer alone, which is the same for everybody
// and holds nothing of anybody. Nothing else is kept, and every other request goes its way.
const KEPT = "barking-log";
const ALONE = "/reports/log/no-signal";
const IS_LOG = /^\/reports\/(?:[^/]+\/)?log$/;

addEventListener("install", (event) => event.waitUntil(keep().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== location.origin || request.method !== "GET") return;
  if (request.mode === "navigate" && IS_LOG.test(pathname)) event.respondWith(page(event));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});

async function page(event) {
  try {
    const answer = await fetch(event.request);
    event.waitUntil(keep().catch(() => {}));
    return answer;
  } catch (failure) {
    const kept = await caches.match(ALONE);
    if (!kept) throw failure;
    return kept;
  }
}

// Built files change their names with their content.
async function file(request) {
  return (await caches.match(request)) ?? fetch(request);
}

// Asked for without cookies, so that the page is nobody's.
async function keep() {
  const answer = await fetch(ALONE, { credentials: "omit", cache: "no-store" });
  if (!answer.ok) throw new Error(answer.statusText);
  const files = [...new Set((await answer.clone().text()).match(/\/static\/[^"]+/g) ?? [])];
  const cache = await caches.open(KEPT);
  const missing = [];
  for (const name of files) if (!(await cache.match(name))) missing.push(name);
  await cache.addAll(missing);
  await cache.put(ALONE, answer);
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url);
    if (pathname !== ALONE && !files.includes(pathname)) await cache.delete(request);
  }
}
