// The conversation with the table, as a pod has it: no socket, no clock, no element of the page.

import { Seal, hex, number, written, read } from "./sentences.js";

const VERSION = "1";
const FIRMWARE = "page 1";
const CAPABILITIES = "BKLTWQP";
const KEPT_MAX = 64;
const WINDOW = 8; // of the events that are kept so many are on the line
const RESEND_MS = 100;
const SESSION_LENGTH = 8;
const NONCE_LENGTH = 16;
const BOOT_LENGTH = 8;
const LETTERS = 6; // of a name in one sentence, whatever they are
const UNPROVED = ["HEY", "PRV"];
const NOBODY = "-";

/** What a page keeps over its reload: the life that its events belong to, and those that the table may not have. */
export class Events {
  /** `store` keeps text: load() returns what save(text) got last, or null. `origin_ms` is what stamps count from. */
  constructor(store, origin_ms, boot) {
    this._store = store;
    this._origin_ms = origin_ms;
    // Of an event are kept: its kind, microseconds since 1970, its value.
    Object.assign(this, { boot, first: 1, kept: [], lost: 0 }, JSON.parse(store.load() ?? "{}"));
  }

  get made() { return this.first + this.kept.length - 1; }

  /** Keep an event until the table has it; what there is no room for is counted. */
  add(kind, t_us, value) {
    const at_us = Math.round(this._origin_ms * 1000) + t_us;
    this._tellLost(at_us);
    if (this.kept.length < KEPT_MAX - 1) this.kept.push([kind, at_us, value]);
    else this.lost += 1;
    this._tellLost(at_us);
    this._save();
  }

  /** Begin another life with what is kept: this one went on elsewhere. */
  begin(boot) {
    Object.assign(this, { boot, first: 1 });
    this._save();
  }

  /** Forget what the table has. */
  drop(upTo) {
    this.kept.splice(0, upTo - this.first + 1);
    this.first = upTo + 1;
    this._save();
  }

  _tellLost(at_us) {
    if (!this.lost || this.kept.length >= KEPT_MAX) return;
    this.kept.push(["LST", at_us, this.lost]);
    this.lost = 0;
  }

  /** Return kind, number, stamp and value of the event at a place. */
  at(place) {
    const [kind, at_us, value] = this.kept[place];
    return [kind, this.first + place, Math.max(0, at_us - Math.round(this._origin_ms * 1000)), value];
  }

  _save() {
    const { boot, first, kept, lost } = this;
    this._store.save(JSON.stringify({ boot, first, kept, lost }));
  }
}

/** One connection. `say` takes a sentence; `desk` is what stands before the player:
 * pressed(), now_us(), room(), how wide and high a picture is shown, and name() are asked; show(line, text), light(state), set(name, value), clear(), joined(drawn) and
 * proved() are told. `draw()` returns 8 bytes that nobody can guess. A ping is answered when `later` calls back: what
 * was pressed before it has been heard by then.
 */
export class Link {
  constructor({ identity, key, events, grain_us, say, desk, draw, later }) {
    Object.assign(this, { identity, events, desk, heard_ms: null });
    this._key = key;
    this._grain_us = grain_us;
    this._send = say;
    this._draw = draw;
    this._later = later;
    this._asked = null;
    this._seal = null;
    this._session = NOBODY;
    this._expected = 1; // of the table's numbers
    this._on_line = 0; // of the events: sent, and their time is not over
    this._reached = events.first - 1; // the highest number that was ever sent here
    this._waiting_ms = 0; // since when nothing was acknowledged
    this._handlers = {
      HEY: [2, this._hey], PRV: [1, this._prove], PNG: [1, this._ping], ACK: [1, this._acknowledged],
      TXT: [3, this._text], LMP: [2, this._lamp], SET: [3, this._set],
    };
  }

  /** Take a message of the table. */
  receive(text, now_ms) {
    const heard = read(text);
    if (!heard || !(heard.kind in this._handlers)) return;
    const [count, handle] = this._handlers[heard.kind];
    if (heard.fields.length !== count || !this._believes(heard)) return;
    this.heard_ms = now_ms;
    handle.call(this, heard.fields, now_ms);
  }

  /** Send the events that are due. */
  poll(now_ms) {
    if (!this._seal) return;
    const { kept, first } = this.events;
    if (this._on_line && now_ms - this._waiting_ms >= RESEND_MS) this._on_line = 0;
    if (!this._on_line) this._waiting_ms = now_ms;
    while (this._on_line < Math.min(WINDOW, kept.length)) {
      this._say(...this.events.at(this._on_line));
      this._on_line += 1;
      this._reached = Math.max(this._reached, first + this._on_line - 1);
    }
  }

  /** Say that the clock was found to be coarser. */
  coarser(grain_us) {
    if (grain_us <= this._grain_us) return;
    this._grain_us = grain_us;
    if (this._seal) this._say("GRN", grain_us);
  }

  /** Ask for another seat. */
  sit(seat) { if (this._seal) this._say("SIT", seat); }

  /** Say the name that somebody has typed, in as many sentences as it takes. */
  name(text) {
    if (!this._seal) return;
    const letters = Array.from(text);
    do {
      const part = letters.splice(0, LETTERS).join("");
      this._say("NAM", letters.length ? 1 : 0, part);
    } while (letters.length);
  }

  /** Say that a picture is shown larger or smaller from now on. */
  resized() { if (this._seal) this._say("PIX", ...this.desk.room()); }

  _believes({ kind, proof }) {
    if (UNPROVED.includes(kind)) return true;
    if (!this._seal || !this._seal.opens(proof)) return false;
    this.desk.proved();
    return true;
  }

  _say(kind, ...fields) { this._send(written(this._seal, kind, ...fields)); }

  _hey([version, session]) {
    if (session.length !== SESSION_LENGTH) return;
    if (version === VERSION && session !== this._session) {
      this._session = session;
      this._expected = 1;
      this.desk.clear();
    }
    this._on_line = 0;
    const { boot, first } = this.events;
    this._send(written(null, "HEL", VERSION, this.identity, FIRMWARE, CAPABILITIES, boot, first, session));
  }

  _prove([asked]) {
    if (asked.length !== NONCE_LENGTH || this._session === NOBODY) return;
    if (asked !== this._asked) { // else the answer may have been lost
      this._asked = asked;
      this._drawn = hex(this._draw());
      this._seal = new Seal(this._key, asked, this._drawn);
      this.desk.joined(asked + this._drawn);
    }
    this._on_line = 0;
    this._say("PRF", asked, this._drawn, this.events.boot, this.events.first);
    this._say("GRN", this._grain_us);
    this._say("PIX", ...this.desk.room());
    if (this.desk.name()) this.name(this.desk.name());
  }

  _ping([count]) {
    if (Number.isNaN(number(count))) return;
    const t_us = this.desk.now_us();
    const seal = this._seal;
    this._later((now_ms) => {
      if (seal !== this._seal) return; // another session has begun
      this.poll(now_ms);
      this._say("PON", count, t_us, this.events.made, this.desk.pressed(), this.desk.now_us());
    });
  }

  _text([seq, line, text]) { this._take(seq, () => this.desk.show(number(line), text)); }

  _lamp([seq, state]) { this._take(seq, () => this.desk.light(number(state))); }

  _set([seq, name, value]) { this._take(seq, () => this.desk.set(name, value)); }

  _take(seq, act) {
    const next = number(seq) === this._expected;
    if (next) this._expected += 1;
    this._say("ACK", this._expected - 1);
    if (next) act();
  }

  _acknowledged([seq], now_ms) {
    const upTo = number(seq);
    const { first, made } = this.events;
    if (upTo > made) { // a browser has brought an older copy of the storage back, or another tab has one
      this.events.begin(hex(this._draw()).slice(0, BOOT_LENGTH));
      this._hey([VERSION, this._session]);
      return;
    }
    if (!(upTo >= first && upTo <= this._reached)) return;
    this.events.drop(upTo);
    this._on_line = Math.max(0, this._on_line - (upTo - first + 1));
    this._waiting_ms = now_ms;
    this.poll(now_ms);
  }
}
