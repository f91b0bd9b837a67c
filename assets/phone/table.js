// The wall: what the table's display shows, asked for as long as somebody looks.

const NEXT_MS = 250;
const AGAIN_MS = 2000;
const shown = document.getElementById("picture");
const notice = document.getElementById("notice");
let mark = "";

async function look() {
  if (document.visibilityState !== "visible") return setTimeout(look, AGAIN_MS);
  try {
    const answer = await fetch("/frame.png", { cache: "no-store", headers: mark ? { "If-None-Match": mark } : {} });
    if (answer.status === 200) show(await answer.blob(), answer.headers.get("ETag"));
    notice.hidden = answer.ok || answer.status === 304;
  } catch {
    notice.hidden = false; // the table is not there
  }
  return setTimeout(look, notice.hidden ? NEXT_MS : AGAIN_MS);
}

function show(blob, newest) {
  mark = newest ?? "";
  if (shown.src) URL.revokeObjectURL(shown.src);
  shown.src = URL.createObjectURL(blob);
}

look();
document.body.dataset.runs = "yes";
