// Says something to people who listen to the page. Emptied first, so that the same words are heard twice.
export function announce(words) {
  const region = document.querySelector("[data-live]");
  if (!region) return;
  region.textContent = "";
  setTimeout(() => {
    region.textContent = words;
  }, 100);
}
