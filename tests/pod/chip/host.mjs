// The host of an emulated pod: it installs the firmware, then speaks docs/pod-protocol.md.

import { createHmac } from "node:crypto";

const START_MS = 3000;
const COPY_MS = 4000;

/** Return a sentence, proved if there is a seal. */
export function sentence(words, seal) {
  const escaped = words.map((word) =>
    [...Buffer.from(String(word))]
      .map((byte) =>
        byte >= 0x20 && byte < 0x7f && !"$*,^".includes(String.fromCharCode(byte))
          ? String.fromCharCode(byte)
          : `^${byte.toString(16).toUpperCase().padStart(2, "0")}`,
      )
      .join(""),
  );
  let body = `TC${escaped.join(",")}`;
  if (seal) {
    body += `*${++seal.said}`;
    body += `*${tag(seal.ours, body)}`;
  }
  return `$${body}*${check(body)}\r\n`;
}

function check(body) {
  let crc = -1;
  for (const byte of Buffer.from(body)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return (~crc >>> 0).toString(16).toUpperCase().padStart(8, "0");
}

const mac = (key, text) => createHmac("sha256", key).update(text).digest();
const tag = (key, text) => mac(key, text).subarray(0, 8).toString("hex").toUpperCase();

/** Copy files onto an empty board through MicroPython's prompt, like mpremote. */
export function copyOnto(board, files) {
  let said = "";
  board.heard = (text) => (said += text);
  const expect = (words, ms) => {
    if (!board.run(board.ms + ms, () => said.includes(words)))
      throw new Error(`the board does not say ${JSON.stringify(words)}, but ${JSON.stringify(said.slice(-300))}`);
    said = "";
  };
  board.run(START_MS, () => board.connected);
  board.run(board.ms + 100);
  board.send("\x02\r\x03\x03\r");
  expect(">>> ", START_MS);
  board.run(board.ms + 50);
  said = "";
  board.send("\x01");
  expect("raw REPL; CTRL-B to exit\r\n>", START_MS);
  for (const [name, text] of Object.entries(files)) {
    board.send(`with open(${JSON.stringify(name)}, "wb") as file:\r file.write(${bytesLiteral(text)})\r\x04`);
    expect("\x04\x04>", COPY_MS);
  }
}

const bytesLiteral = (text) =>
  `b"${[...Buffer.from(text)]
    .map((byte) =>
      byte < 0x20 || byte > 0x7e || byte === 0x22 || byte === 0x5c
        ? `\\x${byte.toString(16).padStart(2, "0")}`
        : String.fromCharCode(byte),
    )
    .join("")}"`;

/** A host that acknowledges all events and records the answers; `words` has the sentences with their times. */
export class Host {
  constructor(board) {
    this.board = board;
    this.words = [];
    this.events = [];
    this.pings = [];
    this.expected = 1;
    this.seal = null;
    this._line = "";
    this._seq = 0;
    this._n = 0;
    board.heard = (text) => this._hear(text);
  }

  say(...words) {
    this.board.send(sentence(words, this.seal));
  }

  /** Repeat a sentence until one of a kind answers; return the answer's words. */
  ask(kind, ...words) {
    const from = this.words.length;
    const answer = () => this.words.slice(from).find((heard) => heard[0] === kind);
    for (let tries = 0; tries < 6 && !answer(); tries++) {
      this.say(...words);
      this.board.run(this.board.ms + 500, answer);
    }
    if (!answer()) throw new Error(`no ${kind} answers ${words[0]}`);
    return answer();
  }

  /** Greet the pod like a new host; with a key request its proof. */
  greet(version, session = "5B0C77E2", key = null) {
    this.seal = null;
    this._seq = 0;
    const hello = this.greeting(this.ask("HEL", "HEY", version, session), version, session);
    if (key) {
      const drawn = "0011223344556677";
      const [, , theirs] = this.ask("PRF", "PRV", drawn);
      this.seal = { ours: mac(key, `host${drawn}${theirs}`), said: 0 };
    }
    return hello;
  }

  greeting(hello, version, session) {
    return hello[7] === session ? hello : this.ask("HEL", "HEY", version, session);
  }

  /** Repeat a numbered sentence until it is acknowledged. */
  tell(kind, ...fields) {
    const seq = ++this._seq;
    const acknowledged = () => this.words.some((heard) => heard[0] === "ACK" && Number(heard[1]) === seq);
    this.words = this.words.filter((heard) => heard[0] !== "ACK");
    for (let tries = 0; tries < 6 && !acknowledged(); tries++) {
      this.say(kind, seq, ...fields);
      this.board.run(this.board.ms + 100, acknowledged);
    }
    if (!acknowledged()) throw new Error(`${kind} ${seq} is not acknowledged`);
  }

  ping() {
    this._n += 1;
    this.pings.push({ n: this._n, sentMs: this.board.ms, heardMs: null });
    this.say("PNG", this._n);
  }

  /** Send `count` pings at least `apartMs` apart, each after the last answer. */
  burst(count, apartMs) {
    const first = this.pings.length;
    for (let number = 0; number < count; number++) {
      this.ping();
      const ping = this.pings.at(-1);
      this.board.run(ping.sentMs + 1000, () => ping.heardMs !== null);
      this.board.run(ping.sentMs + apartMs);
    }
    return this.pings.slice(first);
  }

  buzzes() {
    return this.events.filter(([kind]) => kind === "BUZ").map(([, , us, level]) => [Number(us), Number(level)]);
  }

  _hear(text) {
    this._line += text;
    const lines = this._line.split("\n");
    this._line = lines.pop();
    for (const line of lines) this._sentence(line);
  }

  _sentence(line) {
    const found = /^\$(TC[A-Z]{3}[^*]*(?:\*\d+\*[0-9A-F]{16})?)\*([0-9A-F]{8})\r$/.exec(line);
    if (!found || check(found[1]) !== found[2]) return;
    const unescaped = (word) => word.replace(/\^([0-9A-F]{2})/g, (_, digits) => String.fromCharCode(parseInt(digits, 16)));
    const words = found[1].split("*")[0].slice(2).split(",").map(unescaped);
    words.ms = this.board.ms;
    this.words.push(words);
    const [kind, ...fields] = words;
    if (kind === "PON") {
      const ping = this.pings.find(({ n }) => n === Number(fields[0]));
      if (ping) Object.assign(ping, { heardMs: this.board.ms, fields: fields.map(Number) });
    } else if (["BUZ", "KEY", "LST"].includes(kind)) {
      if (Number(fields[0]) === this.expected) {
        this.expected += 1;
        this.events.push(words);
      }
      this.say("ACK", this.expected - 1);
    }
  }
}
