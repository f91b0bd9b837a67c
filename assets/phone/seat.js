// The seat's page: what is touched becomes events of the link, what the table says is shown.

import { Events, Link } from "./link.js";
import { bytes, hex } from "./sentences.js";
import { hmac, sha256 } from "./sha256.js";
import { grain, stamp } from "./clock.js";
import { keyOf } from "./keyboard.js";
import { Secrets } from "./secrets.js";
import { storage } from "./storage.js";

const LATER_MS = 30; // a browser hands over what was touched before a message by then
const SILENCE_MS = 3000;
const AGAIN_MS = 250;
const AGAIN_LATER_MS = 1000;
const CROWDED_MS = 10000;
const POLL_MS = 50;
const BUZZ_MS = 60;
const LAMPS = ["off", "on", "blink"];
const LAMP_WORDS = ["Lamp off", "Lamp on", "Lamp blinks"];
const HANDS = ["both", "right", "left"];
const HAND_WORDS = ["Both hands", "Right hand", "Left hand"];
const NONE = "none";
const MARK = 8; // bytes of a picture's SHA-256 that tell which is meant
const LEAST_PX = 64;
const MOST_PX = 4096;
const DOWN_DEGREES = 150; // from lying on its back: the screen looks at the table
const TOUCHED_MS = 1000; // a picture that answers a touch has come by then
const LINE = 10; // the end of what can be touched, before the picture itself
const CLOSED = { joined: 4000, stranger: 4001, elsewhere: 4002, crowded: 4003, silent: 4004, ended: 1001 };

const page = document.body;
const at = (id) => document.getElementById(id);
const lines = [...at("lines").children];
const controls = [...at("house").children];
const usual = controls.map((one) => one.dataset.word);
const draw = (size) => crypto.getRandomValues(new Uint8Array(size));
const lasting = storage("localStorage");
const session = storage("sessionStorage");
const inSession = {
  load: () => session.getItem("events"),
  save: (text) => session.setItem("events", text),
};

const secrets = new Secrets(lasting, location.hash.slice(1), location.pathname === "/h");
const events = new Events(inSession, performance.timeOrigin, hex(draw(4)));
const down = new Map(); // by pointer: the button that it holds
let socket = null;
let link = null;
let refused = 0; // secrets, one after the other
let ended = false; // the table has said so, and nobody has answered since
let words = null; // until they have come the page stands as it was served, in the table's language
let spoken = "";
let meant = NONE; // the mark of the picture that is to be seen
let sent = null; // the picture that has come, and what can be touched there
let begun = null; // the key, buzzer or card on which the last touch began
let rests = 0; // the timer after a touch: until a picture answers it, what stands there may mean something else

history.replaceState(null, "", location.pathname); // the token stands in no address that somebody could read
history.pushState(null, "", location.pathname);

// --- The connection ---------------------------------------------------------------------------------------

const desk = {
  pressed: () => ([...down.values()].includes(at("buzzer")) ? 1 : 0),
  now_us: () => Math.round(performance.now() * 1000),
  room,
  joined: (drawn) => secrets.joined(drawn),
  name: () => lasting.getItem("name") ?? "",
  proved() {
    secrets.proved();
    refused = 0;
    ended = false;
    say("there");
    if (!desk.name()) at("who").hidden = false;
  },
  show(line, text) { if (line in lines) lines[line].textContent = text; },
  light(state) {
    const shown = LAMPS[state] ?? "off";
    // A browser that tells forbids it before the first touch; one that does not tell has no such rule.
    if (page.dataset.lamp === "off" && shown !== "off" && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate?.(BUZZ_MS);
    page.dataset.lamp = shown;
    at("lamp").dataset.word = LAMP_WORDS[LAMPS.indexOf(shown)];
    read();
  },
  set(name, value) {
    if (name === "language") speak(value);
    if (name === "seat") at("seat").dataset.n = value;
    if (name === "seat") page.dataset.house = value === "house" ? "yes" : "";
    if (name === "free") at("seat").dataset.free = value;
    if (name === "seat" || name === "free") choose();
    if (name === "you") at("seat").dataset.you = value;
    if (name === "named") ask(value.replace(/^\d+ /, ""));
    if (["contrast", "text", "keys", "buzzer"].includes(name)) page.dataset[name] = value;
    if (name === "held") at("held").textContent = value;
    if (name === "clock") at("clock").hidden = value !== "arrival"; // by which its presses count
    if (name === "picture") look(value, sent);
    read();
  },
  clear() {
    lines.forEach((line) => { line.textContent = ""; });
    at("held").textContent = "";
    at("clock").hidden = true;
    look(NONE, null);
    delete page.dataset.drawn;
    page.dataset.lamp = "off";
  },
};

function connect() {
  const secret = secrets.current();
  if (!secret && !lasting.lasts) return say("stranger", "This browser does not keep site data. If you had a seat, free it at the table (menu, Phones), then scan its code.");
  if (!secret) return say("stranger", "Scan the code on the table's display.");
  const own = new WebSocket(`${location.protocol === "https:" ? "wss:" : "ws:"}//${location.host}/pod`);
  const identity = hex(hmac(secret, bytes("id")).subarray(0, 8));
  const later = (answer) => setTimeout(() => answer(performance.now()), LATER_MS);
  own.binaryType = "arraybuffer";
  socket = own;
  link = new Link({
    identity, events, desk, later, key: hmac(secret, bytes("key")), grain_us: grain(),
    say: (sentence) => own.readyState === WebSocket.OPEN && own.send(sentence), draw: () => draw(8),
  });
  link.heard_ms = performance.now();
  own.onmessage = ({ data }) => {
    if (typeof data === "string") link.receive(data, performance.now());
    else look(meant, data);
  };
  own.onclose = ({ code }) => { if (socket === own) closed(code); };
  return own;
}

function closed(code) {
  socket = null;
  if (code === CLOSED.joined || code === CLOSED.silent) return connect();
  if (code === CLOSED.elsewhere) return say("elsewhere", "Your seat is open in another tab. Touch to take it back.");
  if (code === CLOSED.stranger && secrets.refused()) return connect();
  if (code === CLOSED.stranger && location.pathname === "/t") return say("stranger", "All seats are taken, or this code has expired. Look at the display.");
  if (code === CLOSED.stranger) return say("stranger", "This code has been used, or the seat was freed. Scan the code on the display.");
  ended ||= code === CLOSED.ended;
  say("away", ended ? "The table has stopped." : "Looking for the table …");
  refused += 1;
  return setTimeout(wake, code === CLOSED.crowded ? CROWDED_MS : refused > 1 ? AGAIN_LATER_MS : AGAIN_MS);
}

/** Connect, if nothing else does, and nobody has to scan or touch anything before. */
function wake() {
  if (!socket && !["stranger", "elsewhere"].includes(page.dataset.state)) connect();
}

setInterval(() => {
  const now_ms = performance.now();
  if (!socket) return;
  if (now_ms - link.heard_ms > SILENCE_MS) {
    const silent = socket;
    socket = null;
    silent.close();
    closed(0);
  } else link.poll(now_ms);
}, POLL_MS);

document.addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "visible") return;
  awake();
  if (link && performance.now() - link.heard_ms > AGAIN_LATER_MS && socket) { // it has slept
    const stale = socket;
    socket = null;
    stale.close();
  }
  wake();
});

// --- What is touched --------------------------------------------------------------------------------------

function press(button, event) {
  const t_us = Math.round(stamp(event, (grain_us) => link?.coarser(grain_us)) * 1000);
  button.classList.add("down");
  if (button === at("buzzer")) events.add("BUZ", t_us, 1);
  for (const key of keysOf(button)) events.add("KEY", t_us, key);
  if (mayChange(button)) rest();
  link?.poll(performance.now());
}

function release(button, event) {
  button.classList.remove("down");
  if (button !== at("buzzer")) return;
  events.add("BUZ", Math.round(stamp(event) * 1000), 0);
  link?.poll(performance.now());
}

function keysOf(button) {
  if (button.dataset.control) return [button.dataset.control];
  return button === at("buzzer") ? "" : button.dataset.keys ?? (button.value || button.textContent);
}

/** Tell whether a button may mean something else as soon as it is touched. */
function mayChange(button) { return Boolean(button?.dataset.keys || button?.dataset.control); }

function underFinger({ target }) {
  return target instanceof Element ? target.closest("#keys button, #areas button, #touch button, #house button, #buzzer") : null;
}

function buttonOf(event) {
  const button = underFinger(event);
  return mayChange(button) && page.dataset.rests ? null : button;
}

/** Take no other touch before the picture that answers this one. */
function rest() {
  page.dataset.rests = "yes";
  rests = setTimeout(rested, TOUCHED_MS);
}

function rested() {
  clearTimeout(rests);
  delete page.dataset.rests;
}

addEventListener("pointerdown", (event) => {
  begun = underFinger(event);
  if (page.dataset.state === "elsewhere") return socket ?? connect(); // a second finger changes nothing
  const button = buttonOf(event);
  if (page.dataset.state === "stranger" || !button) return undefined;
  event.preventDefault();
  if (button.hasPointerCapture?.(event.pointerId)) button.releasePointerCapture(event.pointerId);
  if (![...down.values()].includes(button)) press(button, event);
  down.set(event.pointerId, button);
  return undefined;
});

for (const kind of ["pointerup", "pointercancel"]) {
  addEventListener(kind, (event) => {
    const button = down.get(event.pointerId);
    down.delete(event.pointerId);
    if (button && ![...down.values()].includes(button)) release(button, event);
  });
}

// What was touched may be gone when the finger is taken away, and something else may be there by then.
addEventListener("click", (event) => { if (begun && event.detail !== 0 && underFinger(event) !== begun) event.stopPropagation(); }, true);

addEventListener("click", (event) => { // a screen reader or a keyboard: no pointer came before
  const button = buttonOf(event);
  if (!button || event.detail !== 0 || page.dataset.state === "stranger") return;
  press(button, event);
  release(button, event);
});

addEventListener("keydown", (event) => {
  if (event.repeat || event.ctrlKey || event.metaKey || event.altKey || event.target instanceof HTMLInputElement) return;
  if ([" ", "Enter"].includes(event.key) && !page.isSameNode(document.activeElement)) return; // it presses what has the focus
  const key = keyOf(event);
  const button = event.key === " " ? at("buzzer") : [...at("keys").children].find((one) => (one.value || one.textContent) === key);
  if (!button) return;
  event.preventDefault();
  press(button, event);
  release(button, event);
});

addEventListener("contextmenu", (event) => { if (!(event.target instanceof HTMLInputElement)) event.preventDefault(); });
for (const kind of ["popstate", "hashchange"]) addEventListener(kind, moved);

/** Back leads nowhere; another code that is opened where this page is already begins it anew. */
function moved() {
  if (location.hash.length > 1) location.reload();
  else history.pushState(null, "", location.pathname);
}

// --- What is shown ----------------------------------------------------------------------------------------

function say(state, why = "") {
  page.dataset.state = state;
  at("why").dataset.word = why;
  read();
}

/** Show the picture that is meant, when it has come: the proved mark tells that nobody else has sent it. */
function look(mark, data) {
  const shown = at("picture");
  meant = mark;
  sent = data;
  const whole = data === null ? null : new Uint8Array(data);
  const is = whole !== null && hex(sha256(whole).subarray(0, MARK)) === mark;
  if (!is && mark !== NONE) return; // the one before stands until then
  const end = is ? whole.indexOf(LINE) : 0;
  const said = is ? JSON.parse(new TextDecoder().decode(whole.subarray(0, end))) : [];
  const drawn = is && Array.isArray(said);
  if (is && !drawn) tellHouse(said);
  else offer(said);
  if (shown.src) URL.revokeObjectURL(shown.src);
  shown.hidden = !drawn;
  at("screen").classList.toggle("drawn", drawn);
  if (drawn) page.dataset.drawn = "yes"; // from now on what can be touched comes with pictures
  if (drawn) shown.src = URL.createObjectURL(new Blob([whole.subarray(end + 1)], { type: "image/png" }));
  else shown.removeAttribute("src");
}

/** Show the sheet of the house, which comes instead of a picture. */
function tellHouse({ due, own, said, points, controls: now, touches, keys }) {
  [due, own, said, points].forEach((text, line) => desk.show(line, text));
  page.dataset.keys = keys ? "large" : "none";
  const words = Object.fromEntries(now);
  controls.forEach((one, n) => {
    one.dataset.word = words[one.dataset.control] ?? usual[n];
    one.classList.toggle("idle", !(one.dataset.control in words));
  });
  offer(touches.map(([pressed, label]) => ({ keys: pressed, label })));
  read();
}

/** Lay what can be touched over the picture, and the rest beside it. */
function offer(touches) {
  rested();
  at("areas").replaceChildren();
  at("touch").replaceChildren();
  for (const { keys, label, area } of touches) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.keys = keys;
    if (area) {
      button.setAttribute("aria-label", label);
      ["left", "top", "width", "height"].forEach((side, n) => { button.style[side] = `${100 * area[n]}%`; });
    } else button.textContent = label;
    at(area ? "areas" : "touch").append(button);
  }
}

/** Lay the places of what can be touched where the picture is seen. */
function fit() {
  const { clientWidth, clientHeight, naturalWidth, naturalHeight, offsetLeft, offsetTop } = at("picture");
  const share = Math.min(clientWidth / naturalWidth, clientHeight / naturalHeight);
  const [wide, high] = [share * naturalWidth, share * naturalHeight];
  Object.assign(at("areas").style, {
    left: `${offsetLeft + (clientWidth - wide) / 2}px`, top: `${offsetTop + (clientHeight - high) / 2}px`, width: `${wide}px`, height: `${high}px`,
  });
}

at("picture").addEventListener("load", fit);

/** Return how many pixels wide and high a picture is shown: what the screen has beside its lines. */
function room() {
  const screen = at("screen");
  const style = getComputedStyle(screen);
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const spare = { width: 2 * parseFloat(style.paddingLeft), height: 2 * parseFloat(style.paddingTop) + 2.6 * rem };
  const pixels = (size) => Math.min(MOST_PX, Math.max(LEAST_PX, Math.floor(size * devicePixelRatio)));
  return [pixels(screen.clientWidth - spare.width), pixels(screen.clientHeight - spare.height)];
}

async function speak(language) {
  if (spoken === language) return;
  spoken = language;
  const found = await fetch(`/words/${language}.json`).then((answer) => (answer.ok ? answer.json() : null)).catch(() => null);
  if (spoken !== language) return; // another one was asked for since
  if (found) document.documentElement.lang = language;
  else spoken = "";
  words = found ?? words ?? {};
  read();
}

/** Write all words of the page in its language. */
function read() {
  if (!words) return;
  const said = (word) => words[word] ?? word;
  for (const one of document.querySelectorAll("[data-word]")) one.textContent = said(one.dataset.word);
  for (const one of document.querySelectorAll("[data-label]")) one.setAttribute("aria-label", said(one.dataset.label));
  for (const one of at("seats").children) one.textContent = said("Seat {n}").replace("{n}", one.dataset.seat);
  const { n, you } = at("seat").dataset;
  const seat = n === "house" ? said("The house") : n ? said("Seat {n}").replace("{n}", n) : "";
  at("seat").textContent = you || seat; // there is room for one of them
  at("seat").setAttribute("aria-label", [seat, you].filter(Boolean).join(": "));
}

/** Offer the free seats, and show which is this phone's. */
function choose() {
  const { n, free = "" } = at("seat").dataset;
  const seats = n === "house" ? [] : [n, ...free.split(" ")].filter(Boolean).sort();
  at("seats").replaceChildren(...(seats.length > 1 ? seats : []).map((seat) => {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.seat = seat;
    button.setAttribute("aria-pressed", String(seat === n));
    button.addEventListener("click", () => seat !== at("seat").dataset.n && link?.sit(seat));
    return button;
  }));
}

/** Ask for a name, and say why the last one was refused; no longer where it was not. */
function ask(why) {
  at("refused").textContent = why;
  at("who").hidden = !why;
}

at("seat").addEventListener("click", () => {
  at("name").value = at("seat").dataset.you ?? "";
  at("who").hidden = false;
});
at("code").addEventListener("submit", (event) => {
  event.preventDefault();
  location.assign(`/t#${at("letters").value}`);
});
at("who").addEventListener("submit", (event) => {
  event.preventDefault();
  lasting.setItem("name", at("name").value);
  link?.name(at("name").value);
  at("name").blur(); // its keyboard goes
});

function hide(hidden) {
  at("screen").classList.toggle("hidden", hidden);
  at("touch").classList.toggle("hidden", hidden);
  at("cover").setAttribute("aria-pressed", String(hidden));
  session.setItem("covered", hidden ? "yes" : "");
}

at("cover").addEventListener("click", () => {
  hide(at("cover").getAttribute("aria-pressed") !== "true");
  // Where a page has to ask before it may feel how the phone lies, it may ask only now.
  if (globalThis.DeviceOrientationEvent?.requestPermission) DeviceOrientationEvent.requestPermission().catch(() => {});
});
at("screen").addEventListener("click", () => hide(false));
addEventListener("deviceorientation", ({ beta }) => { if (beta !== null && Math.abs(beta) > DOWN_DEGREES) hide(true); });

/** Lay the keys so that the thumb of one hand reaches them. */
function hold(hand) {
  page.dataset.hand = hand;
  at("hand").dataset.word = HAND_WORDS[HANDS.indexOf(hand)];
  read();
}

at("hand").addEventListener("click", () => {
  const next = HANDS[(HANDS.indexOf(page.dataset.hand) + 1) % HANDS.length];
  lasting.setItem("hand", next);
  hold(next);
});
hold(HANDS.includes(lasting.getItem("hand")) ? lasting.getItem("hand") : HANDS[0]);
hide(session.getItem("covered") === "yes");
new ResizeObserver(() => {
  link?.resized();
  fit();
}).observe(at("screen"));

/** Keep the screen on, where the browser lets a page; over plain http none does. */
function awake() { navigator.wakeLock?.request("screen").catch(() => {}); }

awake();
speak(document.documentElement.lang);
connect();
page.dataset.runs = "yes";
