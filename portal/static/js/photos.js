// A photo is made smaller on the phone as soon as it is chosen: a slow line sends it in a fifth of the time,
// and the place where it was taken never leaves the phone.
import { announce } from "./announce.js";

const LONGEST_SIDE = 2048;
const QUALITY = 0.85;
const PHOTO_NAME = /\.(jpe?g|png|webp|gif|hei[cf])$/i;
const underway = new Map();

export function mindPhotos() {
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-upload] input[type=file]")) chosen(event.target);
  });
  document.addEventListener("submit", waitForPhotos, true);
}

async function chosen(input) {
  const files = [...input.files];
  if (!files.length) return tell(input, "");
  const takesFilms = /video/.test(input.accept);
  const wrong = files.map((file) => whatIsWrong(file, input.accept)).find(Boolean);
  if (wrong) return tell(input, wrong, true);
  const name = files.length === 1 ? `${files[0].name} is` : `${files.length} ${takesFilms ? "files" : "pages"} are`;
  tell(input, `${name} chosen, ${size(total(files))}. Getting ${files.length === 1 ? "it" : "them"} ready.`);
  const work = eachSmaller(files);
  underway.set(input, work);
  const kept = await work;
  if (underway.get(input) !== work) return; // others were chosen meanwhile
  underway.delete(input);
  const isSmaller = total(kept) < total(files);
  if (kept.some((file, at) => file !== files[at])) replace(input, kept);
  const limit = Number(input.dataset.maxBytes || Infinity);
  const heavy = kept.find((file) => file.size > limit);
  if (heavy) return tell(input, `${heavy.name} has ${size(heavy.size)}; the limit is ${megabytes(limit)}. Choose a smaller one.`, true);
  const before = size(total(files));
  const [was, now] = files.length === 1 ? ["It was", "is now"] : ["They were", "are now"];
  tell(input, isSmaller ? `${name} chosen. ${was} ${before} and ${now} ${size(total(kept))}.` : `${name} chosen, ${before}.`);
}

// One after the other: a phone has no memory for several photos at once.
async function eachSmaller(files) {
  const kept = [];
  for (const file of files) kept.push((await smaller(file)) ?? file);
  return kept;
}

function total(files) {
  return files.reduce((sum, file) => sum + file.size, 0);
}

// Sent too early: the form goes by itself as soon as the photo is ready.
function waitForPhotos(event) {
  const waiting = [...underway].filter(([input]) => event.target.contains(input)).map(([, work]) => work);
  if (!waiting.length) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const { target: form, submitter } = event;
  Promise.all(waiting).then(() => setTimeout(() => form.requestSubmit(submitter)));
}

// Only a warning: the server looks into the file itself.
function whatIsWrong(file, accept) {
  if (file.size === 0) return `${file.name} is empty. Choose it again, or take a new photo.`;
  const isPhoto = (file.type.startsWith("image/") && file.type !== "image/svg+xml") || PHOTO_NAME.test(file.name);
  if (!/image/.test(accept)) return ""; // a table, say
  const isFilm = /^(audio|video)\//.test(file.type);
  const isPdf = file.type === "application/pdf" || /\.pdf$/i.test(file.name);
  const [takesFilms, takesPdfs] = [/video/.test(accept), /pdf/.test(accept)];
  if (isPhoto || (isFilm && takesFilms) || (isPdf && takesPdfs)) return "";
  const taken = takesFilms ? "a photo, a sound, a film or a PDF" : takesPdfs ? "a photo or a PDF" : "a photo";
  return `${file.name} is not ${taken}. Choose ${taken}.`;
}

// The same picture as a JPEG of at most 2048 pixels, or null when the original has to do.
async function smaller(file) {
  if (!file.type.startsWith("image/") && !PHOTO_NAME.test(file.name)) return null;
  if (file.type === "image/gif" || (await isCutShort(file))) return null;
  const address = URL.createObjectURL(file);
  try {
    const image = new Image(); // an image element turns itself upright, in every browser
    image.src = address;
    await image.decode();
    const blob = await redraw(image);
    // A screenshot (PNG) is often smaller than its JPEG; a camera's picture is always redrawn, for what it carries.
    if (!blob || (file.type === "image/png" && blob.size >= file.size)) return null;
    return new File([blob], file.name.replace(/\.[^.]*$/, "") + ".jpg", { type: "image/jpeg" });
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(address);
  }
}

// A browser draws what there is of a photo that was cut short, so that the server could not see that part is missing.
async function isCutShort(file) {
  const [first] = new Uint8Array(await file.slice(0, 1).arrayBuffer());
  const end = { 0xff: [0xff, 0xd9], 0x89: [0x49, 0x45, 0x4e, 0x44] }[first]; // of a JPEG, of a PNG ("IEND")
  if (!end) return false;
  const rest = new Uint8Array(await file.slice(file.size / 2).arrayBuffer()); // a phone may put a film behind the end
  for (let at = rest.length - end.length; at >= 0; at--) {
    if (end.every((byte, place) => rest[at + place] === byte)) return false;
  }
  return true;
}

function redraw(image) {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(image.naturalWidth, image.naturalHeight));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.naturalWidth * scale));
  canvas.height = Math.max(1, Math.round(image.naturalHeight * scale));
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  if (!tellsTheTruth(pen)) return null;
  pen.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", QUALITY));
}

// Browsers that hide themselves from trackers hand out noise in place of a canvas.
function tellsTheTruth(pen) {
  return pen.getImageData(0, 0, 1, 1).data.slice(0, 3).every((shade) => shade > 250);
}

function replace(input, files) {
  const bag = new DataTransfer();
  for (const file of files) bag.items.add(file);
  input.files = bag.files;
}

function tell(input, words, isWrong = false) {
  const place = document.getElementById(`${input.id}-chosen`);
  if (place) {
    place.textContent = words;
    place.className = isWrong ? "error" : "hint";
  } else {
    announce(words);
  }
}

function size(bytes) {
  return bytes < 1e6 ? `${Math.max(1, Math.round(bytes / 1e3))} kB` : megabytes(bytes);
}

function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(1).replace(/\.0$/, "")} MB`;
}
