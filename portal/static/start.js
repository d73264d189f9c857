// The page first: the rest of the script is asked for once the page is on the screen, so that on a slow line the words
// have the line to themselves. htmx starts by itself only in a page that has loaded.
const root = document.documentElement;
const rest = document.createElement("script");
rest.src = document.currentScript.dataset.then;
root.dataset.script = "coming";
rest.addEventListener("error", () => { root.dataset.script = "missing"; }, { once: true });

const ask = () => requestAnimationFrame(() => setTimeout(() => document.head.append(rest)));
if (document.readyState === "complete") ask();
else addEventListener("load", ask, { once: true });
