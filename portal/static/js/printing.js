// Print buttons show only where something answers to them.
export function mindPrinting() {
  htmx.onLoad((part) => {
    for (const button of part.querySelectorAll("[data-print]")) button.hidden = false;
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-print]")) window.print();
  });
}
