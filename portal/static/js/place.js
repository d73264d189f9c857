// Where the phone is, added to a report when somebody presses the button; what they type is enough without it.
export function mindPlace() {
  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-locate] button");
    if (button) locate(button.closest("[data-locate]"));
  });
  document.addEventListener("htmx:afterSettle", show);
  show();
}

function show() {
  if (!navigator.geolocation) return;
  for (const place of document.querySelectorAll("[data-locate][hidden]")) place.hidden = false;
}

function locate(place) {
  const tell = (words) => { place.querySelector("[role=status]").textContent = words; };
  tell("Looking for where you are.");
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      place.querySelector("[name=latitude]").value = coords.latitude;
      place.querySelector("[name=longitude]").value = coords.longitude;
      tell("Where you are now is added. Type the place too, in a few words.");
    },
    () => tell("Your phone doesn’t say where you are. What you type is enough."),
    { timeout: 10000, maximumAge: 60000 },
  );
}
