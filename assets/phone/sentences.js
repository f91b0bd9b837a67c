// Sentences of the pod's protocol (docs/pod-protocol.md): written and read, and the proof of who has said one.

import { hmac } from "./sha256.js";

const LONGEST = 120;
const CHECK = 9; // a sign and eight digits
const utf8 = new TextEncoder();
const SHAPE = /^\$((TC([A-Z]{3})((?:,[^$*,\x00-\x1f\x7f-\uffff]*)*))(?:\*([0-9]{1,10})\*([0-9A-F]{16}))?)\*([0-9A-F]{8})\r\n$/;

/** Return the bytes of a text of ASCII or any other letters. */
export const bytes = (text) => utf8.encode(text);

/** Return bytes as hexadecimal digits in capitals. */
export const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("").toUpperCase();

/** One session with the table: a key for each direction, made of the seat's key and of what both have drawn. */
export class Seal {
  constructor(key, theirs, ours) {
    this._ours = hmac(key, bytes(`pod${theirs}${ours}`));
    this._theirs = hmac(key, bytes(`host${theirs}${ours}`));
    this._said = 0;
    this._heard = 0;
  }

  /** Return what is proved of a sentence: its words, the next number, the tag of both. */
  prove(words) {
    this._said += 1;
    const numbered = `${words}*${this._said}`;
    return `${numbered}*${tag(this._ours, numbered)}`;
  }

  /** Tell whether the table has made this, and has not said it, or something later, before. */
  opens(proof) {
    if (!proof || proof.number <= this._heard || tag(this._theirs, proof.madeOf) !== proof.tag) return false;
    this._heard = proof.number;
    return true;
  }
}

const tag = (key, text) => hex(hmac(key, bytes(text)).subarray(0, 8));

/** Return a sentence of a kind and fields, numbers among them; with a seal it is proved. */
export function written(seal, kind, ...fields) {
  const words = [`TC${kind}`, ...fields.map(escaped)].join(",");
  if (1 + words.length + CHECK > LONGEST) throw new RangeError(`a ${kind} is too long`);
  const body = seal ? seal.prove(words) : words;
  return `$${body}*${check(body)}\r\n`;
}

/** Return kind, fields and proof of a sentence; null when anything is wrong with it. */
export function read(text) {
  const shape = SHAPE.exec(text);
  if (!shape) return null;
  const [, body, words, kind, listed, number, mark, digits] = shape;
  if (1 + words.length + CHECK > LONGEST || check(body) !== digits) return null;
  const fields = listed.split(",").slice(1).map(unescaped);
  if (fields.includes(null)) return null;
  const proof = mark ? { number: Number(number), tag: mark, madeOf: `${words}*${number}` } : null;
  return { kind, fields, proof };
}

/** Return the whole number that a field holds; NaN when it holds none. */
export const number = (field) => (/^[0-9]{1,18}$/.test(field) ? Number(field) : NaN);

function escaped(field) {
  const safe = (byte) => byte >= 0x20 && byte < 0x7f && !"$*,^".includes(String.fromCharCode(byte));
  return Array.from(bytes(String(field)), (b) => (safe(b) ? String.fromCharCode(b) : `^${hex([b])}`)).join("");
}

function unescaped(field) {
  if (/\^(?![0-9A-F]{2})/.test(field)) return null;
  const plain = field.replace(/\^(..)/g, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
  return new TextDecoder().decode(Uint8Array.from(plain, (letter) => letter.charCodeAt(0)));
}

/** CRC-32 as in zip and PNG, as eight digits. */
function check(text) {
  let crc = -1;
  for (const byte of bytes(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).padStart(8, "0").toUpperCase();
}
