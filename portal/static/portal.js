// Everything here makes a page that already works quicker or clearer; without script the same forms go the same way.
//
// Forms: htmx sends them (hx-post beside action, hx-encoding="multipart/form-data" where there is a file), so progress,
//   failures and focus are handled in one place. The server answers 422 with the page or fragment, or HX-Redirect.
// Photos: made smaller when they are chosen, and put back into the same input. Whatever sends the form then sends the
//   small one: htmx, or the browser itself. What cannot be decoded here (HEIC outside Safari) goes as it is.
//   Needs img-src blob: in the page's policy.
// Marks in the page: data-upload, data-chosen, data-max-bytes (file_upload), data-focus (takes the focus after a swap),
//   data-announce (is read out after a swap), data-live (where it is read out), data-print,
//   data-many, data-drop, data-sending, data-outcomes (many files, each by itself), data-due (a counted due date),
//   data-barking, data-tap, data-when, data-words, data-barking-shown, data-forget-barking (the timer of a barking log),
//   data-download (on a form or a button that is answered with a file to keep), data-locate (where the phone is),
//   data-failure (error pages; data-page-only inside it marks what makes no sense in place).
import { mindBarking } from "./js/barking.js";
import { mindDue } from "./js/due.js";
import { mindFailures } from "./js/failures.js";
import { mindFocus } from "./js/focus.js";
import { mindMany } from "./js/many.js";
import { mindPhotos } from "./js/photos.js";
import { mindPlace } from "./js/place.js";
import { mindPrinting } from "./js/printing.js";
import { mindProgress } from "./js/progress.js";
import { mindSubmitting } from "./js/submitting.js";

mindPhotos();
mindSubmitting();
mindProgress();
mindFailures();
mindFocus();
mindPlace();
mindPrinting();
mindMany();
mindDue();
mindBarking();
document.documentElement.dataset.script = "ready";
