// Whose seat this phone has: the token of the display's code at first, then what both made of it when it was used.

import { bytes, hex } from "./sentences.js";
import { hmac, sha256 } from "./sha256.js";

const NAME = "seat";
const TOKEN = /^[A-Za-z0-9_-]{22}$/;
const LETTERS = /^[A-Z2-9]{12}$/; // of a table's code, which gives any free seat

/** What is kept: the `token` that was scanned; `next`, which it becomes, until the table knows that too; then the
 * `own` secret alone, and of which token (`from`) it came, so that the same address means the same seat. The code of
 * a table gives a seat only to a phone whose own is refused (`spare`). A phone that
 * has a seat keeps that (`before`) until the table has taken the new token: it may have been used. The letters of the
 * house's code are such a token (`moves`).
 */
export class Secrets {
  constructor(store, scanned, moves = false) {
    this._store = store;
    this._kept = JSON.parse(store.getItem(NAME) ?? "{}");
    this._refused = false; // `next` was: the table has never got the proof
    const { token, from, own, before = own && { own, from } } = this._kept;
    const letters = scanned.toUpperCase().replace(/[^A-Z0-9]/g, "");
    if (moves ? LETTERS.test(scanned) : TOKEN.test(scanned)) {
      if (scanned !== token && mark(scanned) !== from) this._keep({ token: scanned, before });
    } else if (LETTERS.test(letters) && letters !== token) this._keep(own ? { own, from, spare: letters } : { token: letters });
  }

  /** Return the bytes of what this phone has to prove now; null: nothing. */
  current() {
    const { token, next, own } = this._kept;
    this._using = own ?? ((!this._refused && next) || token);
    return this._using ? unpacked(this._using) : null;
  }

  /** Make of the token what follows it; `drawn` is what both ends have drawn. */
  joined(drawn) {
    const { token, before } = this._kept;
    if (!token || this._using !== token) return;
    const next = packed(hmac(hmac(unpacked(token), bytes("key")), bytes(`next${drawn}`)));
    this._refused = false;
    this._keep({ token, next, before });
  }

  /** Forget the token: the table has proved that it knows what came of it. */
  proved() {
    const { token, next, own, from, spare } = this._kept;
    if (next && this._using === next) this._keep({ own: next, from: mark(token) });
    if (spare) this._keep({ own, from });
  }

  /** Go back to the token, as what came of it was refused, or from it to the seat before; tell whether there is one. */
  refused() {
    const { token, next, before, spare } = this._kept;
    if (spare) {
      this._keep({ token: spare });
      return true;
    }
    this._refused = Boolean(next) && this._using === next;
    if (this._using !== token || !before) return this._refused;
    this._keep(before);
    return true;
  }

  _keep(kept) {
    this._kept = kept;
    this._store.setItem(NAME, JSON.stringify(kept));
  }
}

const mark = (token) => hex(sha256(bytes(token)).subarray(0, 8));

const packed = (data) => btoa(String.fromCharCode(...data)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");

const unpacked = (text) => LETTERS.test(text) ? bytes(text) : Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
