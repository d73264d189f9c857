// The next due date follows the date given and the years, until somebody types one. The server counts it the same way
// when the boxes are left empty.
const PARTS = ["month", "day", "year"];

export function mindDue() {
  for (const kind of ["input", "change"]) document.addEventListener(kind, follow);
}

function follow(event) {
  const form = event.target.closest?.("[data-due]");
  if (!form) return;
  const name = event.target.name ?? "";
  if (name.startsWith("due_on-")) form.dataset.isTyped = "yes";
  if (form.dataset.isTyped || !/^(given_on-|dose$|duration_years$)/.test(name)) return;
  if (form.dataset.isCounted !== "yes" && PARTS.some((part) => box(form, part).value)) return; // stood there before
  const due = counted(form);
  for (const part of PARTS) box(form, part).value = due ? due[part] : "";
  form.dataset.isCounted = "yes";
}

function box(form, part) {
  return form.elements[`due_on-${part}`];
}

function counted(form) {
  const [month, day, year] = PARTS.map((part) => form.elements[`given_on-${part}`].value.trim());
  const years = form.elements.dose.value === "first" ? 1 : Number(form.elements.duration_years.value);
  if (!month || !/^\d{1,2}$/.test(day) || !/^\d{4}$/.test(year) || ![1, 3, 4].includes(years)) return null;
  if (Number(day) === 29 && /^f|^0?2$/i.test(month)) return null; // the server knows what becomes of a leap day
  return { month, day, year: String(Number(year) + years) };
}
