// Passkeys: the browser asks the phone, the computer or the key, and the answer goes with the form.
//
// Marks in the page: data-passkey (create, use), data-options (what the server asks), data-passkey-said (what went wrong).
export function mindPasskeys() {
  if (!window.PublicKeyCredential) return;
  for (const form of document.querySelectorAll("[data-passkey]")) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      if (form.elements.answer.value) return;
      event.preventDefault();
      ask(form);
    });
  }
}

async function ask(form) {
  const said = form.querySelector("[data-passkey-said]");
  said.textContent = "";
  try {
    const publicKey = opened(JSON.parse(form.dataset.options));
    const deed = form.dataset.passkey === "create" ? "create" : "get";
    form.elements.answer.value = JSON.stringify(closed(await navigator.credentials[deed]({ publicKey })));
    form.requestSubmit();
  } catch (failure) {
    said.textContent = failure.name === "InvalidStateError" ? "This one is known already." : "That did not work. Try again.";
  }
}

const toBytes = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
const toText = (bytes) =>
  btoa(String.fromCharCode(...new Uint8Array(bytes))).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "");

function opened(options) {
  const list = (known) => known?.map((one) => ({ ...one, id: toBytes(one.id) }));
  return {
    ...options,
    challenge: toBytes(options.challenge),
    ...(options.user && { user: { ...options.user, id: toBytes(options.user.id) } }),
    ...(options.allowCredentials && { allowCredentials: list(options.allowCredentials) }),
    ...(options.excludeCredentials && { excludeCredentials: list(options.excludeCredentials) }),
  };
}

function closed({ id, rawId, type, response }) {
  const parts = ["clientDataJSON", "attestationObject", "authenticatorData", "signature", "userHandle"];
  const told = parts.filter((part) => response[part]).map((part) => [part, toText(response[part])]);
  return { id, type, rawId: toText(rawId), response: Object.fromEntries(told), clientExtensionResults: {} };
}
