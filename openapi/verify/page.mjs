/** The page: a record that is dropped or chosen, and the report on it. */

import { told } from "./telling.mjs";
import { NotARecord, verify } from "./verify.mjs";

const form = document.querySelector("form");
const output = document.querySelector("output");

form.addEventListener("input", show);
form.addEventListener("submit", (event) => event.preventDefault());
document.addEventListener("dragover", (event) => event.preventDefault());
document.addEventListener("drop", (event) => {
  event.preventDefault();
  form.record.files = event.dataTransfer.files;
  show();
});

async function show() {
  const [file] = form.record.files;
  if (!file) return;
  const bytes = new Uint8Array(await file.arrayBuffer());
  try {
    output.value = told(verify(bytes, form.head.value.trim() || null));
  } catch (wrong) {
    if (!(wrong instanceof NotARecord)) throw wrong;
    output.value = `not a record: ${wrong.message}`;
  }
}
